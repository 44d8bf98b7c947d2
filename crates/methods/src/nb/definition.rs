//! The four settings in which naive Bayes ships.

use super::options::Options;
use huller_select::Profile;

/// One method in one profile. Each cuts pages into blocks in its own way, and so needs counts of
/// its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Definition {
    /// `nb`, profile `paper`.
    Paper,
    /// `nb`, profile `tuned`.
    Tuned,
    /// `nb-table`, profile `paper`.
    TablePaper,
    /// `nb-table`, profile `tuned`.
    TableTuned,
}

impl Definition {
    /// All definitions.
    pub const ALL: [Definition; 4] =
        [Definition::Paper, Definition::Tuned, Definition::TablePaper, Definition::TableTuned];

    /// The definition of a method in a profile; `None` if the method is not one of these.
    pub fn of(method: &str, profile: Profile) -> Option<Definition> {
        Definition::ALL
            .into_iter()
            .find(|definition| definition.method() == method && definition.profile() == profile)
    }

    /// The method's name.
    pub fn method(self) -> &'static str {
        match self {
            Definition::Paper | Definition::Tuned => "nb",
            Definition::TablePaper | Definition::TableTuned => "nb-table",
        }
    }

    /// The method's profile.
    pub fn profile(self) -> Profile {
        match self {
            Definition::Paper | Definition::TablePaper => Profile::Paper,
            Definition::Tuned | Definition::TableTuned => Profile::Tuned,
        }
    }

    /// Its settings.
    pub fn options(self) -> Options {
        match self {
            Definition::Paper => Options::PAPER,
            Definition::Tuned => Options::TUNED,
            Definition::TablePaper => Options::PAPER.of_tables(),
            Definition::TableTuned => Options::TUNED.of_tables(),
        }
    }
}
