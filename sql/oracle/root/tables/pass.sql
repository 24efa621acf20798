-- What the container has ordered to be read, at most one pass for each of its stage slots.
CREATE TABLE pass (
  pass_no         NUMBER(18)      NOT NULL,
  scan_id         NUMBER(18)      NOT NULL,
  stage_no        NUMBER(3)       NOT NULL,
  read_from       NUMBER(18)      NOT NULL,
  read_to         NUMBER(18)      NOT NULL,
  committed_only  VARCHAR2(1)     NOT NULL,
  lobs_only       VARCHAR2(1)     NOT NULL,
  status          VARCHAR2(7)     NOT NULL,
  ordered_at      TIMESTAMP(6)    NOT NULL,
  session_key     VARCHAR2(64),
  rows_read       NUMBER(18),
  pga_max         NUMBER(18),
  error_text      VARCHAR2(4000),
  CONSTRAINT pass_pk PRIMARY KEY (pass_no),
  CONSTRAINT pass_scan UNIQUE (scan_id),
  CONSTRAINT pass_stage UNIQUE (stage_no),
  CONSTRAINT pass_states CHECK (status IN ('ORDERED', 'READING', 'READ', 'FAILED')),
  CONSTRAINT pass_committed_only CHECK (committed_only IN ('Y', 'N')),
  CONSTRAINT pass_lobs_only CHECK (lobs_only IN ('Y', 'N'))
);
COMMENT ON TABLE pass IS 'Passes over redo that the container has ordered; an order takes the place of the one before for its scan or stage';
COMMENT ON COLUMN pass.scan_id IS 'Scan of the container, whose logs are in SCAN_LOG';
COMMENT ON COLUMN pass.stage_no IS 'The n of STAGE_n, here and in the container';
COMMENT ON COLUMN pass.read_from IS 'SCN from which redo is read, inclusive; read_to: to which, inclusive';
COMMENT ON COLUMN pass.committed_only IS 'Y: LogMiner option COMMITTED_DATA_ONLY';
COMMENT ON COLUMN pass.lobs_only IS 'Y: only rows of tables with LOBs are wanted';
COMMENT ON COLUMN pass.session_key IS 'sid,serial#,instance of the job that reads';
COMMENT ON COLUMN pass.rows_read IS 'Rows of it in STAGE_n';
COMMENT ON COLUMN pass.pga_max IS 'Largest PGA of the session that has read it, bytes';
COMMENT ON COLUMN pass.error_text IS 'With what it has failed: SQLERRM';
