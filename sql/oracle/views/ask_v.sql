CREATE OR REPLACE VIEW ask_v AS
SELECT a.table_id, a.row_id, a.k1, a.k2, a.k3, a.k4, a.k5, a.k6, a.k7, a.k8
FROM asked a;
COMMENT ON TABLE ask_v IS 'Contract: identities to ask for, private to the transaction that inserts them';
