CREATE OR REPLACE VIEW waiting_table_v AS
SELECT
  w.table_id,
  w.owner,
  w.table_name,
  w.wait_scn,
  t.inst_id,
  t.start_scn,
  t.start_date,
  t.sid,
  t.serial_no,
  t.username,
  t.program,
  NULL AS in_doubt
FROM source_table w
JOIN open_tx_v t ON t.start_scn <= w.wait_scn
WHERE w.state = 'WAIT_TX'
UNION ALL
SELECT w.table_id, w.owner, w.table_name, w.wait_scn, NULL, NULL, NULL, NULL, NULL, NULL, NULL, p.local_tran_id
FROM source_table w
CROSS JOIN dba_2pc_pending p
WHERE w.state = 'WAIT_TX' AND p.state IN ('collecting', 'prepared');
COMMENT ON TABLE waiting_table_v IS 'For operators: which registered table waits for which transaction before it may be loaded';
COMMENT ON COLUMN waiting_table_v.in_doubt IS 'A distributed transaction in doubt: COMMIT FORCE or ROLLBACK FORCE it';
