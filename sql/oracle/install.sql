-- Installs orapull, or brings an installation up to date; running it again changes nothing.
--   sqlplus / as sysdba @install.sql OWNER TABLESPACE ROLE TOPOLOGY PDB HOW
--     OWNER       schema of its own, without other objects: ORAPULL
--     TABLESPACE  for its tables; one of its own, NOLOGGING: pointers come from redo and need none
--     ROLE        gets what a shard may read and call: ORAPULL_SHARD. GRANT it to the user of each shard
--     TOPOLOGY    SINGLE: database without containers; PDB: mined inside the container (19.10 and later); ROOT: LogMiner runs in
--                 CDB$ROOT (before 19.10 it runs nowhere else), which takes more steps: root/README.md
--     PDB         container that has the tables, - without containers
--     HOW         CREATE: makes tablespace, owner, role and grants that are not there; EXISTING: all of that is there
-- Connect to the container that has the tables. It starts nothing: jobs/README.md says how mining begins.
SET DEFINE ON VERIFY OFF FEEDBACK OFF ECHO OFF SERVEROUTPUT ON SIZE UNLIMITED SQLBLANKLINES ON
WHENEVER SQLERROR EXIT FAILURE ROLLBACK
WHENEVER OSERROR EXIT FAILURE ROLLBACK
DEFINE orapull_owner = '&1'
DEFINE orapull_tablespace = '&2'
DEFINE orapull_role = '&3'
DEFINE orapull_topology = '&4'
DEFINE orapull_pdb = '&5'
DEFINE orapull_how = '&6'

PROMPT orapull: owner, tablespace, role
@@own_schema.sql &orapull_owner SOURCE_STATE
DECLARE
  c_owner CONSTANT VARCHAR2(128) := UPPER('&orapull_owner');
  c_tablespace CONSTANT VARCHAR2(128) := UPPER('&orapull_tablespace');
  c_role CONSTANT VARCHAR2(128) := UPPER('&orapull_role');
  l_found PLS_INTEGER;
BEGIN
  IF UPPER('&orapull_how') NOT IN ('CREATE', 'EXISTING') OR UPPER('&orapull_topology') NOT IN ('SINGLE', 'PDB', 'ROOT') THEN
    RAISE_APPLICATION_ERROR(-20000, 'arguments: OWNER TABLESPACE ROLE SINGLE|PDB|ROOT PDB|- CREATE|EXISTING');
  END IF;
  IF UPPER('&orapull_topology') = 'ROOT' AND '&orapull_pdb' = '-' THEN
    RAISE_APPLICATION_ERROR(-20000, 'topology ROOT needs the name of the container');
  END IF;
  IF UPPER('&orapull_how') = 'EXISTING' THEN
    SELECT COUNT(*) INTO l_found FROM dba_users WHERE username = c_owner AND default_tablespace = c_tablespace;
    IF l_found = 0 THEN
      RAISE_APPLICATION_ERROR(-20000, 'there is no user ' || c_owner || ' with default tablespace ' || c_tablespace);
    END IF;
    RETURN;
  END IF;
  SELECT COUNT(*) INTO l_found FROM dba_tablespaces WHERE tablespace_name = c_tablespace;
  IF l_found = 0 THEN
    EXECUTE IMMEDIATE 'CREATE TABLESPACE ' || c_tablespace || ' DATAFILE SIZE 1G AUTOEXTEND ON NEXT 1G NOLOGGING';
  END IF;
  SELECT COUNT(*) INTO l_found FROM dba_users WHERE username = c_owner;
  IF l_found = 0 THEN
    EXECUTE IMMEDIATE 'CREATE USER ' || c_owner || ' IDENTIFIED BY "' || DBMS_RANDOM.STRING('x', 28) || 'a1"'
      || ' DEFAULT TABLESPACE ' || c_tablespace || ' QUOTA UNLIMITED ON ' || c_tablespace || ' ACCOUNT LOCK';
  END IF;
  SELECT COUNT(*) INTO l_found FROM dba_roles WHERE role = c_role;
  IF l_found = 0 THEN
    EXECUTE IMMEDIATE 'CREATE ROLE ' || c_role;
  END IF;
END;
/
COLUMN orapull_file NEW_VALUE orapull_file NOPRINT
SELECT CASE UPPER('&orapull_how') WHEN 'CREATE' THEN 'rights.sql' ELSE 'nothing.sql' END AS orapull_file FROM dual;
@@&orapull_file &orapull_owner GRANT
@@check_rights.sql &orapull_owner &orapull_topology

ALTER SESSION SET CURRENT_SCHEMA = &orapull_owner;

PROMPT orapull: tables
@@once.sql SEQUENCE table_seq sequences/table_seq.sql
@@once.sql SEQUENCE token_seq sequences/token_seq.sql
@@once.sql SEQUENCE pass_seq sequences/pass_seq.sql
@@once.sql SEQUENCE plan_seq sequences/plan_seq.sql
@@once.sql SEQUENCE request_seq sequences/request_seq.sql
@@once.sql SEQUENCE event_seq sequences/event_seq.sql
@@once.sql TABLE setting tables/setting.sql
@@once.sql TABLE source_state tables/source_state.sql
@@once.sql TABLE source_table tables/source_table.sql
@@once.sql TABLE source_column tables/source_column.sql
@@once.sql TABLE source_object tables/source_object.sql
@@once.sql TABLE shard tables/shard.sql
@@once.sql TABLE subscription tables/subscription.sql
@@once.sql TABLE load_plan tables/load_plan.sql
@@once.sql TABLE load_range tables/load_range.sql
@@once.sql TABLE asked tables/asked.sql
@@once.sql TABLE request tables/request.sql
@@once.sql TABLE request_pointer tables/request_pointer.sql
@@once.sql TABLE scan tables/scan.sql
@@once.sql TABLE scan_log tables/scan_log.sql
@@once.sql TABLE archive_dest tables/archive_dest.sql
@@once.sql TABLE heartbeat tables/heartbeat.sql
@@once.sql TABLE event tables/event.sql
@@once.sql TABLE suspicion tables/suspicion.sql
@@once.sql TABLE published_ddl tables/published_ddl.sql
@@once.sql TABLE tx tables/tx.sql
@@once.sql TABLE carry tables/carry.sql
@@once.sql INDEX carry_tx indexes/carry_tx.sql
@@once.sql TABLE stage_0 tables/stage_0.sql
@@once.sql TABLE stage_slot tables/stage_slot.sql
@@once.sql TABLE transport_0 tables/transport_0.sql
@@once.sql TABLE slot tables/slot.sql
@@once.sql TABLE portion tables/portion.sql
@@once.sql TABLE portion_table tables/portion_table.sql
@@once.sql TABLE outgoing tables/outgoing.sql
@@once.sql TABLE release_mark tables/release_mark.sql
@@once.sql TABLE chore tables/chore.sql
@@once.sql TABLE ended tables/ended.sql
@@once.sql TABLE forgotten tables/forgotten.sql

MERGE INTO setting s
USING (
  SELECT
    1 AS only_row, UPPER('&orapull_topology') AS topology, NULLIF(UPPER('&orapull_pdb'), '-') AS pdb_name,
    -- In a CDB a column is CONTAINER:OWNER.TABLE.COLUMN (PL/SQL Packages and Types Reference, DBMS_LOGMNR.MINE_VALUE).
    CASE UPPER('&orapull_topology') WHEN 'PDB' THEN SYS_CONTEXT('USERENV', 'CON_NAME') || ':' END AS column_prefix,
    UPPER('&orapull_owner') AS own_schema, UPPER('&orapull_role') AS shard_role
  FROM dual
) n
ON (s.only_row = n.only_row)
WHEN NOT MATCHED THEN INSERT (only_row, topology, pdb_name, column_prefix, own_schema, shard_role)
VALUES (n.only_row, n.topology, n.pdb_name, n.column_prefix, n.own_schema, n.shard_role);
COMMIT;

PROMPT orapull: packages, views, procedures of the jobs
@@packages/admission.pks
@@packages/api.pks
@@packages/coordinator.pks
@@packages/gaps.pks
@@packages/loads.pks
@@packages/logminer.pks
@@packages/logs.pks
@@packages/miner.pks
@@packages/pace.pks
@@packages/passes.pks
@@packages/pointers.pks
@@packages/publisher.pks
@@packages/ranges.pks
@@packages/rebuilds.pks
@@packages/redo_text.pks
@@packages/registry.pks
@@packages/releases.pks
@@packages/repairs.pks
@@packages/resolver.pks
@@packages/shards.pks
@@packages/slots.pks
@@packages/source.pks
@@packages/stages.pks
@@packages/transactions.pks
-- These two have a branch for each slot, which packages SLOTS and STAGES write when one is made.
@@once.sql VIEW pointer_v views/pointer_v.sql
@@once.sql VIEW staged_v views/staged_v.sql
@@views/candidate_table_v.sql
@@views/key_column_v.sql
@@views/table_refusal_v.sql
@@views/column_refusal_v.sql
@@views/visibility_refusal_v.sql
@@views/logging_refusal_v.sql
@@views/key_refusal_v.sql
@@views/warning_v.sql
@@views/finding_v.sql
@@views/candidate_v.sql
@@views/live_segment_v.sql
@@views/registered_object_v.sql
@@views/changed_segment_v.sql
@@views/open_suspicion_v.sql
@@views/key_path_v.sql
@@views/unlogged_v.sql
@@views/shape_v.sql
@@views/incarnation_v.sql
@@views/source_v.sql
@@views/shard_v.sql
@@views/table_v.sql
@@views/column_v.sql
@@views/plan_v.sql
@@views/portion_v.sql
@@views/portion_table_v.sql
@@views/ask_v.sql
@@views/archived_copy_v.sql
@@views/redo_log_v.sql
@@views/redo_thread_v.sql
@@views/redo_row_v.sql
@@views/redo_stage_v.sql
@@views/ending_v.sql
@@views/redo_time_v.sql
@@views/scan_status_v.sql
@@views/mining_window_v.sql
@@views/mining_status_v.sql
@@views/open_tx_v.sql
@@views/waiting_table_v.sql
@@views/keep_log_v.sql
@@packages/admission.pkb
@@packages/api.pkb
@@packages/coordinator.pkb
@@packages/gaps.pkb
@@packages/loads.pkb
@@packages/logminer.pkb
@@packages/logs.pkb
@@packages/miner.pkb
@@packages/pace.pkb
@@packages/passes.pkb
@@packages/pointers.pkb
@@packages/publisher.pkb
@@packages/ranges.pkb
@@packages/rebuilds.pkb
@@packages/redo_text.pkb
@@packages/registry.pkb
@@packages/releases.pkb
@@packages/repairs.pkb
@@packages/resolver.pkb
@@packages/shards.pkb
@@packages/slots.pkb
@@packages/source.pkb
@@packages/stages.pkb
@@packages/transactions.pkb
@@jobs/mining_job_v.sql
@@jobs/set_job_session.sql
@@jobs/run_coordinator.sql
@@jobs/run_scan.sql
@@jobs/run_heartbeat.sql
@@jobs/make_job.sql
@@jobs/keep_heartbeats.sql
@@jobs/start_mining.sql
@@jobs/stop_mining.sql
@@jobs/skip_gap.sql

PROMPT orapull: rights of the shards
BEGIN
  FOR r IN (
    SELECT column_value AS what
    FROM TABLE(sys.odcivarchar2list(
      'SELECT ON source_v', 'SELECT ON shard_v', 'SELECT ON candidate_v', 'SELECT ON table_v', 'SELECT ON column_v', 'SELECT ON plan_v',
      'SELECT ON portion_v', 'SELECT ON portion_table_v', 'SELECT ON pointer_v', 'INSERT ON ask_v', 'EXECUTE ON api'
    ))
  ) LOOP
    EXECUTE IMMEDIATE 'GRANT ' || r.what || ' TO &orapull_role';
  END LOOP;
END;
/

PROMPT orapull: is anything invalid?
@@prove_valid.sql &orapull_owner
PROMPT orapull: installed
