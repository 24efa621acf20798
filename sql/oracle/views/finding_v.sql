CREATE OR REPLACE VIEW finding_v AS
SELECT f.owner, f.table_name, 'REFUSED' AS severity, 1 AS finding_rank, f.applies_to, f.finding FROM table_refusal_v f
UNION ALL
SELECT f.owner, f.table_name, 'REFUSED', 2, f.applies_to, f.finding FROM column_refusal_v f
UNION ALL
SELECT f.owner, f.table_name, 'REFUSED', 3, f.applies_to, f.finding FROM visibility_refusal_v f
UNION ALL
SELECT f.owner, f.table_name, 'REFUSED', 4, f.applies_to, f.finding FROM logging_refusal_v f
UNION ALL
SELECT f.owner, f.table_name, 'REFUSED', 5, f.applies_to, f.finding FROM key_refusal_v f
UNION ALL
SELECT f.owner, f.table_name, 'WARNING', 9, f.applies_to, f.finding FROM warning_v f;
COMMENT ON TABLE finding_v IS 'What stands against registering a table, or will work less well, and how to mend it; the lowest rank first';
COMMENT ON COLUMN finding_v.applies_to IS 'ANY, or only a registration with identity KEY or ROWID';
