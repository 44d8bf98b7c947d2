//! What the tokenizer reads.

use crate::span::Span;
use crate::tag::Tag;

/// One token. All spans are of the input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Token {
    /// Text. Two texts may follow one another, if markup without meaning (`</>`) stands between
    /// them.
    Text {
        /// Where it stands.
        span: Span,
        /// How it is to be read.
        kind: TextKind,
    },
    /// A start tag; its attributes are in the [`Attributes`](crate::Attributes) given to
    /// [`Tokenizer::next`](crate::Tokenizer::next).
    Start {
        /// From `<` to `>`.
        span: Span,
        /// The name as written.
        name: Span,
        /// The tag of that name.
        tag: Tag,
        /// Whether it ends in `/>`.
        self_closing: bool,
    },
    /// An end tag.
    End {
        /// From `<` to `>`.
        span: Span,
        /// The name as written.
        name: Span,
        /// The tag of that name.
        tag: Tag,
    },
    /// A comment, bogus ones included; the span is its content.
    Comment(Span),
    /// A document type; the span is what stands between `<!doctype` and `>`.
    Doctype(Span),
}

/// How a text is to be read, which depends on the element it stands in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextKind {
    /// Page text; character references count.
    Data,
    /// Content of `title` and `textarea`; character references count.
    Rcdata,
    /// Content of scripts, style sheets, frames and the like, or a CDATA section: as it stands.
    Raw,
}

/// A start tag as it stands in the input.
#[derive(Clone, Copy)]
pub(crate) struct StartTag {
    /// From `<` to `>`.
    pub(crate) span: Span,
    /// Offset after its name, which begins directly after the `<`.
    pub(crate) name_end: u32,
    pub(crate) tag: Tag,
    pub(crate) self_closing: bool,
}

impl StartTag {
    /// The name as written.
    #[inline(always)]
    pub(crate) fn name(self) -> Span {
        Span { start: self.span.start + 1, end: self.name_end }
    }
}

/// An end tag as it stands in the input.
#[derive(Clone, Copy)]
pub(crate) struct EndTag {
    /// From `<` to `>`.
    pub(crate) span: Span,
    /// The name as written.
    pub(crate) name: Span,
    pub(crate) tag: Tag,
}

/// What stands at a place of the input.
#[derive(Clone, Copy)]
pub(crate) enum Ahead {
    /// Text, which has been passed.
    Text(TextKind),
    StartTag,
    EndTag,
    /// A comment, a document type, a CDATA section, or malformed markup that is read as a comment.
    Declaration,
}
