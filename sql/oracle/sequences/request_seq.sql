CREATE SEQUENCE request_seq;
