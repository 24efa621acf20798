CREATE OR REPLACE PACKAGE BODY helper AS

  FUNCTION twice(p_n IN NUMBER DEFAULT 4) RETURN NUMBER DETERMINISTIC IS
  BEGIN
    RETURN p_n * 2;
  END twice;

  FUNCTION is_even(p_n IN NUMBER) RETURN BOOLEAN IS
  BEGIN
    RETURN MOD(p_n, 2) = 0;
  END is_even;

  FUNCTION add_row(p_a IN NUMBER) RETURN NUMBER IS
  BEGIN
    INSERT INTO w (a) VALUES (p_a);
    RETURN SQL%ROWCOUNT;
  END add_row;

  PROCEDURE halves(p_n IN NUMBER, p_low OUT PLS_INTEGER, p_rest OUT NUMBER, p_calls IN OUT NUMBER) IS
  BEGIN
    p_low := FLOOR(p_n / 2);
    p_rest := p_n - 2 * p_low;
    p_calls := p_calls + 1;
  END halves;

  PROCEDURE be_late IS
  BEGIN
    RAISE late;
  END be_late;

END helper;
/
