-- Changes nothing. &1 owner of orapull
SET DEFINE ON VERIFY OFF FEEDBACK OFF SERVEROUTPUT ON SIZE UNLIMITED
ALTER SESSION SET CURRENT_SCHEMA = &1;
ALTER SESSION SET NLS_NUMERIC_CHARACTERS = ',.' NLS_DATE_FORMAT = 'DD.MM.RR';
ALTER SESSION SET NLS_TIMESTAMP_FORMAT = 'DD.MM.RR HH24:MI';
PROMPT ==== 19 key texts under other NLS settings
PROMPT expected: eight times the same value
DECLARE
  PROCEDURE try_text(p_type IN VARCHAR2, p_text IN VARCHAR2, p_value IN VARCHAR2) IS
    l_found VARCHAR2(20);
  BEGIN
    EXECUTE IMMEDIATE 'SELECT CASE WHEN ' || resolver.key_value('x.k', p_type, 20) || ' = ' || p_value
      || ' THEN ''the same value'' ELSE ''ANOTHER VALUE'' END FROM (SELECT CAST(:k AS VARCHAR2(100)) AS k FROM dual) x' INTO l_found USING p_text;
    DBMS_OUTPUT.PUT_LINE('found, ' || p_type || ' ' || p_text || ': ' || l_found);
  EXCEPTION
    WHEN OTHERS THEN
      DBMS_OUTPUT.PUT_LINE('found, ' || p_type || ' ' || p_text || ': ' || SQLERRM);
  END try_text;
BEGIN
  try_text('NUMBER', '1.5', '3 / 2');
  try_text('NUMBER', '-.25', '-1 / 4');
  try_text('NUMBER', '1.0E+50', 'POWER(10, 50)');
  try_text('CHAR', 'ab', 'CAST(''ab'' AS CHAR(4))');
  try_text('RAW', '00FF', 'HEXTORAW(''00FF'')');
  try_text('DATE', '2024-02-29 13:14:15', 'CAST(TIMESTAMP ''2024-02-29 13:14:15'' AS DATE)');
  try_text('TIMESTAMP(3)', '2024-02-29 13:14:15.120000000', 'TIMESTAMP ''2024-02-29 13:14:15.12''');
  try_text('TIMESTAMP(0)', '2024-02-29 13:14:15', 'TIMESTAMP ''2024-02-29 13:14:15''');
END;
/
