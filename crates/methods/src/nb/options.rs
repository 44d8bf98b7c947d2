//! The settings of naive Bayes.

use crate::removal;
use huller_page::Tag;
use huller_page::TagTable;
use huller_select::no_content;

/// The settings of naive Bayes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// The elements that form blocks. Whether these are more than the paper's four comes from the
    /// model too.
    pub tags: BlockTags,
    /// The consecutive blocks that merge.
    pub merge: Merge,
    /// Whether a block is the whole subtree of its element, so that blocks overlap. Otherwise a
    /// block is the text whose nearest block element it is. This comes from the model, which
    /// was trained on one of the two kinds, and not from a profile.
    pub overlap: bool,
    /// The elements that are removed.
    pub removal: RemovedTags,
    /// Whether to use the probability of the bin itself for all features. Otherwise two features
    /// use that of all bins up to it.
    pub plain_bins: bool,
    /// Whether to use the prior: the share of each class among the training blocks.
    pub prior: bool,
    /// Whether to select the blocks with the largest log-odds if no block is theme.
    pub take_nearest: bool,
}

impl Options {
    /// The settings of `nb` in profile `paper`.
    pub(super) const PAPER: Options = Options {
        tags: BlockTags::Parts,
        merge: Merge::Siblings,
        overlap: false,
        removal: RemovedTags::Core,
        plain_bins: false,
        prior: false,
        take_nearest: false,
    };

    /// The settings of `nb` in profile `tuned`.
    pub(super) const TUNED: Options = Options {
        tags: BlockTags::Parts,
        merge: Merge::None,
        overlap: false,
        removal: RemovedTags::Tuned,
        plain_bins: false,
        prior: true,
        take_nearest: true,
    };

    /// Returns these settings with the blocks that a model counts.
    #[must_use]
    pub fn with_blocks(self, BlockKind { overlap, more_tags }: BlockKind) -> Options {
        let tags = match self.tags {
            BlockTags::Parts if more_tags => BlockTags::More,
            tags => tags,
        };
        Options { tags, overlap, ..self }
    }

    /// Returns these settings with `table` as the only block tag.
    pub(super) const fn for_tables(self) -> Options {
        Options { tags: BlockTags::Tables, ..self }
    }
}

/// The kind of blocks that a model counts. Pages are cut in the same way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BlockKind {
    /// Whether a block is the whole subtree of its element.
    pub overlap: bool,
    /// Whether `nb` has more block tags than the paper's four.
    pub more_tags: bool,
}

/// The elements that form blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BlockTags {
    /// `table`, `tr`, `td` and `div`.
    Parts,
    /// These, and the tags that newer pages use in their place: `article aside center dl fieldset
    /// footer form header li main nav ol section th ul`.
    More,
    /// `table`.
    Tables,
}

/// The sibling blocks that merge if one directly follows the other in document order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Merge {
    /// All siblings.
    Siblings,
    /// Siblings with the same tag.
    SameTag,
    /// Siblings with the same tag and the same class.
    SameSignature,
    /// No siblings.
    None,
}

/// The elements that are removed before blocks are formed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RemovedTags {
    /// The set CORE (specification 0.6): scripts, style sheets and the head.
    Core,
    /// The set TUNED (specification 0.6) and small forms.
    Tuned,
}

static PARTS: TagTable = TagTable::NONE.with(&[Tag::TABLE, Tag::TR, Tag::TD, Tag::DIV]);
static MORE: TagTable = PARTS.with(&[
    Tag::ARTICLE,
    Tag::ASIDE,
    Tag::CENTER,
    Tag::DL,
    Tag::FIELDSET,
    Tag::FOOTER,
    Tag::FORM,
    Tag::HEADER,
    Tag::LI,
    Tag::MAIN,
    Tag::NAV,
    Tag::OL,
    Tag::SECTION,
    Tag::TH,
    Tag::UL,
]);
static TABLES: TagTable = TagTable::NONE.with(&[Tag::TABLE]);
static CORE: removal::Removal = removal::Removal::from_tags(no_content::CORE);
static TUNED: removal::Removal = removal::Removal::from_tags(no_content::TUNED).and_small_forms();

impl BlockTags {
    pub(super) fn tags(self) -> &'static TagTable {
        match self {
            BlockTags::Parts => &PARTS,
            BlockTags::More => &MORE,
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
