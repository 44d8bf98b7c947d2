//! How a row fared at each stage.

/// How a row fared at one stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Passed {
    /// The name of the stage.
    pub stage: &'static str,
    /// Unicode scalars of the text when the row came. 0 before the row has a text.
    pub chars: u64,
    /// Unicode scalars of the text when the row left. `None`: the stage dropped it.
    pub chars_left: Option<u64>,
    /// Tokens of the text when the row came, in chains that count them.
    pub tokens: Option<u64>,
    /// Tokens of the text when the row left, in chains that count them. `None` if the stage dropped
    /// it.
    pub tokens_left: Option<u64>,
    /// The language of the row (ISO 639-3) when it left, if it is known by then.
    pub language: Option<[u8; 3]>,
}

/// The stages that a row has come to, in their order. The last one may have dropped it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Passage(Vec<Passed>);

impl Passage {
    /// The stages, in the order in which the row came to them.
    pub fn iter(&self) -> impl Iterator<Item = &Passed> {
        self.0.iter()
    }

    pub(crate) fn begin(&mut self) {
        self.0.clear();
    }

    pub(crate) fn push(&mut self, passed: Passed) {
        self.0.push(passed);
    }
}
