//! The tokenizer: bytes to tags, text and comments, without copying.
//!
//! It follows the tokenisation states of the HTML standard (section 13.2.5) as far as they decide what is text and what is
//! markup: raw text, script escapes, bogus comments, quoting, CDATA in foreign content. It makes no decoded strings: every
//! token is a [`Span`] of the input, and character references, NUL and letter case are left as written.
//!
//! [`Tokenizer::next`] gives one token after another. The tree builder, which reads every page, asks for the same in
//! smaller pieces: `ahead` passes text and says what markup follows, then `start_tag`, `end_tag` or `declaration` reads it.
//! Only its `pass_end_tag` has no counterpart in `next`: the end tag that is expected need not be read, only recognised.
//!
//! # How it stays linear
//!
//! The position only moves forward. A search that finds nothing (an unclosed comment, quote or script) ends the input, so
//! it is made once, or twice for a quote. Where an attribute may be a repeated one its tag is read a second time, and no
//! tag a third. Searches look at many bytes at a time; between them the code looks at one byte after another, and every
//! byte so looked at is passed.
//!
//! # If you change it
//!
//! A state that the standard leaves at EOF must drop the unfinished tag or comment, not emit it. `tests/html5lib.rs` holds
//! all of this to the standard's own cases, `tests/oracle.rs` to html5ever on real pages.

mod attributes;
mod declaration;
mod raw_text;

pub use attributes::{Attribute, Attributes, NodeAttribute};

use crate::lanes::Lanes;
use crate::source::Source;
use crate::tag::{Tag, TagSet};
use raw_text::Content;

/// A stretch of the input, in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Span {
    /// First byte.
    pub start: u32,
    /// One after the last byte.
    pub end: u32,
}

impl Span {
    #[inline]
    pub(crate) fn new(start: usize, end: usize) -> Span {
        Span { start: start as u32, end: end as u32 }
    }

    /// The bytes it stands for.
    #[inline]
    pub fn of(self, input: &[u8]) -> &[u8] {
        &input[self.start as usize..self.end as usize]
    }

    /// Its length in bytes.
    #[inline]
    pub fn len(self) -> u32 {
        self.end - self.start
    }

    /// Whether it holds nothing.
    #[inline]
    pub fn is_empty(self) -> bool {
        self.start == self.end
    }
}

/// One token. All spans are of the input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Token {
    /// Text. Two in a row are possible where something without meaning (`</>`) stood between.
    Text {
        /// Where it stands.
        span: Span,
        /// What it stands in.
        kind: TextKind,
    },
    /// A start tag; its attributes are in the [`Attributes`] given to [`Tokenizer::next`].
    Start {
        /// From `<` to `>`.
        span: Span,
        /// The name as written.
        name: Span,
        /// The tag of that name.
        tag: Tag,
        /// Ends in `/>`.
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

/// What a text stands in, which decides how it is to be read.
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
    /// Where its name ends, which begins behind the `<`.
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
    /// A comment, a document type, a CDATA section, or nonsense that passes for a comment.
    Declaration,
}

/// Reads an input from front to back, in one pass (the file `tokenizer.rs` begins with how it stays linear).
#[derive(Clone, Debug)]
pub struct Tokenizer<'a> {
    source: Source<'a>,
    at: usize,
    content: Content,
    /// Name of the element whose content is being read, while it is not ordinary data.
    raw_name: &'a [u8],
    foreign: bool,
}

impl<'a> Tokenizer<'a> {
    /// Reads `input` from its start.
    pub fn new(input: &'a str) -> Tokenizer<'a> {
        Tokenizer {
            source: Source::new(input.as_bytes()),
            at: 0,
            content: Content::Data,
            raw_name: b"",
            foreign: false,
        }
    }

    /// Reads `input` as the content of an element of that name, as in fragment parsing.
    pub fn inside(input: &'a str, name: &'a str) -> Tokenizer<'a> {
        let mut tokenizer = Tokenizer::new(input);
        tokenizer.content = Content::of(Tag::from_name(name.as_bytes()));
        tokenizer.raw_name = name.as_bytes();
        tokenizer
    }

    /// Tells whether the current node is foreign (SVG or MathML): CDATA sections exist there, and raw text elements
    /// (but scripts) do not. Holds from the next token on.
    #[inline]
    pub fn set_foreign(&mut self, foreign: bool) {
        self.foreign = foreign;
    }

    /// How far the input has been read, in bytes.
    #[inline]
    pub fn position(&self) -> usize {
        self.at
    }

    fn input(&self) -> &'a [u8] {
        self.source.bytes()
    }

    /// The next token, `None` at the end. A start tag fills `attributes`; other tokens leave it alone.
    #[inline]
    pub fn next(&mut self, attributes: &mut Attributes) -> Option<Token> {
        loop {
            let start = self.at;
            let ahead = self.ahead()?;
            if self.at > start {
                let kind = if let Ahead::Text(kind) = ahead { kind } else { TextKind::Data };
                return Some(Token::Text { span: Span::new(start, self.at), kind });
            }
            let token = match ahead {
                Ahead::StartTag => self.start_tag::<true>(attributes).map(|start| {
                    let StartTag { span, tag, self_closing, .. } = start;
                    Token::Start { span, name: start.name(), tag, self_closing }
                }),
                Ahead::EndTag => {
                    self.end_tag().map(|EndTag { span, name, tag }| Token::End { span, name, tag })
                }
                Ahead::Declaration => self.declaration(),
                Ahead::Text(_) => None,
            };
            if token.is_some() {
                return token;
            }
        }
    }

    /// Passes the text at the present place, and says what stands behind it; `None` at the end. If that is markup, what
    /// was passed is white space, or nothing. Other text counts as something, and is passed to its end.
    #[inline(always)]
    pub(crate) fn ahead(&mut self) -> Option<Ahead> {
        if self.content != Content::Data
            && let Some(kind) = self.raw_text()
        {
            return Some(Ahead::Text(kind));
        }
        let start = self.at;
        // Most tags stand directly behind one another. To guess so costs less than to wait for a search.
        let is_tag = self.input().get(start) == Some(&b'<');
        let visible = if is_tag { start } else { self.source.white_end(start) };
        if let Some(markup) = self.markup_at(visible) {
            self.at = visible;
            return Some(markup);
        }
        self.at = self.text_end(visible);
        (self.at > start).then_some(Ahead::Text(TextKind::Data))
    }

    /// The markup that begins at `at`, `None` if none does.
    #[inline(always)]
    fn markup_at(&self, at: usize) -> Option<Ahead> {
        let input = self.input();
        if *input.get(at)? != b'<' {
            return None;
        }
        match input.get(at + 1)? {
            b'/' if input.get(at + 2)?.is_ascii_alphabetic() => Some(Ahead::EndTag),
            b'/' | b'!' | b'?' => Some(Ahead::Declaration),
            b => b.is_ascii_alphabetic().then_some(Ahead::StartTag),
        }
    }

    /// Where the text that goes on at `from` ends: at a `<` that begins markup, or at the end of the input.
    #[inline(always)]
    fn text_end(&self, mut from: usize) -> usize {
        while let Some(at) = self.source.find(from, b'<') {
            if self.markup_at(at).is_some() {
                return at;
            }
            // A `<` that means nothing is text.
            from = at + 1;
        }
        self.input().len()
    }

    /// Reads the start tag at the present place. `None` if it means nothing. `LIST` as in [`Attributes::read`].
    #[inline(always)]
    pub(crate) fn start_tag<const LIST: bool>(
        &mut self,
        attributes: &mut Attributes,
    ) -> Option<StartTag> {
        let start = self.at;
        let (name_end, tag) = self.tag_name(start + 1);
        attributes.clear();
        let (end, self_closing) = match self.input().get(name_end) {
            Some(b'>') => (name_end + 1, false),
            _ => match attributes.read::<LIST>(self.source, name_end) {
                Some(read) => read,
                None => return self.drop_rest(),
            },
        };
        self.at = end;
        let span = Span::new(start, end);
        let start = StartTag { span, name_end: name_end as u32, tag, self_closing };
        if tag.is(TagSet::RAW_TEXT.union(TagSet::RCDATA).union(TagSet::PLAINTEXT)) {
            self.enter(start);
        }
        Some(start)
    }

    /// The input ends inside a tag: the standard drops the tag.
    #[cold]
    fn drop_rest<T>(&mut self) -> Option<T> {
        self.at = self.input().len();
        None
    }

    /// Switches to the content model of the element just opened.
    fn enter(&mut self, start: StartTag) {
        if self.foreign && (start.self_closing || start.tag != Tag::SCRIPT) {
            return;
        }
        self.content = Content::of(start.tag);
        self.raw_name = start.name().of(self.input());
    }

    /// Passes the end tag at the present place if it is that of `expected`, written without white space. Says whether it was;
    /// where it was not, [`Tokenizer::end_tag`] finds out more.
    #[inline(always)]
    pub(crate) fn pass_end_tag(&mut self, expected: Tag) -> bool {
        let name = self.at + 2;
        let len = self.source.eight(name).and_then(|eight| expected.ends_with(eight));
        if let Some(len) = len {
            self.at = name + len;
        }
        len.is_some()
    }

    /// Reads the end tag at the present place. `None` if it means nothing.
    #[inline]
    pub(crate) fn end_tag(&mut self) -> Option<EndTag> {
        let start = self.at;
        let name = start + 2;
        let (name_end, tag) = self.tag_name(name);
        let end = match self.input().get(name_end) {
            Some(b'>') => name_end + 1,
            _ => match Attributes::skip(self.source, name_end) {
                Some(end) => end,
                None => return self.drop_rest(),
            },
        };
        self.at = end;
        Some(EndTag { span: Span::new(start, end), name: Span::new(name, name_end), tag })
    }

    /// Where the tag name that begins at `start` ends, and its tag.
    #[inline(always)]
    fn tag_name(&self, start: usize) -> (usize, Tag) {
        if let Some(lanes) = self.source.sixteen(start) {
            let bits = name_ends(lanes);
            let len = bits.trailing_zeros() as usize;
            if len <= 8 && self.input().get(start + len).is_some_and(|b| ends_name(*b)) {
                return (start + len, Tag::of_eight(lanes.first_eight(), len));
            }
        }
        self.long_tag_name(start)
    }

    /// The same for any name.
    fn long_tag_name(&self, start: usize) -> (usize, Tag) {
        let rest = &self.input()[start..];
        let len = rest.iter().position(|b| ends_name(*b)).unwrap_or(rest.len());
        (start + len, Tag::from_name(&rest[..len]))
    }

    /// Passes the content of a raw text element; `None` if it is empty. Ordinary data follow.
    fn raw_text(&mut self) -> Option<TextKind> {
        let start = self.at;
        let end = raw_text::end(self.input(), start, self.content, self.raw_name);
        let kind = if self.content == Content::Rcdata { TextKind::Rcdata } else { TextKind::Raw };
        if end < self.input().len() || self.content != Content::Plaintext {
            self.content = Content::Data;
        }
        self.at = end;
        (end > start).then_some(kind)
    }
}

/// Which lanes may end a tag name: those that do, and control characters, which are looked at once more.
#[inline(always)]
fn name_ends(lanes: Lanes) -> u32 {
    lanes.equal(b'>').or(lanes.equal(b'/')).or(lanes.at_most(b' ')).bits()
}

/// Whether a byte ends a tag name.
#[inline(always)]
fn ends_name(b: u8) -> bool {
    matches!(b, b'\t' | b'\n' | b'\x0C' | b'\r' | b' ' | b'/' | b'>')
}
