//! Where an installation goes: the schemas of its owner and of its packages.

use dialect::quoted;

use crate::source::OWNER;

/// One installation. Those of the container and of CDB$ROOT have packages of the same name, and see nothing of each other.
#[derive(Clone, Debug)]
pub struct Site {
    owner: String,
    /// Before the names of packages, which are schemas.
    prefix: String,
}

impl Default for Site {
    fn default() -> Self {
        Self {
            owner: OWNER.to_owned(),
            prefix: String::new(),
        }
    }
}

impl Site {
    /// What is installed in CDB$ROOT, by its common user.
    pub fn root() -> Self {
        Self {
            owner: "C##ORAPULL".to_owned(),
            prefix: "C##ORAPULL.".to_owned(),
        }
    }

    /// What every translated routine runs with.
    pub fn search_path(&self) -> String {
        format!("{}, \"SYS\", ora, pg_catalog", quoted(&self.owner))
    }

    pub fn schema(&self, package: &str) -> String {
        if package == OWNER {
            self.owner.clone()
        } else {
            format!("{}{package}", self.prefix)
        }
    }

    pub fn full_name(&self, package: &str, member: &str) -> String {
        format!("{}.{}", quoted(&self.schema(package)), quoted(member))
    }
}
