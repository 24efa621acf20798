CREATE TABLE portion_table (
  portion_id   NUMBER(18)  NOT NULL,
  table_id     NUMBER(9)   NOT NULL,
  pointers     NUMBER(18)  NOT NULL,
  barriers     NUMBER(18)  DEFAULT 0 NOT NULL,
  beside_redo  NUMBER(18)  DEFAULT 0 NOT NULL,
  CONSTRAINT portion_table_pk PRIMARY KEY (portion_id, table_id),
  CONSTRAINT portion_table_portion FOREIGN KEY (portion_id) REFERENCES portion (portion_id) ON DELETE CASCADE
);
COMMENT ON TABLE portion_table IS 'Which tables a portion touches, and with how many pointers';
COMMENT ON COLUMN portion_table.barriers IS 'How many of them are T or D: P$PREV never points past them';
COMMENT ON COLUMN portion_table.beside_redo IS 'How many of them no redo of the portion tells of: when the slot is lost, a U stands for them';
