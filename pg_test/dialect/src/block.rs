//! Anonymous PL/SQL blocks: a list of calls, assignments and SQL statements.

use super::lexer::Token;
use super::rewrite::{self, bind_of};
use super::{Body, Fragment, Kind, SyntaxError};

#[derive(Clone, Debug, PartialEq)]
pub enum BlockStep {
    /// `name(arguments)`, or `:target := name(arguments)`.
    Call {
        call: Call,
        target: Option<usize>,
    },
    /// `:target := expression`.
    Assign {
        expression: Fragment,
        target: usize,
    },
    Sql {
        text: Fragment,
        returning: Vec<usize>,
    },
    Commit,
    Rollback,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Call {
    /// The schema that stands for the package.
    pub package: Option<String>,
    pub name: String,
    pub arguments: Vec<Argument>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Argument {
    pub name: Option<String>,
    pub value: Fragment,
}

/// The steps of `BEGIN ... END;` or `CALL name(...)`, from tokens without blanks.
pub fn parse(words: &[&Token], binds: &[String]) -> Result<Vec<BlockStep>, SyntaxError> {
    if words[0].is("CALL") {
        return Ok(vec![call_statement(&words[1..], binds)?]);
    }
    let closed = words.iter().rposition(|word| word.is("END"));
    let end = closed.ok_or_else(|| SyntaxError("END of the block is missing".to_owned()))?;
    let mut steps = Vec::new();
    for statement in words[1..end].split(|word| word.is_symbol(";")) {
        steps.extend(step(statement, binds)?);
    }
    Ok(steps)
}

fn step(words: &[&Token], binds: &[String]) -> Result<Option<BlockStep>, SyntaxError> {
    let Some(first) = words.first() else {
        return Ok(None);
    };
    if first.is("NULL") && words.len() == 1 {
        return Ok(None);
    }
    if first.is("COMMIT") && words.len() == 1 {
        return Ok(Some(BlockStep::Commit));
    }
    if first.is("ROLLBACK") && words.len() == 1 {
        return Ok(Some(BlockStep::Rollback));
    }
    if let (Some(target), Some(true)) = (
        bind_of(first, binds),
        words.get(1).map(|word| word.is_symbol(":=")),
    ) {
        return Ok(Some(match parse_call(&words[2..], binds) {
            Some(call) if call.package.is_some() => BlockStep::Call {
                call,
                target: Some(target),
            },
            _ => BlockStep::Assign {
                expression: expression(&words[2..], binds),
                target,
            },
        }));
    }
    if let Token::Word(word) = first
        && Kind::of(word).is_dml()
    {
        let Body::Sql { text, returning } = rewrite::dml(&spaced(words), binds) else {
            return Err(refused(words));
        };
        return Ok(Some(BlockStep::Sql { text, returning }));
    }
    call_statement(words, binds).map(Some)
}

fn call_statement(words: &[&Token], binds: &[String]) -> Result<BlockStep, SyntaxError> {
    let call = parse_call(words, binds).ok_or_else(|| refused(words))?;
    Ok(BlockStep::Call { call, target: None })
}

fn refused(words: &[&Token]) -> SyntaxError {
    let start: Vec<String> = words
        .iter()
        .take(4)
        .filter_map(|word| word.name())
        .collect();
    SyntaxError(format!(
        "the OCI stand-in runs calls, assignments to binds and DML in a block, not: {} ...",
        start.join(" ")
    ))
}

/// `[[owner.]package.]name[(arguments)]` and nothing after it.
fn parse_call(words: &[&Token], binds: &[String]) -> Option<Call> {
    let mut parts = Vec::new();
    let mut at = 0;
    loop {
        parts.push(words.get(at)?.name()?);
        at += 1;
        if !words.get(at).is_some_and(|word| word.is_symbol(".")) {
            break;
        }
        at += 1;
    }
    let arguments = match words.get(at) {
        None => Vec::new(),
        Some(open) if open.is_symbol("(") => {
            let (last, inner) = words[at + 1..].split_last()?;
            if !last.is_symbol(")") || !is_balanced(inner) {
                return None;
            }
            split_arguments(inner)
                .into_iter()
                .map(|words| argument(words, binds))
                .collect()
        }
        Some(_) => return None,
    };
    let name = parts.pop()?;
    Some(Call {
        package: parts.pop(),
        name,
        arguments,
    })
}

/// Whether every parenthesis closes inside: `a(1) + b(2)` is no call of `a`.
fn is_balanced(words: &[&Token]) -> bool {
    let mut depth = 0;
    for word in words {
        if word.is_symbol("(") {
            depth += 1;
        } else if word.is_symbol(")") {
            depth -= 1;
            if depth < 0 {
                return false;
            }
        }
    }
    depth == 0
}

fn split_arguments<'a, 'b>(words: &'a [&'b Token]) -> Vec<&'a [&'b Token]> {
    if words.is_empty() {
        return Vec::new();
    }
    let mut depth = 0;
    words
        .split(|word| {
            if word.is_symbol("(") {
                depth += 1;
            } else if word.is_symbol(")") {
                depth -= 1;
            }
            depth == 0 && word.is_symbol(",")
        })
        .collect()
}

fn argument(words: &[&Token], binds: &[String]) -> Argument {
    match words {
        [name, arrow, value @ ..] if arrow.is_symbol("=>") => Argument {
            name: name.name(),
            value: expression(value, binds),
        },
        value => Argument {
            name: None,
            value: expression(value, binds),
        },
    }
}

fn expression(words: &[&Token], binds: &[String]) -> Fragment {
    rewrite::statement(&spaced(words), binds)
}

/// The tokens with a blank between them, except around dots.
fn spaced(words: &[&Token]) -> Vec<Token> {
    let mut tokens: Vec<Token> = Vec::new();
    for word in words {
        let glued = word.is_symbol(".") || tokens.last().is_none_or(|last| last.is_symbol("."));
        if !glued {
            tokens.push(Token::Space(" ".to_owned()));
        }
        tokens.push((*word).clone());
    }
    tokens
}

#[cfg(test)]
mod tests {
    use super::super::{Body, translate};
    use super::*;

    fn steps(text: &str) -> Vec<BlockStep> {
        match translate(text).unwrap().body {
            Body::Block(steps) => steps,
            other => panic!("no block: {other:?}"),
        }
    }

    #[test]
    fn a_call_loses_the_owner_of_its_package() {
        for text in [
            "BEGIN \"ORAPULL\".\"API\".\"ACK\"(:1, 'x', 3); END;",
            "begin orapull.api.ack(:1, 'x', 3); end;",
            "CALL orapull.api.ack(:1, 'x', 3)",
        ] {
            let [BlockStep::Call { call, target: None }] = &steps(text)[..] else {
                panic!("{text}")
            };
            assert_eq!(call.package.as_deref(), Some("API"));
            assert_eq!(call.name, "ACK");
            assert_eq!(call.arguments.len(), 3);
            assert_eq!(call.arguments[0].value.as_bind(), Some(0));
        }
    }

    #[test]
    fn arguments_are_named_and_may_be_expressions() {
        let [BlockStep::Call { call, .. }] =
            &steps("BEGIN p.q(P_A => :x, p_b => f(1, 2)); END;")[..]
        else {
            panic!()
        };
        assert_eq!(call.arguments[0].name.as_deref(), Some("P_A"));
        assert_eq!(call.arguments[1].name.as_deref(), Some("P_B"));
        assert_eq!(
            call.arguments[1].value.render(&mut Vec::new()),
            "f ( 1 , 2 )"
        );
    }

    #[test]
    fn a_function_of_a_package_is_called_and_other_expressions_are_computed() {
        let steps = steps("BEGIN :r := api.f(:a); :s := :a + 1; NULL; END;");
        assert!(matches!(
            steps[0],
            BlockStep::Call {
                target: Some(0),
                ..
            }
        ));
        assert!(matches!(steps[1], BlockStep::Assign { target: 2, .. }));
        assert_eq!(steps.len(), 2);
    }

    #[test]
    fn statements_and_commits_are_steps() {
        let steps = steps("BEGIN INSERT INTO t (a) VALUES (:1); COMMIT; END;");
        let BlockStep::Sql { text, .. } = &steps[0] else {
            panic!()
        };
        assert_eq!(
            text.render(&mut Vec::new()),
            "INSERT INTO \"T\" ( \"A\" ) VALUES ( $1 )"
        );
        assert_eq!(steps[1], BlockStep::Commit);
    }

    #[test]
    fn control_flow_is_refused_with_a_reason() {
        let error = translate("BEGIN IF :1 = 1 THEN NULL; END IF; END;").unwrap_err();
        assert!(error.0.contains("calls, assignments"), "{}", error.0);
    }
}
