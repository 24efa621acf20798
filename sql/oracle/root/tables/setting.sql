-- For whom this side reads, one row.
CREATE TABLE setting (
  only_row       NUMBER(1)      DEFAULT 1 NOT NULL,
  pdb_name       VARCHAR2(128)  NOT NULL,
  column_prefix  VARCHAR2(130),
  topology       VARCHAR2(10)   DEFAULT 'ROOT' NOT NULL,
  CONSTRAINT setting_pk PRIMARY KEY (only_row),
  CONSTRAINT setting_one CHECK (only_row = 1),
  CONSTRAINT setting_topology CHECK (topology = 'ROOT')
);
COMMENT ON TABLE setting IS 'The container for which redo is read here, one row; whoever orders a pass locks it';
COMMENT ON COLUMN setting.pdb_name IS 'Container that has the tables, and SETTING.pdb_name there';
COMMENT ON COLUMN setting.column_prefix IS 'What MINE_VALUE wants before OWNER.TABLE.COLUMN: the name of the container and a colon';
COMMENT ON COLUMN setting.topology IS 'ROOT: LogMiner is given its files';
