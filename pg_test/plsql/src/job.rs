//! Procedures that are in no package: jobs, which end transactions.
//!
//! PostgreSQL ends none inside a block with a handler. So the statements of a job are guarded one by one: the first one
//! that fails leaves them, as in Oracle with all variables as they are and nothing undone but itself, and the handler
//! follows as ordinary statements. Nor can such a procedure have a search_path of its own: it sets the session's.

use crate::block::Block;
use crate::effect::Translated;
use crate::reader::{Lexeme, Reader};
use crate::refusal::Result;
use crate::site::Site;

/// Of the error that was caught.
pub const SQLSTATE: &str = "job_state";
pub const MESSAGE: &str = "job_message";

pub struct State {
    has_handler: bool,
    /// Whether an error of the next statement leads to the handler.
    guards: bool,
}

impl State {
    pub fn of(body: &[Lexeme]) -> Self {
        Self {
            has_handler: body
                .windows(2)
                .any(|pair| pair[0].is("EXCEPTION") && pair[1].is("WHEN")),
            guards: false,
        }
    }

    /// What the handler has to know.
    pub fn variables(&self) -> &'static str {
        if self.has_handler {
            " job_state text; job_message text;"
        } else {
            ""
        }
    }
}

/// `COMMIT` or `ROLLBACK`, which undoes settings too.
pub fn end_of_transaction(word: &str, site: &Site) -> String {
    match word {
        "ROLLBACK" => format!("ROLLBACK; {}", set_path(site)),
        _ => format!("{word};"),
    }
}

fn set_path(site: &Site) -> String {
    let path = site.search_path();
    format!("PERFORM pg_catalog.set_config('search_path', '{path}', false);")
}

impl Block<'_> {
    /// `BEGIN ... [EXCEPTION WHEN OTHERS THEN ...] END` of a job, without a semicolon.
    pub fn job_block(&mut self, reader: &mut Reader) -> Result<Translated> {
        let begin = reader.expect("BEGIN")?;
        let mut block = Translated::harmless(format!(
            "{}BEGIN {}",
            begin.space,
            set_path(&self.scope.catalog.site)
        ));
        let has_handler = self.job.as_ref().is_some_and(|job| job.has_handler);
        if has_handler {
            block.text += " <<attempt>> LOOP";
        }
        self.guard(has_handler);
        block.add(self.statements(reader, &["EXCEPTION", "END"])?);
        self.guard(false);
        if has_handler {
            self.job_handler(reader, &mut block)?;
        }
        let end = reader.expect("END")?;
        block.text += &format!("{}END", end.space);
        Ok(block)
    }

    fn job_handler(&mut self, reader: &mut Reader, block: &mut Translated) -> Result<()> {
        let (exception, when) = (reader.expect("EXCEPTION")?, reader.expect("WHEN")?);
        if !reader.skip(&["OTHERS", "THEN"]) {
            return Err(reader.refuse("a handler in a job", "write WHEN OTHERS THEN"));
        }
        block.text += &format!(
            "{}EXIT attempt; END LOOP;{}IF {SQLSTATE} IS NOT NULL THEN",
            exception.space, when.space
        );
        self.scope.in_handler = true;
        block.add(self.statements(reader, &["WHEN", "END"])?);
        block.text += " END IF;";
        Ok(())
    }

    fn guard(&mut self, guards: bool) {
        if let Some(job) = &mut self.job {
            job.guards = guards;
        }
    }

    /// The statement, so that its error leads to the handler of the job.
    pub fn guarded(&self, mut statement: Translated) -> Translated {
        if !statement.can_fail || !self.job.as_ref().is_some_and(|job| job.guards) {
            return statement;
        }
        statement.text = format!(
            " BEGIN{} EXCEPTION WHEN OTHERS THEN {SQLSTATE} := SQLSTATE; {MESSAGE} := SQLERRM; EXIT attempt; END;",
            statement.text
        );
        statement
    }
}
