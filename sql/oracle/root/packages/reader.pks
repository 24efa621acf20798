CREATE OR REPLACE PACKAGE reader AUTHID DEFINER AS
  -- Reads redo for a container, in CDB$ROOT, as the container has ordered: which SCNs, which logs (SCAN_LOG), which tables. It decides
  -- nothing: what has gone wrong is written into PASS, and the container orders anew or not.
  -- Three steps of a job, each a transaction of its own, because LogMiner and DDL commit:
  --   l_pass := reader.take(l_session);   reader.empty_stage(l_pass);   reader.read(l_pass, l_session);
  -- after any error: ROLLBACK, reader.fail(l_pass, l_session, SQLERRM). Nothing here commits.
  -- Errors: those of LOGMINER; ORA-20824, the order is gone, or in other hands.

  -- Takes the oldest order. NULL: there is none.
  FUNCTION take(p_session IN VARCHAR2) RETURN NUMBER;

  -- Empties STAGE_n of the pass, or makes it. ORA-00054 while a job still writes whose order is gone: the container tries again.
  PROCEDURE empty_stage(p_pass_no IN NUMBER);

  -- Reads the redo into STAGE_n, in one pass.
  PROCEDURE read(p_pass_no IN NUMBER, p_session IN VARCHAR2);

  -- Tells the container. p_pass_no NULL: there is nobody to be told, the job fails.
  PROCEDURE fail(p_pass_no IN NUMBER, p_session IN VARCHAR2, p_text IN VARCHAR2);
END reader;
/
