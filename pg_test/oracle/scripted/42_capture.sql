-- Triggers that stage pointers. They do not publish: the transaction may still roll back.

CREATE FUNCTION "ORAPULL"."STAGE_STATEMENT"(p_relation oid, p_row text, p_with_rowid boolean) RETURNS text
    LANGUAGE sql STABLE
    SET search_path = pg_catalog
AS $$
SELECT format(
    'INSERT INTO "ORAPULL"."STAGED" ("RELATION", "KIND", "ROW_ID"%1$s) VALUES (%2$s, ''R'', %3$s%4$s);',
    coalesce(string_agg(format(', "K%s"', k.n), '' ORDER BY k.n), ''),
    p_relation,
    CASE WHEN p_with_rowid THEN format('%s."ROWID$"', p_row) ELSE 'NULL' END,
    coalesce(string_agg(', ' || "ORAPULL"."KEY_TEXT"(p_relation, k.name, p_row), '' ORDER BY k.n), '')
)
FROM unnest("ORAPULL"."KEY_COLUMNS"(p_relation)) WITH ORDINALITY k (name, n)
$$;
COMMENT ON FUNCTION "ORAPULL"."STAGE_STATEMENT"(oid, text, boolean) IS 'Statement that stages a pointer to OLD or NEW';

CREATE FUNCTION "ORAPULL"."STAGE_TRUNCATE"() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path = pg_catalog
AS $$
BEGIN
    INSERT INTO "ORAPULL"."STAGED" ("RELATION", "KIND") VALUES (tg_relid, 'T');
    RETURN NULL;
END
$$;
COMMENT ON FUNCTION "ORAPULL"."STAGE_TRUNCATE"() IS 'Stages the T pointer of a TRUNCATE';

CREATE FUNCTION "TEST"."CAPTURE"(p_owner text, p_table text) RETURNS void
    LANGUAGE plpgsql
    SET search_path = pg_catalog
    SET client_min_messages = warning
AS $$
DECLARE
    c_table    CONSTANT text := format('%I.%I', p_owner, p_table);
    l_relation CONSTANT oid := c_table::regclass;
    l_function CONSTANT text := format('"ORAPULL".%I', 'STAGE_' || l_relation);
    -- A table without a key compares NULL with NULL, which is not distinct.
    l_old_key  text;
    l_new_key  text;
BEGIN
    SELECT coalesce(string_agg(format('OLD.%I', k), ', '), 'NULL'), coalesce(string_agg(format('NEW.%I', k), ', '), 'NULL')
    INTO l_old_key, l_new_key
    FROM unnest("ORAPULL"."KEY_COLUMNS"(l_relation)) k;

    EXECUTE format(
        'CREATE OR REPLACE FUNCTION %1$s() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog AS $f$
         BEGIN
             IF tg_op <> ''INSERT'' THEN
                 IF tg_op = ''DELETE'' THEN
                     %4$s
                     RETURN NULL;
                 END IF;
                 -- A moved row is gone from its place, a row with another key is gone from its key.
                 IF OLD."ROWID$" <> NEW."ROWID$" THEN
                     %4$s
                 ELSIF ROW(%2$s) IS DISTINCT FROM ROW(%3$s) THEN
                     %5$s
                 END IF;
             END IF;
             %6$s
             RETURN NULL;
         END $f$',
        l_function, l_old_key, l_new_key,
        "ORAPULL"."STAGE_STATEMENT"(l_relation, 'OLD', true),
        "ORAPULL"."STAGE_STATEMENT"(l_relation, 'OLD', false),
        "ORAPULL"."STAGE_STATEMENT"(l_relation, 'NEW', true)
    );
    EXECUTE format('COMMENT ON FUNCTION %s() IS %L', l_function, 'Stages pointers to changed rows of ' || c_table);
    EXECUTE format('DROP TRIGGER IF EXISTS stage_rows ON %1$s; DROP TRIGGER IF EXISTS stage_truncate ON %1$s', c_table);
    EXECUTE format(
        'CREATE TRIGGER stage_rows AFTER INSERT OR UPDATE OR DELETE ON %s FOR EACH ROW EXECUTE FUNCTION %s()', c_table, l_function);
    EXECUTE format(
        'CREATE TRIGGER stage_truncate AFTER TRUNCATE ON %s EXECUTE FUNCTION "ORAPULL"."STAGE_TRUNCATE"()', c_table);
END
$$;
COMMENT ON FUNCTION "TEST"."CAPTURE"(text, text)
    IS 'Puts the staging triggers on a table; again after its key has changed';
