-- CARRY is touched only for transactions that were open before: an index lookup for each of them, however much is carried.
CREATE OR REPLACE VIEW ending_v AS
SELECT /*+ LEADING(e) USE_HASH(s) */
  s.stage_slot, s.scan_id, e.con_uid, e.xidusn, e.xidslt, e.xidsqn, e.outcome, e.commit_scn, s.seq, s.op,
  s.table_id, s.kind, s.row_id, s.k1, s.k2, s.k3, s.k4, s.k5, s.k6, s.k7, s.k8,
  s.o1, s.o2, s.o3, s.o4, s.o5, s.o6, s.o7, s.o8, s.note
FROM staged_v s
JOIN ended e
  ON e.scan_id = s.scan_id AND e.xidusn = s.xidusn AND e.xidslt = s.xidslt AND e.xidsqn = s.xidsqn
  AND e.con_uid = s.con_uid
WHERE s.kind IS NOT NULL AND e.outcome IN ('C', 'D')
UNION ALL
SELECT /*+ LEADING(e) USE_NL(c) INDEX(c carry_tx) */
  0, c.scan_id, e.con_uid, e.xidusn, e.xidslt, e.xidsqn, e.outcome, e.commit_scn, c.seq, c.op,
  c.table_id, c.kind, c.row_id, c.k1, c.k2, c.k3, c.k4, c.k5, c.k6, c.k7, c.k8,
  c.o1, c.o2, c.o3, c.o4, c.o5, c.o6, c.o7, c.o8, c.note
FROM ended e
JOIN carry c
  ON c.xidusn = e.xidusn AND c.xidslt = e.xidslt AND c.xidsqn = e.xidsqn AND c.con_uid = e.con_uid
WHERE e.spanning = 'Y' AND e.outcome IN ('C', 'D');
COMMENT ON TABLE ending_v IS 'Pointers of the transactions in ENDED that are to be published; read it with stage_slot IN (0, n), 0 being CARRY';
