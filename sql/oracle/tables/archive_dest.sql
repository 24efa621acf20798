CREATE TABLE archive_dest (
  dest_id    NUMBER(5)  NOT NULL,
  dest_rank  NUMBER(5)  NOT NULL,
  CONSTRAINT archive_dest_pk PRIMARY KEY (dest_id)
);
-- Retention differs between destinations.
COMMENT ON TABLE archive_dest IS 'Archive destinations whose logs are read, the lowest rank first; none: all that are LOCAL in V$ARCHIVE_DEST_STATUS, the VALID ones first';
