-- LOBs, XML and 32K strings: which of their rows tell the row, and how. L: another row of the transaction must.
SELECT pg_temp.start();
SELECT pg_temp.register(1, 'T', '{ID}', 'Y'), pg_temp.register(2, 'P', p_has_lob => 'Y'), pg_temp.register(3, 'C', '{A,B}', 'Y');
SELECT "TEST"."LOB"(1, 'INLINE', 'T', 'ROW1', '{"ID": 1}', 101, 103), "TEST"."LOB"(1, 'INSERT', 'T', 'ROW2', '{"ID": 2}', 105, 109),
       "TEST"."LOB"(1, 'UPDATE', 'T', 'ROW3', '{"ID": 3}', 111, 115), "TEST"."LOB"(1, 'WRITE', 'T', 'ROW4', '{"ID": 4}', 117, 119),
       "TEST"."LOB"(1, 'BASICFILE', 'T', 'ROW5', '{"ID": 5}', 121, 123), "TEST"."LOB"(1, 'LOST', 'T', 'ROW6', '{"ID": 6}', 125, 127),
       "TEST"."LOB"(1, 'XML', 'T', 'ROW7', '{"ID": 7}', 129, 133), "TEST"."LOB"(1, '32K', 'C', 'ROW8', '{"A": 8, "B": 9}', 135, 139);
SELECT "TEST"."COMMIT"(1, 190), "TEST"."ADVANCE"(200);
:scan
SELECT pg_temp.same('with a key', pg_temp.staged(),
    '101:1 R=1 1, 103:3 R=1 ROW1, 105:1 R=1 2, 107:9 R=1 2, 107:10 L=1, 109:10 L=1, 109:3 R=1 2, '
    '111:9 R=1 3, 113:10 L=1, 115:3 R=1 3, 117:9 L=1, 118:0 R=1 ROW4, 119:10 L=1, 121:10 L=1, 123:0 R=1 ROW5, 125:9 L=1, 127:10 L=1, '
    '129:68 R=1 7, 131:70 L=1, 133:71 L=1, 135:91 R=3 8/9, 137:92 L=3, 139:93 L=3');

SELECT pg_temp.start();
SELECT pg_temp.register(1, 'T', '{ID}', 'Y'), pg_temp.register(2, 'P', p_has_lob => 'Y');
SELECT "TEST"."LOB"(1, 'INLINE', 'P', 'ROW1', '{"V": 1}', 101, 103), "TEST"."LOB"(1, 'INSERT', 'P', 'ROW2', '{"V": 2}', 105, 109),
       "TEST"."LOB"(1, 'WRITE', 'P', 'ROW3', '{"V": 3}', 111, 113);
SELECT "TEST"."REDO"(1, 10, 'P', 115, 'ROW4'), "TEST"."REDO"(1, 11, 'P', 116, 'ROW4'), "TEST"."REDO"(1, 29, 'T', 117, 'ROW5'),
       "TEST"."REDO"(1, 29, 'T', 118, 'ROW5', p_more => '{"STATUS": 2}'), "TEST"."REDO"(1, 2, 'P', 119), "TEST"."REDO"(1, 0, 'P', 120);
-- The object is a segment of a LOB: a ROWID of it is none of the table.
INSERT INTO "ORAPULL"."SOURCE_OBJECT" ("OBJECT_ID", "TABLE_ID", "OBJECT_KIND") VALUES (777, 2, 'LOB');
SELECT "TEST"."REDO"(1, 10, 'X', 121, 'ROW6', p_more => '{"DATA_OBJ#": 777}'), "TEST"."REDO"(1, 0, 'X', 122, 'ROW6', p_more => '{"DATA_OBJ#": 777}');
SELECT "TEST"."COMMIT"(1, 190), "TEST"."ADVANCE"(200);
:scan
SELECT pg_temp.same('without a key', pg_temp.staged(),
    '101:1 L=2, 103:3 R=2 ROW1, 105:1 L=2, 107:9 L=2, 107:10 L=2, 109:10 L=2, 109:3 L=2, 111:9 L=2, 112:0 R=2 ROW3, 113:10 L=2, '
    '115:10 R=2 ROW4, 116:11 R=2 ROW4, 117:29 R=1 ROW5, 118:29 U=1 ROW5, 119:2 U=2, 121:10 L=2');

-- The key in the text of a locator.
SELECT pg_temp.same('value of ' || w.path || ' in ' || w.statement, "REDO_TEXT"."WHERE_VALUE"(w.statement, w.path), w.value)
FROM (VALUES
    ('select "C" into loc_c from "A"."T" where "ID" = ''100'' for update;', 'A.T.ID', '100'),
    ('select "C" into loc_c from "A"."T" where "A" = ''it''''s'' and "B" = ''x'' for update', 'A.T.A', 'it''s'),
    ('select "C" into loc_c from "A"."T" where "A" = ''it''''s'' and "B" = ''x'' for update', 'A.T.B', 'x'),
    ('select "C" into loc_c from "A"."T" where "A" = ''''''''', 'A.T.A', ''''),
    ('select 1 from t where "D" = TO_DATE(''2024-02-29 01:02:03'', ''YYYY-MM-DD HH24:MI:SS'')', 'A.T.D', '2024-02-29 01:02:03'),
    ('select 1 from t where "D" = TO_TIMESTAMP(''2024-02-29 01:02:03.5'')', 'A.T.D', '2024-02-29 01:02:03.5'),
    ('select 1 from t where "R" = HEXTORAW(''0aff'')', 'A.T.R', '0AFF'),
    ('select 1 from t where "N" = UNISTR(''\0431'')', 'A.T.N', NULL),
    ('select 1 from t where "N" = 5 and "M" = ''6''', 'A.T.N', NULL),
    ('select 1 from t where "NN" = ''5''', 'A.T.N', NULL),
    ('select 1 from t where "N" IS NULL', 'A.T.N', NULL),
    ('select "N" = ''5''', 'A.T.N', NULL),
    ('select 1 from t where "N" = ''cut off', 'A.T.N', NULL),
    (NULL, 'A.T.N', NULL)
) w (statement, path, value);
