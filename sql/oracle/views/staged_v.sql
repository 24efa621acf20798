-- First version, without a slot. STAGES makes it anew with each slot it creates.
CREATE OR REPLACE VIEW staged_v AS
SELECT 0 AS stage_slot, s.* FROM stage_0 s;
COMMENT ON TABLE staged_v IS 'Rows of all stage slots STAGE_n; read it with stage_slot = n';
