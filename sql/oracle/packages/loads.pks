CREATE OR REPLACE PACKAGE loads AUTHID DEFINER AS
  -- What a shard reads besides portions: ranges of a whole table, and requests for single rows.
  --
  -- A plan cuts a table into ranges of about equal size and never changes. It covers all places in which the table can have
  -- rows, not only those it has now: the first range of each segment begins before its first block, the last one ends behind
  -- the last block that can be. So rows that come while the load runs are read, or their pointers are held, or both.
  -- A partition that is added later is told by a U pointer.

  -- A number as digits of a ROWID: base 64, A to Z, a to z, 0 to 9, + and /.
  FUNCTION base64(p_number IN NUMBER, p_digits IN PLS_INTEGER) RETURN VARCHAR2;

  -- The ROWID of a row of a block, as text.
  --   p_data_object  data object number of the segment
  --   p_block        data block address: relative file number * 4194304 + block number; in a bigfile tablespace the block number
  --   p_row          0 .. 65535
  FUNCTION rowid_at(p_data_object IN NUMBER, p_block IN NUMBER, p_row IN NUMBER) RETURN VARCHAR2;

  -- Cuts a registered table into ranges: of ROWIDs, by the extents of its segments; of the first key column when it is
  -- index-organized. At least one a segment; about p_chunks in all.
  --   p_plan_id      OUT
  --   p_chunk_count  OUT chunks are numbered 1 to this
  PROCEDURE plan_ranges(
    p_shard IN VARCHAR2, p_table_id IN NUMBER, p_chunks IN NUMBER, p_plan_id OUT NUMBER, p_chunk_count OUT NUMBER
  );

  -- Makes the identities that the session has inserted into ASK_V a request: as many pointers, in slot 0, with the request
  -- for a portion. ORA-20807 ASK_V has identities of another table.
  PROCEDURE ask(p_shard IN VARCHAR2, p_table_id IN NUMBER, p_request_id OUT NUMBER);

  -- The request is served. ORA-20809 the shard has no open request of this number: a new ATTACH dropped it.
  PROCEDURE done(p_shard IN VARCHAR2, p_request_id IN NUMBER);
END loads;
/
