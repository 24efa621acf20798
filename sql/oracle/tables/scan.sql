-- Ranges of redo. They touch without a hole: scn_from is the scn_to of the scan before.
CREATE TABLE scan (
  scan_id      NUMBER(18)      NOT NULL,
  scn_from     NUMBER(18)      NOT NULL,
  scn_to       NUMBER(18)      NOT NULL,
  status       VARCHAR2(10)    NOT NULL,
  mining_rule  VARCHAR2(1)     NOT NULL,
  stage_slot   NUMBER(3),
  attempts     NUMBER(9)       DEFAULT 0 NOT NULL,
  session_key  VARCHAR2(64),
  started_at   TIMESTAMP(6),
  ended_at     TIMESTAMP(6),
  rows_staged  NUMBER(18),
  redo_bytes   NUMBER(18),
  pga_max      NUMBER(18),
  detail       VARCHAR2(4000),
  CONSTRAINT scan_pk PRIMARY KEY (scan_id),
  CONSTRAINT scan_from UNIQUE (scn_from),
  CONSTRAINT scan_states CHECK (status IN ('NEW', 'RUNNING', 'SCANNED', 'PUBLISHED'))
);
COMMENT ON TABLE scan IS 'Ranges (scn_from, scn_to] of redo: cut, scanned, published';
COMMENT ON COLUMN scan.stage_slot IS 'The n of STAGE_n that has its rows; NULL before it runs and after the slot was given back';
COMMENT ON COLUMN scan.session_key IS 'sid,serial#,instance of the job that scans it';
COMMENT ON COLUMN scan.pga_max IS 'Largest PGA of the scanning session, bytes';
COMMENT ON COLUMN scan.detail IS 'Why the last attempt failed';
