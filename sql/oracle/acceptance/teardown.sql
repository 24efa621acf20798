-- Removes the user of setup.sql.
WHENEVER SQLERROR EXIT FAILURE
DROP USER orapull_try CASCADE;
PROMPT nothing is left
