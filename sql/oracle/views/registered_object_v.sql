CREATE OR REPLACE VIEW registered_object_v AS
SELECT t.table_id, o.object_id, o.data_object_id, o.object_type, 'TABLE' AS object_kind
FROM source_table t
JOIN dba_objects o ON o.owner = t.owner AND o.object_name = t.table_name
WHERE o.object_type IN ('TABLE', 'TABLE PARTITION', 'TABLE SUBPARTITION')
UNION ALL
SELECT t.table_id, o.object_id, o.data_object_id, o.object_type, 'TABLE'
FROM source_table t
JOIN dba_indexes i ON i.table_owner = t.owner AND i.table_name = t.table_name
JOIN dba_objects o ON o.owner = i.owner AND o.object_name = i.index_name
WHERE i.index_type = 'IOT - TOP' AND o.object_type IN ('INDEX', 'INDEX PARTITION', 'INDEX SUBPARTITION')
UNION ALL
SELECT t.table_id, o.object_id, o.data_object_id, o.object_type, 'LOB'
FROM source_table t
JOIN dba_lobs l ON l.owner = t.owner AND l.table_name = t.table_name
JOIN dba_objects o ON o.owner = l.owner AND o.object_name = l.segment_name
WHERE o.object_type IN ('LOB', 'LOB PARTITION', 'LOB SUBPARTITION');
COMMENT ON TABLE registered_object_v IS 'Objects of registered tables as the dictionary has them: what is noted in SOURCE_OBJECT';
