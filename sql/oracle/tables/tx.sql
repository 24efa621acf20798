-- Transactions that are open where publication stands.
CREATE TABLE tx (
  con_uid    NUMBER(18)    NOT NULL,
  xidusn     NUMBER(10)    NOT NULL,
  xidslt     NUMBER(10)    NOT NULL,
  xidsqn     NUMBER(10)    NOT NULL,
  start_scn  NUMBER(18)    NOT NULL,
  has_start  VARCHAR2(1)   NOT NULL,
  has_lob    VARCHAR2(1)   NOT NULL,
  dead_scn   NUMBER(18),
  CONSTRAINT tx_pk PRIMARY KEY (con_uid, xidusn, xidslt, xidsqn)
);
COMMENT ON TABLE tx IS 'Transactions seen in redo that have not ended up to published_scn';
COMMENT ON COLUMN tx.start_scn IS 'SCN of its START; when that was not seen, the beginning of the range in which it was seen first';
COMMENT ON COLUMN tx.has_lob IS 'Y: touched a table with LOBs, so a seam may hide rows of it';
COMMENT ON COLUMN tx.dead_scn IS 'An SCN at which the database did not know it any more; when publication has passed that, its rows are published and it is forgotten';
