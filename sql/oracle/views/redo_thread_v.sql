-- Redo threads that hold changes. One that is enabled PRIVATE is only for an instance that asks for it by its number, and what that
-- writes is redo like any other, unless the operator says that such threads are there for recovery alone. (logminer.md (a))
CREATE OR REPLACE VIEW redo_thread_v AS
SELECT
  t.thread# AS thread_no,
  t.status,
  t.enabled,
  t.enable_change# AS enable_scn,
  t.disable_change# AS disable_scn,
  t.checkpoint_change# AS checkpoint_scn,
  t.last_redo_change# AS last_redo_scn
FROM v$thread t
CROSS JOIN setting s
WHERE t.enabled <> 'PRIVATE' OR s.ignore_private = 'N';
COMMENT ON TABLE redo_thread_v IS 'Redo threads that are mined';
