CREATE OR REPLACE PACKAGE source AUTHID DEFINER AS

  -- The source as a whole: its row in SOURCE_STATE, clocks, events. No procedure here commits.
  --
  -- Errors
  --   ORA-20823  the database has another incarnation than the one that was mined
  --   ORA-20828  not started, or started already

  c_incarnation_changed CONSTANT NUMBER(5) := -20823;

  -- First start: everything that commits after p_scn is published. Nothing of it needs older redo, because no table is
  -- registered yet. p_scn NULL: the current SCN.
  PROCEDURE start_at(p_scn IN NUMBER DEFAULT NULL);

  -- Takes the lock under which portions are numbered, published, attached and released; it is held until the
  -- transaction ends. Read SOURCE_STATE after it, never before. ORA-20828 when the source was not started.
  PROCEDURE lock_state;

  -- Time of the database server, UTC.
  FUNCTION utc_now RETURN TIMESTAMP;

  -- CURRENT_SCN of the database, live. It runs ahead of the redo on disk: never a bound of mining (see LOGS.FLUSHED_SCN).
  FUNCTION current_scn RETURN NUMBER;

  -- Tells the operator something (table EVENT). p_severity INFO, WARNING or ERROR; p_what a word to search by.
  -- The same thing again within ten minutes is not written again.
  PROCEDURE note(p_severity IN VARCHAR2, p_what IN VARCHAR2, p_detail IN VARCHAR2);

  -- State of the source as shards see it; a change is also an event.
  -- p_state OK, WAIT_LOG, GAP, INCARNATION_CHANGED, TRANSPORT_LOST or STOPPED; p_detail what to do, NULL when nothing.
  PROCEDURE set_state(p_state IN VARCHAR2, p_detail IN VARCHAR2);

  -- After open transactions or held portions have changed: RESUME_SCN.
  PROCEDURE move_resume;

  -- ORA-20823 when INCARNATION_V differs from what was mined: SCNs then count other changes, so nothing
  -- may be scanned or published. Writes nothing. (cases.md M39)
  PROCEDURE check_incarnation;

  -- Whether GV$ views can be trusted: when an instance does not answer they have fewer rows, without an error.
  FUNCTION all_answer RETURN BOOLEAN;

  -- Whether the open instances are others than at the last NOTE_RESTART, or were started anew. One may have crashed, and a
  -- crash can take back a commit that a reader has seen already: a commit is visible before its redo is on disk, with
  -- COMMIT WRITE NOWAIT for long. (logminer.md (f))
  FUNCTION restarted RETURN BOOLEAN;

  -- Takes the open instances down as known, and changes STARTED_AT, which shards see. Only together with the republication
  -- that is due then, in its transaction.
  PROCEDURE note_restart;

END source;
/
