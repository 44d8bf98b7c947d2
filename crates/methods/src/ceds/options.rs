//! The settings of CEDS.

use super::threshold::Variance;
use serde::{Deserialize, Serialize};

/// The settings of CEDS that a user can change in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Options {
    /// The amount that a leaf of unlinked text adds to its block's importance (E-5).
    pub(super) weight: Weight,
    /// The variance that the threshold maximises (E-8).
    pub(super) variance: Variance,
    /// The nested block to which a leaf belongs (E-3).
    pub(super) nesting: Nesting,
    /// The leaves that are noise beside a jump of levels (E-9).
    pub(super) noise: Noise,
}

/// The amount that a leaf of unlinked text adds to its block's importance (E-5).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Weight {
    /// One.
    Leaves,
    /// Its number of visible scalars.
    Chars,
}

/// The nested block to which a leaf belongs (E-3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Nesting {
    /// The outermost block, a whole subtree.
    Outermost,
    /// The innermost block: its subtree without the blocks inside it.
    Innermost,
}

/// The leaves that are noise beside a jump of levels (E-9).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Noise {
    /// The leaf beside the jump, as the paper words it.
    Leaf,
    /// That leaf, and the leaves after it, away from the jump, that are far from the typical level.
    Stretch,
    /// None.
    Off,
}

impl Options {
    /// The settings of the paper.
    pub(super) const PAPER: Options = Options {
        weight: Weight::Chars,
        variance: Variance::Otsu,
        nesting: Nesting::Outermost,
        noise: Noise::Leaf,
    };

    /// The settings with the best measured results.
    pub(super) const TUNED: Options = Options { noise: Noise::Stretch, ..Options::PAPER };

    /// Returns the settings of the specification's reference program: x counts leaves, and the
    /// variance is that of the class means.
    #[cfg(test)]
    pub(super) fn reference_settings() -> Options {
        let (weight, variance) = (Weight::Leaves, Variance::ClassMeans);
        Options { weight, variance, ..Options::TUNED }
    }
}
