//! Runs the steps of a PL/SQL block. A procedure of a package is a function of PostgreSQL whose
//! OUT parameters are found in the catalog.

use crate::bind::Binds;
use crate::error::{OraError, Result};
use crate::execute::{prepare, write_returned};
use crate::libpq::{Oid, Rows, c_text};
use crate::session::{Refusal, Running};
use crate::value::Source;
use dialect::{Argument, BlockStep, Call, Fragment, quoted};

/// Runs the steps of a block for one element of the bind arrays.
pub fn run(
    running: &mut Running,
    steps: &[BlockStep],
    binds: &Binds,
    iteration: usize,
) -> Result<()> {
    for step in steps {
        match step {
            BlockStep::Call { call, target } => {
                run_call(running, call, *target, binds, iteration)?;
            }
            BlockStep::Assign { expression, target } => {
                let mut text = Fragment::default();
                text.push("SELECT ");
                text.append(expression);
                run_sql(running, &text, &[*target], binds, iteration)?;
            }
            BlockStep::Sql { text, returning } => {
                run_sql(running, text, returning, binds, iteration)?;
            }
            BlockStep::Commit => {
                running.commit()?;
                running.begin_statement()?;
            }
            BlockStep::Rollback => {
                running.rollback()?;
                running.begin_statement()?;
            }
        }
    }
    Ok(())
}

/// Whether a procedure said, for this transaction, that it commits.
pub fn asks_for_commit(running: &mut Running) -> Result<bool> {
    let answer = running.run("SELECT pg_catalog.current_setting('standin.commit', true)")?;
    Ok(answer.text(0, 0) == Some("on"))
}

fn run_sql(
    running: &mut Running,
    text: &Fragment,
    targets: &[usize],
    binds: &Binds,
    iteration: usize,
) -> Result<()> {
    let mut parameters = Vec::new();
    let sql = text.render(&mut parameters);
    prepare(running, &sql, &parameters, binds)?;
    let rows = running.run_prepared(&binds.inputs(&parameters, iteration)?)?;
    write_returned(binds, targets, &rows, iteration)
}

fn run_call(
    running: &mut Running,
    call: &Call,
    target: Option<usize>,
    binds: &Binds,
    iteration: usize,
) -> Result<()> {
    let signatures = look_up(running, call)?;
    let plan = signatures
        .iter()
        .find_map(|signature| signature.plan(call))
        .ok_or_else(|| refusal(call, signatures.is_empty()))?;
    running
        .prepare(&plan.sql, &plan.types)
        .map_err(|refusal| match refusal {
            Refusal::UnknownTypes(error) | Refusal::Error(error) => error,
        })?;
    let rows = running.run_prepared(&binds.inputs(&plan.parameters, iteration)?)?;
    let returned = target.map(|bind| (bind, 0));
    for (bind, column) in plan.outputs.into_iter().chain(returned) {
        let value = Source::new(rows.value(0, column), rows.column_type(column));
        binds.output(bind, iteration, &[value])?;
    }
    Ok(())
}

fn refusal(call: &Call, unknown: bool) -> OraError {
    let name = match &call.package {
        Some(package) => format!("{package}.{}", call.name),
        None => call.name.clone(),
    };
    let reason = if unknown {
        format!("PLS-00201: identifier '{name}' must be declared")
    } else {
        format!(
            "PLS-00306: wrong number or types of arguments in call to '{}'",
            call.name
        )
    };
    OraError::new(
        6550,
        format_args!(
            "line 1, column 7:\n{reason}\nORA-06550: line 1, column 7:\nPL/SQL: Statement ignored"
        ),
    )
}

/// A function or procedure of PostgreSQL.
struct Signature {
    schema: String,
    name: String,
    is_procedure: bool,
    /// Input parameters, counted from the last, that may be left out.
    defaults: usize,
    parameters: Vec<Parameter>,
}

struct Parameter {
    name: String,
    mode: Mode,
    type_oid: Oid,
    type_name: String,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    In,
    Out,
    InOut,
}

/// How a call is made: its SQL, the bind and type of each parameter, and which column of the
/// result goes to which bind.
struct Plan {
    sql: String,
    parameters: Vec<usize>,
    types: Vec<Oid>,
    outputs: Vec<(usize, usize)>,
}

const LOOK_UP: &str = "\
SELECT p.oid, n.nspname, p.proname, p.prokind = 'p', p.pronargdefaults,
       a.name, a.mode, a.type::oid, pg_catalog.format_type(a.type, NULL)
FROM pg_catalog.pg_proc AS p
JOIN pg_catalog.pg_namespace AS n ON n.oid = p.pronamespace
LEFT JOIN LATERAL unnest(coalesce(p.proallargtypes, p.proargtypes::oid[]), p.proargnames, p.proargmodes)
     WITH ORDINALITY AS a (type, name, mode, position) ON a.mode IS DISTINCT FROM 't'
WHERE p.proname = $1
  AND CASE WHEN $2::text IS NULL THEN pg_catalog.pg_function_is_visible(p.oid) ELSE n.nspname = $2 END
ORDER BY p.oid, a.position";

/// All functions of the called name.
fn look_up(running: &mut Running, call: &Call) -> Result<Vec<Signature>> {
    running
        .prepare(LOOK_UP, &[])
        .map_err(|refusal| match refusal {
            Refusal::UnknownTypes(error) | Refusal::Error(error) => error,
        })?;
    let package = call.package.as_deref().map(c_text).transpose()?;
    let rows = running.run_prepared(&[Some(c_text(&call.name)?), package])?;
    let mut signatures: Vec<Signature> = Vec::new();
    let mut last = None;
    for row in 0..rows.row_count() {
        let oid = rows.text(row, 0).map(str::to_owned);
        if oid != last {
            signatures.push(Signature::from_row(&rows, row));
            last = oid;
        }
        if let (Some(signature), Some(parameter)) =
            (signatures.last_mut(), Parameter::from_row(&rows, row))
        {
            signature.parameters.push(parameter);
        }
    }
    Ok(signatures)
}

impl Signature {
    fn from_row(rows: &Rows, row: usize) -> Self {
        let text = |column| rows.text(row, column).unwrap_or_default().to_owned();
        Self {
            schema: text(1),
            name: text(2),
            is_procedure: text(3) == "t",
            defaults: text(4).parse().unwrap_or(0),
            parameters: Vec::new(),
        }
    }

    /// The call of this function, when its arguments fit.
    fn plan(&self, call: &Call) -> Option<Plan> {
        let given = self.assign(&call.arguments)?;
        let inputs = self
            .parameters
            .iter()
            .filter(|parameter| parameter.mode != Mode::Out);
        let required = inputs.count().saturating_sub(self.defaults);
        let mut plan = Plan {
            sql: String::new(),
            parameters: Vec::new(),
            types: Vec::new(),
            outputs: Vec::new(),
        };
        let mut arguments = Vec::new();
        let (mut input, mut column) = (0, 0);
        for (parameter, value) in self.parameters.iter().zip(given) {
            if parameter.mode != Mode::In {
                // PL/SQL wants every OUT parameter to have a variable.
                plan.outputs.push((value?.as_bind()?, column));
                column += 1;
            }
            if parameter.mode == Mode::Out {
                if self.is_procedure {
                    arguments.push(parameter.named(&format!("NULL::{}", parameter.type_name)));
                }
                continue;
            }
            match value {
                Some(value) => arguments.push(parameter.named(&plan.input(value, parameter))),
                None if input >= required => {}
                None => return None,
            }
            input += 1;
        }
        let verb = if self.is_procedure {
            "CALL"
        } else {
            "SELECT * FROM"
        };
        let (schema, name) = (quoted(&self.schema), quoted(&self.name));
        plan.sql = format!("{verb} {schema}.{name}({})", arguments.join(", "));
        Some(plan)
    }

    /// The argument of each parameter; None when there is one too many or of another name.
    fn assign<'a>(&self, arguments: &'a [Argument]) -> Option<Vec<Option<&'a Fragment>>> {
        let mut given = vec![None; self.parameters.len()];
        for (position, argument) in arguments.iter().enumerate() {
            let at = match &argument.name {
                None => position,
                Some(name) => self
                    .parameters
                    .iter()
                    .position(|parameter| parameter.name == *name)?,
            };
            let place = given.get_mut(at)?;
            if place.replace(&argument.value).is_some() {
                return None;
            }
        }
        Some(given)
    }
}

impl Plan {
    /// The text of an input; a bind gets the type of the parameter.
    fn input(&mut self, value: &Fragment, parameter: &Parameter) -> String {
        if let Some(bind) = value.as_bind() {
            self.parameters.push(bind);
            self.types.push(parameter.type_oid);
            return format!("${}", self.parameters.len());
        }
        let text = value.render(&mut self.parameters);
        self.types.resize(self.parameters.len(), 0);
        text
    }
}

impl Parameter {
    /// None when the function has no parameters.
    fn from_row(rows: &Rows, row: usize) -> Option<Self> {
        Some(Self {
            name: rows.text(row, 5).unwrap_or_default().to_owned(),
            mode: match rows.text(row, 6) {
                Some("o") => Mode::Out,
                Some("b") => Mode::InOut,
                _ => Mode::In,
            },
            type_oid: rows.text(row, 7)?.parse().ok()?,
            type_name: rows.text(row, 8)?.to_owned(),
        })
    }

    fn named(&self, value: &str) -> String {
        if self.name.is_empty() {
            value.to_owned()
        } else {
            format!("{} => {value}", quoted(&self.name))
        }
    }
}
