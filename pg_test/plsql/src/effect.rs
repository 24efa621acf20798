//! Translated statements, and what a handler around them has to know.

#[derive(Default)]
pub struct Translated {
    pub text: String,
    /// The last one raises.
    pub raises: bool,
    /// Statements that change or lock rows.
    changes: usize,
    /// Something can fail after a row was changed.
    fails_after_change: bool,
    /// Calls of our own routines that change rows.
    own_calls: usize,
    pub statements: usize,
    pub can_fail: bool,
}

impl Translated {
    /// A statement that changes nothing.
    pub fn of(text: String) -> Self {
        Self {
            text,
            statements: 1,
            can_fail: true,
            ..Self::default()
        }
    }

    /// A statement that changes nothing and cannot fail.
    pub fn harmless(text: String) -> Self {
        Self {
            can_fail: false,
            ..Self::of(text)
        }
    }

    pub fn change(text: String) -> Self {
        Self {
            changes: 1,
            ..Self::of(text)
        }
    }

    pub fn own_call(text: String) -> Self {
        Self {
            own_calls: 1,
            ..Self::of(text)
        }
    }

    pub fn raise(text: String) -> Self {
        Self {
            raises: true,
            ..Self::of(text)
        }
    }

    /// The statement that comes next.
    pub fn add(&mut self, next: Self) {
        self.fails_after_change |= next.fails_after_change || self.changes > 0 && next.can_fail;
        self.text += &next.text;
        self.raises = next.raises;
        self.changes += next.changes;
        self.own_calls += next.own_calls;
        self.statements += next.statements;
        self.can_fail |= next.can_fail;
    }

    /// One of several ways to go on from here.
    pub fn add_branch(&mut self, branch: Self) {
        let before = (self.changes, self.fails_after_change);
        self.changes = 0;
        let branch_changes = branch.changes;
        let fails = branch.fails_after_change;
        self.add(branch);
        self.changes = before.0.max(branch_changes);
        self.fails_after_change = before.1 || fails;
    }

    /// In a loop a statement comes after itself.
    pub fn repeated(mut self) -> Self {
        self.fails_after_change |= self.changes > 0 && self.can_fail;
        self
    }

    /// Whether a handler may go on after an error in these statements: PostgreSQL undoes all that they did, Oracle
    /// only the one that failed.
    pub fn may_be_swallowed(&self) -> bool {
        self.own_calls == 0 && self.changes <= 1 && !self.fails_after_change
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text() -> String {
        String::new()
    }

    #[test]
    fn nothing_may_fail_after_a_change() {
        let mut all = Translated::of(text());
        all.add(Translated::change(text()));
        all.add(Translated::harmless(text()));
        assert!(all.may_be_swallowed());
        all.add(Translated::of(text()));
        assert!(!all.may_be_swallowed());
    }

    #[test]
    fn a_change_in_a_loop_comes_after_itself() {
        assert!(!Translated::change(text()).repeated().may_be_swallowed());
        assert!(Translated::of(text()).repeated().may_be_swallowed());
    }

    #[test]
    fn only_one_branch_is_taken() {
        let mut all = Translated::default();
        all.add_branch(Translated::change(text()));
        all.add_branch(Translated::change(text()));
        assert!(all.may_be_swallowed());
        all.add(Translated::of(text()));
        assert!(!all.may_be_swallowed());
    }

    #[test]
    fn own_procedures_are_not_looked_into() {
        assert!(!Translated::own_call(text()).may_be_swallowed());
    }
}
