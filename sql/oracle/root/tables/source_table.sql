-- The registry of the container, as far as LogMiner's rows are judged by it. The container writes it.
CREATE TABLE source_table (
  table_id    NUMBER(9)      NOT NULL,
  owner       VARCHAR2(128)  NOT NULL,
  table_name  VARCHAR2(128)  NOT NULL,
  identity    VARCHAR2(5)    NOT NULL,
  key_count   NUMBER(1)      NOT NULL,
  is_iot      VARCHAR2(1)    NOT NULL,
  has_lob     VARCHAR2(1)    NOT NULL,
  k1_path     VARCHAR2(600),
  k2_path     VARCHAR2(600),
  k3_path     VARCHAR2(600),
  k4_path     VARCHAR2(600),
  k5_path     VARCHAR2(600),
  k6_path     VARCHAR2(600),
  k7_path     VARCHAR2(600),
  k8_path     VARCHAR2(600),
  CONSTRAINT source_table_pk PRIMARY KEY (table_id),
  CONSTRAINT source_table_name UNIQUE (owner, table_name)
);
COMMENT ON TABLE source_table IS 'Registered tables of the container';
COMMENT ON COLUMN source_table.k1_path IS 'OWNER.TABLE.COLUMN of the first key column; k2_path .. k8_path likewise';
