//! The tokenizer: bytes to tags, text and comments, without copying.
//!
//! It follows the tokenisation states of the HTML standard (section 13.2.5) as far as they decide what is text and what is
//! markup: raw text, script escapes, bogus comments, quoting, CDATA in foreign content. It makes no decoded strings: every
//! token is a [`Span`] of the input, and character references, NUL and letter case are left as written.
//!
//! # How it stays linear
//!
//! The position only moves forward. A search that finds nothing (an unclosed comment, quote or script) ends the input, so
//! it is made once. `memchr` does the searching; between its calls the code looks at one byte at a time, and every byte
//! so looked at is passed.
//!
//! # If you change it
//!
//! A state that the standard leaves at EOF must drop the unfinished tag or comment, not emit it. `tests/html5lib.rs` holds
//! all of this to the standard's own cases, `tests/oracle.rs` to html5ever on real pages.

mod attributes;
mod raw_text;

pub use attributes::{Attribute, Attributes, NodeAttribute};

use crate::lanes::{find, sixteen};
use crate::tag::{Tag, TagSet};
use memchr::memchr;
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
    fn new(start: usize, end: usize) -> Span {
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

/// Reads an input from front to back, in one pass (the file `tokenizer.rs` begins with how it stays linear).
#[derive(Clone, Debug)]
pub struct Tokenizer<'a> {
    input: &'a [u8],
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
            input: input.as_bytes(),
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

    /// The next token, `None` at the end. A start tag fills `attributes`; other tokens leave it alone.
    #[inline]
    pub fn next(&mut self, attributes: &mut Attributes) -> Option<Token> {
        if self.content != Content::Data
            && let Some(text) = self.raw_text()
        {
            return Some(text);
        }
        loop {
            let start = self.at;
            let at = self.text_end(start);
            if at > start {
                self.at = at;
                return Some(Token::Text { span: Span::new(start, at), kind: TextKind::Data });
            }
            // `text_end` stopped on a `<` that begins markup, or at the end.
            let token = match self.input.get(at + 1)? {
                b'/' => self.end_tag(attributes),
                b'!' => self.declaration(),
                b'?' => Some(self.bogus_comment(at + 1)),
                _ => self.start_tag(attributes),
            };
            if token.is_some() || self.at >= self.input.len() {
                return token;
            }
        }
    }

    /// Where the text that begins at `from` ends: at a `<` that begins markup, or at the end of the input.
    #[inline]
    fn text_end(&self, mut from: usize) -> usize {
        while let Some(at) = find(self.input, from, b'<') {
            match self.input.get(at + 1) {
                Some(b'!' | b'?') => return at,
                Some(b'/') if self.input.len() > at + 2 => return at,
                Some(b) if b.is_ascii_alphabetic() => return at,
                // A `<` that means nothing is text.
                _ => from = at + 1,
            }
        }
        self.input.len()
    }

    #[inline]
    fn start_tag(&mut self, attributes: &mut Attributes) -> Option<Token> {
        let start = self.at;
        let name = self.tag_name(start + 1);
        attributes.clear();
        let (end, self_closing) = match self.input.get(name.end as usize) {
            Some(b'>') => (name.end as usize + 1, false),
            _ => match attributes.read(self.input, name.end as usize, true) {
                Some(read) => read,
                None => return self.drop_rest(),
            },
        };
        self.at = end;
        let tag = Tag::at(self.input, name.start as usize, name.len() as usize);
        if tag.is(TagSet::RAW_TEXT.union(TagSet::RCDATA)) || tag == Tag::PLAINTEXT {
            self.enter(tag, name, self_closing);
        }
        Some(Token::Start { span: Span::new(start, end), name, tag, self_closing })
    }

    /// The input ends inside a tag: the standard drops the tag.
    #[cold]
    fn drop_rest(&mut self) -> Option<Token> {
        self.at = self.input.len();
        None
    }

    /// Switches to the content model of the element just opened.
    fn enter(&mut self, tag: Tag, name: Span, self_closing: bool) {
        if self.foreign && (self_closing || tag != Tag::SCRIPT) {
            return;
        }
        self.content = Content::of(tag);
        self.raw_name = name.of(self.input);
    }

    #[inline]
    fn end_tag(&mut self, attributes: &mut Attributes) -> Option<Token> {
        let start = self.at;
        match self.input[start + 2] {
            // `</>` means nothing.
            b'>' => {
                self.at = start + 3;
                None
            }
            first if first.is_ascii_alphabetic() => {
                let name = self.tag_name(start + 2);
                let end = match self.input.get(name.end as usize) {
                    Some(b'>') => name.end as usize + 1,
                    _ => match attributes.read(self.input, name.end as usize, false) {
                        Some((end, _)) => end,
                        None => return self.drop_rest(),
                    },
                };
                self.at = end;
                let tag = Tag::at(self.input, name.start as usize, name.len() as usize);
                Some(Token::End { span: Span::new(start, end), name, tag })
            }
            _ => Some(self.bogus_comment(start + 2)),
        }
    }

    #[inline]
    fn tag_name(&self, start: usize) -> Span {
        if let Some(lanes) = sixteen(self.input, start) {
            // Of the control characters only white space ends a name, so what ends it here is looked at once more.
            let bits = lanes.equal(b'>').or(lanes.equal(b'/')).or(lanes.at_most(b' ')).bits();
            let end = start + bits.trailing_zeros() as usize;
            if bits != 0 && ends_name(self.input[end]) {
                return Span::new(start, end);
            }
        }
        let rest = &self.input[start..];
        let len = rest.iter().position(|b| ends_name(*b)).unwrap_or(rest.len());
        Span::new(start, start + len)
    }

    /// `<!` and what follows: a comment, a document type, a CDATA section, or nonsense.
    fn declaration(&mut self) -> Option<Token> {
        let start = self.at + 2;
        let rest = &self.input[start..];
        if rest.starts_with(b"--") {
            return Some(self.comment(start + 2));
        }
        if rest.len() >= 7 && rest[..7].eq_ignore_ascii_case(b"doctype") {
            let content = start + 7;
            let end =
                memchr(b'>', &self.input[content..]).map_or(self.input.len(), |i| content + i);
            self.at = (end + 1).min(self.input.len());
            return Some(Token::Doctype(Span::new(content, end)));
        }
        if self.foreign && rest.starts_with(b"[CDATA[") {
            let content = start + 7;
            let end = memchr::memmem::find(&self.input[content..], b"]]>").map(|i| content + i);
            self.at = end.map_or(self.input.len(), |end| end + 3);
            let span = Span::new(content, end.unwrap_or(self.input.len()));
            return (!span.is_empty()).then_some(Token::Text { span, kind: TextKind::Raw });
        }
        Some(self.bogus_comment(start))
    }

    /// A comment whose content begins at `content`. It ends at `-->` or `--!>`; the standard also lets `<!-->` and
    /// `<!--->` be empty ones.
    fn comment(&mut self, content: usize) -> Token {
        let mut from = content;
        while let Some(found) = memchr(b'>', &self.input[from..]) {
            let at = from + found;
            let body = &self.input[content..at];
            let end = match body {
                [] | [b'-'] => Some(content),
                [.., b'-', b'-'] => Some(at - 2),
                [.., b'-', b'-', b'!'] => Some(at - 3),
                _ => None,
            };
            if let Some(end) = end {
                self.at = at + 1;
                return Token::Comment(Span::new(content, end));
            }
            from = at + 1;
        }
        self.at = self.input.len();
        // At the end of the input the dashes (and `!`) that might have begun the end don't count as content.
        let body = &self.input[content..];
        let dashes = match body {
            [.., b'-', b'-', b'!'] => 3,
            [.., b'-', b'-'] => 2,
            [.., b'-'] => 1,
            _ => 0,
        };
        Token::Comment(Span::new(content, self.input.len() - dashes))
    }

    fn bogus_comment(&mut self, content: usize) -> Token {
        let end = memchr(b'>', &self.input[content..]).map_or(self.input.len(), |i| content + i);
        self.at = (end + 1).min(self.input.len());
        Token::Comment(Span::new(content, end))
    }

    /// The content of a raw text element, `None` if it is empty; ordinary data follow.
    fn raw_text(&mut self) -> Option<Token> {
        let start = self.at;
        let end = raw_text::end(self.input, start, self.content, self.raw_name);
        let kind = if self.content == Content::Rcdata { TextKind::Rcdata } else { TextKind::Raw };
        if end < self.input.len() || self.content != Content::Plaintext {
            self.content = Content::Data;
        }
        self.at = end;
        (end > start).then_some(Token::Text { span: Span::new(start, end), kind })
    }
}

/// Whether a byte ends a tag name.
#[inline]
fn ends_name(b: u8) -> bool {
    matches!(b, b'\t' | b'\n' | b'\x0C' | b'\r' | b' ' | b'/' | b'>')
}
