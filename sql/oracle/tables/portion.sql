CREATE TABLE portion (
  portion_id    NUMBER(18)    NOT NULL,
  slot_id       NUMBER(9)     NOT NULL,
  scan_id       NUMBER(18)    NOT NULL,
  scn_from      NUMBER(18)    NOT NULL,
  scn_to        NUMBER(18)    NOT NULL,
  resume_scn    NUMBER(18)    NOT NULL,
  pointers      NUMBER(18)    NOT NULL,
  published_at  TIMESTAMP(6)  NOT NULL,
  low_table     NUMBER(9),
  low_place     VARCHAR2(4000),
  CONSTRAINT portion_pk PRIMARY KEY (portion_id)
);
COMMENT ON TABLE portion IS 'Published portions that are still held';
COMMENT ON COLUMN portion.slot_id IS 'The n of TRANSPORT_n that has its pointers';
COMMENT ON COLUMN portion.scan_id IS 'The scan that it comes from; 0: none, its pointers cannot be mined again';
COMMENT ON COLUMN portion.resume_scn IS 'Redo from here on shows every transaction of this portion whole: to rebuild it when its slot is lost';
COMMENT ON COLUMN portion.low_table IS 'Where the pointers of a scan were cut: table of the first pointer of this portion; NULL in the first portion of a scan';
COMMENT ON COLUMN portion.low_place IS 'Where the pointers of a scan were cut: ROWID or key of the first pointer of this portion';
