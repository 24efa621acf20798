-- The type function that both sources share.
\set schema SYS
\ir ../oracle_type.sql
