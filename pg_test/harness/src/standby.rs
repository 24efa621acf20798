//! A streaming standby of a cluster.

use std::fs;

use anyhow::Result;

use crate::cluster::{Cluster, SUPERUSER};

/// Makes a copy of the files of `primary` follow it from its next start on. Its name is what
/// synchronous_standby_names may say.
pub fn follow(primary: &Cluster, copy: &Cluster, name: &str) -> Result<()> {
    let settings = format!(
        "primary_conninfo = 'host={} port={} user={SUPERUSER} application_name={name}'\n",
        primary.folder.display(),
        primary.port
    );
    for (file, text) in [("standby.signal", ""), ("postgresql.auto.conf", &settings)] {
        let path = copy.data.join(file);
        let before = fs::read_to_string(&path).unwrap_or_default();
        fs::write(&path, before + text)?;
        copy.server.account().give(&path)?;
    }
    Ok(())
}
