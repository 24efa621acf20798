-- An online log is overwritten while it is read, which LogMiner does not tell (M16); where it is given files, and where it finds them.
SELECT pg_temp.start();
SELECT pg_temp.register(1, 'T', '{ID}');
SELECT "TEST"."INSERT"(1, 'T', '{"ID": 1}', 50, 'ROW1'), "TEST"."COMMIT"(1, 60), "TEST"."ADVANCE"(100);
SELECT "TEST"."DURING"('SCAN', 'SELECT "TEST"."SWITCH_LOG"(1, 110), "TEST"."SWITCH_LOG"(1, 120), "TEST"."SWITCH_LOG"(1, 130)');
:plan
SELECT pg_temp.take();
SELECT pg_temp.mine();
SELECT pg_temp.expect('it shows nothing', (SELECT "ROWS_STAGED" = 0 FROM "ORAPULL"."SCAN"));
SELECT pg_temp.fails('while it is read', 'ORA-20825: an online log was overwritten while scan 1 read it', 'finish');
:again
SELECT pg_temp.same('from the archive', pg_temp.chosen(1) || ' ' || pg_temp.staged(), '1/1 /arch1/1_1_1.arc 50:1 R=1 ROW1 1');
