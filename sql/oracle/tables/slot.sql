-- The ring of transport tables.
CREATE TABLE slot (
  slot_id   NUMBER(9)     NOT NULL,
  status    VARCHAR2(8)   NOT NULL,
  pointers  NUMBER(18)    DEFAULT 0 NOT NULL,
  CONSTRAINT slot_pk PRIMARY KEY (slot_id),
  CONSTRAINT slot_states CHECK (status IN ('FREE', 'OPEN', 'CLOSED', 'LOST'))
);
COMMENT ON TABLE slot IS 'Transport tables TRANSPORT_n';
COMMENT ON COLUMN slot.status IS 'FREE: empty; OPEN: takes the next portions; CLOSED: full, truncated when all its portions are released; LOST: cannot be read';
