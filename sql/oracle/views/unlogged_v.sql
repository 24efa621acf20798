CREATE OR REPLACE VIEW unlogged_v AS
SELECT g.owner, g.table_name, MAX(d.unrecoverable_change#) AS unlogged_scn
FROM (
  SELECT t.owner, t.table_name, t.table_name AS segment_name FROM source_table t
  UNION ALL
  SELECT l.owner, l.table_name, l.segment_name FROM dba_lobs l
  UNION ALL
  SELECT i.table_owner, i.table_name, i.index_name FROM dba_indexes i WHERE i.index_type = 'IOT - TOP'
) g
JOIN source_table t ON t.owner = g.owner AND t.table_name = g.table_name
JOIN dba_segments s ON s.owner = g.owner AND s.segment_name = g.segment_name
JOIN dba_data_files f ON f.tablespace_name = s.tablespace_name
JOIN v$datafile d ON d.file# = f.file_id
GROUP BY g.owner, g.table_name;
COMMENT ON TABLE unlogged_v IS 'Registered tables and the newest change without redo in their data files; it may have been of another table there';
