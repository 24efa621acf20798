-- What the extension offers: a change here is a change for those who use it.
SELECT p.proname AS function, pg_get_function_arguments(p.oid) AS arguments, pg_get_function_result(p.oid) AS result
FROM pg_proc AS p
WHERE p.pronamespace = 'orapull'::regnamespace
ORDER BY 1, 2;

SELECT c.relname AS view, string_agg(a.attname || ' ' || format_type(a.atttypid, a.atttypmod), ', ' ORDER BY a.attnum) AS columns
FROM pg_class AS c JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attnum > 0
WHERE c.relnamespace = 'orapull'::regnamespace AND c.relkind = 'v'
GROUP BY 1
ORDER BY 1;

-- Nothing is granted to PUBLIC.
SELECT p.oid::regprocedure AS "public may call"
FROM pg_proc AS p
WHERE p.pronamespace = 'orapull'::regnamespace AND has_function_privilege('public', p.oid, 'EXECUTE')
ORDER BY 1;

SELECT c.oid::regclass AS "public may read"
FROM pg_class AS c
WHERE c.relnamespace = 'orapull'::regnamespace AND c.relkind IN ('r', 'v', 'S') AND has_table_privilege('public', c.oid, 'SELECT')
ORDER BY 1;

-- pg_monitor reads the views and changes nothing.
SET ROLE pg_monitor;
SELECT count(*) FROM orapull.status;
SELECT count(*) FROM orapull.tables;
SELECT count(*) FROM orapull.events;
SELECT count(*) FROM orapull.parked;
SELECT count(*) FROM orapull.batches;
DELETE FROM orapull.source;
RESET ROLE;
