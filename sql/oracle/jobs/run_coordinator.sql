-- One run of job COORDINATOR: steps until there is none, then the scheduler runs it again in a second. The lock, which ends
-- with the session, keeps a second one out that somebody starts by hand.
CREATE OR REPLACE PROCEDURE run_coordinator AUTHID DEFINER AS
  l_step VARCHAR2(80);
  l_code NUMBER;
  l_text VARCHAR2(4000);
BEGIN
  IF DBMS_LOCK.REQUEST(id => 726552851, timeout => 0) NOT IN (0, 4) THEN
    RETURN;
  END IF;
  set_job_session;
  LOOP
    l_step := coordinator.next_step;
    EXIT WHEN l_step = 'IDLE';
    coordinator.perform(l_step);
    COMMIT;
  END LOOP;
EXCEPTION
  WHEN OTHERS THEN
    l_code := SQLCODE;
    l_text := SQLERRM;
    ROLLBACK;
    coordinator.failed(NVL(l_step, coordinator.c_next), l_code, l_text);
    COMMIT;
END run_coordinator;
/
