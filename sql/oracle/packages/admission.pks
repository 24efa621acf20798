CREATE OR REPLACE PACKAGE admission AUTHID DEFINER AS
  -- Whether a table can be followed, and what identifies its rows. The reasons are in view FINDING_V; this package picks.
  --
  -- A table's identity is KEY: an enabled, validated primary key, else a unique key over NOT NULL columns, of at most 8
  -- columns of types NUMBER, VARCHAR2, CHAR, DATE, TIMESTAMP(0..6), RAW; or ROWID, when it has no such key. A nullable
  -- column identifies nothing (debezium DBZ-5682). LogMiner leaves out, without a word, whole tables of types or names that
  -- it does not support; so those are refused, and not taken for tables in which nothing happens.

  -- Why the table cannot be registered, with the statement that mends it; NULL when it can.
  --   p_identity  AUTO, KEY or ROWID: what concerns the key is no reason against ROWID
  FUNCTION refusal(p_owner IN VARCHAR2, p_table IN VARCHAR2, p_identity IN VARCHAR2 DEFAULT 'AUTO') RETURN VARCHAR2;

  -- Raises ORA-20806 with that reason.
  PROCEDURE check_admitted(p_owner IN VARCHAR2, p_table IN VARCHAR2, p_identity IN VARCHAR2);

  -- All findings about a table, one a line: what refuses it and what will work less well; NULL when there is none.
  FUNCTION preflight(p_owner IN VARCHAR2, p_table IN VARCHAR2) RETURN VARCHAR2;

  -- Y or N.
  FUNCTION is_index_organized(p_owner IN VARCHAR2, p_table IN VARCHAR2) RETURN VARCHAR2;

  -- The constraint that identifies the rows of a table that is registered anew; NULL: their ROWID does.
  --   p_identity  AUTO (key if there is one, else ROWID), KEY, ROWID
  -- ORA-20806 the table has no such identity.
  FUNCTION chosen_key(p_owner IN VARCHAR2, p_table IN VARCHAR2, p_identity IN VARCHAR2) RETURN VARCHAR2;

  -- The constraint over the key columns that a table was registered with; NULL when there is none any more, or never was.
  FUNCTION registered_key(p_table_id IN NUMBER) RETURN VARCHAR2;
END admission;
/
