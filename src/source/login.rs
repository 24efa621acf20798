//! What it takes to log in at the source.
//!
//! Pure. The password can be handed over, but not shown.

use std::fmt;

/// Where to connect and as whom.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Login {
    /// Connect string as the client library takes it: EZCONNECT, a descriptor or a TNS name.
    pub connect: String,
    pub user: String,
    pub password: Secret,
}

/// A text that no log and no error shows.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    pub fn new(text: String) -> Self {
        Secret(text)
    }

    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("***")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn debug_output_of_a_login_hides_the_password() {
        let login = Login {
            connect: "//db:1521/x".to_owned(),
            user: "scott".to_owned(),
            password: Secret::new("tiger".to_owned()),
        };
        let shown = format!("{login:?}");
        assert!(
            shown.contains("scott") && !shown.contains("tiger"),
            "{shown}"
        );
    }
}
