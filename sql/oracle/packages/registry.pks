CREATE OR REPLACE PACKAGE registry AUTHID DEFINER AS
  -- Which tables are followed: registration (REGISTER), what it waits for (SETTLE), and what the dictionary tells and redo
  -- does not (WATCH).
  --
  -- A table that is registered is WAIT_TX until every transaction has ended that was open when the registration had
  -- committed; only then may it be loaded. Why nothing is lost: a scan reads the registry after its upper bound was fixed, so
  -- a scan that does not know the table ends before the registration committed. WAIT_SCN is read after that commit. A
  -- transaction that began after WAIT_SCN has all its redo in scans that know the table; one that began before must have
  -- ended, and then its rows are in the table when the load reads it. (debezium DBZ-4367, DBZ-5085: the same at the start
  -- of a snapshot.) Ranges of redo from before the registration are mined for the table only when they are late or repeated, so what they
  -- tell of it is not whole: a T or U from before REGISTERED_SCN, the first WAIT_SCN, is not published (POINTERS.COLLECT).

  -- First half of a registration: checks, gives the table a number, and makes PULL_n and LOAD_n when they are missing or do
  -- not have the columns of the table any more. DDL, so nothing may be written before in the transaction.
  -- Returns the number; NULL: the table is registered, and has one. Idempotent.
  --   p_identity  AUTO (key if there is one, else ROWID), KEY, ROWID
  -- ORA-20806 refused, with the reason; ORA-20810 registered with another identity.
  FUNCTION prepare(p_owner IN VARCHAR2, p_table IN VARCHAR2, p_identity IN VARCHAR2) RETURN NUMBER;

  -- Second half: writes the table down under its number and subscribes the shard. Returns the number of the table, which is
  -- another one when a second shard was faster. Holds the lock of the state.
  -- ORA-20810 registered with another identity in the meantime; ORA-20811 it was registered, and is not any more.
  FUNCTION register(
    p_shard IN VARCHAR2, p_table_id IN NUMBER, p_owner IN VARCHAR2, p_table IN VARCHAR2, p_identity IN VARCHAR2
  ) RETURN NUMBER;

  -- ORA-20807 unless the shard has registered a table with this number.
  PROCEDURE check_subscription(p_shard IN VARCHAR2, p_table_id IN NUMBER);

  -- First half of a refresh after DDL: PULL_n and LOAD_n of the columns that the table has now. DDL.
  -- ORA-20806 refused: the table is gone, or what refuses a registration, or its key is not the one it was registered with.
  PROCEDURE renew_views(p_table_id IN NUMBER);

  -- Second half: writes down the columns.
  PROCEDURE note_columns(p_table_id IN NUMBER);

  -- The shard does not want the table any more. A table that no shard wants is forgotten.
  PROCEDURE unsubscribe(p_shard IN VARCHAR2, p_table_id IN NUMBER);

  -- Forgets the tables that no shard has registered; their views are dropped in a later step (RESOLVER.drop_views).
  PROCEDURE forget_unwanted;

  -- WAIT_TX: notes WAIT_SCN of new registrations, or makes them READY when no transaction is open that began before it. A
  -- transaction whose START_SCN is 0 (not known yet), one in doubt, and an instance that did not answer mean: wait
  -- (debezium DBZ-6869).
  PROCEDURE settle;

  -- Where DBMS_LOGMNR.MINE_VALUE finds the keys, as the tables are now. A key of which a column is not there any more is found nowhere:
  -- its rows have their ROWID, or are U, until the watch refuses the table; a name that does not exist would stop LogMiner, for all
  -- tables. To be called before LogMiner is started, and in another transaction.
  PROCEDURE renew_paths;

  -- What the dictionary tells. To be called every minute or so:
  --   object numbers of new partitions are noted (redo names an object by number once the dictionary has forgotten it);
  --   changes without redo (NOLOGGING, UNRECOVERABLE) in a data file of the table, a table created anew under its name, and
  --   a time in which it was refused (no supplemental log, say) become suspicions, and those U pointers;
  --   so does a segment that has another number than before: EXCHANGE PARTITION may name the other table only, and the database
  --   moves segments by itself. Unless a T, U, or D of the time between two looks explains it: then it is known, and a large table
  --   must not be loaded once more. The dictionary is ahead of the miner, so that is decided by PUBLISHER, when the suspicion is
  --   ripe. A number that existed before is explained by a U alone (CHANGED_SEGMENT_V);
  --   a table that could not be registered any more becomes REFUSED, and WAIT_TX again when that is mended.
  PROCEDURE watch;
END registry;
/
