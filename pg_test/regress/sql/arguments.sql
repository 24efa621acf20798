-- Arguments that make no sense are refused before anything is asked of a source.
\set SHOW_CONTEXT never
SET ROLE app_owner;
SELECT orapull.add_table('main', 'ITEMS');
SELECT orapull.add_table('main', 'APP.ITEMS.X');
SELECT orapull.add_table('main', 'APP."ITEMS');
SELECT orapull.add_table('main', 'APP.ITEMS', identity => 'oid');
SELECT orapull.add_table('main', 'APP.ITEMS', load => 'yes');
SELECT orapull.add_table('main', 'APP.ITEMS', 'no_such_table');
SELECT * FROM orapull.add_tables('main', 'APP.%', identity => 'oid');
SELECT * FROM orapull.add_tables('main', 'APP.%', load => 'yes');
SELECT orapull.create_source('', 'ora', 'shard1');
SELECT orapull.create_source(repeat('n', 56), 'ora', 'shard1');
SELECT orapull.create_source('main', 'ora', '');
SELECT orapull.create_source('main', 'ora', 'shard1', '');
SELECT orapull.create_source('main', 'ora', 'shard1', repeat('S', 129));
SELECT orapull.wait_for('nobody', 1);
SELECT orapull.retry_parked('pg_class');
SELECT orapull.start_workers('no_such_database');
-- Only the owner of a database stops its workers.
SELECT orapull.stop_workers('postgres');
SELECT orapull.start_workers('postgres');

-- NULL is no value for what must be given.
SELECT orapull.create_source(NULL, 'ora', 'shard1');
SELECT orapull.create_source('main', NULL, 'shard1');
SELECT orapull.create_source('main', 'ora', NULL);
SELECT orapull.create_source('main', 'ora', 'shard1', NULL);
SELECT orapull.drop_source(NULL);
SELECT orapull.drop_source('nobody', NULL);
SELECT orapull.adopt(NULL);
SELECT orapull.adopt('nobody', NULL);
SELECT orapull.check_source(NULL);
SELECT orapull.add_table(NULL, 'APP.ITEMS');
SELECT orapull.add_table('nobody', NULL);
SELECT orapull.add_table('nobody', 'APP.ITEMS', identity => NULL);
SELECT orapull.add_table('nobody', 'APP.ITEMS', load => NULL);
SELECT orapull.add_tables(NULL, 'APP.%');
SELECT orapull.add_tables('nobody', NULL);
SELECT orapull.add_tables('nobody', 'APP.%', identity => NULL);
SELECT orapull.add_tables('nobody', 'APP.%', load => NULL);
SELECT orapull.drop_table(NULL);
SELECT orapull.pause(NULL);
SELECT orapull.resume(NULL);
SELECT orapull.resync(NULL);
SELECT orapull.retry_parked(NULL);
SELECT orapull.compare(NULL);
SELECT orapull.pull_now(NULL);
SELECT orapull.pull_now('nobody', NULL);
SELECT orapull.wait_for(NULL, 1);
SELECT orapull.wait_for('nobody', NULL);
SELECT orapull.wait_for('nobody', 1, NULL);
SELECT orapull.stop_workers(NULL);
SELECT orapull.start_workers(NULL);
RESET ROLE;

-- The SQLSTATE is part of what scripts may rely on.
CREATE FUNCTION pg_temp.sqlstate(statement text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE statement;
    RETURN '00000';
EXCEPTION WHEN OTHERS THEN
    RETURN SQLSTATE;
END
$$;
SELECT statement, pg_temp.sqlstate(statement)
FROM (VALUES
    ('SELECT orapull.create_source(''main'', ''no_such_server'', ''s'')'),
    ('SELECT orapull.create_source('''', ''ora'', ''s'')'),
    ('SELECT orapull.create_source(''main'', ''ora'', ''s'')'),
    ('SELECT orapull.add_table(''nobody'', ''APP.ITEMS'')'),
    ('SELECT orapull.add_table(''nobody'', ''ITEMS'')'),
    ('SELECT orapull.pause(''nobody'')'),
    ('SELECT orapull.pause(NULL)'),
    ('SELECT orapull.wait_for(''nobody'', 1, NULL)'),
    ('SELECT orapull.drop_table(''pg_class'')'),
    ('SELECT orapull.stop_workers(''no_such_database'')')
) AS v (statement);
