-- Registered tables.
CREATE TABLE source_table (
  table_id       NUMBER(9)       NOT NULL,
  owner          VARCHAR2(128)   NOT NULL,
  table_name     VARCHAR2(128)   NOT NULL,
  identity       VARCHAR2(5)     NOT NULL,
  key_count      NUMBER(1)       NOT NULL,
  is_iot         VARCHAR2(1)     DEFAULT 'N' NOT NULL,
  has_lob        VARCHAR2(1)     DEFAULT 'N' NOT NULL,
  k1_path        VARCHAR2(400),
  k2_path        VARCHAR2(400),
  k3_path        VARCHAR2(400),
  k4_path        VARCHAR2(400),
  k5_path        VARCHAR2(400),
  k6_path        VARCHAR2(400),
  k7_path        VARCHAR2(400),
  k8_path        VARCHAR2(400),
  state          VARCHAR2(10)    NOT NULL,
  state_detail   VARCHAR2(4000),
  registered_scn NUMBER(18),
  wait_scn       NUMBER(18),
  unlogged_scn   NUMBER(18),
  looked_scn     NUMBER(18),
  newest_object  NUMBER(18),
  registered_at  TIMESTAMP(6)    NOT NULL,
  CONSTRAINT source_table_pk PRIMARY KEY (table_id),
  CONSTRAINT source_table_name UNIQUE (owner, table_name),
  CONSTRAINT source_table_identity CHECK (identity IN ('KEY', 'ROWID')),
  CONSTRAINT source_table_states CHECK (state IN ('WAIT_TX', 'READY', 'REFUSED'))
);
COMMENT ON TABLE source_table IS 'Registered tables';
COMMENT ON COLUMN source_table.table_id IS 'The n of PULL_n and LOAD_n; never used twice';
COMMENT ON COLUMN source_table.key_count IS 'Columns of the key, 0 with identity ROWID';
COMMENT ON COLUMN source_table.has_lob IS 'Y: has LOB, XML, JSON, LONG or 32K columns, whose transactions must not be cut by a seam';
COMMENT ON COLUMN source_table.k1_path IS 'OWNER.TABLE.COLUMN of the first key column, as DBMS_LOGMNR.MINE_VALUE wants it; k2_path .. k8_path likewise';
COMMENT ON COLUMN source_table.state IS 'WAIT_TX until every transaction has ended that was open when the registration had committed';
COMMENT ON COLUMN source_table.registered_scn IS 'An SCN at which the registration was committed already, and no load had begun: a T or U from before it is none; NULL: not looked at yet';
COMMENT ON COLUMN source_table.wait_scn IS 'An SCN at which the registration was committed already; NULL: not looked at yet';
COMMENT ON COLUMN source_table.unlogged_scn IS 'Newest UNRECOVERABLE_CHANGE# of its data files when it was looked at; a higher one becomes a suspicion; NULL: not looked at yet';
COMMENT ON COLUMN source_table.looked_scn IS 'An SCN before the last look at the numbers of its segments (SOURCE_OBJECT)';
COMMENT ON COLUMN source_table.newest_object IS 'Highest number that a segment of any table or index had then: a higher one was drawn later';
