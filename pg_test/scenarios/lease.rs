//! Who may pull: copies, restored dumps, a source that is another one than before.

use std::fs;
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};
use postgres::Client;
use postgres::error::SqlState;

use super::items::{self, ITEMS, SOON};
use super::{Scenario, scenario};
use crate::bed::{Bed, OWNER};
use crate::cluster::{self, Cluster, SUPERUSER, Stop};

pub const SCENARIOS: &[Scenario] = &[
    scenario("lease/another_holder_is_told", another_holder_is_told),
    scenario(
        "lease/a_copied_server_does_nothing_until_adopt",
        a_copied_server_does_nothing_until_adopt,
    ),
    scenario(
        "lease/a_standby_of_a_pair_adopts_by_itself",
        a_standby_of_a_pair_adopts_by_itself,
    ),
    scenario(
        "lease/a_promoted_standby_waits_until_adopt",
        a_promoted_standby_waits_until_adopt,
    ),
    scenario(
        "lease/a_server_set_back_applies_again",
        a_server_set_back_applies_again,
    ),
    scenario(
        "lease/a_copy_drops_its_source_without_the_source",
        a_copy_drops_its_source_without_the_source,
    ),
    scenario(
        "lease/a_copy_calls_nothing_for_a_session",
        a_copy_calls_nothing_for_a_session,
    ),
    scenario("lease/a_shard_is_one_source", a_shard_is_one_source),
    scenario(
        "lease/a_table_that_a_copy_dropped_is_added_as_it_is_now",
        a_table_that_a_copy_dropped_is_added_as_it_is_now,
    ),
    scenario(
        "lease/a_restored_dump_waits_and_is_adopted",
        a_restored_dump_waits_and_is_adopted,
    ),
    scenario(
        "lease/a_source_installed_anew_is_noticed",
        a_source_installed_anew_is_noticed,
    ),
    scenario(
        "lease/a_source_set_back_is_noticed",
        a_source_set_back_is_noticed,
    ),
    scenario(
        "lease/portions_that_are_gone_need_a_resync",
        portions_that_are_gone_need_a_resync,
    ),
    scenario(
        "lease/dropping_waits_for_the_source",
        dropping_waits_for_the_source,
    ),
    scenario(
        "lease/dropping_by_force_does_not_wait",
        dropping_by_force_does_not_wait,
    ),
];

/// A copy of the stopped first shard, started beside it.
fn copy_of_the_shard(bed: &Bed) -> Result<Cluster> {
    let copy = files_of_the_shard(bed)?;
    copy.start()?;
    Ok(copy)
}

/// The same, not started yet.
pub fn files_of_the_shard(bed: &Bed) -> Result<Cluster> {
    let original = &bed.shards[0].cluster;
    original.stop(Stop::Fast)?;
    let name = format!("{}-copy", original.name);
    let copy = cluster::create(&original.server, &original.data, &name, &[])?;
    original.start()?;
    Ok(copy)
}

pub fn in_copy(bed: &Bed, copy: &Cluster, user: &str) -> Result<Client> {
    copy.connect(&bed.shards[0].database, user)
}

const STATE: &str = "SELECT state FROM orapull.status";

pub fn copy_becomes(bed: &Bed, copy: &Cluster, state: &str) -> Result<()> {
    bed.eventually(&format!("the copy is {state}"), SOON, || {
        Ok(items::text(&mut in_copy(bed, copy, SUPERUSER)?, STATE)? == state)
    })
    .with_context(|| copy.log_tail(20))
}

pub fn rows_of_copy(bed: &Bed, copy: &Cluster) -> Result<crate::compare::Comparison> {
    ITEMS.compare(&mut bed.source()?, &mut in_copy(bed, copy, SUPERUSER)?)
}

fn another_holder_is_told(bed: &Bed) -> Result<()> {
    items::create(bed, 1000)?;
    bed.at_source(r#"SELECT "API"."ATTACH"('shard1', 'another server', 0, 0)"#)?;
    bed.create_source(0)?;
    let sql = "SELECT concat_ws(' | ', state, message, hint) FROM orapull.status";
    bed.eventually("status tells who holds the shard", SOON, || {
        let told = items::text(&mut bed.shard(0)?, sql)?;
        Ok(told.starts_with("UNREACHABLE | ")
            && told.contains("ORA-20803")
            && told.contains("another server")
            && told.contains("orapull.adopt(source)"))
    })
    .with_context(|| bed.as_operators_see_it())?;
    let holder = r#"SELECT "HOLDER" FROM "ORAPULL"."SHARD""#;
    assert_eq!(items::text(&mut bed.source()?, holder)?, "another server");
    // Its lease is over.
    bed.at_source(r#"UPDATE "ORAPULL"."SHARD" SET "LEASE_UNTIL" = '2000-01-01'"#)?;
    items::source_becomes(bed, "RUNNING")?;
    bed.add_table(0, "APP.ITEMS", "")?;
    items::is_equal_and_acked(bed)
}

fn a_copied_server_does_nothing_until_adopt(bed: &Bed) -> Result<()> {
    items::follow(bed)?;
    let copy = copy_of_the_shard(bed)?;
    copy_becomes(bed, &copy, "COPIED")?;
    items::change(bed)?;
    items::is_equal_and_acked(bed)?;
    // Not even by a pause, which ends.
    let mut owner = in_copy(bed, &copy, OWNER)?;
    items::pause_and_resume(&mut owner)?;
    bed.eventually("the wishes are read", SOON, || {
        let sql = "SELECT wished FROM orapull.status";
        Ok(items::text(&mut in_copy(bed, &copy, SUPERUSER)?, sql)? == "run")
    })?;
    copy_becomes(bed, &copy, "COPIED")?;
    assert!(
        !rows_of_copy(bed, &copy)?.differences.is_empty(),
        "the copy did not follow"
    );

    owner.batch_execute("SELECT orapull.adopt('main')")?;
    copy_becomes(bed, &copy, "RUNNING")?;
    items::change(bed)?;
    bed.eventually("the copy follows", SOON, || {
        Ok(rows_of_copy(bed, &copy)?.differences.is_empty())
    })?;
    items::source_becomes(bed, "LEASE_LOST")
}

fn a_standby_of_a_pair_adopts_by_itself(bed: &Bed) -> Result<()> {
    items::follow(bed)?;
    bed.shard(0)?
        .batch_execute("ALTER SYSTEM SET orapull.auto_adopt = on")?;
    let copy = copy_of_the_shard(bed)?;
    copy_becomes(bed, &copy, "RUNNING")?;
    items::change(bed)?;
    bed.eventually("the copy follows", SOON, || {
        Ok(rows_of_copy(bed, &copy)?.differences.is_empty())
    })?;
    items::source_becomes(bed, "LEASE_LOST")
}

fn a_promoted_standby_waits_until_adopt(bed: &Bed) -> Result<()> {
    items::follow(bed)?;
    let standby = files_of_the_shard(bed)?;
    let signal = standby.data.join("standby.signal");
    fs::write(&signal, "")?;
    standby.server.account().give(&signal)?;
    standby.start()?;
    items::change(bed)?;
    items::is_equal_and_acked(bed)?;
    let workers = "SELECT count(*) FROM pg_stat_activity WHERE backend_type LIKE 'orapull%'";
    let running = items::number(&mut in_copy(bed, &standby, SUPERUSER)?, workers)?;
    assert_eq!(running, 0, "nothing runs in recovery");

    in_copy(bed, &standby, SUPERUSER)?.batch_execute("SELECT pg_promote()")?;
    copy_becomes(bed, &standby, "COPIED")?;
    items::change(bed)?;
    items::is_equal_and_acked(bed)?;
    in_copy(bed, &standby, OWNER)?.batch_execute("SELECT orapull.adopt('main')")?;
    copy_becomes(bed, &standby, "RUNNING")?;
    bed.eventually("the promoted one follows", SOON, || {
        Ok(rows_of_copy(bed, &standby)?.differences.is_empty())
    })?;
    items::change(bed)?;
    items::source_becomes(bed, "LEASE_LOST")
}

/// Puts the shard back to what it was before `meanwhile`, in the same place: nothing tells it from the one that attached.
pub fn set_back(bed: &Bed, meanwhile: impl FnOnce() -> Result<()>) -> Result<()> {
    let shard = &bed.shards[0].cluster;
    let (data, backup) = (&shard.data, shard.folder.join("backup"));
    shard.stop(Stop::Fast)?;
    let mut copy = shard.server.account().command("cp");
    ensure!(copy.arg("-a").arg(data).arg(&backup).status()?.success());
    shard.start()?;
    meanwhile()?;
    shard.stop(Stop::Fast)?;
    fs::remove_dir_all(data)?;
    fs::rename(&backup, data)?;
    shard.start()
}

fn a_server_set_back_applies_again(bed: &Bed) -> Result<()> {
    items::follow(bed)?;
    set_back(bed, || {
        items::change(bed)?;
        items::is_equal_and_acked(bed)
    })?;
    let acked = items::acked(bed)?;
    items::change(bed)?;
    items::is_equal_and_acked(bed)?;
    let again = "SELECT count(*) FROM orapull.batch WHERE $1 BETWEEN portion_from AND portion_to";
    let again: i64 = bed.shard(0)?.query_one(again, &[&acked])?.get(0);
    assert_eq!(again, 1, "what was acked before is applied again");

    // Released by the source, because all that is acked is durable.
    set_back(bed, || {
        items::change(bed)?;
        items::is_equal_and_acked(bed)?;
        bed.at_source(r#"SELECT "TEST"."RELEASE_ACKED"()"#)
    })?;
    items::source_becomes(bed, "NEEDS_RESYNC")?;
    adopt_by_force_and_resync(bed)
}

fn a_copy_drops_its_source_without_the_source(bed: &Bed) -> Result<()> {
    items::follow(bed)?;
    let copy = copy_of_the_shard(bed)?;
    copy_becomes(bed, &copy, "COPIED")?;
    let mut owner = in_copy(bed, &copy, OWNER)?;
    owner.batch_execute("SELECT orapull.drop_table('app.items')")?;
    owner.batch_execute("SELECT orapull.drop_source('main')")?;
    bed.eventually("the copy has forgotten the source", SOON, || {
        let sql = "SELECT count(*) FROM orapull.source";
        Ok(items::number(&mut in_copy(bed, &copy, SUPERUSER)?, sql)? == 0)
    })?;
    assert_eq!(items::calls_of(bed, "DROP_SHARD"), 0);
    items::change(bed)?;
    items::is_equal_and_acked(bed)
}

/// Plans and subscriptions that the source has.
fn left_at_the_source(bed: &Bed) -> Result<i64> {
    items::number(
        &mut bed.source()?,
        r#"SELECT (SELECT count(*) FROM "ORAPULL"."PLAN") + (SELECT count(*) FROM "ORAPULL"."SUBSCRIPTION")"#,
    )
}

fn a_copy_calls_nothing_for_a_session(bed: &Bed) -> Result<()> {
    items::follow(bed)?;
    bed.at_source(
        r#"CREATE TABLE "APP"."OTHERS" ("ID" numeric(10) PRIMARY KEY);
           SELECT "TEST"."ADD_ROWID"('APP', 'OTHERS')"#,
    )?;
    let copy = copy_of_the_shard(bed)?;
    copy_becomes(bed, &copy, "COPIED")?;
    let before = left_at_the_source(bed)?;
    let refused = |owner: &mut Client| -> Result<()> {
        for call in [
            "compare('app.items')",
            "add_table('main', 'APP.OTHERS')",
            "add_tables('main', 'APP.OTHERS')",
        ] {
            let error = owner
                .simple_query(&format!("SELECT * FROM orapull.{call}"))
                .expect_err(call);
            assert_eq!(
                error.code(),
                Some(&SqlState::FEATURE_NOT_SUPPORTED),
                "{call}: {error:?}"
            );
        }
        Ok(())
    };
    refused(&mut in_copy(bed, &copy, OWNER)?)?;
    in_copy(bed, &copy, OWNER)?.batch_execute("SELECT orapull.drop_table('app.items')")?;
    assert_eq!(left_at_the_source(bed)?, before);

    // A server that another one has taken the place of, before its puller has looked.
    items::call(bed, "SELECT orapull.pause('main')")?;
    items::source_becomes(bed, "PAUSED")?;
    let token = items::number(&mut bed.shard(0)?, "SELECT token FROM orapull.progress")?;
    bed.shard(0)?
        .batch_execute("UPDATE orapull.progress SET holder = 'elsewhere'")?;
    refused(&mut bed.owner(0)?)?;
    assert_eq!(left_at_the_source(bed)?, before);
    // Adopted, the calls wait for the token that is its own.
    items::call(bed, "SELECT orapull.adopt('main'), orapull.resume('main')")?;
    bed.add_table(0, "APP.OTHERS", "")?;
    assert!(items::number(&mut bed.shard(0)?, "SELECT token FROM orapull.progress")? > token);
    Ok(())
}

/// How far a source is that is not `main`.
fn second(bed: &Bed) -> Result<String> {
    let sql = "SELECT coalesce(max(concat_ws(' ', state, sqlstate)), 'forgotten') FROM orapull.status WHERE source = 'second'";
    items::text(&mut bed.shard(0)?, sql)
}

fn a_shard_is_one_source(bed: &Bed) -> Result<()> {
    items::follow(bed)?;
    let servers: i64 = items::number(&mut bed.shard(0)?, "SELECT count(*) FROM pg_foreign_server")?;
    assert_eq!(servers, 1);
    for (server, host) in [("ora2", "127.0.0.1"), ("ora3", "localhost")] {
        bed.shard(0)?.batch_execute(&format!(
            "DO $$ BEGIN EXECUTE (
                 SELECT format('CREATE SERVER {server} FOREIGN DATA WRAPPER postgres_fdw OPTIONS (%s)',
                               string_agg(format('%I %L', split_part(o, '=', 1),
                                                 CASE split_part(o, '=', 1) WHEN 'host' THEN '{host}' ELSE split_part(o, '=', 2) END), ', '))
                 FROM pg_foreign_server, unnest(srvoptions) o WHERE srvname = 'ora');
             EXECUTE (
                 SELECT format('CREATE USER MAPPING FOR {OWNER} SERVER {server} OPTIONS (%s)',
                               string_agg(format('%I %L', split_part(o, '=', 1), split_part(o, '=', 2)), ', '))
                 FROM pg_user_mappings, unnest(umoptions) o WHERE srvname = 'ora'); END $$;
             GRANT USAGE ON FOREIGN SERVER {server} TO {OWNER}"
        ))?;
    }
    for server in ["ora", "ora2"] {
        let error = bed
            .owner(0)?
            .execute(
                "SELECT orapull.create_source('second', $1, 'shard1')",
                &[&server],
            )
            .expect_err(server);
        assert_eq!(error.code(), Some(&SqlState::DUPLICATE_OBJECT), "{error:?}");
    }
    // That this is the same database, only the lease shows.
    items::call(
        bed,
        "SELECT orapull.create_source('second', 'ora3', 'shard1')",
    )?;
    bed.eventually("the lease is held", SOON, || {
        Ok(second(bed)? == "UNREACHABLE 55006")
    })?;
    items::call(bed, "SELECT orapull.drop_source('second')")?;
    bed.eventually("it is forgotten", SOON, || Ok(second(bed)? == "forgotten"))?;
    assert_eq!(shards_at_source(bed)?, 1);
    items::change(bed)?;
    items::is_equal_and_acked(bed)
}

fn a_table_that_a_copy_dropped_is_added_as_it_is_now(bed: &Bed) -> Result<()> {
    items::follow(bed)?;
    let copy = copy_of_the_shard(bed)?;
    copy_becomes(bed, &copy, "COPIED")?;
    let mut owner = in_copy(bed, &copy, OWNER)?;
    owner.batch_execute("SELECT orapull.drop_table('app.items')")?;
    let left =
        "SELECT count(*) FROM pg_class WHERE relkind = 'f' AND relname ~ '^(pull|load)_[0-9]+$'";
    assert_eq!(
        items::number(&mut in_copy(bed, &copy, SUPERUSER)?, left)?,
        0
    );
    bed.at_source(
        r#"SELECT "TEST"."ALTER"('APP', 'ITEMS', 'ADD COLUMN "EXTRA" numeric(5)');
           UPDATE "APP"."ITEMS" SET "EXTRA" = "ID" % 7"#,
    )?;
    owner.batch_execute(
        "ALTER TABLE app.items ADD COLUMN extra numeric(5);
         SELECT orapull.adopt('main')",
    )?;
    copy_becomes(bed, &copy, "RUNNING")?;
    owner.batch_execute(
        "SELECT orapull.add_table('main', 'APP.ITEMS', relation => 'app.items', load => 'replace')",
    )?;
    bed.eventually("the copy follows", SOON, || {
        bed.publish()?;
        let state = "SELECT state FROM orapull.tables";
        let state = items::text(&mut in_copy(bed, &copy, SUPERUSER)?, state)?;
        Ok(state == "following" && rows_of_copy(bed, &copy)?.differences.is_empty())
    })
}

fn a_restored_dump_waits_and_is_adopted(bed: &Bed) -> Result<()> {
    items::follow(bed)?;
    let shard = &bed.shards[0].cluster;
    let dump = shard.folder.join("dump");
    let to = dump
        .to_str()
        .context("the folder has a name of another encoding")?;
    client_program(
        shard,
        "pg_dump",
        &["-Fc", "-f", to, &bed.shards[0].database],
    )?;
    shard
        .connect("postgres", SUPERUSER)?
        .batch_execute("CREATE DATABASE restored")?;
    client_program(shard, "pg_restore", &["-d", "restored", to])?;
    let restored = |user| shard.connect("restored", user);
    // Or within a minute by itself.
    restored(SUPERUSER)?.batch_execute("SELECT orapull.rescan()")?;
    let becomes = |state: &str| {
        bed.eventually(&format!("the restored source is {state}"), SOON, || {
            Ok(items::text(&mut restored(SUPERUSER)?, STATE)? == state)
        })
        .with_context(|| shard.log_tail(20))
    };
    becomes("COPIED")?;
    items::change(bed)?;
    items::is_equal_and_acked(bed)?;
    restored(OWNER)?.batch_execute("SELECT orapull.adopt('main')")?;
    becomes("RUNNING")?;
    items::change(bed)?;
    // A load that cannot be is given up, and resume() does not lead around it.
    let shown = |state: &str| {
        bed.at_source(&format!(
            r#"SELECT "TEST"."SET_TABLE_STATE"('APP', 'ITEMS', {state})"#
        ))
    };
    shown("'WAIT_TX'")?;
    restored(OWNER)?.batch_execute("SELECT orapull.resync('app.items')")?;
    bed.eventually("the table has its number", SOON, || {
        let known = "SELECT count(*) FROM orapull.target_state WHERE remote_id > 0";
        Ok(items::number(&mut restored(SUPERUSER)?, known)? == 1)
    })?;
    shown("'REFUSED', 'a policy'")?;
    let tables = "SELECT concat_ws(' ', state, reason) FROM orapull.tables";
    bed.eventually("the load is given up", SOON, || {
        Ok(items::text(&mut restored(SUPERUSER)?, tables)?.contains("a policy"))
    })?;
    restored(OWNER)?.batch_execute("SELECT orapull.resume('main', 'app.items')")?;
    bed.eventually("it still needs a load", SOON, || {
        let done = "SELECT count(*) FROM orapull.target WHERE wished = 'run'";
        Ok(items::number(&mut restored(SUPERUSER)?, done)? == 1)
    })?;
    let told = items::text(&mut restored(SUPERUSER)?, tables)?;
    assert!(told.starts_with("needs_resync"), "{told}");
    shown("NULL")?;
    restored(OWNER)?.batch_execute("SELECT orapull.resync('app.items')")?;
    bed.eventually("the restored database is equal", SOON, || {
        bed.publish()?;
        let compared = ITEMS.compare(&mut bed.source()?, &mut restored(SUPERUSER)?)?;
        let state = items::text(&mut restored(SUPERUSER)?, "SELECT state FROM orapull.tables")?;
        Ok(state == "following" && compared.differences.is_empty())
    })
    .with_context(|| {
        let now = "SELECT concat_ws(' | ', t.state, t.reason, s.state, s.message) FROM orapull.tables t, orapull.status s";
        format!("{:?}", restored(SUPERUSER).and_then(|mut c| items::text(&mut c, now)))
    })?;
    items::source_becomes(bed, "LEASE_LOST")
}

/// Runs a client program on a cluster, as its superuser and as the account of the servers.
fn client_program(cluster: &Cluster, name: &str, arguments: &[&str]) -> Result<()> {
    let mut command: Command = cluster.server.program(name);
    command
        .args(["-U", SUPERUSER, "-p", &cluster.port.to_string(), "-h"])
        .arg(&cluster.folder)
        .args(arguments);
    let output = command
        .output()
        .with_context(|| format!("cannot run {name}"))?;
    if !output.status.success() {
        bail!(
            "{name} failed:\n{}",
            String::from_utf8_lossy(&output.stderr)
        );
    }
    Ok(())
}

/// Takes the source as it is, and loads the table again.
fn adopt_by_force_and_resync(bed: &Bed) -> Result<()> {
    items::call(bed, "SELECT orapull.adopt('main', force => true)")?;
    items::table_becomes(bed, "needs_resync")?;
    items::source_becomes(bed, "RUNNING")?;
    items::call(bed, "SELECT orapull.resync('app.items')")?;
    items::is_equal_and_acked(bed)?;
    items::change(bed)?;
    items::is_equal_and_acked(bed)
}

fn a_source_installed_anew_is_noticed(bed: &Bed) -> Result<()> {
    items::follow(bed)?;
    bed.at_source(
        r#"SELECT "TEST"."REINSTALL"();
           -- Numbers of tables are given again, to other tables.
           CREATE TABLE "APP"."FIRST" ("ID" numeric(10) PRIMARY KEY);
           SELECT "TEST"."ADD_ROWID"('APP', 'FIRST');
           SELECT "API"."ATTACH"('shard2', 'x', NULL, 0);
           SELECT "API"."REGISTER_TABLE"('shard2', 1, 'APP', 'FIRST', 'AUTO');
           DELETE FROM "APP"."ITEMS" WHERE "ID" % 4 = 0"#,
    )?;
    items::source_becomes(bed, "SOURCE_CHANGED")?;
    let rows = "SELECT count(*) FROM app.items";
    assert_eq!(items::number(&mut bed.shard(0)?, rows)?, 1000);
    items::call(bed, "SELECT orapull.adopt('main')")?;
    items::source_becomes(bed, "SOURCE_CHANGED")?;
    adopt_by_force_and_resync(bed)
}

fn a_source_set_back_is_noticed(bed: &Bed) -> Result<()> {
    items::follow(bed)?;
    items::call(bed, "SELECT orapull.pause('main', 'app.items')")?;
    items::table_becomes(bed, "paused")?;
    items::change(bed)?;
    // Acked just now: the next ack, which the source would refuse as well, is seconds away.
    items::call(bed, "SELECT orapull.pull_now('main')")?;
    // No turn may be under way that has polled the source as it was.
    items::call(bed, "SELECT orapull.pause('main')")?;
    items::source_becomes(bed, "PAUSED")?;
    bed.at_source(r#"UPDATE "ORAPULL"."SOURCE" SET "LAST_PORTION" = "LAST_PORTION" - 1"#)?;
    items::call(
        bed,
        "SELECT orapull.resume('main', 'app.items'), orapull.resume('main')",
    )?;
    items::source_becomes(bed, "SOURCE_CHANGED")?;
    let requests = "SELECT count(*) FROM orapull.batch WHERE request IS NOT NULL";
    assert_eq!(
        items::number(&mut bed.shard(0)?, requests)?,
        0,
        "nothing of a source that is another one is applied"
    );
    bed.at_source(
        r#"DELETE FROM "ORAPULL"."PORTION" WHERE "PORTION_ID" > (SELECT "LAST_PORTION" FROM "ORAPULL"."SOURCE");
           DELETE FROM "ORAPULL"."PORTION_TABLE" WHERE "PORTION_ID" > (SELECT "LAST_PORTION" FROM "ORAPULL"."SOURCE");
           DELETE FROM "ORAPULL"."POINTER" WHERE "P$PORTION" > (SELECT "LAST_PORTION" FROM "ORAPULL"."SOURCE");
           SET session_replication_role = replica;
           UPDATE "APP"."ITEMS" SET "NAME" = 'as it was' WHERE "NAME" LIKE '%!'"#,
    )?;
    adopt_by_force_and_resync(bed)
}

fn portions_that_are_gone_need_a_resync(bed: &Bed) -> Result<()> {
    items::follow(bed)?;
    items::call(bed, "SELECT orapull.pause('main')")?;
    items::source_becomes(bed, "PAUSED")?;
    items::change(bed)?;
    items::change(bed)?;
    let last = items::last_portion(bed)?;
    bed.at_source(&format!(r#"SELECT "TEST"."RELEASE"({last} - 1)"#))?;
    let applied = items::applied(bed)?;
    items::call(bed, "SELECT orapull.resume('main')")?;
    items::source_becomes(bed, "NEEDS_RESYNC")?;
    assert_eq!(items::applied(bed)?, applied);
    adopt_by_force_and_resync(bed)
}

fn shards_at_source(bed: &Bed) -> Result<i64> {
    items::number(
        &mut bed.source()?,
        r#"SELECT count(*) FROM "ORAPULL"."SHARD""#,
    )
}

fn sources_here(bed: &Bed) -> Result<i64> {
    items::number(&mut bed.shard(0)?, "SELECT count(*) FROM orapull.source")
}

fn dropping_waits_for_the_source(bed: &Bed) -> Result<()> {
    items::follow(bed)?;
    bed.source.stop(Stop::Fast)?;
    items::call(bed, "SELECT orapull.drop_source('main')")?;
    bed.eventually("it tries to drop the source", SOON, || {
        let sql = "SELECT state || ' ' || message FROM orapull.status";
        let shown = items::text(&mut bed.shard(0)?, sql)?;
        Ok(shown.starts_with("DROPPING") && shown.contains("ORA-"))
    })?;
    assert_eq!(sources_here(bed)?, 1);
    bed.source.start()?;
    assert_eq!(shards_at_source(bed)?, 1);
    bed.eventually(
        "the source has agreed",
        SOON,
        || Ok(sources_here(bed)? == 0),
    )?;
    assert_eq!(shards_at_source(bed)?, 0);
    let progress = "SELECT count(*) FROM orapull.progress";
    assert_eq!(items::number(&mut bed.shard(0)?, progress)?, 0);
    assert_eq!(items::kept_of_tables(bed)?, 0);
    let rows = "SELECT count(*) FROM app.items";
    assert_eq!(
        items::number(&mut bed.shard(0)?, rows)?,
        1000,
        "local tables stay"
    );
    Ok(())
}

fn dropping_by_force_does_not_wait(bed: &Bed) -> Result<()> {
    items::follow(bed)?;
    bed.source.stop(Stop::Fast)?;
    items::call(bed, "SELECT orapull.drop_source('main', force => true)")?;
    assert_eq!(sources_here(bed)?, 0);
    bed.source.start()?;
    assert_eq!(shards_at_source(bed)?, 1, "the source was left alone");
    Ok(())
}
