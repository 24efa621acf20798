CREATE OR REPLACE PACKAGE coordinator AUTHID DEFINER AS

  -- What the mining side does next. All decisions are here; the job is a loop of NEXT_STEP, PERFORM, COMMIT.
  -- One step is one transaction. There is one coordinator: a scheduler job runs once.
  --
  -- Steps, the most urgent first; a step that has failed is passed over for some seconds, so that it does not hold up those that
  -- could help it (a full tablespace: RELEASE)
  --   CHECK_SLOTS        after an error that may come from a lost slot
  --   CLEAR_STAGE n, CREATE_STAGE n, CLEAR_SLOT n, CREATE_SLOT n
  --   REBUILD n          lost portions can be rebuilt from scan n; 0: without a scan
  --   REPUBLISH          an instance was started (SOURCE.RESTARTED); nothing else is published before it
  --   SETTLE             a table waits for transactions (REGISTRY.SETTLE); once a second
  --   RELEASE            a shard has acked
  --   BURY, WATCH        once a minute: dead transactions; the dictionary (REGISTRY.WATCH)
  --   FORGET n           the views of a table that nobody wants any more
  --   CHOOSE_REPAIR n, READ_REPAIR n, FINISH_REPAIR n    scan n is next to publish and cuts LOB transactions (REPAIRS.NEXT_STEP)
  --   ORDER_REPAIR n, CONFIRM_REPAIR n    between CHOOSE and READ in topology ROOT
  --   PUBLISH n          scan n
  --   PLAN               a range of redo can be cut (RANGES.PLAN_SCAN)
  --   IDLE               nothing; ask again in a second
  --
  -- Errors
  --   ORA-20828  not started, or a step that is none

  c_idle CONSTANT VARCHAR2(4) := 'IDLE';

  -- In place of a step that failed, when it was NEXT_STEP itself.
  c_next CONSTANT VARCHAR2(9) := 'NEXT_STEP';

  FUNCTION next_step RETURN VARCHAR2;

  -- Does what NEXT_STEP has returned. The caller commits, or rolls back and calls FAILED.
  PROCEDURE perform(p_step IN VARCHAR2);

  -- Takes down that a step has failed: an event, and the detail of the state, so that shards show it; an
  -- incarnation that has changed becomes the state; unreadable blocks make CHECK_SLOTS the next step.
  -- p_code, p_text: SQLCODE and SQLERRM. The caller commits.
  PROCEDURE failed(p_step IN VARCHAR2, p_code IN NUMBER, p_text IN VARCHAR2);

END coordinator;
/
