-- A job that runs a procedure of ours again and again. A run that fails or is killed is followed by the next one as any
-- other: restart_on_failure would give up after six. p_instance NULL: on any.
CREATE OR REPLACE PROCEDURE make_job(
  p_name IN VARCHAR2, p_procedure IN VARCHAR2, p_seconds IN NUMBER, p_instance IN NUMBER DEFAULT NULL
) AUTHID DEFINER AS
BEGIN
  DBMS_SCHEDULER.CREATE_JOB(
    job_name => p_name, job_type => 'STORED_PROCEDURE', job_action => p_procedure,
    repeat_interval => 'FREQ=SECONDLY;INTERVAL=' || TO_CHAR(p_seconds), auto_drop => FALSE
  );
  DBMS_SCHEDULER.SET_ATTRIBUTE(p_name, 'logging_level', DBMS_SCHEDULER.LOGGING_FAILED_RUNS);
  IF p_instance IS NOT NULL THEN
    DBMS_SCHEDULER.SET_ATTRIBUTE(p_name, 'instance_id', p_instance);
  END IF;
  DBMS_SCHEDULER.ENABLE(p_name);
END make_job;
/
