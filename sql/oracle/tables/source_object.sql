-- Redo names objects by number when the dictionary does not know them any more ('OBJ# n'), so numbers are kept for good.
CREATE TABLE source_object (
  object_id       NUMBER(18)     NOT NULL,
  table_id        NUMBER(9)      NOT NULL,
  object_kind     VARCHAR2(9)    NOT NULL,
  data_object_id  NUMBER(18),
  CONSTRAINT source_object_pk PRIMARY KEY (object_id),
  CONSTRAINT source_object_table FOREIGN KEY (table_id) REFERENCES source_table (table_id) ON DELETE CASCADE,
  CONSTRAINT source_object_kinds CHECK (object_kind IN ('TABLE', 'LOB'))
);
COMMENT ON TABLE source_object IS 'Object numbers, present and former, of registered tables, their partitions, subpartitions and LOB segments';
COMMENT ON COLUMN source_object.object_kind IS 'TABLE also stands for partitions, subpartitions, and the index that is an index-organized table';
COMMENT ON COLUMN source_object.data_object_id IS 'Number of its segment when it was last looked at; NULL: not yet';
