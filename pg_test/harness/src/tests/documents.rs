//! The reference is generated from the catalog of a shard, so it cannot say what is not so.

use std::collections::{BTreeSet, HashSet};
use std::fmt::Write;
use std::fs;

use anyhow::{Context, Result, bail};
use postgres::Client;

use super::Choice;
use super::report::Report;
use super::{architecture, declared, told};
use crate::artifacts::{self, Flavour};
use crate::cluster::SUPERUSER;
use crate::world::World;

const FILE: &str = "docs/reference.md";

/// Every object of the extension that has no comment; the sequence of an identity column is part of its column.
const WITHOUT_COMMENT: &str = "
    SELECT pg_describe_object(d.classid, d.objid, 0)
    FROM pg_depend AS d JOIN pg_extension AS e ON e.oid = d.refobjid AND e.extname = 'orapull'
    WHERE d.deptype = 'e' AND obj_description(d.objid, d.classid::regclass::name) IS NULL
      AND NOT EXISTS (SELECT FROM pg_depend AS i WHERE i.classid = d.classid AND i.objid = d.objid AND i.deptype = 'i')
    UNION ALL
    SELECT pg_describe_object(d.classid, d.objid, a.attnum)
    FROM pg_depend AS d JOIN pg_extension AS e ON e.oid = d.refobjid AND e.extname = 'orapull'
    JOIN pg_class AS c ON c.oid = d.objid AND d.classid = 'pg_class'::regclass AND c.relkind IN ('r', 'v')
    JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
    WHERE d.deptype = 'e' AND col_description(c.oid, a.attnum) IS NULL
    ORDER BY 1";

const FUNCTIONS: &str = "
    SELECT p.proname::text, pg_get_function_arguments(p.oid), pg_get_function_result(p.oid),
           coalesce(obj_description(p.oid, 'pg_proc'), '')
    FROM pg_proc AS p JOIN pg_namespace AS n ON n.oid = p.pronamespace
    WHERE n.nspname = 'orapull' AND p.prorettype <> 'trigger'::regtype
    ORDER BY p.proname, pg_get_function_arguments(p.oid)";

const RELATIONS: &str = "
    SELECT c.oid, c.relname::text, coalesce(obj_description(c.oid, 'pg_class'), '')
    FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
    WHERE n.nspname = 'orapull' AND c.relkind = $1::text::\"char\"
    ORDER BY c.relname";

const COLUMNS: &str = "
    SELECT attname::text, format_type(atttypid, atttypmod), coalesce(col_description(attrelid, attnum), '')
    FROM pg_attribute WHERE attrelid = $1 AND attnum > 0 AND NOT attisdropped ORDER BY attnum";

const SETTINGS: &str = "
    SELECT name, vartype, coalesce(boot_val, ''), coalesce(unit, ''), context, short_desc,
           coalesce(extra_desc, ''), coalesce(min_val || ' to ' || max_val, '')
    FROM pg_settings WHERE name LIKE 'orapull.%' ORDER BY name";

/// What can be written after `orapull.`: functions, relations, settings.
const NAMES: &str = "
    SELECT proname::text FROM pg_proc WHERE pronamespace = 'orapull'::regnamespace
    UNION SELECT relname::text FROM pg_class WHERE relnamespace = 'orapull'::regnamespace
    UNION SELECT split_part(name, '.', 2) FROM pg_settings WHERE name LIKE 'orapull.%'";

const DOCUMENTS: [&str; 4] = [
    "README.md",
    "ARCHITECTURE.md",
    "CHANGELOG.md",
    "docs/performance.md",
];

pub fn check(world: &World, choice: &Choice, report: &mut Report) -> Result<()> {
    architecture::check(choice, report)?;
    let cluster = world.shard_cluster(Flavour::Product, "reference", &[])?;
    cluster.start()?;
    let mut client = cluster.connect("postgres", SUPERUSER)?;
    client
        .batch_execute("CREATE EXTENSION postgres_fdw; CREATE EXTENSION orapull")
        .with_context(|| cluster.log_tail(40))?;
    comments(&mut client, report)?;
    names(&mut client, report)?;
    tables_of_the_code(report)?;
    let text = reference(&mut client)?;
    let file = artifacts::repository().join(FILE);
    if choice.write {
        fs::create_dir_all(file.parent().context("the reference has a folder")?)?;
        fs::write(&file, &text).with_context(|| format!("cannot write {FILE}"))?;
    }
    let written = fs::read_to_string(&file).unwrap_or_default();
    match text
        .lines()
        .zip(written.lines().chain(std::iter::repeat("")))
        .find(|(now, then)| now != then)
    {
        None if written == text => report.passed("the reference is that of the catalog"),
        first => {
            let (now, then) = first.unwrap_or(("(end)", "(more lines)"));
            let how = "cargo test-all --only docs --write writes it anew";
            report.failed(
                "the reference is that of the catalog",
                &format!("{FILE}: {then:?} is now {now:?}; {how}"),
            );
        }
    }
    Ok(())
}

fn comments(client: &mut Client, report: &mut Report) -> Result<()> {
    let name = "every object has a comment";
    let members: i64 = client
        .query_one(
            "SELECT count(*) FROM pg_depend AS d JOIN pg_extension AS e ON e.oid = d.refobjid
             WHERE e.extname = 'orapull' AND d.deptype = 'e'",
            &[],
        )?
        .get(0);
    if members == 0 {
        bail!("the extension has no objects");
    }
    let rows = client.query(WITHOUT_COMMENT, &[])?;
    let lacking: Vec<String> = rows.iter().map(|row| row.get(0)).collect();
    if lacking.is_empty() {
        report.passed(name)
    } else {
        report.failed(name, &lacking.join("\n"))
    }
    Ok(())
}

/// The reference has what they list, so they must list everything.
fn tables_of_the_code(report: &mut Report) -> Result<()> {
    let name = "every state, check, event and error has its meaning and what to do";
    let lacking: Vec<String> = told::unlisted()?
        .into_iter()
        .chain(told::untold())
        .collect();
    if lacking.is_empty() {
        report.passed(name)
    } else {
        report.failed(name, &lacking.join("\n"))
    }
    Ok(())
}

/// A hint that names what does not exist is worse than none.
fn names(client: &mut Client, report: &mut Report) -> Result<()> {
    let name = "everything that hints and documents name as orapull.… exists";
    let known: HashSet<String> = client
        .query(NAMES, &[])?
        .iter()
        .map(|row| row.get(0))
        .collect();
    let mut unknown = BTreeSet::new();
    for file in declared::files("src")?
        .iter()
        .map(String::as_str)
        .chain(DOCUMENTS)
    {
        let text = declared::source(file)?;
        unknown.extend(
            named(&text)
                .filter(|name| !known.contains(*name))
                .map(|name| format!("{file}: orapull.{name}")),
        );
    }
    if unknown.is_empty() {
        report.passed(name)
    } else {
        let lines: Vec<String> = unknown.into_iter().collect();
        report.failed(name, &lines.join("\n"))
    }
    Ok(())
}

/// The names after `orapull.` in a text.
fn named(text: &str) -> impl Iterator<Item = &str> {
    text.split("orapull.").skip(1).filter_map(|rest| {
        let end = rest
            .find(|c: char| !c.is_ascii_lowercase() && c != '_')
            .unwrap_or(rest.len());
        (end > 0).then_some(&rest[..end])
    })
}

fn reference(client: &mut Client) -> Result<String> {
    let mut text = String::from(
        "# Reference\n\nGenerated from the catalog and the sources by `cargo test-all --only docs --write`; the tests compare it.\n",
    );
    functions(client, &mut text)?;
    relations(client, &mut text, "Views", "v")?;
    relations(client, &mut text, "Tables", "r")?;
    settings(client, &mut text)?;
    text += &told::sections()?;
    Ok(text)
}

fn functions(client: &mut Client, text: &mut String) -> Result<()> {
    text.push_str("\n## Functions\n");
    for row in client.query(FUNCTIONS, &[])? {
        let (name, arguments, result, comment): (String, String, String, String) =
            (row.get(0), row.get(1), row.get(2), row.get(3));
        write!(
            text,
            "\n### orapull.{name}\n\n```\norapull.{name}({arguments})\n    -> {result}\n```\n\n{comment}\n"
        )?;
    }
    Ok(())
}

fn relations(client: &mut Client, text: &mut String, title: &str, kind: &str) -> Result<()> {
    write!(text, "\n## {title}\n")?;
    for row in client.query(RELATIONS, &[&kind])? {
        let (oid, name, comment): (u32, String, String) = (row.get(0), row.get(1), row.get(2));
        write!(
            text,
            "\n### orapull.{name}\n\n{comment}\n\n| column | type | meaning |\n| --- | --- | --- |\n"
        )?;
        for column in client.query(COLUMNS, &[&oid])? {
            let (name, kind, meaning): (String, String, String) =
                (column.get(0), column.get(1), column.get(2));
            writeln!(text, "| {name} | {kind} | {} |", cell(&meaning))?;
        }
    }
    Ok(())
}

fn settings(client: &mut Client, text: &mut String) -> Result<()> {
    text.push_str("\n## Settings\n\n| setting | type | default | range | changed by | meaning |\n| --- | --- | --- | --- | --- | --- |\n");
    for row in client.query(SETTINGS, &[])? {
        let column = |number: usize| -> String { row.get(number) };
        let default = format!("{} {}", column(2), column(3));
        let meaning = format!("{} {}", column(5), column(6));
        let who = match column(4).as_str() {
            "postmaster" => "restart",
            "sighup" => "reload",
            "superuser" => "superuser",
            _ => "anyone",
        };
        writeln!(
            text,
            "| {} | {} | {} | {} | {who} | {} |",
            column(0),
            column(1),
            default.trim(),
            column(7),
            cell(meaning.trim())
        )?;
    }
    Ok(())
}

/// Text that does not end a cell of a table.
fn cell(text: &str) -> String {
    text.replace('|', "\\|").replace('\n', " ")
}

#[cfg(test)]
mod tests {
    use super::named;

    #[test]
    fn names_end_where_words_do_and_folders_are_none() {
        let text =
            "SELECT orapull.resume(source); \"orapull.\" /tmp/orapull.4252 orapull.lock_timeout.";
        assert_eq!(named(text).collect::<Vec<_>>(), ["resume", "lock_timeout"]);
    }
}
