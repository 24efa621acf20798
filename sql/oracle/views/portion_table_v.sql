CREATE OR REPLACE VIEW portion_table_v AS
SELECT p.portion_id, p.table_id, p.pointers
FROM portion_table p;
COMMENT ON TABLE portion_table_v IS 'Contract: which tables a portion touches';
