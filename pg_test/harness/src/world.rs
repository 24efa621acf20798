//! What the beds of a run have in common: the built server and an empty cluster to copy.

use std::sync::{Arc, OnceLock};

use anyhow::Result;

use crate::account::Account;
use crate::artifacts::Flavour;
use crate::cluster::Template;
use crate::install::Server;
use crate::packages;
use crate::scratch::Scratch;

pub struct World {
    pub scratch: Arc<Scratch>,
    product: OnceLock<Template>,
    plain: OnceLock<Template>,
}

impl World {
    pub fn create() -> Result<Self> {
        packages::ensure()?;
        let scratch = Scratch::create(Account::for_servers()?)?;
        Ok(Self {
            scratch,
            product: OnceLock::new(),
            plain: OnceLock::new(),
        })
    }

    /// Empty clusters of a server with the extension as it ships; built when first asked for.
    pub fn product(&self) -> Result<&Template> {
        if let Some(template) = self.product.get() {
            return Ok(template);
        }
        let server = Server::with_extension(&self.scratch, "server", Flavour::Product)?;
        let template = Template::create(Arc::new(server), "template")?;
        Ok(self.product.get_or_init(|| template))
    }

    /// Empty clusters of a server without the extension.
    pub fn plain(&self) -> Result<&Template> {
        if let Some(template) = self.plain.get() {
            return Ok(template);
        }
        let server = Server::plain(&self.scratch, "plain")?;
        let template = Template::create(Arc::new(server), "plain-template")?;
        Ok(self.plain.get_or_init(|| template))
    }
}
