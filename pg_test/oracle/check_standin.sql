-- Proves that the stand-in of the Oracle database behaves as Oracle does where the PL/SQL depends on it. Run it in a
-- database into which standin/ was just loaded, as the role that loaded it; the first difference ends it with an error:
--   psql -X -q -v ON_ERROR_STOP=1 -d DATABASE -f check_standin.sql
\ir assertions.sql

CREATE SCHEMA "APP";

-- Mines a range of the listed files and ends; each row as OPERATION_CODE@SCN.
CREATE FUNCTION pg_temp.list(p_files text[]) RETURNS void LANGUAGE sql AS $$
SELECT "DBMS_LOGMNR"."ADD_LOGFILE"(f.name, CASE f.n WHEN 1 THEN 1 ELSE 3 END) FROM unnest(p_files) WITH ORDINALITY f (name, n)
$$;
CREATE FUNCTION pg_temp.start(p_from numeric, p_to numeric, p_options numeric DEFAULT 16) RETURNS void LANGUAGE sql AS $$
SELECT "DBMS_LOGMNR"."START_LOGMNR"("STARTSCN" => p_from, "ENDSCN" => p_to, "OPTIONS" => p_options)
$$;
CREATE FUNCTION pg_temp.rows(p_what text DEFAULT '"OPERATION_CODE" || ''@'' || "SCN"') RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    l_rows text;
BEGIN
    EXECUTE format('SELECT string_agg(%s, '' '') FROM "SYS"."V$LOGMNR_CONTENTS"', p_what) INTO l_rows;
    RETURN l_rows;
END
$$;
CREATE FUNCTION pg_temp.mined(p_from numeric, p_to numeric, p_options numeric, p_what text DEFAULT '"OPERATION_CODE" || ''@'' || "SCN"')
    RETURNS text LANGUAGE sql AS $$
SELECT pg_temp.list('{/redo/group_1_a.log}'), pg_temp.start(p_from, p_to, p_options);
SELECT pg_temp.rows(p_what);
$$;

\o /dev/null
\ir check_standin/10_session.sql
\ir check_standin/20_contents.sql
\ir check_standin/25_transactions.sql
\ir check_standin/30_logs.sql
\ir check_standin/35_container.sql
\ir check_standin/40_dictionary.sql
\ir check_standin/45_rowids.sql
\ir check_standin/50_tables.sql
\ir check_standin/60_capture.sql
\ir check_standin/65_log_writer.sql
\o
\echo stand-in of the database: all checks passed
