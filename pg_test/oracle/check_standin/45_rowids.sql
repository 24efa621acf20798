-- ROWIDs: Oracle's form, in an order that is the same as text, within extents, new after TRUNCATE and MOVE.
SELECT "TEST"."RESET"(), "TEST"."LIVE"(true);
CREATE TABLE "APP"."PLACES" ("ID" numeric PRIMARY KEY);
SELECT "TEST"."ADD_ROWID"('APP', 'PLACES');
INSERT INTO "APP"."PLACES" SELECT i FROM generate_series(1, 30000) i;

CREATE FUNCTION pg_temp.object_of_places() RETURNS numeric LANGUAGE sql AS $$
SELECT "DATA_OBJECT_ID" FROM "SYS"."DBA_OBJECTS" WHERE "OWNER" = 'APP' AND "OBJECT_NAME" = 'PLACES'
$$;
SELECT pg_temp.same('the form', (SELECT string_agg(DISTINCT "ROWID$" ~ '^[A-Za-z0-9+/]{18}$' || ' ' || ("DBMS_ROWID"."ROWID_OBJECT"("ROWID$") = pg_temp.object_of_places()), ', ') FROM "APP"."PLACES"), 'true true');
SELECT pg_temp.expect('each is used once', (SELECT count(DISTINCT "ROWID$") = 30000 FROM "APP"."PLACES"));
SELECT pg_temp.same('parts', (SELECT concat_ws(' ', "DBMS_ROWID"."ROWID_OBJECT"(r), "DBMS_ROWID"."ROWID_RELATIVE_FNO"(r),
    "DBMS_ROWID"."ROWID_BLOCK_NUMBER"(r), "DBMS_ROWID"."ROWID_ROW_NUMBER"(r))
    FROM "DBMS_ROWID"."ROWID_CREATE"(1, 68719476735, 1023, 4294967295, 32767) r), '68719476735 1023 4294967295 32767');
SELECT pg_temp.same('Oracle''s own example', "DBMS_ROWID"."ROWID_CREATE"(1, 54440, 4, 15, 0), 'AAANSoAAEAAAAAPAAA');
SELECT pg_temp.expect('as text they have the order of their numbers', (
    SELECT bool_and(by_text = by_number)
    FROM (SELECT row_number() OVER (ORDER BY "ROWID$") AS by_text,
                 row_number() OVER (ORDER BY "DBMS_ROWID"."ROWID_BLOCK_NUMBER"("ROWID$"),
                     "DBMS_ROWID"."ROWID_ROW_NUMBER"("ROWID$")) AS by_number FROM "APP"."PLACES") p));
SELECT pg_temp.expect('each row lies in the ROWID range of exactly one extent', (
    SELECT count(*) = 30000 AND count(DISTINCT p."ID") = 30000
    FROM "SYS"."DBA_EXTENTS" e JOIN "SYS"."DBA_OBJECTS" o ON o."OWNER" = e."OWNER" AND o."OBJECT_NAME" = e."SEGMENT_NAME"
    JOIN "APP"."PLACES" p ON p."ROWID$" BETWEEN "DBMS_ROWID"."ROWID_CREATE"(1, o."DATA_OBJECT_ID", e."RELATIVE_FNO", e."BLOCK_ID", 0)
                                            AND "DBMS_ROWID"."ROWID_CREATE"(1, o."DATA_OBJECT_ID", e."RELATIVE_FNO",
                                                e."BLOCK_ID" + e."BLOCKS" - 1, 32767)
    WHERE e."OWNER" = 'APP' AND e."SEGMENT_NAME" = 'PLACES'));
SELECT pg_temp.expect('of which there are some', (SELECT count(*) > 3 FROM "SYS"."DBA_EXTENTS" WHERE "OWNER" = 'APP'));

DELETE FROM "APP"."PLACES" WHERE "ID" > 3;
CREATE TEMPORARY TABLE places_before AS SELECT *, pg_temp.object_of_places() AS object FROM "APP"."PLACES";
SELECT "TEST"."MOVE"(1, 'PLACES', 100);
SELECT pg_temp.expect('MOVE: same rows, another object, other ROWIDs', (
    SELECT count(*) = 3 AND bool_and(p."ROWID$" <> b."ROWID$"
        AND "DBMS_ROWID"."ROWID_OBJECT"(p."ROWID$") = pg_temp.object_of_places() AND pg_temp.object_of_places() <> b.object)
    FROM "APP"."PLACES" p JOIN places_before b USING ("ID")));
SELECT "TEST"."TRUNCATE"(2, 'PLACES', 110);
INSERT INTO "APP"."PLACES" VALUES (1);
SELECT pg_temp.expect('TRUNCATE: another object, and new rows lie in it', (
    SELECT count(*) = 1 AND bool_and("DBMS_ROWID"."ROWID_OBJECT"("ROWID$") = pg_temp.object_of_places()
        AND "ROWID$" NOT IN (SELECT "ROWID$" FROM places_before)) FROM "APP"."PLACES"));
SELECT pg_temp.same('redo has DDL only', (SELECT string_agg("OPERATION_CODE"::text || coalesce(' ' || split_part("SQL_REDO",
    ' ', 1), ''), ', ' ORDER BY "ID") FROM "SYS"."REDO"), '6, 5 ALTER, 7, 6, 5 TRUNCATE, 7');

-- Rows of a partitioned table have ROWIDs of their partitions.
CREATE TABLE "APP"."PARTED" ("ID" numeric PRIMARY KEY) PARTITION BY RANGE ("ID");
CREATE TABLE "APP"."PARTED_1" PARTITION OF "APP"."PARTED" FOR VALUES FROM (0) TO (10);
CREATE TABLE "APP"."PARTED_2" PARTITION OF "APP"."PARTED" FOR VALUES FROM (10) TO (20);
INSERT INTO "APP"."PARTED" VALUES (1), (11);
SELECT "TEST"."ADD_ROWID"('APP', 'PARTED');
INSERT INTO "APP"."PARTED" VALUES (2), (12);
SELECT pg_temp.expect('old and new rows of partitions', (
    SELECT count(*) = 4 AND bool_and("DBMS_ROWID"."ROWID_OBJECT"(p."ROWID$") = o."DATA_OBJECT_ID")
    FROM "APP"."PARTED" p JOIN "SYS"."DBA_OBJECTS" o ON o."SUBOBJECT_NAME" = CASE WHEN p."ID" < 10 THEN 'PARTED_1' ELSE 'PARTED_2' END));
DROP TABLE "APP"."PLACES", "APP"."PARTED";
