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

/// The text that a row kept, in runs that choose among the texts of several extractors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChosenText {
    /// The name of the extractor.
    pub extractor: &'static str,
    /// Unicode scalars of the text after all stages.
    pub chars: u64,
    /// Tokens of the text. `None` if the chain does not count tokens.
    pub tokens: Option<u64>,
}

/// The stages that have seen a row, in their order. The last one may have dropped the row.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RowTrace {
    stages: Vec<StageTrace>,
    chosen: Option<ChosenText>,
}

impl RowTrace {
    /// Returns the stages, in the order in which they saw the row.
    pub fn iter(&self) -> impl Iterator<Item = &StageTrace> {
        self.stages.iter()
    }

    /// Returns the text that the row kept, if the run chose it.
    pub fn chosen(&self) -> Option<&ChosenText> {
        self.chosen.as_ref()
    }

    /// Notes the text that the row kept.
    pub(crate) fn set_chosen(&mut self, chosen: ChosenText) {
        self.chosen = Some(chosen);
    }

    pub(crate) fn begin(&mut self) {
        self.stages.clear();
        self.chosen = None;
    }

    /// Returns the number of stages so far.
    pub(crate) fn len(&self) -> usize {
        self.stages.len()
    }

    /// Forgets all stages after the first `len`.
    pub(crate) fn truncate(&mut self, len: usize) {
        self.stages.truncate(len);
    }

    pub(crate) fn push(&mut self, passed: StageTrace) {
        self.stages.push(passed);
    }
}
