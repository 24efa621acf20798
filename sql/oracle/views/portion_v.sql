CREATE OR REPLACE VIEW portion_v AS
SELECT p.portion_id, p.slot_id AS slot, p.scn_from, p.scn_to, p.pointers, p.published_at
FROM portion p;
COMMENT ON TABLE portion_v IS 'Contract: published portions';
