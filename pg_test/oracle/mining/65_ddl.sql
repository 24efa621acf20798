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
       "TEST"."DDL"(6, 'T', 'DROP TABLE t', 130, '{"SEG_OWNER": "UNKNOWN", "TABLE_NAME": "OBJ# 5"}');
SELECT "TEST"."ADVANCE"(200);
:scan
SELECT pg_temp.same('rows of DDL', pg_temp.staged(), '105:5 T=1, 110:5 U=2, 125:5 U=1, 126:5 D=1, 127:5 U=3, 130:5 D=1');
SELECT pg_temp.same('the text is noted', (SELECT "NOTE" FROM "ORAPULL"."STAGED_V" WHERE "SCN" = 110 AND "OP" = 5), 'ALTER TABLE p MOVE');
