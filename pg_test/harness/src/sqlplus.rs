//! Scripts for SQL*Plus as a linter of Oracle's SQL can read them: commands of SQL*Plus become comments, variables names; no
//! line moves.

/// Commands that take a line. `SET` begins one too, but only where a statement could begin.
const COMMANDS: &[&str] = &[
    "ACCEPT", "COLUMN", "DEFINE", "PAUSE", "PROMPT", "SET", "UNDEFINE", "VARIABLE", "WHENEVER",
];

/// What is in statements that sqlfluff's grammar does not have; they are left out.
pub const UNKNOWN: &[&str] = &[
    "ALTER SYSTEM",
    "ALTER TABLE plain LOGGING",
    "ALTER TABLE plain NOLOGGING",
    "EXCHANGE PARTITION",
    "FORCE LOGGING",
    "MOVE PARTITION",
    "ORGANIZATION INDEX",
    "PARTITION BY",
    "SPLIT PARTITION",
    "STORE AS",
];

/// A script as it can be read, and how often it had a statement of each kind that is left out.
pub struct Readable {
    pub text: String,
    pub left_out: Vec<&'static str>,
}

enum Place {
    Between,
    /// Ends with a semicolon at the end of a line.
    Sql,
    /// Ends with a line of its own, `/`.
    Block,
}

pub fn readable(script: &str) -> Readable {
    let (mut lines, mut left_out) = (Vec::new(), Vec::new());
    let (mut place, mut began) = (Place::Between, 0);
    for line in script.lines() {
        let code = line.split("--").next().unwrap_or(line).trim();
        if matches!(place, Place::Between) {
            began = lines.len();
            place = begun_by(code);
        }
        lines.push(match place {
            Place::Between => as_comment(line, code),
            _ => named(line),
        });
        match place {
            Place::Sql if code.ends_with(';') => {
                left_out.extend(leave_out(&mut lines[began..]));
                place = Place::Between;
            }
            Place::Block if code == "/" => place = Place::Between,
            _ => {}
        }
    }
    let text = lines.join("\n") + "\n";
    Readable { text, left_out }
}

fn begun_by(code: &str) -> Place {
    let words: Vec<String> = code
        .split(|c: char| !c.is_ascii_alphanumeric() && c != '_')
        .map(str::to_uppercase)
        .collect();
    let has = |names: &[&str]| words.iter().any(|word| names.contains(&word.as_str()));
    match words[0].as_str() {
        // Empty, a comment, `@file`, or the end of a block.
        "" | "EXECUTE" => Place::Between,
        word if COMMANDS.contains(&word) => Place::Between,
        "DECLARE" | "BEGIN" => Place::Block,
        "CREATE" if has(&["PROCEDURE", "FUNCTION", "PACKAGE", "TYPE"]) => Place::Block,
        _ => Place::Sql,
    }
}

/// A line that is no part of a statement. `EXECUTE` is a block in one line.
fn as_comment(line: &str, code: &str) -> String {
    match code.strip_prefix("EXECUTE ") {
        Some(call) => format!("BEGIN {}; END;", named(call.trim_end_matches(';'))),
        None if code.is_empty() || code == "/" => line.to_owned(),
        None => format!("-- {line}"),
    }
}

/// `&name` and `&name.` are the name.
fn named(line: &str) -> String {
    let mut parts = line.split('&');
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let end = part
            .find(|c: char| !c.is_ascii_alphanumeric() && c != '_')
            .unwrap_or(part.len());
        let (name, rest) = part.split_at(end);
        text += &format!("v{name}{}", rest.strip_prefix('.').unwrap_or(rest));
    }
    text
}

fn leave_out(statement: &mut [String]) -> Option<&'static str> {
    let text = statement.join(" ");
    let unknown = UNKNOWN.iter().find(|unknown| text.contains(**unknown))?;
    for line in statement {
        *line = format!("-- {line}");
    }
    Some(unknown)
}

#[cfg(test)]
mod tests {
    use super::readable;

    #[test]
    fn commands_become_comments_and_variables_names() {
        let script = "SET ECHO OFF\n@@a.sql &1 X\nUPDATE t\nSET a = '&1..x';\nEXECUTE p.q;\nSELECT 1 FROM &tab\nWHERE a = 1;\n";
        let expected = "-- SET ECHO OFF\n-- @@a.sql &1 X\nUPDATE t\nSET a = 'v1.x';\nBEGIN p.q; END;\nSELECT 1 FROM vtab\nWHERE a = 1;\n";
        assert_eq!(readable(script).text, expected);
    }

    #[test]
    fn a_block_ends_with_its_slash() {
        let script = "DECLARE\n  n NUMBER;\nBEGIN\n  NULL;\nEND;\n/\nPROMPT it's done (well)\n";
        let expected =
            "DECLARE\n  n NUMBER;\nBEGIN\n  NULL;\nEND;\n/\n-- PROMPT it's done (well)\n";
        assert_eq!(readable(script).text, expected);
    }

    #[test]
    fn what_sqlfluff_does_not_know_is_left_out_and_told() {
        let readable = readable("ALTER SYSTEM\n  ARCHIVE LOG CURRENT;\nCOMMIT;\n");
        assert_eq!(
            readable.text,
            "-- ALTER SYSTEM\n--   ARCHIVE LOG CURRENT;\nCOMMIT;\n"
        );
        assert_eq!(readable.left_out, ["ALTER SYSTEM"]);
    }
}
