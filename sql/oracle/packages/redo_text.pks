CREATE OR REPLACE PACKAGE redo_text AUTHID DEFINER AS
  -- What only the text of a redo row tells (SQL_REDO of V$LOGMNR_CONTENTS). Used by views, for the few rows that need it:
  -- DDL, and the begin of a LOB, XML or 32K operation, whose key MINE_VALUE does not give.

  c_move CONSTANT VARCHAR2(6) := 'MOVE: ';

  -- Kind of the pointer that a DDL statement on a registered table gives:
  --   T     the table was truncated: TRUNCATE TABLE and nothing else, for a T empties the table in the shards
  --   U     rows were removed or moved in a way that no row of redo tells: a partition or a child table truncated; a
  --         partition dropped, moved, split, merged, exchanged, coalesced, or added to a hash-partitioned table; the table
  --         flashed back; moved or shrunk, when a pointer may have nothing but a ROWID
  --   D     anything else: the definition may have changed
  -- p_text: SQL_REDO; p_info: INFO, 'USER DDL ...' or 'INTERNAL DDL ...'; p_by_rowid: Y when pointers to the table may have nothing
  -- but a ROWID: the identity is ROWID, or redo of LOBs may tell no key.
  FUNCTION ddl_kind(p_text IN VARCHAR2, p_info IN VARCHAR2, p_by_rowid IN VARCHAR2) RETURN VARCHAR2;

  -- How a DDL statement is noted: how it begins, behind C_MOVE when it says MOVE anywhere. At most 400 bytes.
  FUNCTION ddl_note(p_text IN VARCHAR2) RETURN VARCHAR2;

  -- Y when the text has the name as a word, in any case, with quotes or without; and when there is no text, which may be
  -- about anything.
  FUNCTION names(p_text IN VARCHAR2, p_name IN VARCHAR2) RETURN VARCHAR2;

  -- The value that a column has in the WHERE clause of SQL_REDO (SEL_LOB_LOCATOR, XML DOC BEGIN, 32K_BEGIN), canonical when the
  -- session has the NLS settings of the scan jobs. NULL when the column is not there or its value is not a plain literal: a
  -- key that is not known is looked for elsewhere, a wrong one would lose the row.
  -- p_path: OWNER.TABLE.COLUMN as DBMS_LOGMNR.MINE_VALUE wants it.
  FUNCTION where_value(p_text IN VARCHAR2, p_path IN VARCHAR2) RETURN VARCHAR2;
END redo_text;
/
