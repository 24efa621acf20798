//! Connect strings: EZCONNECT `//host:port/service` and descriptors `(DESCRIPTION=...)`.

use std::fmt;

use crate::error::{OraError, Result};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Address {
    pub host: String,
    pub port: u16,
    pub service: String,
}

const DEFAULT_PORT: u16 = 1521;

impl Address {
    pub fn parse(text: &str) -> Result<Self> {
        let text = text.trim();
        let address = if text.starts_with('(') {
            Self::from_descriptor(text)
        } else {
            Self::from_ezconnect(text)
        };
        address.ok_or_else(|| OraError::known(12154))
    }

    fn from_ezconnect(text: &str) -> Option<Self> {
        let text = text.strip_prefix("tcp:").unwrap_or(text);
        let (authority, service) = text.trim_start_matches('/').split_once('/')?;
        let (host, port) = match authority.rsplit_once(':') {
            Some((host, port)) => (host, port.parse().ok()?),
            None => (authority, DEFAULT_PORT),
        };
        // A server type or instance may follow the service: service:dedicated/instance.
        let service = service.split([':', '/']).next()?;
        if host.is_empty() || service.is_empty() {
            return None;
        }
        Some(Self {
            host: host.trim_matches(['[', ']']).to_owned(),
            port,
            service: service.to_owned(),
        })
    }

    fn from_descriptor(text: &str) -> Option<Self> {
        let upper = text.to_ascii_uppercase();
        let field = |name: &str| {
            let start = upper.find(&format!("({name}="))? + name.len() + 2;
            Some(text[start..].split(')').next()?.trim().to_owned())
        };
        Some(Self {
            host: field("HOST")?,
            port: field("PORT")?.parse().ok()?,
            service: field("SERVICE_NAME").or_else(|| field("SID"))?,
        })
    }
}

impl fmt::Display for Address {
    fn fmt(&self, output: &mut fmt::Formatter) -> fmt::Result {
        write!(output, "//{}:{}/{}", self.host, self.port, self.service)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ezconnect_is_read() {
        for (text, shown) in [
            ("//127.0.0.1:5432/source", "//127.0.0.1:5432/source"),
            ("db.example/sales", "//db.example:1521/sales"),
            ("//h:1/s:dedicated/i", "//h:1/s"),
        ] {
            assert_eq!(Address::parse(text).unwrap().to_string(), shown);
        }
    }

    #[test]
    fn a_descriptor_is_read() {
        let text = "(DESCRIPTION=(ADDRESS=(PROTOCOL=tcp)(HOST=h)(PORT=1522))\
                    (CONNECT_DATA=(SERVICE_NAME=s)))";
        assert_eq!(Address::parse(text).unwrap().to_string(), "//h:1522/s");
    }

    #[test]
    fn an_alias_cannot_be_resolved() {
        assert_eq!(Address::parse("sales").unwrap_err().code, 12154);
    }
}
