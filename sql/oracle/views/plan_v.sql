CREATE OR REPLACE VIEW plan_v AS
SELECT p.plan_id, p.table_id, p.chunks
FROM load_plan p;
COMMENT ON TABLE plan_v IS 'Contract: plans of loads; chunks of a plan that is not here have no rows, which does not mean that the table has none';
