CREATE TABLE scan_log (
  scan_id    NUMBER(18)     NOT NULL,
  thread_no  NUMBER(10)     NOT NULL,
  seq_no     NUMBER(18)     NOT NULL,
  first_scn  NUMBER(18)     NOT NULL,
  next_scn   NUMBER(18)     NOT NULL,
  file_name  VARCHAR2(513)  NOT NULL,
  kind       VARCHAR2(6)    NOT NULL,
  group_no   NUMBER(10),
  CONSTRAINT scan_log_pk PRIMARY KEY (scan_id, thread_no, seq_no),
  CONSTRAINT scan_log_kinds CHECK (kind IN ('ARCH', 'ONLINE'))
);
COMMENT ON TABLE scan_log IS 'Redo logs that a scan has chosen, one a thread and sequence';
COMMENT ON COLUMN scan_log.group_no IS 'Group of an online log; looked at again after the scan';
