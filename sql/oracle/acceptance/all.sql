-- All scripts that need neither other hands nor an installation.
@@01_lob_seam.sql
@@02_key_values.sql
@@03_array_delete.sql
@@04_committed_only.sql
@@05_parallel_dml.sql
@@06_direct_path.sql
@@07_long_names.sql
@@08_unsupported.sql
@@09_mine_value.sql
@@10_partition_objects.sql
@@11_end_scn.sql
@@16_missing_log.sql
@@13_moved_rows.sql
