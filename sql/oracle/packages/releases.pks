CREATE OR REPLACE PACKAGE releases AUTHID DEFINER AS

  -- Portions that no shard needs any more. (cases.md T8)
  --
  -- A portion is released when every shard has acked it and mining has passed the SCN at which the ack came in: then everything
  -- that the shard has read is on disk, and no crash can take it back. While acks keep coming, the latest is never passed; so
  -- one is kept and waited for (RELEASE_MARK). It counts only under the token it was seen with: another token means ATTACH,
  -- which may have put the shard back, so that it reads again.
  -- Without a shard nothing is kept; a first one starts at LAST_PORTION. ATTACH, under the same lock, comes before a release or after
  -- it: it either finds the portion it wants held, with its shard's ack set back, or gone.

  -- Whether RELEASE_PORTIONS would do anything.
  FUNCTION is_due RETURN BOOLEAN;

  -- Deletes the released portions; their slots can be truncated when that has committed (SLOTS.NEXT_TO_CLEAR).
  -- Also forgets old scans.
  PROCEDURE release_portions;

END releases;
/
