//! A table that was altered at the source: added columns are taken up, anything else pauses it.
//! No identity is lost: pointers are held meanwhile.

use crate::catalog::event;
use crate::catalog::target::{self, KeyColumn, Remote, Target};
use crate::error::{Error, Kind};
use crate::event::Event;
use crate::pull::puller::Puller;
use crate::pull::{trouble, tx};
use crate::source::contract::{self, Column};
use crate::source::dictionary::{self, Registered};
use crate::source::foreign;
use crate::source::keys;
use crate::source::types::{self, Mapped};
use crate::sql;
use crate::state::TargetState;

/// A table of the source, ready to have foreign tables made for it.
pub struct Described {
    pub columns: Vec<(Column, Mapped)>,
    pub keys: Vec<KeyColumn>,
    pub width: i64,
}

/// Maps all columns, or names the one that cannot be.
pub fn map_columns(columns: Vec<Column>) -> Result<Described, Error> {
    contract::check_names(&columns)?;
    let mut keys: Vec<(i32, KeyColumn)> = Vec::new();
    for column in &columns {
        if let Some(position) = column.key_position {
            let kind = keys::kind(column)?;
            let key = KeyColumn {
                name: contract::local_name(&column.name),
                kind,
                length: keys::length(kind, column),
            };
            keys.push((position, key));
        }
    }
    keys.sort_by_key(|(position, _)| *position);
    let columns: Vec<(Column, Mapped)> = columns
        .into_iter()
        .map(|column| {
            let mapped = types::map(&column)?;
            Ok((column, mapped))
        })
        .collect::<Result<_, Error>>()?;
    Ok(Described {
        width: columns.iter().map(|(_, mapped)| mapped.width).sum(),
        keys: keys.into_iter().map(|(_, key)| key).collect(),
        columns,
    })
}

/// Compares a target with its table at the source.
pub fn look(puller: &mut Puller, target: &Target) -> Result<(), Error> {
    if target.remote_id == 0 {
        return Ok(());
    }
    let remote = match dictionary::registered(puller.control()?, target.remote_id) {
        Err(error) if error.kind == Kind::TableRefused => {
            return puller.note_forgotten(target);
        }
        other => other?,
    };
    match usable(puller, target, remote)? {
        Usable::AsBefore(_) => Ok(()),
        Usable::Altered(described) => take_up(puller, target, target.remote_id, &described),
        Usable::Not(why) => puller.pause_table(target, &why, false),
    }
}

/// Whether a table can be loaded again.
pub enum Again {
    Now,
    /// Its foreign tables were just made, or the source waits for transactions.
    Later,
    Not(String),
}

/// Registers a table again before it is loaded again. A source that was installed anew, or that a
/// restored dump has never attached to, gives it another number: then foreign tables are made for it.
pub fn register_again(puller: &mut Puller, target: &Target) -> Result<Again, Error> {
    let remote_id = match puller.register(target) {
        Err(error) if error.kind == Kind::TableRefused => return Ok(Again::Not(error.to_string())),
        other => other?,
    };
    let remote = dictionary::registered(puller.control()?, remote_id)?;
    match usable(puller, target, remote)? {
        Usable::AsBefore(ready) if ready => Ok(Again::Now),
        Usable::AsBefore(_) => Ok(Again::Later),
        Usable::Altered(described) => {
            take_up(puller, target, remote_id, &described)?;
            Ok(Again::Later)
        }
        Usable::Not(why) => Ok(Again::Not(why)),
    }
}

/// What a table of the source is, compared with what this shard knows of it.
enum Usable {
    /// The same; whether it may be loaded.
    AsBefore(bool),
    /// It has more columns, or another number: foreign tables must be made anew.
    Altered(Described),
    Not(String),
}

fn usable(puller: &Puller, target: &Target, remote: Registered) -> Result<Usable, Error> {
    if remote.state == "REFUSED" {
        let why = remote.detail.as_deref().unwrap_or("refused by the source");
        return Ok(Usable::Not(why.to_owned()));
    }
    let same_number = remote.table_id == target.remote_id;
    let described = match map_columns(remote.columns) {
        Ok(described) => described,
        Err(error) => return Ok(Usable::Not(error.to_string())),
    };
    if same_number && remote.shape == target.shape && made_for(puller, target, &described)? {
        return Ok(Usable::AsBefore(remote.state == "READY"));
    }
    // Foreign tables with another number are not those of this table.
    let read = if same_number {
        tx::run("comparing columns", || read_columns(puller, target))?
    } else {
        Vec::new()
    };
    Ok(match difference(target, &read, &described) {
        Some(difference) => Usable::Not(format!("altered at the source: {difference}")),
        None => Usable::Altered(described),
    })
}

/// Whether the foreign tables have exactly these columns. The shape alone does not say so: what it is noted with may
/// have been made by another version of orapull, or altered by hand, and a column that is not there is never read.
fn made_for(puller: &Puller, target: &Target, now: &Described) -> Result<bool, Error> {
    let declared: Vec<(String, &str)> = now
        .columns
        .iter()
        .map(|(column, mapped)| (contract::local_name(&column.name), mapped.foreign.as_str()))
        .collect();
    for name in [
        contract::pull_table(target.id),
        contract::load_table(target.id),
    ] {
        let there = tx::run("comparing columns", || {
            sql::query(
                "SELECT f.attname::text, format_type(f.atttypid, f.atttypmod) FROM pg_attribute f
                 JOIN pg_class c ON c.oid = f.attrelid JOIN pg_namespace n ON n.oid = c.relnamespace
                 WHERE n.nspname = $1 AND c.relname = $2 AND f.attnum > 0 AND NOT f.attisdropped
                   AND f.attname NOT LIKE 'p$%' ORDER BY f.attnum",
                &[
                    puller.source.local_schema.as_str().into(),
                    name.as_str().into(),
                ],
                |row| Ok((row.get::<String>(1)?, row.get::<String>(2)?)),
            )
        })?;
        let same = there.len() == declared.len()
            && there.iter().zip(&declared).all(|(listed, declared)| {
                listed.0 == declared.0 && same_type(&listed.1, declared.1)
            });
        if !same {
            return Ok(false);
        }
    }
    Ok(true)
}

/// A column that is read, and what it becomes here.
struct Read {
    name: String,
    foreign: String,
    local: String,
}

/// Columns of the foreign table that the local table has too. Others may go and change as they
/// like: an operator who drops or alters a column here has answered what happened at the source.
fn read_columns(puller: &Puller, target: &Target) -> Result<Vec<Read>, Error> {
    let name = contract::pull_table(target.id);
    sql::query(
        "SELECT f.attname::text, format_type(f.atttypid, f.atttypmod), format_type(l.atttypid, l.atttypmod)
         FROM pg_attribute f
         JOIN pg_class c ON c.oid = f.attrelid JOIN pg_namespace n ON n.oid = c.relnamespace
         JOIN pg_attribute l ON l.attrelid = $3 AND l.attname = f.attname AND l.attnum > 0 AND NOT l.attisdropped
         WHERE n.nspname = $1 AND c.relname = $2 AND f.attnum > 0 AND NOT f.attisdropped
           AND f.attname NOT LIKE 'p$%'",
        &[
            puller.source.local_schema.as_str().into(),
            name.into(),
            target.relation.into(),
        ],
        |row| {
            Ok(Read {
                name: row.get(1)?,
                foreign: row.get(2)?,
                local: row.get(3)?,
            })
        },
    )
}

/// What is not an added column.
fn difference(target: &Target, read: &[Read], now: &Described) -> Option<String> {
    // In a restored dump nothing is known of the table.
    let known = target.remote_id != 0;
    if known && now.keys != target.key_columns {
        return Some("its key is another one".to_owned());
    }
    read.iter().find_map(|had| {
        let column = now
            .columns
            .iter()
            .find(|(column, _)| contract::local_name(&column.name) == had.name);
        match column {
            None => Some(format!("column {} is gone", had.name)),
            Some((_, mapped)) => {
                let same = same_type(&had.foreign, &mapped.foreign);
                (!same && !same_type(&had.local, &mapped.local)).then(|| {
                    format!(
                        "column {} was read as {}, now it is {}",
                        had.name, had.foreign, mapped.foreign
                    )
                })
            }
        }
    })
}

/// `format_type` spells some types out.
fn same_type(listed: &str, declared: &str) -> bool {
    let spelt = |name: &str| {
        name.replace(" without time zone", "")
            .replace("character varying", "varchar")
            .replace("character(", "char(")
            .replace(' ', "")
            .to_lowercase()
    };
    spelt(listed) == spelt(declared)
}

fn take_up(
    puller: &mut Puller,
    target: &Target,
    remote_id: i64,
    now: &Described,
) -> Result<(), Error> {
    puller.call(|control, shard, token| control.refresh_table(shard, token, remote_id))?;
    let source = puller.source.clone();
    let remote = dictionary::registered(puller.control()?, remote_id)?;
    // The shape that is noted must be the one of the columns that are read.
    let described = now.columns.iter().map(|(column, _)| column);
    if !described.eq(&remote.columns) {
        return Err(Error::new(
            Kind::Changed,
            format!("{} was altered once more meanwhile", target.name),
        ));
    }
    let anew = tx::run("making foreign tables anew", || {
        if remote_id != target.remote_id && target.state != TargetState::Waiting {
            // What happened before it got this number is in no pointer, and no resume() may lead around the load.
            let why = "the source has registered this table anew";
            target::transition(target, TargetState::NeedsResync, Some(why), false)?;
        }
        foreign::drop_target_tables(&source, target.id)?;
        foreign::create_target_tables(&source, target.id, remote_id, &now.columns)?;
        target::set_remote(
            target.id,
            Remote {
                table_id: remote_id,
                shape: &remote.shape,
                key_columns: &now.keys,
                row_width: now.width,
            },
        )?;
        event::note(
            source.id,
            Some(target.id),
            Event::Reshaped(&target.name),
            serde_json::json!({ "columns": now.columns.len() }),
        )
    });
    anew.map_err(|error| trouble::of_foreign_tables(&source, target.id, error))?;
    puller.forget(target.id);
    sql::forget_plans();
    Ok(())
}
