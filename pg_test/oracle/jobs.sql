-- Proves what the procedures of sql/oracle/jobs promise, translated. Run it in a database with the stand-in of Oracle and the
-- translated files, as the role that loaded them; the first broken promise ends it with an error:
--   psql -X -q -v ON_ERROR_STOP=1 -d DATABASE -f jobs.sql
-- The scheduler is this script: each CALL of RUN_... is a run of a job, which commits by itself.
\o /dev/null
\ir assertions.sql

-- The jobs as the scheduler shows them: name, procedure, seconds between runs, instance, state.
-- Jobs leave their search_path to the session.
CREATE FUNCTION pg_temp.jobs() RETURNS text LANGUAGE sql SET search_path = pg_catalog AS $$
SELECT string_agg(concat_ws(' ', v."JOB_NAME", j."JOB_ACTION", substr(j."REPEAT_INTERVAL", 24), 'on ' || j."INSTANCE_ID", v."STATE"), ', ' ORDER BY v."JOB_NAME")
FROM "ORAPULL"."MINING_JOB_V" v
JOIN "SYS"."USER_SCHEDULER_JOBS" j ON j."JOB_NAME" = v."JOB_NAME"
$$;
CREATE FUNCTION pg_temp.state() RETURNS "ORAPULL"."SOURCE_STATE" LANGUAGE sql AS $$ SELECT * FROM "ORAPULL"."SOURCE_STATE" $$;
CREATE FUNCTION pg_temp.events(p_what text) RETURNS bigint LANGUAGE sql AS $$ SELECT count(*) FROM "ORAPULL"."EVENT" WHERE "WHAT" = p_what $$;

\ir jobs/10_scheduler.sql
\ir jobs/20_start.sql
\ir jobs/30_runs.sql
\ir jobs/40_errors.sql
\ir jobs/50_stop.sql
\ir jobs/60_full.sql
\ir jobs/70_slow_shard.sql
\o
\echo jobs: all checks passed
