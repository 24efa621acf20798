CREATE OR REPLACE VIEW candidate_v AS
SELECT c.owner, c.table_name, c.num_rows, c.reason
FROM (
  SELECT
    f.owner,
    f.table_name,
    f.reason,
    MAX(f.num_rows) OVER (PARTITION BY f.owner, f.table_name) AS num_rows,
    MAX(f.is_candidate) OVER (PARTITION BY f.owner, f.table_name) AS is_candidate,
    ROW_NUMBER() OVER (PARTITION BY f.owner, f.table_name ORDER BY f.finding_rank, f.reason) AS reason_no
  FROM (
    SELECT r.owner, r.table_name, r.finding AS reason, r.finding_rank, NULL AS num_rows, 0 AS is_candidate
    FROM finding_v r
    WHERE r.severity = 'REFUSED'
    UNION ALL
    SELECT t.owner, t.table_name, NULL, 10, t.num_rows, 1
    FROM candidate_table_v t
  ) f
) c
WHERE c.reason_no = 1 AND c.is_candidate = 1;
COMMENT ON TABLE candidate_v IS 'Contract: what could be registered (identity AUTO), or why not';
COMMENT ON COLUMN candidate_v.num_rows IS 'Rows as the optimizer statistics say';
