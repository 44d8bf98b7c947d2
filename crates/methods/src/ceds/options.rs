//! The settings of CEDS.

use super::threshold::Variance;
use serde::{Deserialize, Serialize};

/// What a user can change of CEDS, by a file of settings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Options {
    /// What a leaf of unlinked text adds to its block's importance (E-5).
    pub(super) weight: Weight,
    /// What the threshold makes large (E-8).
    pub(super) variance: Variance,
    /// Which of nested blocks a leaf belongs to (E-3).
    pub(super) nesting: Nesting,
}

/// What a leaf of unlinked text adds to its block's importance (E-5).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Weight {
    /// One.
    Leaves,
    /// Its number of visible scalars.
    Chars,
}

/// Which of nested blocks a leaf belongs to (E-3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Nesting {
    /// The outermost, which is a whole subtree.
    Outermost,
    /// The innermost, which is what its subtree holds outside of other blocks.
    Innermost,
}

impl Options {
    /// As the paper has it.
    pub(super) const PAPER: Options = Options {
        weight: Weight::Leaves,
        variance: Variance::ClassMeans,
        nesting: Nesting::Outermost,
    };

    /// What measured best.
    pub(super) const TUNED: Options =
        Options { weight: Weight::Chars, variance: Variance::Otsu, nesting: Nesting::Outermost };
}
