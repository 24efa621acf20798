CREATE TABLE event (
  event_id  NUMBER(18)      NOT NULL,
  at        TIMESTAMP(6)    NOT NULL,
  severity  VARCHAR2(7)     NOT NULL,
  what      VARCHAR2(30)    NOT NULL,
  detail    VARCHAR2(4000),
  CONSTRAINT event_pk PRIMARY KEY (event_id),
  CONSTRAINT event_severities CHECK (severity IN ('INFO', 'WARNING', 'ERROR'))
);
COMMENT ON TABLE event IS 'What an operator should know';
