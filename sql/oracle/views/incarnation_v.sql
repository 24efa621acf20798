-- Inside a container the database's RESETLOGS_CHANGE# is not enough: a recovery or flashback of the container alone does not
-- change it, and the container has an identity of its own. END_RESETLOGS_SCN counts on in the SCNs of the whole database.
-- (logminer.md (k); Oracle Database Reference, V$PDB_INCARNATION and V$DATABASE)
CREATE OR REPLACE VIEW incarnation_v AS
SELECT
  CASE s.topology WHEN 'SINGLE' THEN d.dbid ELSE d.con_dbid END AS dbid,
  CASE s.topology WHEN 'SINGLE' THEN d.resetlogs_change# ELSE GREATEST(d.resetlogs_change#, NVL(c.end_scn, 0)) END AS incarnation
FROM setting s
CROSS JOIN v$database d
CROSS JOIN (SELECT MAX(p.end_resetlogs_scn) AS end_scn FROM v$pdb_incarnation p WHERE p.status = 'CURRENT') c;
COMMENT ON TABLE incarnation_v IS 'What database this is, and since which RESETLOGS, one row; of the container in topologies PDB and ROOT';
COMMENT ON COLUMN incarnation_v.dbid IS 'DBID, or CON_DBID of the container';
COMMENT ON COLUMN incarnation_v.incarnation IS 'SCN of the last RESETLOGS, of the database or of the container, whichever is later';
