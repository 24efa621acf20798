-- Packages DBMS_SCHEDULER, DBMS_LOCK and DBMS_SESSION as far as the jobs call them. The scheduler itself is whoever runs what
-- USER_SCHEDULER_JOBS shows, between "TEST"."JOB_BEGINS" and "TEST"."JOB_ENDS". Procedures of DBMS_SCHEDULER commit, as
-- Oracle's do, so they can have no search_path of their own.

CREATE SCHEMA "DBMS_SCHEDULER";
COMMENT ON SCHEMA "DBMS_SCHEDULER" IS 'Package DBMS_SCHEDULER';
CREATE SCHEMA "DBMS_LOCK";
COMMENT ON SCHEMA "DBMS_LOCK" IS 'Package DBMS_LOCK';
CREATE SCHEMA "DBMS_SESSION";
COMMENT ON SCHEMA "DBMS_SESSION" IS 'Package DBMS_SESSION';

CREATE TABLE "SYS"."JOB" (
    "JOB_NAME"          text PRIMARY KEY,
    "JOB_ACTION"        text NOT NULL,
    "REPEAT_INTERVAL"   text,
    "SECONDS"           int,
    "AUTO_DROP"         boolean NOT NULL,
    "ENABLED"           boolean NOT NULL,
    "LOGGING_LEVEL"     numeric NOT NULL DEFAULT 64,
    "INSTANCE_ID"       numeric,
    "SID"               int,
    "RUN_COUNT"         numeric NOT NULL DEFAULT 0,
    "FAILURE_COUNT"     numeric NOT NULL DEFAULT 0,
    "LAST_START_DATE"   timestamptz,
    "LAST_RUN_DURATION" interval
);
COMMENT ON TABLE "SYS"."JOB" IS 'Jobs of the scheduler';
COMMENT ON COLUMN "SYS"."JOB"."SECONDS" IS 'INTERVAL of its calendar';
COMMENT ON COLUMN "SYS"."JOB"."SID" IS 'Session that runs it now, or did when it was killed';

CREATE VIEW "SYS"."USER_SCHEDULER_RUNNING_JOBS" AS
SELECT j."JOB_NAME", j."SID"::numeric AS "SESSION_ID", 1::numeric AS "RUNNING_INSTANCE",
       pg_catalog.clock_timestamp() OPERATOR(pg_catalog.-) j."LAST_START_DATE" AS "ELAPSED_TIME"
FROM "SYS"."JOB" j
JOIN pg_catalog.pg_stat_activity a ON a.pid = j."SID";
COMMENT ON VIEW "SYS"."USER_SCHEDULER_RUNNING_JOBS" IS 'Jobs that run now';

CREATE VIEW "SYS"."USER_SCHEDULER_JOBS" AS
SELECT j."JOB_NAME", 'STORED_PROCEDURE'::text AS "JOB_TYPE", j."JOB_ACTION", j."REPEAT_INTERVAL", j."INSTANCE_ID",
       pg_catalog.upper(j."ENABLED"::text) AS "ENABLED", pg_catalog.upper(j."AUTO_DROP"::text) AS "AUTO_DROP",
       CASE
           WHEN r."JOB_NAME" IS NOT NULL THEN 'RUNNING'
           WHEN j."ENABLED" THEN 'SCHEDULED'
           ELSE 'DISABLED'
       END AS "STATE",
       j."RUN_COUNT", j."FAILURE_COUNT", j."LAST_START_DATE", j."LAST_RUN_DURATION",
       j."LAST_START_DATE" OPERATOR(pg_catalog.+) pg_catalog.make_interval(secs => j."SECONDS") AS "NEXT_RUN_DATE"
FROM "SYS"."JOB" j
LEFT JOIN "SYS"."USER_SCHEDULER_RUNNING_JOBS" r ON r."JOB_NAME" = j."JOB_NAME";
COMMENT ON VIEW "SYS"."USER_SCHEDULER_JOBS" IS 'Jobs of the user, of whom there is one';

CREATE FUNCTION "DBMS_SCHEDULER"."LOGGING_FAILED_RUNS"() RETURNS numeric LANGUAGE sql IMMUTABLE RETURN 128;
COMMENT ON FUNCTION "DBMS_SCHEDULER"."LOGGING_FAILED_RUNS"() IS 'Value of attribute logging_level: a row of the log for each run that fails';

CREATE FUNCTION "SYS"."CHECK_JOB"(p_name text, p_force boolean) RETURNS void
    LANGUAGE plpgsql
    SET search_path = pg_catalog
AS $$
DECLARE
    l_state text := (SELECT "STATE" FROM "SYS"."USER_SCHEDULER_JOBS" WHERE "JOB_NAME" = p_name);
BEGIN
    IF l_state IS NULL THEN
        PERFORM "SYS"."RAISE"(27475, format('unknown job "ORAPULL"."%s"', p_name));
    ELSIF l_state = 'RUNNING' AND NOT p_force THEN
        PERFORM "SYS"."RAISE"(27478, format('job "ORAPULL"."%s" is running', p_name));
    END IF;
END
$$;
COMMENT ON FUNCTION "SYS"."CHECK_JOB"(text, boolean) IS 'Refuses a job that does not exist, or that runs unless that is forced';

CREATE PROCEDURE "DBMS_SCHEDULER"."CREATE_JOB"(
    "JOB_NAME" text, "JOB_TYPE" text, "JOB_ACTION" text, "REPEAT_INTERVAL" text DEFAULT NULL,
    "ENABLED" boolean DEFAULT false, "AUTO_DROP" boolean DEFAULT true
)
    LANGUAGE plpgsql
AS $$
#variable_conflict use_variable
DECLARE
    l_seconds text[] := pg_catalog.regexp_match("REPEAT_INTERVAL", '^FREQ=SECONDLY;INTERVAL=([1-9][0-9]?)$');
BEGIN
    IF EXISTS (SELECT FROM "SYS"."JOB" j WHERE j."JOB_NAME" = "CREATE_JOB"."JOB_NAME") THEN
        PERFORM "SYS"."RAISE"(27477, pg_catalog.format('"ORAPULL"."%s" already exists', "JOB_NAME"));
    ELSIF "JOB_TYPE" <> 'STORED_PROCEDURE' THEN
        RAISE EXCEPTION 'the test bed: JOB_TYPE %', "JOB_TYPE";
    ELSIF "REPEAT_INTERVAL" IS NOT NULL AND l_seconds IS NULL THEN
        PERFORM "SYS"."RAISE"(27412, pg_catalog.format('repeat interval or calendar contains invalid identifier: %s', "REPEAT_INTERVAL"));
    END IF;
    INSERT INTO "SYS"."JOB" ("JOB_NAME", "JOB_ACTION", "REPEAT_INTERVAL", "SECONDS", "AUTO_DROP", "ENABLED")
    VALUES ("JOB_NAME", "JOB_ACTION", "REPEAT_INTERVAL", l_seconds[1]::int, "AUTO_DROP", "ENABLED");
    COMMIT;
END
$$;
COMMENT ON PROCEDURE "DBMS_SCHEDULER"."CREATE_JOB"(text, text, text, text, boolean, boolean)
    IS 'Creates a job that runs a procedure, every so many seconds or once';

CREATE PROCEDURE "DBMS_SCHEDULER"."DROP_JOB"("JOB_NAME" text, "FORCE" boolean DEFAULT false)
    LANGUAGE plpgsql
AS $$
BEGIN
    PERFORM "SYS"."CHECK_JOB"("DROP_JOB"."JOB_NAME", "FORCE");
    DELETE FROM "SYS"."JOB" j WHERE j."JOB_NAME" = "DROP_JOB"."JOB_NAME";
    COMMIT;
END
$$;
COMMENT ON PROCEDURE "DBMS_SCHEDULER"."DROP_JOB"(text, boolean)
    IS 'Drops a job; Oracle stops one that runs when forced, here its run comes to its end';

CREATE PROCEDURE "DBMS_SCHEDULER"."ENABLE"("NAME" text)
    LANGUAGE plpgsql
AS $$
BEGIN
    PERFORM "SYS"."CHECK_JOB"("ENABLE"."NAME", true);
    UPDATE "SYS"."JOB" j SET "ENABLED" = true WHERE j."JOB_NAME" = "ENABLE"."NAME";
    COMMIT;
END
$$;
COMMENT ON PROCEDURE "DBMS_SCHEDULER"."ENABLE"(text) IS 'Lets a job run';

CREATE PROCEDURE "DBMS_SCHEDULER"."DISABLE"("NAME" text, "FORCE" boolean DEFAULT false)
    LANGUAGE plpgsql
AS $$
BEGIN
    PERFORM "SYS"."CHECK_JOB"("DISABLE"."NAME", "FORCE");
    UPDATE "SYS"."JOB" j SET "ENABLED" = false WHERE j."JOB_NAME" = "DISABLE"."NAME";
    COMMIT;
END
$$;
COMMENT ON PROCEDURE "DBMS_SCHEDULER"."DISABLE"(text, boolean) IS 'Lets a job run no more; a run that has begun comes to its end';

CREATE PROCEDURE "DBMS_SCHEDULER"."SET_ATTRIBUTE"("NAME" text, "ATTRIBUTE" text, "VALUE" numeric)
    LANGUAGE plpgsql
AS $$
BEGIN
    PERFORM "SYS"."CHECK_JOB"("SET_ATTRIBUTE"."NAME", true);
    CASE "ATTRIBUTE"
        WHEN 'logging_level' THEN
            UPDATE "SYS"."JOB" j SET "LOGGING_LEVEL" = "VALUE" WHERE j."JOB_NAME" = "SET_ATTRIBUTE"."NAME";
        WHEN 'instance_id' THEN
            UPDATE "SYS"."JOB" j SET "INSTANCE_ID" = "VALUE" WHERE j."JOB_NAME" = "SET_ATTRIBUTE"."NAME";
        ELSE
            PERFORM "SYS"."RAISE"(27469, pg_catalog.format('%s is not a valid job attribute', "ATTRIBUTE"));
    END CASE;
    COMMIT;
END
$$;
COMMENT ON PROCEDURE "DBMS_SCHEDULER"."SET_ATTRIBUTE"(text, text, numeric) IS 'Attributes of jobs that are numbers';

CREATE FUNCTION "DBMS_LOCK"."REQUEST"("ID" numeric, "TIMEOUT" numeric) RETURNS numeric
    LANGUAGE plpgsql
    SET search_path = pg_catalog
AS $$
DECLARE
    -- Other locks of the stand-in are shared and have one key of 64 bits.
    c_space CONSTANT int := 1;
BEGIN
    IF "TIMEOUT" <> 0 THEN
        RAISE EXCEPTION 'the test bed: TIMEOUT %', "TIMEOUT";
    END IF;
    IF EXISTS (SELECT FROM pg_locks WHERE pid = pg_backend_pid() AND locktype = 'advisory' AND objsubid = 2 AND objid = "ID"::bigint::oid) THEN
        RETURN 4;
    END IF;
    RETURN CASE WHEN pg_try_advisory_lock(c_space, "ID"::int) THEN 0 ELSE 1 END;
END
$$;
COMMENT ON FUNCTION "DBMS_LOCK"."REQUEST"(numeric, numeric)
    IS 'An exclusive lock until the session ends: 0 taken, 1 another session has it, 4 this session has it already';

CREATE FUNCTION "DBMS_LOCK"."SLEEP"("SECONDS" numeric) RETURNS void
    LANGUAGE sql VOLATILE
    SET search_path = pg_catalog
AS $$ SELECT pg_sleep("SECONDS"::float8) $$;
COMMENT ON FUNCTION "DBMS_LOCK"."SLEEP"(numeric) IS 'Waits so many seconds';

CREATE FUNCTION "DBMS_SESSION"."SET_NLS"("PARAM" text, "VALUE" text) RETURNS void
    LANGUAGE plpgsql
    SET search_path = pg_catalog
AS $$
BEGIN
    IF "PARAM" NOT IN ('NLS_NUMERIC_CHARACTERS', 'NLS_DATE_FORMAT', 'NLS_TIMESTAMP_FORMAT', 'NLS_TIMESTAMP_TZ_FORMAT', 'NLS_SORT', 'NLS_COMP') THEN
        PERFORM "SYS"."RAISE"(2248, 'invalid option for ALTER SESSION');
    ELSIF "VALUE" !~ '^([A-Z_]+|''[^'']*'')$' THEN
        PERFORM "SYS"."RAISE"(922, 'missing or invalid option: a text must be in quotes of its own');
    END IF;
    PERFORM set_config('standin.' || lower("PARAM"), trim("VALUE", ''''), false);
END
$$;
COMMENT ON FUNCTION "DBMS_SESSION"."SET_NLS"(text, text) IS 'Keeps a format of the session in setting standin.PARAM; nothing here depends on it';

CREATE FUNCTION "TEST"."JOB_BEGINS"(p_job text) RETURNS text
    LANGUAGE sql
    SET search_path = pg_catalog
AS $$
UPDATE "SYS"."JOB" SET "SID" = pg_backend_pid(), "LAST_START_DATE" = clock_timestamp(), "RUN_COUNT" = "RUN_COUNT" + 1
WHERE "JOB_NAME" = p_job AND "ENABLED"
RETURNING "JOB_ACTION"
$$;
COMMENT ON FUNCTION "TEST"."JOB_BEGINS"(text) IS 'The procedure of a job that runs now in this session; NULL: it is not to run';

CREATE FUNCTION "TEST"."JOB_ENDS"(p_job text, p_failed boolean) RETURNS void
    LANGUAGE sql
    SET search_path = pg_catalog
AS $$
UPDATE "SYS"."JOB"
SET "SID" = NULL, "LAST_RUN_DURATION" = clock_timestamp() - "LAST_START_DATE", "FAILURE_COUNT" = "FAILURE_COUNT" + p_failed::int
WHERE "JOB_NAME" = p_job
$$;
COMMENT ON FUNCTION "TEST"."JOB_ENDS"(text, boolean) IS 'Its run has ended, by an error or not';
