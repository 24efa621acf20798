-- For every later session: statements are short or read a million rows, and joins of a million rows fit into memory.
DO $$
BEGIN
    EXECUTE pg_catalog.format('ALTER DATABASE %I SET jit = off', pg_catalog.current_database());
    EXECUTE pg_catalog.format('ALTER DATABASE %I SET work_mem = ''64MB''', pg_catalog.current_database());
END
$$;
