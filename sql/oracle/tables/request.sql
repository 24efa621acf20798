CREATE TABLE request (
  request_id  NUMBER(18)     NOT NULL,
  shard       VARCHAR2(128)  NOT NULL,
  table_id    NUMBER(9)      NOT NULL,
  CONSTRAINT request_pk PRIMARY KEY (request_id),
  CONSTRAINT request_shard FOREIGN KEY (shard) REFERENCES shard (shard) ON DELETE CASCADE
);
COMMENT ON TABLE request IS 'Open requests; their pointers are in REQUEST_POINTER and shown in slot 0';
