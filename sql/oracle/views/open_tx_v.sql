-- A transaction in doubt may have lost its session, and then is in DBA_2PC_PENDING only.
CREATE OR REPLACE VIEW open_tx_v AS
SELECT
  u.xid,
  u.tx_state,
  u.inst_id,
  u.start_scn,
  u.start_date,
  u.sid,
  u.serial_no,
  u.username,
  u.program,
  u.machine,
  u.dead_scn,
  CASE WHEN c.xid IS NULL THEN 'N' ELSE 'Y' END AS is_carried
FROM (
  SELECT
    TO_CHAR(t.xidusn) || '.' || TO_CHAR(t.xidslot) || '.' || TO_CHAR(t.xidsqn) AS xid,
    CASE WHEN d.local_tran_id IS NULL THEN 'OPEN' ELSE 'IN DOUBT' END AS tx_state,
    t.inst_id, t.start_scn, t.start_date, s.sid, s.serial# AS serial_no, s.username, s.program, s.machine, CAST(NULL AS NUMBER) AS dead_scn
  FROM gv$transaction t
  LEFT JOIN gv$session s ON s.inst_id = t.inst_id AND s.saddr = t.ses_addr
  LEFT JOIN dba_2pc_pending d
    ON d.local_tran_id = TO_CHAR(t.xidusn) || '.' || TO_CHAR(t.xidslot) || '.' || TO_CHAR(t.xidsqn) AND d.state IN ('collecting', 'prepared')
  UNION ALL
  SELECT
    p.local_tran_id, 'IN DOUBT', CAST(NULL AS NUMBER), CAST(NULL AS NUMBER), p.fail_time, CAST(NULL AS NUMBER), CAST(NULL AS NUMBER), p.db_user,
    CAST(NULL AS VARCHAR2(1)), p.host, CAST(NULL AS NUMBER)
  FROM dba_2pc_pending p
  WHERE p.state IN ('collecting', 'prepared')
    AND NOT EXISTS (
      SELECT NULL FROM gv$transaction g
      WHERE TO_CHAR(g.xidusn) || '.' || TO_CHAR(g.xidslot) || '.' || TO_CHAR(g.xidsqn) = p.local_tran_id
    )
  UNION ALL
  SELECT
    TO_CHAR(b.xidusn) || '.' || TO_CHAR(b.xidslt) || '.' || TO_CHAR(b.xidsqn), 'DEAD', CAST(NULL AS NUMBER), b.start_scn,
    CAST(NULL AS DATE), CAST(NULL AS NUMBER), CAST(NULL AS NUMBER), CAST(NULL AS VARCHAR2(1)), CAST(NULL AS VARCHAR2(1)),
    CAST(NULL AS VARCHAR2(1)), b.dead_scn
  FROM tx b
  WHERE b.dead_scn IS NOT NULL
) u
LEFT JOIN (
  SELECT DISTINCT TO_CHAR(r.xidusn) || '.' || TO_CHAR(r.xidslt) || '.' || TO_CHAR(r.xidsqn) AS xid FROM carry r
) c ON c.xid = u.xid;
COMMENT ON TABLE open_tx_v IS 'For operators: transactions that have not ended, whose they are, and whether changes of theirs wait for their commit';
COMMENT ON COLUMN open_tx_v.xid IS 'XIDUSN.XIDSLOT.XIDSQN, as DBA_2PC_PENDING and COMMIT FORCE write it';
COMMENT ON COLUMN open_tx_v.tx_state IS 'OPEN; IN DOUBT: distributed, COMMIT FORCE or ROLLBACK FORCE it; DEAD: the database does not know it any more, and its end was not seen in redo';
COMMENT ON COLUMN open_tx_v.start_scn IS '0: not known yet';
COMMENT ON COLUMN open_tx_v.start_date IS 'IN DOUBT without a session: when it failed';
COMMENT ON COLUMN open_tx_v.dead_scn IS 'DEAD: when publication has passed this SCN, its changes are published, committed or not';
COMMENT ON COLUMN open_tx_v.is_carried IS 'Y: changes of registered tables wait for its end';
