//! The four settings of naive Bayes that ship.

use super::options::Options;
use huller_select::Profile;

/// One extractor in one profile. Each definition cuts pages into blocks in its own way, and so
/// needs its own counts.
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

    /// Returns the definition of an extractor in a profile; `None` if the extractor is not listed
    /// here.
    pub fn for_extractor(extractor: &str, profile: Profile) -> Option<Definition> {
        Definition::ALL.into_iter().find(|definition| {
            definition.extractor() == extractor && definition.profile() == profile
        })
    }

    /// Returns the name of the extractor.
    pub fn extractor(self) -> &'static str {
        match self {
            Definition::Paper | Definition::Tuned => "nb",
            Definition::TablePaper | Definition::TableTuned => "nb-table",
        }
    }

    /// Returns the profile of the extractor.
    pub fn profile(self) -> Profile {
        match self {
            Definition::Paper | Definition::TablePaper => Profile::Paper,
            Definition::Tuned | Definition::TableTuned => Profile::Tuned,
        }
    }

    /// Returns its settings.
    pub fn options(self) -> Options {
        match self {
            Definition::Paper => Options::PAPER,
            Definition::Tuned => Options::TUNED,
            Definition::TablePaper => Options::PAPER.for_tables(),
            Definition::TableTuned => Options::TUNED.for_tables(),
        }
    }
}
