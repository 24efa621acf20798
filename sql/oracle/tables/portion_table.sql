CREATE TABLE portion_table (
  portion_id  NUMBER(18)  NOT NULL,
  table_id    NUMBER(9)   NOT NULL,
  pointers    NUMBER(18)  NOT NULL,
  CONSTRAINT portion_table_pk PRIMARY KEY (portion_id, table_id),
  CONSTRAINT portion_table_portion FOREIGN KEY (portion_id) REFERENCES portion (portion_id) ON DELETE CASCADE
);
COMMENT ON TABLE portion_table IS 'Which tables a portion touches, and with how many pointers';
