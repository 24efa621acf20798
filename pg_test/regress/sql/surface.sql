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

CREATE TEMPORARY VIEW granted AS
SELECT c.oid::regclass::text AS what, a.grantee, a.privilege_type
FROM pg_class AS c
CROSS JOIN aclexplode(coalesce(c.relacl, acldefault(CASE c.relkind WHEN 'S' THEN 's' ELSE 'r' END::"char", c.relowner))) AS a
WHERE c.relnamespace = 'orapull'::regnamespace
UNION ALL
SELECT 'schema orapull', a.grantee, a.privilege_type
FROM pg_namespace AS n
CROSS JOIN aclexplode(coalesce(n.nspacl, acldefault('n', n.nspowner))) AS a
WHERE n.oid = 'orapull'::regnamespace;

SELECT what, privilege_type AS "public may" FROM granted WHERE grantee = 0 ORDER BY 1, 2;

-- pg_monitor reads the views and changes nothing.
SELECT what, privilege_type AS "pg_monitor may" FROM granted WHERE grantee = 'pg_monitor'::regrole ORDER BY 1, 2;
SET ROLE pg_monitor;
SELECT count(*) FROM orapull.status;
SELECT count(*) FROM orapull.tables;
SELECT count(*) FROM orapull.events;
SELECT count(*) FROM orapull.parked;
SELECT count(*) FROM orapull.batches;
DELETE FROM orapull.source;
RESET ROLE;
