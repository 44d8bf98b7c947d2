//! The tokens that the tokenizer returns.

use crate::span::Span;
use crate::tag::Tag;

/// One token. All spans are of the input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Token {
    /// Text. Two texts may follow one another if markup without meaning (`</>`) is between them.
    Text {
        /// The place of the text.
        span: Span,
        /// Whether character references in the text are decoded.
        kind: TextKind,
    },
    /// A start tag; its attributes are in the [`Attributes`](crate::Attributes) given to
    /// [`Tokenizer::next`](crate::Tokenizer::next).
    Start {
        /// The tag from `<` to `>`.
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
        /// The tag from `<` to `>`.
        span: Span,
        /// The name as written.
        name: Span,
        /// The tag of that name.
        tag: Tag,
    },
    /// A comment, bogus ones included. The span is its content.
    Comment(Span),
    /// A document type. The span is the source between `<!doctype` and `>`.
    Doctype(Span),
}

/// Whether character references in a text are decoded, which depends on the element around it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextKind {
    /// Page text; character references count.
    Data,
    /// Content of `title` and `textarea`; character references count.
    Rcdata,
    /// Content of scripts, style sheets, frames and the like, or a CDATA section: read as written.
    Raw,
}

/// A start tag in the input.
#[derive(Clone, Copy)]
pub(crate) struct StartTag {
    /// The tag from `<` to `>`.
    pub(crate) span: Span,
    /// Offset after the name, which begins directly after the `<`.
    pub(crate) name_end: u32,
    pub(crate) tag: Tag,
    pub(crate) self_closing: bool,
}

impl StartTag {
    /// Returns the name as written.
    #[inline(always)]
    pub(crate) fn name(self) -> Span {
        Span { start: self.span.start + 1, end: self.name_end }
    }
}

/// An end tag in the input.
#[derive(Clone, Copy)]
pub(crate) struct EndTag {
    /// The tag from `<` to `>`.
    pub(crate) span: Span,
    /// The name as written.
    pub(crate) name: Span,
    pub(crate) tag: Tag,
}

/// The next token, without its content.
#[derive(Clone, Copy)]
pub(crate) enum NextToken {
    /// Text, which has been passed.
    Text(TextKind),
    StartTag,
    EndTag,
    /// A comment, a document type, a CDATA section, or malformed markup that is read as a comment.
    Declaration,
}
