-- Has a row for each table that waits, whatever for: REGISTRY.SETTLE says when it is over.
CREATE OR REPLACE VIEW waiting_table_v AS
SELECT
  w.table_id,
  w.owner,
  w.table_name,
  w.wait_scn,
  CASE
    WHEN t.tx_state = 'OPEN' THEN 'TRANSACTION'
    WHEN t.tx_state IS NOT NULL THEN t.tx_state
    WHEN i.heard < h.opened THEN 'INSTANCE'
    ELSE 'LOOK'
  END AS waits_for,
  t.xid,
  t.inst_id,
  t.start_scn,
  t.start_date,
  t.sid,
  t.serial_no,
  t.username,
  t.program,
  t.machine
FROM source_table w
CROSS JOIN (SELECT COUNT(*) AS opened FROM v$thread a WHERE a.status = 'OPEN') h
CROSS JOIN (SELECT COUNT(*) AS heard FROM gv$instance a) i
LEFT JOIN open_tx_v t
  ON t.tx_state = 'IN DOUBT' OR t.tx_state = 'OPEN' AND (w.wait_scn IS NULL OR NVL(t.start_scn, 0) <= w.wait_scn)
WHERE w.state = 'WAIT_TX';
COMMENT ON TABLE waiting_table_v IS 'For operators: which registered table waits for what before it may be loaded, a row for each transaction';
COMMENT ON COLUMN waiting_table_v.wait_scn IS 'Transactions that began up to it are waited for; NULL: no look was taken yet, and all that are open are';
COMMENT ON COLUMN waiting_table_v.waits_for IS 'TRANSACTION; IN DOUBT: a distributed one; INSTANCE: one does not answer, its transactions are not known; LOOK: nothing but a look of the coordinator';
