-- What is seen of a source that has no table yet.
\set SHOW_CONTEXT never
SET ROLE app_owner;
SELECT orapull.create_source('main', 'ora', 'shard1');
SELECT orapull.create_source('main', 'ora', 'shard1');
RESET ROLE;

-- Until the puller has attached, at most ten seconds.
DO $$
BEGIN
    FOR i IN 1..200 LOOP
        EXIT WHEN EXISTS (SELECT FROM orapull.status WHERE state = 'RUNNING' AND published_portion IS NOT NULL);
        PERFORM pg_sleep(0.05);
    END LOOP;
END
$$;
SELECT source, state, message, hint, sqlstate, worker_pid IS NOT NULL AS running, next_start, no_worker_slot,
       lag_portions, lag_pointers, lag_seconds, shard, server, owner, wished
FROM orapull.status;
SELECT source, relation, severity, what FROM orapull.events ORDER BY event_id;
SELECT * FROM orapull.tables;
SELECT * FROM orapull.parked;

SET ROLE app_owner;
SELECT "check", ok, advice FROM orapull.check_source('main');
SELECT * FROM orapull.pull_now('main');
SELECT orapull.wait_for('main', 0);
SELECT orapull.add_table('main', 'APP.NO_SUCH_TABLE');
SELECT * FROM orapull.add_tables('main', 'NO_SUCH_OWNER.%');
SELECT * FROM orapull.add_tables('main', 'NO_DOT');
SELECT orapull.pause('main', 'pg_class');

-- Waiting is refused where it could not end well.
SELECT * FROM orapull.pull_now('main', interval '-1 second');
SELECT orapull.wait_for('main', 9223372036854775807, interval '100 ms');
BEGIN ISOLATION LEVEL REPEATABLE READ;
SELECT * FROM orapull.pull_now('main');
ROLLBACK;
BEGIN;
CREATE TEMP TABLE written (n int);
SELECT orapull.wait_for('main', 0);
ROLLBACK;
RESET ROLE;

-- Who is no member of the owner can do nothing with it, and not see how it logs in.
CREATE ROLE nobodys_friend;
GRANT USAGE ON SCHEMA orapull TO nobodys_friend;
GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA orapull TO nobodys_friend;
SET ROLE nobodys_friend;
SELECT orapull.pause('main');
SELECT orapull.drop_source('main');
SELECT orapull.adopt('main');
SELECT * FROM orapull.check_source('main');
SELECT * FROM orapull.pull_now('main');
SELECT orapull.add_table('main', 'APP.ITEMS');
SELECT count(*) FROM orapull.status;
RESET ROLE;

-- A rolled back wish is none.
BEGIN;
SELECT orapull.pause('main');
ROLLBACK;
SELECT wished FROM orapull.status;

-- Without a mapping, check_source says what to do.
DROP USER MAPPING FOR app_owner SERVER ora;
SET ROLE app_owner;
SELECT "check", found, advice FROM orapull.check_source('main') WHERE NOT ok;
RESET ROLE;
SELECT orapull.drop_source('main', force => true);
SELECT count(*) FROM orapull.status;
SELECT count(*) FROM pg_namespace WHERE nspname = 'orapull_main';
