-- What an operator may turn, one row. Read anew at every step, so a change takes effect while jobs run.
CREATE TABLE setting (
  only_row              NUMBER(1)     DEFAULT 1 NOT NULL,
  portion_pointers      NUMBER(9)     DEFAULT 100000 NOT NULL,
  scan_min_scn          NUMBER(18)    DEFAULT 1 NOT NULL,
  scan_max_scn          NUMBER(18)    DEFAULT 10000000 NOT NULL,
  scan_max_bytes        NUMBER(18)    DEFAULT 4294967296 NOT NULL,
  scan_max_seconds      NUMBER(9)     DEFAULT 600 NOT NULL,
  seam_scn              NUMBER(18),
  parallel_scans        NUMBER(3)     DEFAULT 2 NOT NULL,
  stage_slots           NUMBER(3)     DEFAULT 8 NOT NULL,
  pause_above_sessions  NUMBER(9),
  mining_rule           VARCHAR2(1)   DEFAULT 'S' NOT NULL,
  committed_data_only   VARCHAR2(1)   DEFAULT 'N' NOT NULL,
  archived_only         VARCHAR2(1)   DEFAULT 'N' NOT NULL,
  ignore_private        VARCHAR2(1)   DEFAULT 'N' NOT NULL,
  wait_log_seconds      NUMBER(9)     DEFAULT 300 NOT NULL,
  prev_portions         NUMBER(9)     DEFAULT 1000 NOT NULL,
  lease_seconds         NUMBER(9)     DEFAULT 60 NOT NULL,
  pdb_name              VARCHAR2(128),
  topology              VARCHAR2(10)  DEFAULT 'SINGLE' NOT NULL,
  column_prefix         VARCHAR2(130),
  direct_copy           VARCHAR2(1)   DEFAULT 'Y' NOT NULL,
  own_schema            VARCHAR2(128) DEFAULT 'ORAPULL' NOT NULL,
  shard_role            VARCHAR2(128) DEFAULT 'ORAPULL_SHARD' NOT NULL,
  CONSTRAINT setting_pk PRIMARY KEY (only_row),
  CONSTRAINT setting_one CHECK (only_row = 1),
  CONSTRAINT setting_rule CHECK (mining_rule IN ('S', 'W')),
  CONSTRAINT setting_cdo CHECK (committed_data_only IN ('Y', 'N')),
  CONSTRAINT setting_archived CHECK (archived_only IN ('Y', 'N')),
  CONSTRAINT setting_private CHECK (ignore_private IN ('Y', 'N')),
  CONSTRAINT setting_direct_copy CHECK (direct_copy IN ('Y', 'N')),
  CONSTRAINT setting_topology CHECK (topology IN ('SINGLE', 'PDB', 'ROOT'))
);
COMMENT ON TABLE setting IS 'Settings of the mining side, one row';
COMMENT ON COLUMN setting.portion_pointers IS 'A portion holds at most so many pointers; a slot closes at as many';
COMMENT ON COLUMN setting.scan_min_scn IS 'No scan is started for a range of fewer SCNs';
COMMENT ON COLUMN setting.scan_max_scn IS 'No scan takes a range of more SCNs';
COMMENT ON COLUMN setting.scan_max_bytes IS 'Redo that one scan reads at most, in bytes; bounds its time and its PGA';
COMMENT ON COLUMN setting.scan_max_seconds IS 'A scan job that runs longer is taken for dead, its range is cut in half and scanned anew, seconds; ranges are planned to take a quarter of it';
COMMENT ON COLUMN setting.seam_scn IS 'A scan reads so many SCNs before its range again, to see changes whole that the seam cuts; NULL: as many as the log there has in a minute';
COMMENT ON COLUMN setting.parallel_scans IS 'Scan jobs that run at the same time at most';
COMMENT ON COLUMN setting.stage_slots IS 'Scans that may be ahead of publication at most';
COMMENT ON COLUMN setting.pause_above_sessions IS 'No new scan starts while more sessions are active; NULL: no such limit';
COMMENT ON COLUMN setting.mining_rule IS 'S: each redo byte is read once, open transactions are carried over; W: each scan begins at the oldest open transaction';
COMMENT ON COLUMN setting.committed_data_only IS 'Y: LogMiner option COMMITTED_DATA_ONLY, with rule W only; needs PGA for the largest transaction';
COMMENT ON COLUMN setting.archived_only IS 'Y: online logs are never read; latency is the time of a log switch';
COMMENT ON COLUMN setting.ignore_private IS 'Y: redo threads that are enabled PRIVATE are there for recovery and hold no changes; N: they are mined like the PUBLIC ones';
COMMENT ON COLUMN setting.wait_log_seconds IS 'A log that is not archived for so long is told to the operator, seconds';
COMMENT ON COLUMN setting.prev_portions IS 'How far back P$PREV is looked for, in portions; 0: not at all';
COMMENT ON COLUMN setting.lease_seconds IS 'A lease not renewed for so long may be taken by another holder, seconds';
COMMENT ON COLUMN setting.pdb_name IS 'Container whose changes are taken; NULL without containers';
COMMENT ON COLUMN setting.topology IS 'SINGLE: database without containers; PDB: mined inside the container (19.10 and later); ROOT: mined in CDB$ROOT, the rest in the container';
COMMENT ON COLUMN setting.column_prefix IS 'What MINE_VALUE wants before OWNER.TABLE.COLUMN, written by the installation: the name of the container and a colon in topology PDB; NULL: nothing';
COMMENT ON COLUMN setting.direct_copy IS 'Topology ROOT: Y: rows come from CDB$ROOT into a stage slot by direct path; N: by ordinary inserts, which write redo';
COMMENT ON COLUMN setting.own_schema IS 'Owner of these objects, written by the installation; its own tables are never registered';
COMMENT ON COLUMN setting.shard_role IS 'Role of the shards, which gets PULL_n and LOAD_n';
