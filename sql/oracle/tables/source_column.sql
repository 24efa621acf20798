CREATE TABLE source_column (
  table_id      NUMBER(9)      NOT NULL,
  position      NUMBER(5)      NOT NULL,
  column_name   VARCHAR2(128)  NOT NULL,
  data_type     VARCHAR2(128)  NOT NULL,
  data_length   NUMBER(9)      NOT NULL,
  data_scale    NUMBER(5),
  key_position  NUMBER(1),
  CONSTRAINT source_column_pk PRIMARY KEY (table_id, position),
  CONSTRAINT source_column_table FOREIGN KEY (table_id) REFERENCES source_table (table_id) ON DELETE CASCADE
);
COMMENT ON TABLE source_column IS 'Columns that PULL_n and LOAD_n return, as of the last registration or refresh';
COMMENT ON COLUMN source_column.key_position IS 'Place in the key, from 1; NULL: no part of it';
