CREATE TABLE archive_dest (
  dest_id    NUMBER(5)  NOT NULL,
  dest_rank  NUMBER(5)  NOT NULL,
  CONSTRAINT archive_dest_pk PRIMARY KEY (dest_id)
);
COMMENT ON TABLE archive_dest IS 'Archive destinations whose logs are read, the lowest rank first; retention differs between destinations';
