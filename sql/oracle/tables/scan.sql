-- Ranges of redo. They touch without a hole: scn_from is the scn_to of the scan before.
CREATE TABLE scan (
  scan_id      NUMBER(18)      NOT NULL,
  scn_from     NUMBER(18)      NOT NULL,
  scn_to       NUMBER(18)      NOT NULL,
  status       VARCHAR2(10)    NOT NULL,
  mining_rule  VARCHAR2(1)     NOT NULL,
  purpose      VARCHAR2(7)     DEFAULT 'MINE' NOT NULL,
  read_from    NUMBER(18),
  repair       VARCHAR2(6),
  repair_from  NUMBER(18),
  repair_to    NUMBER(18),
  sampled_scn  NUMBER(18),
  open_from    NUMBER(18),
  stage_slot   NUMBER(3),
  pass_no      NUMBER(18),
  attempts     NUMBER(9)       DEFAULT 0 NOT NULL,
  failures     NUMBER(9)       DEFAULT 0 NOT NULL,
  session_key  VARCHAR2(64),
  started_at   TIMESTAMP(6),
  ended_at     TIMESTAMP(6),
  rows_staged  NUMBER(18),
  redo_bytes   NUMBER(18),
  pga_max      NUMBER(18),
  detail       VARCHAR2(4000),
  waits_for    VARCHAR2(20),
  waits_since  TIMESTAMP(6),
  CONSTRAINT scan_pk PRIMARY KEY (scan_id),
  CONSTRAINT scan_from UNIQUE (scn_from, purpose),
  CONSTRAINT scan_states CHECK (status IN ('NEW', 'RUNNING', 'SCANNED', 'PUBLISHED')),
  CONSTRAINT scan_rules CHECK (mining_rule IN ('S', 'W', 'C')),
  CONSTRAINT scan_purposes CHECK (purpose IN ('MINE', 'REBUILD')),
  CONSTRAINT scan_repairs CHECK (repair IN ('CHOSEN', 'STAGED', 'READ', 'DONE'))
);
COMMENT ON TABLE scan IS 'Ranges (scn_from, scn_to] of redo: cut, scanned, published';
COMMENT ON COLUMN scan.mining_rule IS 'S: reads its own range; W: reads from the oldest open transaction on; C: as W, with COMMITTED_DATA_ONLY';
COMMENT ON COLUMN scan.purpose IS 'REBUILD: reads the range of a lost transport slot again, outside the chain of ranges';
COMMENT ON COLUMN scan.read_from IS 'SCN from which redo is read, at or before scn_from; given by REBUILD, else set when the scan is taken';
COMMENT ON COLUMN scan.repair IS 'Extra pass for transactions with LOBs that began before scn_from: logs chosen, staged in CDB$ROOT, rows read, done; NULL: not begun';
COMMENT ON COLUMN scan.repair_from IS 'SCN from which the extra pass reads; repair_to: where it ends';
COMMENT ON COLUMN scan.sampled_scn IS 'SCN when the open transactions had been looked at; rule C only';
COMMENT ON COLUMN scan.open_from IS 'No transaction that is open at or after sampled_scn has begun before it; NULL: not known';
COMMENT ON COLUMN scan.stage_slot IS 'The n of STAGE_n that has its rows; NULL before it runs and after the slot was given back';
COMMENT ON COLUMN scan.pass_no IS 'Topology ROOT: number of the last pass over its redo that was ordered in CDB$ROOT';
COMMENT ON COLUMN scan.attempts IS 'How often it was taken by a job';
COMMENT ON COLUMN scan.failures IS 'How often a step of it has failed in a row, also when it was to be taken';
COMMENT ON COLUMN scan.session_key IS 'sid,serial#,instance of the job that scans it';
COMMENT ON COLUMN scan.redo_bytes IS 'Redo that it reads, bytes: of a log that it needs in part, as large a part as that of its SCNs';
COMMENT ON COLUMN scan.pga_max IS 'Largest PGA of the scanning session, bytes';
COMMENT ON COLUMN scan.detail IS 'Why the last attempt failed';
COMMENT ON COLUMN scan.waits_for IS 'State of the source that the failure asks for: GAP, WAIT_LOG or INCARNATION_CHANGED; NULL: it is just tried again';
COMMENT ON COLUMN scan.waits_since IS 'Since when it fails for that reason';
