-- The dictionary of the application's tables, which change in nothing but their segments: written down once, because it is
-- asked over the whole catalog otherwise, which takes longer than the rest of a history.

CREATE TABLE history.relation AS SELECT * FROM "SYS"."RELATION" WHERE owner = 'APP';
COMMENT ON TABLE history.relation IS 'The tables';
CREATE TABLE history.tab_cols AS SELECT * FROM "SYS"."DBA_TAB_COLS" WHERE "OWNER" = 'APP';
COMMENT ON TABLE history.tab_cols IS 'Their columns';
CREATE TABLE history.constraint_column AS SELECT * FROM "SYS"."CONSTRAINT_COLUMN" WHERE owner = 'APP';
COMMENT ON TABLE history.constraint_column IS 'Their keys';
CREATE TABLE history.part AS SELECT * FROM "SYS"."PARTITION" WHERE owner = 'APP';
COMMENT ON TABLE history.part IS 'All partitions that they may have';
CREATE TABLE history.lob_object AS SELECT * FROM "SYS"."OBJECT" WHERE owner = 'APP' AND type = 'LOB';
COMMENT ON TABLE history.lob_object IS 'Their LOB segments';

CREATE OR REPLACE VIEW "SYS"."RELATION" AS SELECT * FROM history.relation;
CREATE OR REPLACE VIEW "SYS"."DBA_TAB_COLS" AS SELECT * FROM history.tab_cols;
CREATE OR REPLACE VIEW "SYS"."CONSTRAINT_COLUMN" AS SELECT * FROM history.constraint_column;
CREATE OR REPLACE VIEW "SYS"."PARTITION" AS
SELECT p.* FROM history.part p WHERE NOT EXISTS (SELECT FROM history.hidden h WHERE h.part = p.name);
CREATE OR REPLACE VIEW "SYS"."OBJECT" AS
SELECT r.owner, r.name, NULL::text AS subname, r.relation::bigint::numeric AS object_id,
       CASE WHEN NOT r.partitioned THEN "SYS"."DATA_OBJECT"(r.relation) END AS data_object_id, 'TABLE'::text AS type, r.relation
FROM history.relation r
UNION ALL
SELECT p.owner, p.table_name, p.name, p.relation::bigint::numeric, "SYS"."DATA_OBJECT"(p.relation), 'TABLE PARTITION', p.relation
FROM "SYS"."PARTITION" p
UNION ALL
SELECT * FROM history.lob_object;

-- A tablespace for each table: a change without redo makes only that one suspect.
CREATE OR REPLACE VIEW "SYS"."DBA_SEGMENTS" AS
SELECT o.owner AS "OWNER", o.name AS "SEGMENT_NAME", o.subname AS "PARTITION_NAME", o.type AS "SEGMENT_TYPE", o.name COLLATE "default" AS "TABLESPACE_NAME",
       0::numeric AS "BYTES", 0::numeric AS "BLOCKS"
FROM "SYS"."OBJECT" o
WHERE o.data_object_id IS NOT NULL AND o.type <> 'LOB';

CREATE FUNCTION history.reset_dictionary() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    -- Numbers of files would put ROWIDs in another order in each run.
    INSERT INTO "SYS"."OBJECT_STATE" ("RELATION", "VERSION", "LAST_DDL_TIME", "DATA_OBJECT_ID")
    SELECT o.relation, 1, timestamp '2020-01-01', 1000 * row_number() OVER (ORDER BY o.name)
    FROM (SELECT r.relation, r.name FROM history.relation r UNION ALL SELECT p.relation, p.name FROM history.part p) o;
    INSERT INTO "SYS"."V$TABLESPACE" SELECT 10 + row_number() OVER (ORDER BY r.name), r.name FROM history.relation r;
    INSERT INTO "SYS"."V$DATAFILE" ("FILE#", "NAME", "TS#", "RFILE#")
    SELECT t."TS#", t."NAME" || '.dbf', t."TS#", 7 FROM "SYS"."V$TABLESPACE" t WHERE t."TS#" > 10;
    DELETE FROM history.hidden;
    INSERT INTO history.hidden VALUES ('PART_3');
    PERFORM "TEST"."SAY"('ORGANIZED', '{"IOT_TYPE": "IOT"}');
END
$$;
COMMENT ON FUNCTION history.reset_dictionary() IS 'Segments, tablespaces and partitions as they are when a history begins';

-- To make a view that is there makes all plans void that read it. Rights and comments do the same.
CREATE FUNCTION history.instead(p_statement text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    c_nothing CONSTANT text := 'SELECT 1';
    l_words   CONSTANT text[] := regexp_match(p_statement, '^(CREATE OR REPLACE VIEW|DROP VIEW|GRANT SELECT ON|COMMENT ON TABLE) ((pull|load)_\d+)\M');
BEGIN
    IF l_words IS NULL OR current_setting('history.views') = 'made' THEN
        RETURN NULL;
    ELSIF l_words[1] = 'DROP VIEW' THEN
        UPDATE history.view v SET dropped = true WHERE v.name = l_words[2] AND NOT v.dropped;
        RETURN CASE WHEN FOUND THEN c_nothing ELSE 'DROP VIEW history.not_there' END;
    ELSIF l_words[1] = 'CREATE OR REPLACE VIEW' AND current_setting('history.views') = 'noted' THEN
        INSERT INTO history.view VALUES (l_words[2], p_statement);
    ELSIF l_words[1] = 'CREATE OR REPLACE VIEW' THEN
        UPDATE history.view v SET dropped = false WHERE v.name = l_words[2] AND v.text = p_statement;
        RETURN CASE WHEN FOUND THEN c_nothing END;
    END IF;
    RETURN c_nothing;
END
$$;
COMMENT ON FUNCTION history.instead(text) IS 'What is done instead of a DDL statement about PULL_n or LOAD_n; NULL: the statement';
