//! The settings of naive Bayes.

use crate::removal;
use huller_page::Tag;
use huller_page::Tags;
use huller_select::no_content;

/// The settings of the method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Which elements make blocks.
    pub tags: BlockTags,
    /// Which consecutive blocks become one.
    pub merge: Merge,
    /// A block is the whole subtree of its element, so blocks overlap. Otherwise it is the text
    /// whose nearest block element it is. Not of a profile: a model says for which kind of
    /// blocks it was trained.
    pub overlap: bool,
    /// Which elements are removed.
    pub removal: RemovedTags,
    /// Use the probability of the bin itself for all features. Otherwise two features use that of
    /// all bins up to it.
    pub plain_bins: bool,
    /// Use the prior: the share of each class among the training blocks.
    pub prior: bool,
    /// If no block is theme, select the blocks with the largest log-odds.
    pub take_nearest: bool,
}

impl Options {
    /// The method `nb` in profile `paper`.
    pub(super) const PAPER: Options = Options {
        tags: BlockTags::Parts,
        merge: Merge::Siblings,
        overlap: false,
        removal: RemovedTags::Core,
        plain_bins: false,
        prior: false,
        take_nearest: false,
    };

    /// The method `nb` in profile `tuned`.
    pub(super) const TUNED: Options = Options {
        tags: BlockTags::Parts,
        merge: Merge::None,
        overlap: false,
        removal: RemovedTags::Tuned,
        plain_bins: false,
        prior: true,
        take_nearest: true,
    };

    /// These settings with `table` as the only block tag.
    pub(super) const fn of_tables(self) -> Options {
        Options { tags: BlockTags::Tables, ..self }
    }
}

/// Which elements make blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BlockTags {
    /// `table`, `tr`, `td` and `div`.
    Parts,
    /// `table`.
    Tables,
}

/// Which sibling blocks merge if one directly follows the other in document order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Merge {
    /// All siblings.
    Siblings,
    /// Siblings with the same tag.
    SameTag,
    /// Siblings with the same tag and the same class.
    SameSignature,
    /// No blocks.
    None,
}

/// Which elements are removed before blocks are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RemovedTags {
    /// The set CORE (specification 0.6): scripts, style sheets and the head.
    Core,
    /// The set TUNED (specification 0.6) and small forms.
    Tuned,
}

static PARTS: Tags = Tags::NONE.and(&[Tag::TABLE, Tag::TR, Tag::TD, Tag::DIV]);
static TABLES: Tags = Tags::NONE.and(&[Tag::TABLE]);
static CORE: removal::Removal = removal::Removal::of(no_content::CORE);
static TUNED: removal::Removal = removal::Removal::of(no_content::TUNED).and_small_forms();

impl BlockTags {
    pub(super) fn tags(self) -> &'static Tags {
        match self {
            BlockTags::Parts => &PARTS,
            BlockTags::Tables => &TABLES,
        }
    }
}

impl RemovedTags {
    pub(super) fn rules(self) -> &'static removal::Removal {
        match self {
            RemovedTags::Core => &CORE,
            RemovedTags::Tuned => &TUNED,
        }
    }
}
