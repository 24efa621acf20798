-- Keys become text by the session's formats when LogMiner writes them, and texts are put in order by its sorting; a scheduler
-- job has those of the session that created it.
CREATE OR REPLACE PROCEDURE set_job_session AUTHID DEFINER AS
BEGIN
  DBMS_SESSION.SET_NLS('NLS_NUMERIC_CHARACTERS', '''.,''');
  DBMS_SESSION.SET_NLS('NLS_DATE_FORMAT', '''YYYY-MM-DD HH24:MI:SS''');
  DBMS_SESSION.SET_NLS('NLS_TIMESTAMP_FORMAT', '''YYYY-MM-DD HH24:MI:SS.FF9''');
  DBMS_SESSION.SET_NLS('NLS_TIMESTAMP_TZ_FORMAT', '''YYYY-MM-DD HH24:MI:SS.FF9 TZH:TZM''');
  DBMS_SESSION.SET_NLS('NLS_SORT', 'BINARY');
  DBMS_SESSION.SET_NLS('NLS_COMP', 'BINARY');
  EXECUTE IMMEDIATE 'ALTER SESSION SET TIME_ZONE = ''+00:00''';
END set_job_session;
/
