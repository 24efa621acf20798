-- The only way out of GAP and INCARNATION_CHANGED, for the operator alone: mining starts anew after this SCN, every table waits
-- for open transactions again, and each gets a U pointer, so that the shards know what has to be loaded anew
-- (PUBLISHER.skip_to).
CREATE OR REPLACE PROCEDURE skip_gap(p_scn IN NUMBER) AUTHID DEFINER AS
BEGIN
  publisher.skip_to(p_scn);
  COMMIT;
END skip_gap;
/
