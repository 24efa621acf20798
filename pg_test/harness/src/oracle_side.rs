//! The Oracle side, translated and loaded into a PostgreSQL that plays Oracle.

use std::collections::BTreeMap;
use std::fs;

use anyhow::{Context, Result, anyhow, bail};
use plsql::{Refusal, Site, Statement};
use postgres::Client;

use crate::artifacts;
use crate::bed;
use crate::cluster::{Cluster, SUPERUSER};
use crate::world::World;

const FOLDER: &str = "sql/oracle";

/// Database with everything loaded, to be copied.
const TEMPLATE: &str = "oracle_template";

/// A started cluster with the Oracle side in a database that can be copied.
pub struct OracleSide {
    pub cluster: Cluster,
    pub parts: Vec<Translation>,
}

/// A place of the original files where the translation is wrong.
pub struct Finding {
    pub place: String,
    pub message: String,
}

/// Where files of objects are installed, and what does it.
pub struct Part {
    pub script: &'static str,
    pub site: Site,
}

/// The container that has the tables, and CDB$ROOT, which it needs in topology ROOT.
pub fn parts() -> [Part; 2] {
    let part = |script, site| Part { script, site };
    [
        part("install.sql", Site::default()),
        part("install_root.sql", Site::root()),
    ]
}

/// The files of objects, below sql/oracle, in the order in which a script installs them.
pub fn installed(by: &str) -> Result<Vec<String>> {
    Ok(run_by(&script(by)?))
}

/// Their names and texts.
pub fn files(by: &str) -> Result<Vec<(String, String)>> {
    installed(by)?
        .into_iter()
        .map(|name| {
            let text = script(&name)?;
            Ok((format!("{FOLDER}/{name}"), text))
        })
        .collect()
}

/// The text of a file below sql/oracle.
pub fn script(name: &str) -> Result<String> {
    let file = artifacts::repository().join(FOLDER).join(name);
    fs::read_to_string(&file).with_context(|| format!("cannot read {}", file.display()))
}

/// `@@folder/file` and `@@once.sql KIND name folder/file`.
fn run_by(install: &str) -> Vec<String> {
    install
        .lines()
        .filter_map(|line| line.strip_prefix("@@")?.split(' ').next_back())
        .filter(|word| word.contains('/'))
        .map(str::to_owned)
        .collect()
}

/// A part for PostgreSQL.
pub struct Translation {
    pub site: Site,
    pub statements: Vec<Statement>,
}

pub fn translate() -> Result<Result<Vec<Translation>, Vec<Refusal>>> {
    let mut translations = Vec::new();
    for Part { script, site } in parts() {
        let files = files(script)?;
        match plsql::translate(&files, &site) {
            Ok(statements) => translations.push(Translation { site, statements }),
            Err(refusals) => return Ok(Err(refusals)),
        }
    }
    Ok(Ok(translations))
}

/// Refusals, one a line.
pub fn listed(refusals: &[Refusal]) -> String {
    refusals
        .iter()
        .map(|refusal| format!("{refusal}\n"))
        .collect()
}

impl OracleSide {
    pub fn start(world: &World, name: &str) -> Result<Self> {
        let parts = translate()?.map_err(|refusals| anyhow!("refused:\n{}", listed(&refusals)))?;
        let cluster = world.oracle_cluster(name, &[])?;
        cluster.start()?;
        let side = Self { cluster, parts };
        side.load()?;
        Ok(side)
    }

    fn load(&self) -> Result<()> {
        self.maintain(&format!("CREATE DATABASE {TEMPLATE}"))?;
        load(&self.cluster, TEMPLATE, &self.parts)?;
        let mut client = self.cluster.connect(TEMPLATE, SUPERUSER)?;
        client.batch_execute("CREATE EXTENSION plpgsql_check SCHEMA public")?;
        Ok(())
    }

    /// A new database like the loaded one.
    pub fn database(&self, name: &str) -> Result<()> {
        self.maintain(&format!("CREATE DATABASE {name} TEMPLATE {TEMPLATE}"))
    }

    fn maintain(&self, statement: &str) -> Result<()> {
        let mut client = self.cluster.connect("postgres", SUPERUSER)?;
        client
            .batch_execute(statement)
            .with_context(|| statement.to_owned())
    }

    /// What plpgsql_check finds in the translated routines, also in those that no test reaches.
    pub fn check(&self) -> Result<Vec<Finding>> {
        let mut findings = Vec::new();
        for part in &self.parts {
            findings.extend(self.check_part(part)?);
        }
        Ok(findings)
    }

    fn check_part(&self, part: &Translation) -> Result<Vec<Finding>> {
        const CHECK: &str = "\
SELECT n.nspname, p.proname, c.lineno, concat_ws(' ', c.level || ':', c.message, c.detail, c.hint, c.query)
FROM pg_catalog.pg_proc AS p
JOIN pg_catalog.pg_namespace AS n ON n.oid = p.pronamespace,
LATERAL public.plpgsql_check_function_tb(p.oid, fatal_errors := false, performance_warnings := false) AS c
WHERE n.nspname || '.' || p.proname = ANY ($1)
-- A row is selected into a variable to lock it.
AND c.message NOT LIKE 'never read variable%'
ORDER BY 1, 2, 3";
        let routines: BTreeMap<String, &Statement> = part
            .statements
            .iter()
            .filter_map(|statement| {
                let (package, name) = statement.routine.as_ref()?;
                Some((format!("{package}.{name}"), statement))
            })
            .collect();
        let names: Vec<&String> = routines.keys().collect();
        let mut client = self.cluster.connect(TEMPLATE, SUPERUSER)?;
        // Jobs have no path of their own.
        client.batch_execute(&format!("SET search_path = {}", part.site.search_path()))?;
        let rows = client.query(CHECK, &[&names])?;
        let finding = |row: &postgres::Row| {
            let (package, name): (String, String) = (row.get(0), row.get(1));
            let line = row.get::<_, Option<i32>>(2).unwrap_or(1);
            let routine = routines[&format!("{package}.{name}")];
            let line = routine.line + usize::try_from(line).unwrap_or(1) - 1;
            Finding {
                place: format!("{}:{line}, {package}.{name}", routine.file),
                message: row.get(3),
            }
        };
        Ok(rows.iter().map(finding).collect())
    }

    pub fn routines(&self) -> usize {
        self.parts
            .iter()
            .flat_map(|part| &part.statements)
            .filter(|statement| statement.routine.is_some())
            .count()
    }
}

/// Loads what plays the database, and then the Oracle side, into an empty database.
pub fn load(cluster: &Cluster, database: &str, parts: &[Translation]) -> Result<()> {
    let scripts = artifacts::repository().join("pg_test/oracle");
    // Grants of the packages name the role.
    bed::run_file_in(cluster, database, &scripts.join("scripted/05_roles.sql"))?;
    for folder in ["ora", "standin"] {
        bed::load_into(cluster, database, &scripts.join(folder))?;
    }
    let mut client = cluster.connect(database, SUPERUSER)?;
    for part in parts {
        run(&mut client, &part.statements)?;
    }
    Ok(())
}

/// Runs translated statements; an error tells the place in the original.
pub fn run(client: &mut Client, statements: &[Statement]) -> Result<()> {
    for statement in statements {
        if let Err(error) = client.batch_execute(&statement.text) {
            let reason = error
                .as_db_error()
                .map_or_else(|| error.to_string(), |error| error.message().to_owned());
            bail!(
                "{}:{}: {reason}\n{}",
                statement.file,
                statement.line,
                statement.text
            );
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::run_by;

    #[test]
    fn files_of_objects_are_run_in_their_order() {
        let install = "@@once.sql TABLE tx tables/tx.sql\n-- @@views/a_v.sql\n@@rights.sql &1\n@@views/b_v.sql\n";
        assert_eq!(run_by(install), ["tables/tx.sql", "views/b_v.sql"]);
    }
}
