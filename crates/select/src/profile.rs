//! The two settings of an extractor.

/// One of the two settings that every extractor has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Profile {
    /// The closest faithful reading of the paper.
    Paper,
    /// The setting that ships: the one that measured best.
    Tuned,
}

impl Profile {
    /// Returns the name that users type.
    pub fn name(self) -> &'static str {
        match self {
            Profile::Paper => "paper",
            Profile::Tuned => "tuned",
        }
    }
}
