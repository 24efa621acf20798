-- For every later session. Joins of a million rows fit into memory, short statements are not compiled, and a cursor
-- (postgres_fdw reads with one) is planned to be read to its end.
DO $$
DECLARE
    l_setting text;
BEGIN
    FOREACH l_setting IN ARRAY ARRAY['work_mem = ''64MB''', 'jit = off', 'cursor_tuple_fraction = 1'] LOOP
        EXECUTE pg_catalog.format('ALTER DATABASE %I SET %s', pg_catalog.current_database(), l_setting);
    END LOOP;
END
$$;
