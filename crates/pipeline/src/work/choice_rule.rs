//! The rule by which a row gets the text of one of several extractors.
//!
//! One extractor loses pages that another would keep. Li et al., "Beyond a Single Extractor"
//! (arXiv 2602.19548), measured how many tokens a union of extractors adds to a filtered corpus.

/// Chooses the text of a row, in runs with several extractors.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ChoiceRule {
    /// The text of the first extractor. The row has the texts of the others as well.
    #[default]
    First,
    /// The first text that no stage drops, in the order of the extractors.
    Surviving,
    /// The text with most Unicode scalars.
    Longest,
    /// The text with the highest expected F1, where the texts of the other extractors are equally
    /// likely to be right.
    Expected,
}

impl ChoiceRule {
    /// Returns the name in options and run files.
    pub fn name(self) -> &'static str {
        match self {
            ChoiceRule::First => "first",
            ChoiceRule::Surviving => "surviving",
            ChoiceRule::Longest => "longest",
            ChoiceRule::Expected => "expected",
        }
    }
}
