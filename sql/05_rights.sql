-- Nothing is granted to PUBLIC; pg_monitor reads the views. The operator's role is given the rest by
-- GRANT USAGE ON SCHEMA orapull and GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA orapull.
REVOKE ALL ON ALL FUNCTIONS IN SCHEMA "orapull" FROM PUBLIC;
REVOKE ALL ON ALL TABLES IN SCHEMA "orapull" FROM PUBLIC;

GRANT USAGE ON SCHEMA "orapull" TO "pg_monitor";
GRANT EXECUTE ON FUNCTION "orapull"."advice"(text), "orapull"."pullers"() TO "pg_monitor";
GRANT SELECT ON "orapull"."status", "orapull"."tables", "orapull"."events", "orapull"."parked", "orapull"."batches"
    TO "pg_monitor";

-- The launcher looks at this database once the extension is there.
SELECT "orapull"."rescan"();
