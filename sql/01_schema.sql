-- Runs first: the schema of everything. Its owner is whoever creates the extension (a superuser).
CREATE SCHEMA "orapull";

COMMENT ON SCHEMA "orapull" IS
    'orapull: moves the increment of a live Oracle database into this shard. Start with orapull.create_source().';
