-- LogMiner leaves out whole tables without a word when it does not support them, so they are refused.
CREATE OR REPLACE VIEW table_refusal_v AS
SELECT t.owner, t.table_name, 'ANY' AS applies_to, 'it is temporary: its changes are not in redo' AS finding
FROM candidate_table_v t
WHERE t.temporary = 'Y'
UNION ALL
SELECT t.owner, t.table_name, 'ANY', 'it is external: its rows are not in the database'
FROM candidate_table_v t
WHERE t.external = 'YES'
UNION ALL
SELECT t.owner, t.table_name, 'ANY', 'it is in cluster "' || t.cluster_name || '": rows of other tables have the same ROWIDs'
FROM candidate_table_v t
WHERE t.cluster_name IS NOT NULL
UNION ALL
SELECT t.owner, t.table_name, 'ANY', 'the name of its owner or its own has more than 30 bytes: LogMiner does not support it'
FROM candidate_table_v t
WHERE LENGTHB(t.owner) > 30 OR LENGTHB(t.table_name) > 30;
COMMENT ON TABLE table_refusal_v IS 'Tables that cannot be registered for what they are';
