-- Removes from CDB$ROOT what reads for a container: its jobs, its schema, and on request its tablespace; proves that nothing is left.
--   sqlplus / as sysdba @uninstall_root.sql OWNER TABLESPACE        TABLESPACE -: keep it
-- In CDB$ROOT, after uninstall.sql in the container, whose database link goes with the schema there.
SET DEFINE ON VERIFY OFF FEEDBACK OFF ECHO OFF SERVEROUTPUT ON SIZE UNLIMITED
WHENEVER SQLERROR EXIT FAILURE ROLLBACK
WHENEVER OSERROR EXIT FAILURE ROLLBACK

@@remove.sql &1 - &2 PASS install_root.sql
PROMPT orapull in CDB$ROOT: nothing is left
