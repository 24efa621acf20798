-- The promises of the log writer, while three sessions change a table in short and long transactions.
SELECT "TEST"."RESET"();
CREATE TABLE "APP"."RACE" ("ID" numeric PRIMARY KEY);
SELECT "TEST"."ADD_ROWID"('APP', 'RACE'), "TEST"."CAPTURE"('APP', 'RACE');
SELECT "TEST".dblink_connect('writer' || n, format('host=%s port=%s dbname=%s user=%s options=''-c statement_timeout=60s'' %s',
    split_part(current_setting('unix_socket_directories'), ',', 1),
    current_setting('port'), current_database(), session_user, :'second')) FROM generate_series(1, 3) n;
-- Transaction i inserts 1 + i % 4 rows, so that its redo can be told complete; every fifth is long: it waits for the
-- log writer.
SELECT "TEST".dblink_send_query('writer' || w, format($q$DO $d$
    DECLARE
        l_flushed numeric;
    BEGIN
        FOR i IN 1 .. 60 LOOP
            FOR n IN 1 .. 1 + i %% 4 LOOP
                INSERT INTO "APP"."RACE" VALUES (%s000000 + i * 10 + n);
            END LOOP;
            l_flushed := (SELECT "LAST_REDO_CHANGE#" FROM "SYS"."V$THREAD");
            WHILE i %% 5 = 0 AND l_flushed = (SELECT "LAST_REDO_CHANGE#" FROM "SYS"."V$THREAD") LOOP
                PERFORM pg_sleep(0.001);
            END LOOP;
            IF i %% 10 = 0 THEN
                ROLLBACK;
            ELSE
                COMMIT;
            END IF;
        END LOOP;
    END $d$$q$, w)) FROM generate_series(1, 3) w;

CREATE TEMPORARY TABLE written (scn numeric, records bigint, digest text, behind bigint, invisible bigint, incomplete bigint, open bigint);
CREATE PROCEDURE pg_temp.watch() LANGUAGE plpgsql AS $$
DECLARE
    l_flushed numeric;
BEGIN
    LOOP
        l_flushed := "TEST"."WRITE_REDO"();
        COMMIT;
        INSERT INTO written
        SELECT l_flushed,
               (SELECT count(*) FROM "SYS"."REDO"),
               (SELECT md5(string_agg("ID"::text, ' ' ORDER BY "ID")) FROM "SYS"."REDO"
                   WHERE "SCN" <= coalesce((SELECT max(scn) FROM written), 0)),
               (SELECT count(*) FROM "SYS"."REDO" WHERE "SCN" > l_flushed),
               -- A transaction that is committed in redo, and a row of it that a new snapshot does not see.
               (SELECT count(*) FROM "SYS"."REDO" r JOIN "SYS"."REDO" c USING ("XIDUSN", "XIDSLT", "XIDSQN")
                WHERE r."OPERATION_CODE" = 1 AND c."OPERATION_CODE" = 7
                  AND NOT EXISTS (SELECT FROM "APP"."RACE" t WHERE t."ID" = (r."REDO_VALUE" ->> 'APP.RACE.ID')::numeric)),
               -- A transaction that is committed in redo, and not all of its changes are there before that.
               (SELECT count(*) FROM "SYS"."REDO" c
                WHERE c."OPERATION_CODE" = 7 AND (
                    SELECT count(*) FILTER (WHERE r."SCN" < c."SCN" AND r."SCN" > c."TX_START_SCN")
                           IS DISTINCT FROM max(1 + (r."REDO_VALUE" ->> 'APP.RACE.ID')::bigint % 1000000 / 10 % 4)
                    FROM "SYS"."REDO" r
                    WHERE r."OPERATION_CODE" = 1 AND r."XIDUSN" = c."XIDUSN" AND r."XIDSLT" = c."XIDSLT" AND r."XIDSQN" = c."XIDSQN")),
               -- A transaction that V$TRANSACTION does not know, and its end is not in redo.
               (SELECT count(*) FROM "SYS"."REDO" s
                WHERE s."OPERATION_CODE" = 6
                  AND NOT EXISTS (SELECT FROM "SYS"."REDO" c WHERE c."OPERATION_CODE" IN (7, 36)
                                  AND c."XIDUSN" = s."XIDUSN" AND c."XIDSLT" = s."XIDSLT" AND c."XIDSQN" = s."XIDSQN")
                  AND NOT EXISTS (SELECT FROM "SYS"."V$TRANSACTION" t WHERE t."XIDUSN" = s."XIDUSN"
                      AND t."XIDSLOT" = s."XIDSLT" AND t."XIDSQN" = s."XIDSQN"));
        COMMIT;
        EXIT WHEN NOT EXISTS (SELECT FROM generate_series(1, 3) w WHERE "TEST".dblink_is_busy('writer' || w) = 1)
              AND NOT EXISTS (SELECT FROM "SYS"."TRANSACTION");
    END LOOP;
END
$$;
CALL pg_temp.watch();
SELECT pg_temp.same('the writers have not failed',
    (SELECT string_agg("TEST".dblink_error_message('writer' || w), ' ') FROM generate_series(1, 3) w), 'OK OK OK');
SELECT "TEST".dblink_disconnect('writer' || w) FROM generate_series(1, 3) w;
SELECT pg_temp.expect('the log writer ran meanwhile', (SELECT count(*) > 10 AND count(DISTINCT records) > 5 FROM written));
SELECT pg_temp.same('nothing beyond LAST_REDO_CHANGE#', (SELECT max(behind)::text FROM written), '0');
SELECT pg_temp.same('(1) nothing is ever written behind LAST_REDO_CHANGE#', (
    SELECT count(*)::text FROM (SELECT digest, lag(scn) OVER (ORDER BY scn) AS upto FROM written) w
    WHERE digest <> (SELECT md5(string_agg("ID"::text, ' ' ORDER BY "ID")) FROM "SYS"."REDO" WHERE "SCN" <= upto)), '0');
SELECT pg_temp.same('(2) what is committed in redo is visible', (SELECT max(invisible)::text FROM written), '0');
SELECT pg_temp.same('(3) it is there as a whole', (SELECT max(incomplete)::text FROM written), '0');
SELECT pg_temp.same('(3) V$TRANSACTION knows what has not ended', (SELECT max(open)::text FROM written), '0');
SELECT pg_temp.same('every transaction is there, with its end',
    (SELECT concat_ws(' ', count(*) FILTER (WHERE "OPERATION_CODE" = 6), count(*) FILTER (WHERE "OPERATION_CODE" = 7),
    count(*) FILTER (WHERE "OPERATION_CODE" = 36), count(*) FILTER (WHERE "OPERATION_CODE" = 1)) FROM "SYS"."REDO"), '180 162 18 450');
DROP TABLE "APP"."RACE";
