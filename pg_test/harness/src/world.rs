//! What the clusters of a run have in common: the built servers and an empty cluster to copy.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::{Context, Result};

use crate::account::Account;
use crate::artifacts::Flavour;
use crate::cluster::{self, Cluster};
use crate::install::Server;
use crate::packages;
use crate::scratch::Scratch;

pub struct World {
    pub scratch: Arc<Scratch>,
    servers: Mutex<Servers>,
}

/// Built when first asked for.
#[derive(Default)]
struct Servers {
    plain: Option<Arc<Server>>,
    oracle: Option<Arc<Server>>,
    product: Option<Arc<Server>>,
    with_tests: Option<Arc<Server>>,
    template: Option<PathBuf>,
}

#[derive(Clone, Copy)]
enum Kind {
    Plain,
    /// Plays Oracle.
    Oracle,
    Shard(Flavour),
}

impl World {
    pub fn create() -> Result<Self> {
        packages::ensure()?;
        let scratch = Scratch::create(Account::for_servers()?)?;
        Ok(Self {
            scratch,
            servers: Mutex::default(),
        })
    }

    /// Builds the server with the extension now: what is wrong with the build is then told once.
    pub fn build_product(&self) -> Result<()> {
        self.server(Kind::Shard(Flavour::Product)).map(|_| ())
    }

    /// A cluster of PostgreSQL as it is installed, not started yet.
    pub fn plain_cluster(&self, name: &str, settings: &[(&str, String)]) -> Result<Cluster> {
        let (server, template) = self.server(Kind::Plain)?;
        cluster::create(&server, &template, name, settings)
    }

    /// A cluster that can run the translated Oracle side, not started yet.
    pub fn oracle_cluster(&self, name: &str, more: &[(&str, String)]) -> Result<Cluster> {
        let (server, template) = self.server(Kind::Oracle)?;
        let mut settings = vec![("session_preload_libraries", "ora_backend".to_owned())];
        settings.extend_from_slice(more);
        cluster::create(&server, &template, name, &settings)
    }

    /// A cluster that has the extension and the stand-in preloaded, not started yet.
    pub fn shard_cluster(
        &self,
        flavour: Flavour,
        name: &str,
        more: &[(&str, String)],
    ) -> Result<Cluster> {
        let (server, template) = self.server(Kind::Shard(flavour))?;
        let library = server.client_library_folder().display().to_string();
        let mut settings = vec![
            ("shared_preload_libraries", "orapull".to_owned()),
            ("max_worker_processes", "32".to_owned()),
            ("orapull.client_library_dir", library),
            ("orapull.poll_interval", "50ms".to_owned()),
        ];
        settings.extend_from_slice(more);
        cluster::create(&server, &template, name, &settings)
    }

    fn server(&self, kind: Kind) -> Result<(Arc<Server>, PathBuf)> {
        let mut servers = self.servers.lock().unwrap_or_else(PoisonError::into_inner);
        let (slot, folder) = match kind {
            Kind::Plain => (&mut servers.plain, "plain"),
            Kind::Oracle => (&mut servers.oracle, "oracle"),
            Kind::Shard(Flavour::Product) => (&mut servers.product, "product"),
            Kind::Shard(Flavour::WithTests) => (&mut servers.with_tests, "with-tests"),
        };
        let server = match slot {
            Some(server) => server.clone(),
            None => {
                let server = match kind {
                    Kind::Plain => Server::plain(&self.scratch, folder),
                    Kind::Oracle => Server::with_ora_backend(&self.scratch, folder),
                    Kind::Shard(flavour) => Server::with_extension(&self.scratch, folder, flavour),
                };
                slot.insert(Arc::new(server.context("cannot prepare a server")?))
                    .clone()
            }
        };
        let template = match &servers.template {
            Some(template) => template.clone(),
            None => servers
                .template
                .insert(cluster::initdb(&server, "template")?)
                .clone(),
        };
        Ok((server, template))
    }
}
