CREATE OR REPLACE PACKAGE resolver AUTHID DEFINER AS
  -- The views PULL_n and LOAD_n: pointers, and ranges of a load, joined with the rows of one registered table.
  --
  -- PULL_n(P$SLOT, P$PORTION, P$PTR, P$PREV, P$ROWID, columns of the table)
  --   Every pointer of kind R to the table is turned into a ROWID first: that of the row with its key; if there is none, the
  --   pointer's own, provided that its data object is a live segment of the table (else reading there raises ORA-01410).
  --   Then the table is joined once, by ROWID. So conversions and subqueries are over pointers and an index only, which LONG
  --   columns want; the pointers lead, and the cost is one index lookup and one row for each of them.
  --   A row found at the pointer's ROWID is returned whatever its key is: superfluous rows are harmless, missing ones are not.
  --   Rows of an index-organized table are found by key alone, and P$ROWID is NULL.
  -- LOAD_n(P$PLAN, P$CHUNK, P$ROWID, columns of the table)
  --   The rows of one range of a plan (package LOADS): a range of ROWIDs, or of the first key column of an
  --   index-organized table.
  --
  -- Keys travel as text that does not depend on NLS settings: numbers with '.', DATE as YYYY-MM-DD HH24:MI:SS, TIMESTAMP the
  -- same with its fraction, RAW in hexadecimal digits, CHAR padded. Conversions raise an error, they never yield NULL.

  -- A name in quotes. Names of the dictionary have no quotes in them; others raise ORA-20806.
  FUNCTION quoted(p_name IN VARCHAR2) RETURN VARCHAR2;

  -- "OWNER"."TABLE"
  FUNCTION full_name(p_owner IN VARCHAR2, p_table IN VARCHAR2) RETURN VARCHAR2;

  -- Expression that turns canonical text into a value of a key column.
  --   p_text       expression of the text
  --   p_data_type  as the dictionary writes it, for instance TIMESTAMP(3)
  --   p_bytes      DATA_LENGTH of the column
  FUNCTION key_value(p_text IN VARCHAR2, p_data_type IN VARCHAR2, p_bytes IN NUMBER) RETURN VARCHAR2;

  -- Expression that turns a key column into its canonical text.
  FUNCTION key_text(p_column IN VARCHAR2, p_data_type IN VARCHAR2) RETURN VARCHAR2;

  -- Makes PULL_n and LOAD_n anew, of the columns that the table has now, and grants them to the shards. DDL, so it commits
  -- and must not follow a change in its transaction.
  --   p_key  constraint by which rows are identified; NULL: by ROWID
  -- ORA-01031, ORA-01720: the table is not granted to the owner of this package WITH GRANT OPTION.
  PROCEDURE create_views(
    p_table_id IN NUMBER, p_owner IN VARCHAR2, p_table IN VARCHAR2, p_key IN VARCHAR2, p_is_iot IN VARCHAR2
  );

  -- Drops PULL_n and LOAD_n of a table that was forgotten, and the note that this is to be done. Repeatable. DDL first.
  PROCEDURE drop_views(p_table_id IN NUMBER);
END resolver;
/
