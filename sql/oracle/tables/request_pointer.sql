CREATE TABLE request_pointer (
  request_id  NUMBER(18)      NOT NULL,
  ptr         NUMBER(18)      NOT NULL,
  table_id    NUMBER(9)       NOT NULL,
  row_id      VARCHAR2(18),
  k1          VARCHAR2(4000),
  k2          VARCHAR2(4000),
  k3          VARCHAR2(4000),
  k4          VARCHAR2(4000),
  k5          VARCHAR2(4000),
  k6          VARCHAR2(4000),
  k7          VARCHAR2(4000),
  k8          VARCHAR2(4000),
  CONSTRAINT request_pointer_pk PRIMARY KEY (request_id, ptr),
  CONSTRAINT request_pointer_request FOREIGN KEY (request_id) REFERENCES request (request_id) ON DELETE CASCADE
);
COMMENT ON TABLE request_pointer IS 'Identities that a shard has asked for';
