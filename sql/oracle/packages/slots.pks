CREATE OR REPLACE PACKAGE slots AUTHID DEFINER AS

  -- The ring of transport tables TRANSPORT_n, which hold published pointers. Written by direct path, cleared by TRUNCATE:
  -- no DELETE, no partitioning option. Slot 0 of POINTER_V is none of them; it shows the requests.
  --
  -- A slot is FREE (empty), OPEN (takes the next portions), CLOSED (holds SETTING.PORTION_POINTERS pointers or more) or
  -- LOST (cannot be read). A portion lies in one slot; a slot may hold many small portions, therefore the index.
  --
  -- Oracle commits before and after DDL. CREATE_SLOT and CLEAR are therefore steps of their own; their DDL comes first and
  -- they can be repeated wherever they were stopped.
  --
  -- Errors
  --   ORA-20827  a slot is not in the state that the call needs

  -- Number of the slot that should be created now; NULL when enough can take portions. p_portions: how many portions the
  -- next publication may have.
  FUNCTION next_to_create(p_portions IN NUMBER) RETURN NUMBER;

  -- Creates TRANSPORT_n with its index, makes POINTER_V anew, and adds the slot as FREE.
  PROCEDURE create_slot(p_slot_id IN NUMBER);

  -- Number of a slot that is full or lost and holds no portion any more; NULL when there is none.
  FUNCTION next_to_clear RETURN NUMBER;

  -- Truncates TRANSPORT_n and makes the slot FREE. ORA-20827 while a portion is in it.
  -- Readers: the portion rows went in an earlier transaction, and a shard looks at PORTION_V again after it has read, so
  -- what it read from a slot that was truncated meanwhile is thrown away. (cases.md T2)
  PROCEDURE clear(p_slot_id IN NUMBER);

  -- Gives a slot to each portion that has pointers in OUTGOING and moves them there, one direct-path insert for each slot;
  -- closes the slots that are full. Portions of a large publication go to all slots that can take some, in order.
  -- Last act of a transaction: a table written by direct path must not be named again before the commit (ORA-12838).
  -- ORA-20827 when no slot can take portions.
  PROCEDURE fill;

END slots;
/
