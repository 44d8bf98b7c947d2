//! A record of what each stage did to a row.

/// The effect of one stage on a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StageTrace {
    /// The name of the stage.
    pub stage: &'static str,
    /// Unicode scalars of the text before the stage. 0 while the row has no text.
    pub chars: u64,
    /// Unicode scalars of the text after the stage. `None` if the stage dropped the row.
    pub chars_left: Option<u64>,
    /// Tokens of the text before the stage. `None` if the chain does not count tokens.
    pub tokens: Option<u64>,
    /// Tokens of the text after the stage. `None` if the stage dropped the row or the chain does
    /// not count tokens.
    pub tokens_left: Option<u64>,
    /// The language of the row (ISO 639-3) after the stage, if it is known by then.
    pub language: Option<[u8; 3]>,
}

/// The stages that have seen a row, in their order. The last one may have dropped the row.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RowTrace(Vec<StageTrace>);

impl RowTrace {
    /// Returns the stages, in the order in which they saw the row.
    pub fn iter(&self) -> impl Iterator<Item = &StageTrace> {
        self.0.iter()
    }

    pub(crate) fn begin(&mut self) {
        self.0.clear();
    }

    pub(crate) fn push(&mut self, passed: StageTrace) {
        self.0.push(passed);
    }
}
