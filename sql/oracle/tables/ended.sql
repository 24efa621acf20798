CREATE GLOBAL TEMPORARY TABLE ended (
  scan_id     NUMBER(18)   NOT NULL,
  con_uid     NUMBER(18)   NOT NULL,
  xidusn      NUMBER(10)   NOT NULL,
  xidslt      NUMBER(10)   NOT NULL,
  xidsqn      NUMBER(10)   NOT NULL,
  outcome     VARCHAR2(1)  NOT NULL,
  commit_scn  NUMBER(18),
  spanning    VARCHAR2(1)  NOT NULL,
  CONSTRAINT ended_pk PRIMARY KEY (xidusn, xidslt, xidsqn, con_uid)
) ON COMMIT DELETE ROWS;
COMMENT ON TABLE ended IS 'Transactions that end in the scan that is being published; empty between transactions';
COMMENT ON COLUMN ended.outcome IS 'C committed, R rolled back, D dead (see TX.DEAD_SCN)';
COMMENT ON COLUMN ended.spanning IS 'Y: was open when the scan began, so CARRY may have rows of it';
