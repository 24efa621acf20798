-- When redo was written and how much: SCN_TO_TIMESTAMP forgets after some days (ORA-08181), the control file knows as long as it knows
-- the logs. Copies differ in nothing that is told here, and a deleted log was redo too.
CREATE OR REPLACE VIEW redo_time_v AS
SELECT
  l.thread_no,
  l.seq_no,
  l.first_scn,
  l.next_scn,
  l.bytes,
  EXTRACT(DAY FROM l.first_age) * 86400 + EXTRACT(HOUR FROM l.first_age) * 3600 + EXTRACT(MINUTE FROM l.first_age) * 60
  + EXTRACT(SECOND FROM l.first_age) AS first_age_s,
  EXTRACT(DAY FROM l.next_age) * 86400 + EXTRACT(HOUR FROM l.next_age) * 3600 + EXTRACT(MINUTE FROM l.next_age) * 60
  + EXTRACT(SECOND FROM l.next_age) AS next_age_s
FROM (
  SELECT
    u.thread_no, u.seq_no, u.first_scn, u.next_scn, u.bytes,
    CAST(SYSTIMESTAMP AS TIMESTAMP) - CAST(u.first_time AS TIMESTAMP) AS first_age,
    CAST(SYSTIMESTAMP AS TIMESTAMP) - CAST(GREATEST(u.next_time, u.first_time) AS TIMESTAMP) AS next_age,
    ROW_NUMBER() OVER (PARTITION BY u.thread_no, u.seq_no ORDER BY u.place, u.first_time, u.next_time) AS copy_no
  FROM (
    SELECT
      a.thread# AS thread_no, a.sequence# AS seq_no, a.first_change# AS first_scn, a.next_change# AS next_scn, a.first_time, a.next_time,
      a.blocks * a.block_size AS bytes, 1 AS place
    FROM v$archived_log a
    JOIN v$database d ON d.resetlogs_change# = a.resetlogs_change# AND d.resetlogs_time = a.resetlogs_time
    UNION ALL
    SELECT
      g.thread#, g.sequence#, g.first_change#,
      CASE WHEN g.status = 'CURRENT' THEN GREATEST(t.last_redo_change#, g.first_change#) + 1 ELSE g.next_change# END,
      g.first_time,
      CASE WHEN g.status = 'CURRENT' THEN t.last_redo_time ELSE g.next_time END,
      CASE WHEN t.last_redo_sequence# = g.sequence# THEN t.last_redo_block * g.blocksize ELSE g.bytes END, 2
    FROM v$log g
    JOIN v$thread t ON t.thread# = g.thread#
    WHERE g.status IN ('CURRENT', 'ACTIVE', 'INACTIVE')
  ) u
) l
WHERE l.copy_no = 1;
COMMENT ON TABLE redo_time_v IS 'Redo logs of this incarnation that the control file knows, deleted ones too, one row for each thread and sequence: how old and how large they are';
COMMENT ON COLUMN redo_time_v.next_scn IS 'Where the next log begins; of the current log: behind the last redo on disk';
COMMENT ON COLUMN redo_time_v.bytes IS 'Of the current log: what is written of it';
COMMENT ON COLUMN redo_time_v.first_age_s IS 'Seconds since it was begun';
COMMENT ON COLUMN redo_time_v.next_age_s IS 'Seconds since it was left, or, of the current log, since the last redo';
