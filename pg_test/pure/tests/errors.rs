//! Errors of the source and of PostgreSQL, in whatever words.

use proptest::prelude::*;

use pure::error::{Action, Error, Kind, ora_code};

proptest! {
    // Failing input is printed, and belongs into a test of its own.
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_code_that_is_found_is_in_the_text(text in any_text()) {
        if let Some(code) = ora_code(&text) {
            let digits: String = code.to_string();
            let written = text.match_indices("ORA-").any(|(at, found)| {
                text[at + found.len()..].trim_start_matches('0').starts_with(&digits)
                    || (code == 0 && text[at + found.len()..].starts_with('0'))
            });
            prop_assert!(written, "{code} is not in {text:?}");
        }
    }

    #[test]
    fn the_first_code_is_found_whatever_stands_around_it(
        before in "[^O]{0,20}(ORA-[^0-9O]{0,9})?", code in 1..99_999_i32, after in "([^0-9].*)?"
    ) {
        let text = format!("{before}ORA-{code:05}{after}");
        prop_assert_eq!(ora_code(&text), Some(code));
    }

    #[test]
    fn every_error_has_an_action_and_an_sqlstate(
        sqlstate in "[0-9A-Z]{0,7}|.{0,7}", message in any_text(), detail in proptest::option::of(any_text())
    ) {
        let error = Error::from_postgres(&sqlstate, &message, detail.as_deref());
        prop_assert_eq!(error.sqlstate(), &sqlstate);
        prop_assert_eq!(error.kind.sqlstate().len(), 5);
        let _ = error.kind.action();
        prop_assert!(error.to_string().contains(&message));
    }

    #[test]
    fn a_refused_password_always_stops(
        code in proptest::sample::select(vec![1017, 1045, 28000, 28001, 28003]), before in "[^O]*", after in "\\PC*",
        sqlstate in "HV[0-9A-Z]{3}"
    ) {
        // Tried again it would lock the account.
        let detail = format!("{before}ORA-{code:05}: {after}");
        for error in [
            Error::from_postgres(&sqlstate, "error connecting", Some(&detail)),
            Error::from_oracle(code, &detail),
        ] {
            prop_assert_eq!(error.kind, Kind::Credentials);
            prop_assert_eq!(error.kind.action(), Action::Stop);
        }
    }

    #[test]
    fn no_code_of_the_source_is_a_bug_of_ours(code in any::<i32>(), message in any_text()) {
        let error = Error::from_oracle(code, &message);
        prop_assert_ne!(error.kind, Kind::Bug);
        prop_assert_ne!(error.kind, Kind::Changed);
    }
}

/// Texts in which codes, and what looks like them, are frequent.
fn any_text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just("ORA-".to_owned()),
        "[0-9]{1,12}".prop_map(|digits| digits),
        "\\PC{0,8}".prop_map(|any| any),
        Just("ORA-00942: table or view does not exist\n".to_owned()),
        Just("ÖRA-é".to_owned()),
    ];
    proptest::collection::vec(piece, 0..6).prop_map(|pieces| pieces.concat())
}
