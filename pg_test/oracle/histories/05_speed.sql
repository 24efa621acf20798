-- What makes a history cheap. Most of its time would go into plans: everything that makes them anew is kept away from them.

-- Not TRUNCATE: it makes the plans of all statements void that name the table, directly or over a view.
ALTER FUNCTION ora.sql(text) RENAME TO oracle_sql;
CREATE FUNCTION ora.sql(p_statement text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
    RETURN coalesce(history.instead(p_statement), replace(ora.oracle_sql(p_statement), 'TRUNCATE TABLE', 'DELETE FROM'));
END
$$;
COMMENT ON FUNCTION ora.sql(text) IS 'The text of EXECUTE IMMEDIATE as PostgreSQL wants it';

-- Who looks at all of its memory takes longer than a scan.
CREATE OR REPLACE VIEW "SYS"."V$MYSTAT" AS
SELECT pg_backend_pid()::numeric AS "SID", n."STATISTIC#", 0::numeric AS "VALUE" FROM "SYS"."V$STATNAME" n;

-- SETTLE looks at the clock for each row: in this order, not in that of places that were free.
CREATE INDEX settle_order ON "ORAPULL"."SOURCE_TABLE" ("TABLE_ID") WHERE "STATE" = 'WAIT_TX' AND "WAIT_SCN" IS NULL;
COMMENT ON INDEX "ORAPULL".settle_order IS 'So that a seed means the same in every database';
ALTER PROCEDURE "REGISTRY"."SETTLE"() SET enable_seqscan = off;
