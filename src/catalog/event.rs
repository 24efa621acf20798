//! orapull.event: what an operator should know.

use pgrx::JsonB;
use serde_json::Value;

use crate::error::Error;
use crate::event::Event;
use crate::sql;

/// Notes an event, unless the newest one of this source and table says the same: what is tried
/// again and again must not flood the table.
pub fn note(source: i32, target: Option<i32>, event: Event, detail: Value) -> Result<(), Error> {
    sql::execute(
        r#"INSERT INTO "orapull"."event" ("source_id", "target_id", "relation", "severity", "what", "detail")
           SELECT $1, $2, (SELECT t."relation"::text FROM "orapull"."target" t WHERE t."target_id" = $2), $3, $4, $5
           WHERE $4 IS DISTINCT FROM (
               SELECT e."what" FROM "orapull"."event" e
               WHERE e."source_id" = $1 AND e."target_id" IS NOT DISTINCT FROM $2
               ORDER BY e."event_id" DESC LIMIT 1)"#,
        &[
            source.into(),
            target.into(),
            event.about().severity.as_str().into(),
            event.what().into(),
            JsonB(detail).into(),
        ],
    )?;
    Ok(())
}

/// Forgets old events and batches.
pub fn clean_up() -> Result<(), Error> {
    sql::execute(
        r#"DELETE FROM "orapull"."event" WHERE "at" < now() - interval '30 days'"#,
        &[],
    )?;
    sql::execute(
        r#"DELETE FROM "orapull"."batch" WHERE "at" < now() - interval '1 day'"#,
        &[],
    )?;
    Ok(())
}
