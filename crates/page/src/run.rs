//! Text runs.

use crate::span::Span;
use crate::text::TextCounts;

/// A text run: the text between two pieces of markup, with at least one visible scalar.
#[derive(Clone, Copy, Debug)]
pub struct Run {
    /// Index of the node whose own text this is.
    pub node: u32,
    /// Offset in bytes of the text.
    pub byte_start: u32,
    /// Offset in bytes after the text.
    pub byte_end: u32,
    /// Counts of the text, with character references decoded.
    pub counts: TextCounts,
    /// The smallest level among the elements that were open since the previous run.
    pub min_level: u16,
    /// Facts about the run.
    pub flags: RunFlags,
}

/// White space between two pieces of markup in preformatted text. It is not a [`Run`], because it
/// holds no scalar that counts. It may hold the line breaks and the indentation between two runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WhiteRun {
    /// Index of the node whose own text this is.
    pub node: u32,
    /// Index of the next run in document order; the number of runs after the last.
    pub run: u32,
    /// The place of the white space in the source. Character references in it are as written.
    pub span: Span,
}

/// Facts about a run, as bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RunFlags(u8);

impl RunFlags {
    /// The run lies in a link.
    pub const IN_LINK: RunFlags = RunFlags(1);
    /// The run holds character references that need decoding.
    pub const REFERENCES: RunFlags = RunFlags(1 << 1);
    /// White space is before the run, separated from it by a comment or a tag without meaning.
    pub const SPACE_BEFORE: RunFlags = RunFlags(1 << 2);
    /// The run lies in preformatted text: its white space is shown as written.
    pub const PREFORMATTED: RunFlags = RunFlags(1 << 3);

    /// Returns whether all bits of `other` are set.
    #[inline]
    pub const fn contains(self, other: RunFlags) -> bool {
        self.0 & other.0 == other.0
    }

    #[inline]
    pub(crate) fn insert(&mut self, other: RunFlags) {
        self.0 |= other.0;
    }
}
