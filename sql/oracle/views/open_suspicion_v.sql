CREATE OR REPLACE VIEW open_suspicion_v AS
SELECT s.table_id, s.seen_scn, s.note, s.since_scn
FROM suspicion s
WHERE
  s.explained_by IS NULL
  OR NOT EXISTS (
    SELECT NULL
    FROM published_ddl d
    WHERE d.table_id = s.table_id AND d.scn > s.since_scn AND d.scn <= s.seen_scn AND INSTR(s.explained_by, d.kind) > 0
  );
COMMENT ON TABLE open_suspicion_v IS 'Suspicions that no published DDL explains; final when everything up to seen_scn is published';
