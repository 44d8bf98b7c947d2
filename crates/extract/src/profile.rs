//! Every method comes in two settings.

/// The two settings of every method.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Profile {
    /// The closest faithful reading of the paper.
    Paper,
    /// What ships: the setting that measured best.
    Tuned,
}

impl Profile {
    /// The name users type.
    pub fn name(self) -> &'static str {
        match self {
            Profile::Paper => "paper",
            Profile::Tuned => "tuned",
        }
    }
}
