-- The database is new.
SELECT "TEST"."RESET"();
