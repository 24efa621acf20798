-- First version, without a slot. SLOTS makes it anew with each slot it creates.
CREATE OR REPLACE VIEW pointer_v (
  p$slot, p$portion, p$ptr, p$prev, table_id, kind, row_id, k1, k2, k3, k4, k5, k6, k7, k8, note, commit_scn
) AS
SELECT 0, t.* FROM transport_0 t
UNION ALL
SELECT 0, r.request_id, r.ptr, 0, r.table_id, 'R', r.row_id, r.k1, r.k2, r.k3, r.k4, r.k5, r.k6, r.k7, r.k8, NULL, NULL
FROM request_pointer r;
COMMENT ON TABLE pointer_v IS 'Pointers of all slots; slot 0: of the requests';
