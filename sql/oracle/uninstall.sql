-- Removes orapull: its jobs, its schema with everything in it, its role, and on request its tablespace; proves that nothing is left.
--   sqlplus / as sysdba @uninstall.sql OWNER ROLE TABLESPACE        TABLESPACE "-": keep it (a bare - at the end of a line means that it goes on)
-- Shards must have left before, or will find nothing to read. Supplemental logging and grants on tables stay as they are.
SET DEFINE ON VERIFY OFF FEEDBACK OFF ECHO OFF SERVEROUTPUT ON SIZE UNLIMITED
WHENEVER SQLERROR EXIT FAILURE ROLLBACK
WHENEVER OSERROR EXIT FAILURE ROLLBACK

@@remove.sql &1 &2 &3 SOURCE_STATE install.sql
PROMPT orapull: nothing is left
