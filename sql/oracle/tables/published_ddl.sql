-- What the dictionary shows of a segment may be the work of DDL that redo tells of too: then it is no suspicion.
CREATE TABLE published_ddl (
  table_id  NUMBER(9)    NOT NULL,
  scn       NUMBER(18)   NOT NULL,
  kind      VARCHAR2(1)  NOT NULL
);
COMMENT ON TABLE published_ddl IS 'DDL that may have given segments other numbers and was published, until the dictionary has been looked at';
COMMENT ON COLUMN published_ddl.scn IS 'SCN of its commit';
COMMENT ON COLUMN published_ddl.kind IS 'Pointer that it gave: T, U, or D for a MOVE';
