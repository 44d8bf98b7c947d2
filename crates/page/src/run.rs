//! Text runs.

use crate::span::Span;
use crate::text::TextCounts;

/// A stretch of text between two pieces of markup that holds at least one visible scalar.
#[derive(Clone, Copy, Debug)]
pub struct Run {
    /// Index of the node whose own text this is.
    pub node: u32,
    /// Offset in bytes.
    pub byte_start: u32,
    /// Offset in bytes after it.
    pub byte_end: u32,
    /// Its counts, character references decoded.
    pub counts: TextCounts,
    /// The smallest level among the elements that were open since the previous run.
    pub min_level: u16,
    /// Further facts.
    pub flags: RunFlags,
}

/// A stretch of text between two pieces of markup that is white space in preformatted text. It is
/// no [`Run`], since it holds nothing that is counted, but it may hold the line breaks and the
/// indentation between two runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WhiteRun {
    /// Index of the node whose own text this is.
    pub node: u32,
    /// Index of the next run in document order; the number of runs after the last.
    pub run: u32,
    /// Where it stands. Character references in it are as written.
    pub span: Span,
}

/// Facts about a run, as bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RunFlags(u8);

impl RunFlags {
    /// Lies in a link.
    pub const IN_LINK: RunFlags = RunFlags(1);
    /// Holds character references that need decoding.
    pub const REFERENCES: RunFlags = RunFlags(1 << 1);
    /// White space stands before it, across a comment or a tag without meaning.
    pub const SPACE_BEFORE: RunFlags = RunFlags(1 << 2);
    /// Lies in preformatted text: its white space is to be shown as it stands.
    pub const PREFORMATTED: RunFlags = RunFlags(1 << 3);

    /// Whether all bits of `other` are set.
    #[inline]
    pub const fn contains(self, other: RunFlags) -> bool {
        self.0 & other.0 == other.0
    }

    #[inline]
    pub(crate) fn insert(&mut self, other: RunFlags) {
        self.0 |= other.0;
    }
}
