-- Which rows are staged, and what identifies them.
SELECT pg_temp.start();
SELECT pg_temp.register(1, 'T', '{ID}'), pg_temp.register(2, 'P'), pg_temp.register(3, 'C', '{A,B}');
SELECT "TEST"."INSERT"(1, 'T', '{"ID": 1}', 105, 'ROW1');
SELECT "TEST"."UPDATE"(1, 'T', 'ROW1', '{"ID": 1, "V": "a"}', '{"V": "b"}', 110);
SELECT "TEST"."COMMIT"(1, 120);
SELECT "TEST"."ADVANCE"(200);
:scan
SELECT pg_temp.same('rows', pg_temp.staged(), '105:1 R=1 ROW1 1, 110:3 R=1 ROW1 1');
SELECT pg_temp.same('ends', pg_temp.ends(), '105:6:1, 120:7:1');
