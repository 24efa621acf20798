-- What is refused says what is wrong and what to do.
\set VERBOSITY default
SET ROLE app_owner;
SELECT orapull.create_source('main', 'no_such_server', 'shard1');
SELECT orapull.create_source('', 'ora', 'shard1');
SELECT orapull.create_source('main', 'ora', repeat('s', 31));
SELECT orapull.drop_source('nobody');
SELECT orapull.adopt('nobody');
SELECT * FROM orapull.check_source('nobody');
SELECT orapull.add_table('nobody', 'APP.ITEMS');
SELECT orapull.pause('nobody');
SELECT orapull.resume('nobody');
SELECT * FROM orapull.pull_now('nobody');
SELECT orapull.resync('pg_class');
SELECT orapull.drop_table('pg_class');
SELECT * FROM orapull.compare('pg_class');
SELECT orapull.stop_workers('no_such_database');
RESET ROLE;

-- A role without a user mapping makes no source.
CREATE ROLE stranger;
GRANT USAGE ON SCHEMA orapull TO stranger;
GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA orapull TO stranger;
GRANT USAGE ON FOREIGN SERVER ora TO stranger;
SET ROLE stranger;
SELECT orapull.create_source('main', 'ora', 'shard1');
RESET ROLE;
