-- A row that the source does not show is deleted on the shards, and a redacted value overwrites the true one.
CREATE OR REPLACE VIEW visibility_refusal_v AS
SELECT
  p.object_owner AS owner,
  p.object_name AS table_name,
  'ANY' AS applies_to,
  'policy "' || p.policy_name || '" hides rows: GRANT EXEMPT ACCESS POLICY TO "' || s.own_schema || '" and to the users of the shards' AS finding
FROM dba_policies p
CROSS JOIN setting s
WHERE
  p."ENABLE" = 'YES'
  AND NOT EXISTS (
    SELECT 1 FROM dba_sys_privs g WHERE g.grantee = s.own_schema AND g.privilege = 'EXEMPT ACCESS POLICY'
  )
UNION ALL
SELECT
  p.object_owner,
  p.object_name,
  'ANY',
  'redaction policy "' || p.policy_name || '" changes values: GRANT EXEMPT REDACTION POLICY TO "' || s.own_schema
  || '" and to the users of the shards'
FROM redaction_policies p
CROSS JOIN setting s
WHERE
  p."ENABLE" = 'YES'
  AND NOT EXISTS (
    SELECT 1 FROM dba_sys_privs g WHERE g.grantee = s.own_schema AND g.privilege = 'EXEMPT REDACTION POLICY'
  )
UNION ALL
SELECT
  t.owner,
  t.table_name,
  'ANY',
  'it may not be read: GRANT SELECT ON "' || t.owner || '"."' || t.table_name || '" TO "' || s.own_schema || '" WITH GRANT OPTION'
FROM candidate_table_v t
CROSS JOIN setting s
WHERE NOT EXISTS (
  SELECT 1
  FROM dba_tab_privs g
  WHERE
    g.owner = t.owner
    AND g.table_name = t.table_name
    AND g.grantee = s.own_schema
    AND g.privilege = 'SELECT'
    AND g.grantable = 'YES'
);
COMMENT ON TABLE visibility_refusal_v IS 'Tables of which the source would show too little, and how to mend it';
