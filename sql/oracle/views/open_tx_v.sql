CREATE OR REPLACE VIEW open_tx_v AS
SELECT
  t.inst_id,
  t.xidusn,
  t.xidslot,
  t.xidsqn,
  t.start_scn,
  t.start_date,
  s.sid,
  s.serial# AS serial_no,
  s.username,
  s.program,
  s.machine,
  CASE WHEN x.xidusn IS NULL THEN 'N' ELSE 'Y' END AS is_carried
FROM gv$transaction t
LEFT JOIN gv$session s ON s.inst_id = t.inst_id AND s.saddr = t.ses_addr
LEFT JOIN (SELECT DISTINCT c.xidusn, c.xidslt, c.xidsqn FROM carry c) x
  ON x.xidusn = t.xidusn AND x.xidslt = t.xidslot AND x.xidsqn = t.xidsqn;
COMMENT ON TABLE open_tx_v IS 'For operators: open transactions, whose they are, and whether changes of theirs wait for their commit';
COMMENT ON COLUMN open_tx_v.start_scn IS '0: not known yet';
