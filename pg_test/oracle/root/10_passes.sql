-- A scan in CDB$ROOT, step by step.
SELECT pg_temp.start();
SELECT pg_temp.register(1, 'T', '{ID}');
SELECT "TEST"."INSERT"(1, 'T', '{"ID": 1}', 50, 'ROW1'), "TEST"."COMMIT"(1, 60), "TEST"."ADVANCE"(100);
:plan
SELECT pg_temp.take();
SELECT pg_temp.expect('done', true);
