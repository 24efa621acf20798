-- The group that every shard's login role belongs to. Roles are shared by all databases of a cluster, so it may exist.
DO $$
BEGIN
    IF NOT EXISTS (SELECT FROM pg_catalog.pg_roles WHERE rolname = 'orapull_shard') THEN
        CREATE ROLE orapull_shard NOLOGIN;
    END IF;
END
$$;
