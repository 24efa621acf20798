//! SQL text with places for binds, which get their numbers when it is rendered.

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Fragment(Vec<Piece>);

#[derive(Clone, Debug, PartialEq)]
enum Piece {
    Text(String),
    Bind(usize),
}

impl Fragment {
    pub fn push(&mut self, text: &str) {
        match self.0.last_mut() {
            Some(Piece::Text(last)) => last.push_str(text),
            _ => self.0.push(Piece::Text(text.to_owned())),
        }
    }

    pub fn push_bind(&mut self, bind: usize) {
        self.0.push(Piece::Bind(bind));
    }

    pub fn append(&mut self, other: &Self) {
        for piece in &other.0 {
            match piece {
                Piece::Text(text) => self.push(text),
                Piece::Bind(bind) => self.push_bind(*bind),
            }
        }
    }

    /// The bind, when the fragment is nothing else.
    pub fn as_bind(&self) -> Option<usize> {
        match self.0.as_slice() {
            [Piece::Bind(bind)] => Some(*bind),
            _ => None,
        }
    }

    /// The text with `$1`, `$2`, ...; `parameters` gets the bind of each, those it has already
    /// are used again.
    pub fn render(&self, parameters: &mut Vec<usize>) -> String {
        let mut text = String::new();
        for piece in &self.0 {
            match piece {
                Piece::Text(piece) => text.push_str(piece),
                Piece::Bind(bind) => {
                    let at = parameters.iter().position(|known| known == bind);
                    let number = at.unwrap_or_else(|| {
                        parameters.push(*bind);
                        parameters.len() - 1
                    });
                    text.push_str(&format!("${}", number + 1));
                }
            }
        }
        text
    }
}
