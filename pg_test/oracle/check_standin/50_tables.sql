-- Live: scripted changes reach the tables at their commit and not before, and not without one.
SELECT "TEST"."RESET"(), "TEST"."LIVE"(true);
CREATE TABLE "APP"."T" ("ID" numeric PRIMARY KEY, "V" varchar(10), "L" text);
SELECT "TEST"."ADD_ROWID"('APP', 'T');
CREATE FUNCTION pg_temp.t() RETURNS text LANGUAGE sql AS $$
SELECT string_agg(concat_ws('/', "ID", "V", "L"), ' ' ORDER BY "ID") FROM "APP"."T"
$$;
CREATE TEMPORARY TABLE places (id int, place text);
INSERT INTO places SELECT n, "TEST"."INSERT"(1, 'T', jsonb_build_object('ID', n, 'V', 'v' || n), 100 + n) FROM generate_series(1, 3) n;
SELECT pg_temp.same('before the commit', pg_temp.t(), NULL);
SELECT "TEST"."COMMIT"(1, 110);
SELECT pg_temp.same('after the commit', pg_temp.t(), '1/v1 2/v2 3/v3');
SELECT pg_temp.expect('at the ROWIDs that redo names',
    (SELECT count(*) = 3 FROM "APP"."T" t JOIN places p ON p.id = t."ID" AND p.place = t."ROWID$"));

SELECT "TEST"."UPDATE"(2, 'T', place, '{"ID": 1, "V": "v1"}', '{"ID": 9, "V": null}', 120) FROM places WHERE id = 1;
SELECT "TEST"."DELETE"(2, 'T', place, '{"ID": 2}', 121) FROM places WHERE id = 2;
SELECT "TEST"."INSERT"(2, 'T', '{"ID": 1, "V": "again"}', 122, place) FROM places WHERE id = 2;
SELECT "TEST"."LOB"(2, 'UPDATE', 'T', place, '{"ID": 3}', 123, 125, '{"L": "lob"}') FROM places WHERE id = 3;
SELECT "TEST"."LOB"(2, 'INSERT', 'T', "TEST"."NEW_ROWID"('T'), '{"ID": 4}', 126, 128, '{"L": "new lob"}');
SELECT "TEST"."INSERT"(2, 'T', '{"ID": 5}', 129), "TEST"."UNDO"(2, 1, 130);
SELECT pg_temp.same('nothing of it yet', pg_temp.t(), '1/v1 2/v2 3/v3');
SELECT "TEST"."COMMIT"(2, 140);
SELECT pg_temp.same('all of it, in its order', pg_temp.t(), '1/again 3/v3/lob 4/new lob 9');

SELECT "TEST"."INSERT"(3, 'T', '{"ID": 6}', 150), "TEST"."ROLLBACK"(3, 151);
SELECT "TEST"."INSERT"(4, 'T', '{"ID": 7}', 152), "TEST"."RESTART"(153), "TEST"."COMMIT"(5, 160);
SELECT pg_temp.same('rolled back, lost', pg_temp.t(), '1/again 3/v3/lob 4/new lob 9');
SELECT "TEST"."LIVE"(false), "TEST"."INSERT"(6, 'T', '{"ID": 8}', 170), "TEST"."COMMIT"(6, 171);
SELECT pg_temp.same('not live', pg_temp.t(), '1/again 3/v3/lob 4/new lob 9');
DROP TABLE "APP"."T";
