-- The stage tables. A slot that was in use is dirty until it has been truncated, which is a step of its own.
CREATE TABLE stage_slot (
  slot_no  NUMBER(3)    NOT NULL,
  status   VARCHAR2(5)  NOT NULL,
  CONSTRAINT stage_slot_pk PRIMARY KEY (slot_no),
  CONSTRAINT stage_slot_states CHECK (status IN ('FREE', 'USED', 'DIRTY'))
);
COMMENT ON TABLE stage_slot IS 'Stage tables STAGE_n that exist';
COMMENT ON COLUMN stage_slot.status IS 'FREE: empty; USED: belongs to the scan whose stage_slot it is; DIRTY: given back, to be truncated';
