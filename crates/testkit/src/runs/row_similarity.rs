//! The properties by which rows are duplicates of each other.

use crate::random::Random;

/// The properties that a row shares with other rows of a case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct RowSimilarity {
    pub(super) address: Address,
    pub(super) text: RowText,
    /// The day in its date.
    pub(super) day: u32,
}

/// The URL of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Address {
    Absent,
    /// A URL of this row alone.
    Own,
    Shared(u32),
}

/// The text of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum RowText {
    /// A text that is not near to that of any other row.
    Own,
    /// Texts of one `story` are near to each other, and equal if `version` is equal too.
    Shared { story: u32, version: u32 },
}

/// The numbers of shared stories, versions, URLs and days.
const STORIES: u32 = 6;
const VERSIONS: u32 = 3;
const ADDRESSES: u32 = 8;
const DAYS: u32 = 5;

impl RowSimilarity {
    /// The properties of a row without duplicates.
    pub(super) const NONE: RowSimilarity =
        RowSimilarity { address: Address::Own, text: RowText::Own, day: 1 };

    /// Returns random properties of a row that may have duplicates.
    pub(super) fn random(random: &mut Random) -> RowSimilarity {
        let address = match random.below(6) {
            0 => Address::Absent,
            1 | 2 => Address::Shared(random.below(ADDRESSES)),
            _ => Address::Own,
        };
        let text = match random.below(5) {
            0 | 1 => RowText::Own,
            _ => RowText::Shared { story: random.below(STORIES), version: random.below(VERSIONS) },
        };
        RowSimilarity { address, text, day: 1 + random.below(DAYS) }
    }
}
