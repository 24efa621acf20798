-- An Oracle database as far as the PL/SQL of orapull looks at it: dictionary and V$ views in "SYS", LogMiner in
-- "DBMS_LOGMNR", and in "TEST" what a test does to it. Numbers are numeric, as NUMBER is; names are upper case.

CREATE SCHEMA "SYS";
COMMENT ON SCHEMA "SYS" IS 'Dictionary, V$ views, and what stands behind them';
CREATE SCHEMA "DBMS_LOGMNR";
COMMENT ON SCHEMA "DBMS_LOGMNR" IS 'Package DBMS_LOGMNR';
CREATE SCHEMA "DBMS_ROWID";
COMMENT ON SCHEMA "DBMS_ROWID" IS 'Package DBMS_ROWID';
CREATE SCHEMA "TEST";
COMMENT ON SCHEMA "TEST" IS 'What tests and the demo do to the source; no shard sees it';

CREATE TABLE "SYS"."DUAL" (
    "DUMMY" varchar(1) NOT NULL
);
COMMENT ON TABLE "SYS"."DUAL" IS 'One row';
INSERT INTO "SYS"."DUAL" VALUES ('X');

CREATE FUNCTION "SYS"."RAISE"(p_code int, p_text text) RETURNS void
    LANGUAGE plpgsql
    SET search_path = pg_catalog
AS $$
BEGIN
    RAISE EXCEPTION USING
        ERRCODE = 'O' || upper(lpad(to_hex(p_code), 4, '0')),
        MESSAGE = format('ORA-%s: %s', lpad(p_code::text, 5, '0'), p_text);
END
$$;
COMMENT ON FUNCTION "SYS"."RAISE"(int, text) IS 'Raises an error of Oracle: SQLSTATE O and the number in hex';

CREATE FUNCTION "SYS"."NOW"() RETURNS timestamp(0)
    LANGUAGE sql VOLATILE
RETURN pg_catalog.date_trunc('second', pg_catalog.timezone('UTC', pg_catalog.clock_timestamp()));
COMMENT ON FUNCTION "SYS"."NOW"() IS 'The time of the host, which is UTC, as a DATE';
