-- Removes the users of setup.sql.
WHENEVER SQLERROR EXIT FAILURE
DROP USER orapull_try_owner_with_31_bytes CASCADE;
DROP USER orapull_try CASCADE;
PROMPT nothing is left
