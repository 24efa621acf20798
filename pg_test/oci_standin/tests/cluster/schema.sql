CREATE ROLE app LOGIN PASSWORD 'secret';
CREATE SCHEMA "APP" AUTHORIZATION app;
CREATE SCHEMA "API" AUTHORIZATION app;
ALTER ROLE app SET search_path = "APP";
SET ROLE app;

CREATE TABLE "APP"."T" (
    "ID" bigint CONSTRAINT "T_PK" PRIMARY KEY,
    "NAME" varchar(30) NOT NULL,
    "AMOUNT" numeric(10, 2),
    "RATIO" float8,
    "DAY" timestamp(0),
    "AT" timestamp(6),
    "BODY" text,
    "BYTES" bytea
);

CREATE FUNCTION "API"."ATTACH" (
    "P_SHARD" text,
    "P_APPLIED" bigint,
    OUT "P_TOKEN" bigint,
    OUT "P_NOTE" text,
    "P_FORCE" bigint DEFAULT 0
) LANGUAGE plpgsql AS $$
BEGIN
    IF "P_SHARD" = 'unknown' THEN
        RAISE EXCEPTION 'ORA-20801: unknown shard "%"', "P_SHARD";
    END IF;
    "P_TOKEN" := coalesce("P_APPLIED", -1) + "P_FORCE";
    "P_NOTE" := CASE WHEN "P_SHARD" IS NULL THEN NULL ELSE 'shard ' || "P_SHARD" END;
END
$$;

CREATE FUNCTION "API"."SAVE" ("P_ID" bigint, "P_NAME" text) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO "APP"."T" ("ID", "NAME") VALUES ("P_ID", "P_NAME");
    PERFORM set_config('standin.commit', 'on', true);
END
$$;

-- As the translator writes procedures of packages.
CREATE PROCEDURE "API"."REGISTER" ("P_SHARD" varchar, OUT "P_TABLE_ID" numeric, OUT "P_STATE" varchar, "P_LIMIT" numeric DEFAULT 7)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = "APP", pg_catalog AS $body$
#variable_conflict use_column
BEGIN
    IF "P_SHARD" IS NULL THEN
        RAISE EXCEPTION USING ERRCODE = 'O5141', MESSAGE = 'ORA-20801: a shard has a name';
    END IF;
    INSERT INTO "T" ("ID", "NAME") VALUES (9100, "P_SHARD");
    "P_TABLE_ID" := 9100 + "P_LIMIT";
    "P_STATE" := 'WAIT_TX';
    PERFORM pg_catalog.set_config('standin.commit', 'on', true);
END;
$body$;

CREATE FUNCTION "API"."DOUBLED" ("P_N" numeric) RETURNS numeric
LANGUAGE sql AS 'SELECT "P_N" * 2';

CREATE FUNCTION "API"."ADD_ONE" (INOUT "P_N" numeric)
LANGUAGE sql AS 'SELECT "P_N" + 1';

CREATE FUNCTION "API"."SLEEP" ("P_SECONDS" numeric) RETURNS void
LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep("P_SECONDS"); END $$;
