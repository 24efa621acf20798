-- What DDL on a registered table gives.
SELECT pg_temp.same('kind of ' || d.statement || CASE d.by_rowid WHEN 'Y' THEN ' by ROWID' ELSE '' END,
    "REDO_TEXT"."DDL_KIND"(d.statement, coalesce(d.info, 'USER DDL (PlSql=0 RecDep=0)'), coalesce(d.by_rowid, 'N')), d.kind)
FROM (VALUES
    ('TRUNCATE TABLE app.t', 'T', NULL, NULL),
    (E'truncate\n\ttable  "APP"."T" drop storage;', 'T', NULL, NULL),
    ('/* nightly */ truncate table app.t', 'U', NULL, NULL),
    ('/*nightly*/truncate/**/table app.t', 'U', NULL, NULL),
    ('TRUNCATE TABLE app.child', 'U', NULL, 'INTERNAL DDL (PlSql=0 RecDep=1)'),
    ('ALTER TABLE t TRUNCATE PARTITION p1', 'U', NULL, NULL),
    ('ALTER TABLE t TRUNCATE SUBPARTITION p1 UPDATE INDEXES', 'U', NULL, NULL),
    ('ALTER TABLE t DROP PARTITION p1', 'U', NULL, NULL),
    ('alter table t drop   subpartition p1', 'U', NULL, NULL),
    ('ALTER TABLE t MOVE PARTITION p1 COMPRESS', 'U', NULL, NULL),
    ('ALTER TABLE t SPLIT PARTITION p1 AT (5) INTO (PARTITION a, PARTITION b)', 'U', NULL, NULL),
    ('ALTER TABLE t MERGE PARTITIONS p1, p2', 'U', NULL, NULL),
    ('ALTER TABLE t EXCHANGE PARTITION p1 WITH TABLE x', 'U', NULL, NULL),
    ('ALTER TABLE t COALESCE PARTITION', 'U', NULL, NULL),
    ('ALTER TABLE t ADD PARTITION p9', 'U', NULL, NULL),
    ('ALTER TABLE t ADD PARTITION p9 VALUES LESS THAN (10)', 'D', NULL, NULL),
    ('ALTER TABLE t MODIFY PARTITION BY RANGE (d) (PARTITION a VALUES LESS THAN (5))', 'U', NULL, NULL),
    ('ALTER TABLE t RENAME PARTITION a TO b', 'D', NULL, NULL),
    ('FLASHBACK TABLE t TO TIMESTAMP SYSTIMESTAMP - INTERVAL ''1'' HOUR', 'U', NULL, NULL),
    ('ALTER TABLE t MOVE', 'D', 'N', NULL),
    ('ALTER TABLE t MOVE;', 'U', 'Y', NULL),
    ('ALTER TABLE t MOVE ONLINE', 'U', 'Y', NULL),
    ('ALTER TABLE t SHRINK SPACE', 'U', 'Y', NULL),
    ('ALTER TABLE t SHRINK SPACE', 'D', 'N', NULL),
    ('ALTER TABLE t ENABLE ROW MOVEMENT', 'D', 'Y', NULL),
    ('ALTER TABLE t ADD (c NUMBER DEFAULT 0 NOT NULL)', 'D', NULL, NULL),
    ('ALTER TABLE t RENAME COLUMN a TO b', 'D', NULL, NULL),
    ('DROP TABLE t', 'D', NULL, NULL),
    ('RENAME t TO u', 'D', NULL, NULL),
    ('COMMENT ON TABLE t IS ''truncate table when full''', 'D', NULL, NULL)
) d (statement, kind, by_rowid, info);

-- Rows of DDL: only USER DDL of registered tables; an internal one only when it may be a cascading TRUNCATE.
SELECT pg_temp.start();
SELECT pg_temp.register(1, 'T', '{ID}'), pg_temp.register(2, 'P'), pg_temp.register(3, 'L', '{ID}', 'Y');
SELECT "TEST"."TRUNCATE"(1, 'T', 105), "TEST"."DDL"(2, 'P', 'ALTER TABLE p MOVE', 110), "TEST"."DDL"(3, 'X', 'DROP TABLE x', 115),
       "TEST"."DDL"(4, 'T', 'ALTER TABLE t ADD (c NUMBER)', 120, '{"INFO": "INTERNAL DDL (PlSql=0 RecDep=1)"}'),
       "TEST"."DDL"(5, 'T', 'TRUNCATE TABLE t', 125, '{"INFO": "INTERNAL DDL (PlSql=0 RecDep=1)"}'),
       "TEST"."DDL"(7, 'T', 'ALTER TABLE t MOVE', 126), "TEST"."DDL"(8, 'L', 'ALTER TABLE l MOVE', 127),
       "TEST"."DDL"(6, 'T', 'DROP TABLE t', 130, '{"SEG_OWNER": "UNKNOWN", "TABLE_NAME": "OBJ# 5"}'),
       -- It was T, before it was renamed and another T made.
       "TEST"."DDL"(9, 'T', 'TRUNCATE TABLE t_old', 135, '{"TABLE_NAME": "T_OLD"}'),
       "TEST"."DDL"(10, 'T', 'TRUNCATE TABLE t', 140, '{"SEG_OWNER": "UNKNOWN", "TABLE_NAME": "OBJ# 5"}');
SELECT "TEST"."ADVANCE"(200);
:scan
SELECT pg_temp.same('rows of DDL', pg_temp.staged(), '105:5 T=1, 110:5 U=2, 125:5 U=1, 126:5 D=1, 127:5 U=3, 130:5 D=1, 135:5 U=1, 140:5 U=1');
SELECT pg_temp.same('the text is noted', (SELECT "NOTE" FROM "ORAPULL"."STAGED_V" WHERE "SCN" = 110 AND "OP" = 5), 'MOVE: ALTER TABLE p MOVE');
SELECT pg_temp.same('a MOVE is noted wherever it is in the text', "REDO_TEXT"."DDL_NOTE"(d.statement), d.note)
FROM (VALUES
    (E'ALTER TABLE t\nMOVE', E'MOVE: ALTER TABLE t\nMOVE'),
    ('alter table t ' || repeat('/* why */', 30) || 'move;', 'MOVE: alter table t ' || left(repeat('/* why */', 30), 84)),
    ('ALTER TABLE t ENABLE ROW MOVEMENT', 'ALTER TABLE t ENABLE ROW MOVEMENT'),
    ('ALTER TABLE t ADD (moved DATE)', 'ALTER TABLE t ADD (moved DATE)')
) d (statement, note);

-- DDL whose table LogMiner cannot name belongs to the registered tables that its text names: nothing is dropped, and no table emptied,
-- on doubt. EXCHANGE and RENAME concern a second table. An owner that the text does not name is that of the row, if that has one.
SELECT pg_temp.same(format('"%s" in %s', d.name, d.statement), "REDO_TEXT"."NAMES"(d.statement, d.name), d.answer)
FROM (VALUES
    ('alter table app.t modify (c number)', 'T', 'Y'),
    ('ALTER TABLE "APP"."T" MOVE', 'T', 'Y'),
    (E'DROP TABLE\tt;', 'T', 'Y'),
    ('CREATE TABLE t(a NUMBER)', 'T', 'Y'),
    ('ALTER TABLE app.t2 DROP COLUMN c', 'T', 'N'),
    ('ALTER TABLE app.at MOVE', 'T', 'N'),
    ('DROP TABLE "Mixed Case"', 'Mixed Case', 'Y'),
    ('DROP TABLE "POINT.ED"', 'POINT.ED', 'Y'),
    (NULL, 'T', 'Y')
) d (statement, name, answer);
SELECT pg_temp.start();
SELECT pg_temp.register(1, 'T', '{ID}'), pg_temp.register(2, 'P'), pg_temp.register(3, 'HR.T', '{ID}'), pg_temp.register(4, 'HR.Q', '{ID}');
SELECT "TEST"."DDL"(1, 'X', 'ALTER TABLE app.t ADD (c NUMBER)', 105, '{"SEG_OWNER": "UNKNOWN", "TABLE_NAME": "OBJ# 5"}'),
       "TEST"."DDL"(2, 'X', 'TRUNCATE TABLE t', 110, '{"SEG_OWNER": null, "TABLE_NAME": null}'),
       "TEST"."DDL"(3, 'X', 'ALTER TABLE p MOVE', 115, '{"SEG_OWNER": "APP", "TABLE_NAME": "OBJ# 6"}'),
       "TEST"."DDL"(4, 'X', 'ALTER TABLE x EXCHANGE PARTITION a WITH TABLE t', 120),
       "TEST"."DDL"(5, 'P', 'ALTER TABLE app.p EXCHANGE PARTITION a WITH TABLE hr.q', 125),
       "TEST"."DDL"(6, 'X', 'RENAME x TO t', 130),
       "TEST"."DDL"(7, 'T', 'ALTER TABLE t RENAME TO p', 135),
       "TEST"."DDL"(8, 'X', 'CREATE INDEX i ON x (t)', 140),
       "TEST"."DDL"(9, 'X', 'ALTER TABLE y EXCHANGE PARTITION a WITH TABLE z', 145),
       "TEST"."DDL"(10, 'X', 'ALTER TABLE t MOVE', 150, '{"SEG_OWNER": "UNKNOWN", "TABLE_NAME": "OBJ# 7", "INFO": "INTERNAL DDL (PlSql=0 RecDep=1)"}');
SELECT "TEST"."REDO"(11, 3, 'T', 155, 'ROW1', NULL, '{"ID": 1}'), "TEST"."ADVANCE"(200);
:scan
SELECT pg_temp.same('whose DDL it is', (
    SELECT string_agg(d, ', ') FROM (
        SELECT concat(s."SCN", ':', string_agg(s."KIND" || s."TABLE_ID", ' ' ORDER BY s."TABLE_ID")) AS d
        FROM "ORAPULL"."STAGED_V" s WHERE s."OP" = 5 GROUP BY s."SCN" ORDER BY s."SCN"
    ) o), '105:D1 D3, 110:U1 U3, 115:U2, 120:U1, 125:U2 U4, 130:D1, 135:D1 D2');
SELECT pg_temp.expect('all in one pass, and every other row once', "TEST"."SCANS"() = 1 AND pg_temp.staged() LIKE '%155:3 R=1 ROW1 1');
