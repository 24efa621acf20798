CREATE OR REPLACE PACKAGE BODY redo_text AS

  -- Upper case, single blanks, a blank at both ends: so that words can be looked for. Words of comments count: on doubt U.
  FUNCTION words(p_text IN VARCHAR2) RETURN VARCHAR2 IS
    l_text VARCHAR2(32767);
  BEGIN
    l_text := ' ' || UPPER(TRANSLATE(p_text, CHR(9) || CHR(10) || CHR(13) || ';/*', '      ')) || ' ';
    WHILE INSTR(l_text, '  ') > 0 LOOP
      l_text := REPLACE(l_text, '  ', ' ');
    END LOOP;
    RETURN l_text;
  END words;

  FUNCTION has(p_words IN VARCHAR2, p_phrase IN VARCHAR2) RETURN BOOLEAN IS
  BEGIN
    RETURN INSTR(p_words, ' ' || p_phrase) > 0;
  END has;

  FUNCTION on_partition(p_words IN VARCHAR2, p_verb IN VARCHAR2) RETURN BOOLEAN IS
  BEGIN
    RETURN has(p_words, p_verb || ' PARTITION') OR has(p_words, p_verb || ' SUBPARTITION');
  END on_partition;

  FUNCTION moves_partitions(p_words IN VARCHAR2) RETURN BOOLEAN IS
  BEGIN
    RETURN on_partition(p_words, 'DROP') OR on_partition(p_words, 'MOVE') OR on_partition(p_words, 'SPLIT')
      OR on_partition(p_words, 'MERGE') OR on_partition(p_words, 'EXCHANGE') OR on_partition(p_words, 'COALESCE')
      OR has(p_words, 'MODIFY PARTITION BY ')
      -- Without VALUES it is a hash partition, into which rows of the others move.
      OR (on_partition(p_words, 'ADD') AND NOT has(p_words, 'VALUES '));
  END moves_partitions;

  FUNCTION ddl_kind(p_text IN VARCHAR2, p_info IN VARCHAR2, p_by_rowid IN VARCHAR2) RETURN VARCHAR2 IS
    l_words VARCHAR2(32767);
  BEGIN
    l_words := words(p_text);
    IF INSTR(l_words, ' TRUNCATE TABLE ') = 1 AND NVL(p_info, '-') NOT LIKE 'INTERNAL DDL%' THEN
      RETURN 'T';
    ELSIF has(l_words, 'TRUNCATE ') OR has(l_words, 'FLASHBACK TABLE ') OR moves_partitions(l_words) THEN
      RETURN 'U';
    ELSIF p_by_rowid = 'Y' AND (has(l_words, 'MOVE ') OR has(l_words, 'SHRINK ')) THEN
      RETURN 'U';
    ELSE
      RETURN 'D';
    END IF;
  END ddl_kind;

  FUNCTION ddl_note(p_text IN VARCHAR2) RETURN VARCHAR2 IS
  BEGIN
    RETURN CASE WHEN has(words(p_text), 'MOVE ') THEN c_move END || SUBSTR(p_text, 1, 98);
  END ddl_note;

  FUNCTION names(p_text IN VARCHAR2, p_name IN VARCHAR2) RETURN VARCHAR2 IS
    c_marks  CONSTANT VARCHAR2(10) := '".,()';
    c_blanks CONSTANT VARCHAR2(10) := '     ';
  BEGIN
    RETURN CASE
      WHEN p_text IS NULL THEN 'Y'
      WHEN INSTR(words(TRANSLATE(p_text, c_marks, c_blanks)), words(TRANSLATE(p_name, c_marks, c_blanks))) > 0 THEN 'Y'
      ELSE 'N'
    END;
  END names;

  -- Where the literal ends that begins with the quote at p_from: at a quote that is not doubled.
  FUNCTION literal_end(p_text IN VARCHAR2, p_from IN NUMBER) RETURN NUMBER IS
    l_at NUMBER;
  BEGIN
    l_at := INSTR(p_text, '''', p_from + 1);
    WHILE l_at > 0 AND SUBSTR(p_text, l_at + 1, 1) = '''' LOOP
      l_at := INSTR(p_text, '''', l_at + 2);
    END LOOP;
    RETURN l_at;
  END literal_end;

  FUNCTION where_value(p_text IN VARCHAR2, p_path IN VARCHAR2) RETURN VARCHAR2 IS
    l_column   VARCHAR2(400);
    l_where    NUMBER;
    l_at       NUMBER;
    l_from     NUMBER;
    l_to       NUMBER;
    l_function VARCHAR2(32767);
    l_value    VARCHAR2(32767);
  BEGIN
    l_column := '"' || REPLACE(SUBSTR(p_path, INSTR(p_path, '.', -1) + 1), '"') || '" = ';
    l_where := INSTR(p_text, ' where ');
    IF NVL(l_where, 0) = 0 THEN
      RETURN NULL;
    END IF;
    l_at := INSTR(p_text, l_column, l_where);
    IF l_at = 0 THEN
      RETURN NULL;
    END IF;
    l_at := l_at + LENGTH(l_column);
    l_from := INSTR(p_text, '''', l_at);
    l_to := literal_end(p_text, l_from);
    IF l_from = 0 OR l_to = 0 THEN
      RETURN NULL;
    END IF;
    l_function := SUBSTR(p_text, l_at, l_from - l_at);
    l_value := REPLACE(SUBSTR(p_text, l_from + 1, l_to - l_from - 1), '''''', '''');
    IF l_function IS NULL OR l_function = 'TO_DATE(' OR l_function = 'TO_TIMESTAMP(' THEN
      RETURN l_value;
    ELSIF l_function = 'HEXTORAW(' THEN
      RETURN UPPER(l_value);
    ELSE
      RETURN NULL;
    END IF;
  END where_value;

END redo_text;
/
