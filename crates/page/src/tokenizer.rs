//! The tokenizer: turns bytes into tags, text and comments, without copying.
//!
//! It follows the tokenisation states of the HTML standard (section 13.2.5) as far as they decide
//! which bytes are text. These states concern raw text, script escapes, bogus comments, quoting,
//! and CDATA in foreign content. It makes no decoded strings: every token is a [`Span`] of the
//! input, and character references, NUL and letter case stay as written.
//!
//! [`Tokenizer::next`] returns one token after another. The tree builder, which reads every page,
//! asks for the same in smaller pieces. `ahead` passes text and returns the kind of markup that
//! follows. Then `start_tag`, `end_tag` or `declaration` reads that markup. Only `pass_end_tag` has
//! no counterpart in `next`: it recognises an expected end tag without reading it.
//!
//! # How it stays linear
//!
//! The position only moves forward. A search without result (for the end of a comment, quote or
//! script) ends the input. So it is made once, or twice for a quote. While a tree is built, a start
//! tag is read at most three times. The second reading makes a list of attributes, if one may
//! repeat another. The third counts the scalars of attributes that are not all ASCII. Searches read
//! many bytes at a time. Between them the code reads single bytes, and passes every byte that it
//! reads.
//!
//! # If you change it
//!
//! In a state that the standard leaves at EOF, the unfinished tag or comment must be dropped, not
//! emitted. `tests/html5lib.rs` compares the tokenizer with the standard's own cases,
//! `tests/oracle.rs` with html5ever on real pages.

mod attributes;
mod declaration;
mod raw_text;
mod token;

pub use attributes::Attributes;
pub(crate) use token::{EndTag, NextToken, StartTag};
pub use token::{TextKind, Token};

use crate::byte_source::ByteSource;
use crate::bytes16::Bytes16;
use crate::span::{Span, assert_addressable};
use crate::tag::{Tag, TagSet};
use raw_text::ContentModel;

/// Reads an input from front to back, in one pass. The cost is linear in the length of any input.
#[derive(Clone, Debug)]
pub struct Tokenizer<'a> {
    source: ByteSource<'a>,
    /// Byte offset of the next token.
    at: usize,
    content: ContentModel,
    /// Name of the element whose content is being read, unless the content is ordinary data.
    raw_name: &'a [u8],
    foreign: bool,
}

impl<'a> Tokenizer<'a> {
    /// Returns a tokenizer at the start of `input`.
    ///
    /// # Panics
    ///
    /// If `input` is longer than [`MAX_INPUT_LEN`](crate::MAX_INPUT_LEN) bytes.
    pub fn new(input: &'a str) -> Tokenizer<'a> {
        assert_addressable(input.len());
        Tokenizer {
            source: ByteSource::new(input.as_bytes()),
            at: 0,
            content: ContentModel::Data,
            raw_name: b"",
            foreign: false,
        }
    }

    /// Returns a tokenizer for `input` as the content of an element of that name, as in fragment
    /// parsing.
    ///
    /// # Panics
    ///
    /// As [`Tokenizer::new`].
    pub fn for_fragment(input: &'a str, name: &'a str) -> Tokenizer<'a> {
        let mut tokenizer = Tokenizer::new(input);
        tokenizer.content = ContentModel::from_tag(Tag::from_name(name.as_bytes()));
        tokenizer.raw_name = name.as_bytes();
        tokenizer
    }

    /// Sets whether the current node is foreign (in `svg` or `math`), from the next token on.
    /// Foreign content has CDATA sections, and scripts are its only raw text elements.
    #[inline]
    pub fn set_foreign(&mut self, foreign: bool) {
        self.foreign = foreign;
    }

    /// Returns the number of bytes of the input that have been read.
    #[inline]
    pub fn position(&self) -> usize {
        self.at
    }

    fn input(&self) -> &'a [u8] {
        self.source.bytes()
    }

    /// Returns the next token; `None` at the end. A start tag replaces the content of `attributes`;
    /// other tokens leave it unchanged.
    #[inline]
    pub fn next(&mut self, attributes: &mut Attributes) -> Option<Token> {
        loop {
            let start = self.at;
            let ahead = self.pass_text()?;
            if self.at > start {
                let kind = if let NextToken::Text(kind) = ahead { kind } else { TextKind::Data };
                return Some(Token::Text { span: Span::new(start, self.at), kind });
            }
            let token = match ahead {
                NextToken::StartTag => self.start_tag::<true>(attributes).map(|start| {
                    let StartTag { span, tag, self_closing, .. } = start;
                    Token::Start { span, name: start.name(), tag, self_closing }
                }),
                NextToken::EndTag => {
                    self.end_tag().map(|EndTag { span, name, tag }| Token::End { span, name, tag })
                }
                NextToken::Declaration => self.declaration(),
                NextToken::Text(_) => None,
            };
            if token.is_some() {
                return token;
            }
        }
    }

    /// Passes the text at the present position and returns what was found; `None` at the end of the
    /// input. If the text is more than white space, it is passed to its end and is itself the
    /// result. Otherwise the result is the markup that follows.
    #[inline(always)]
    pub(crate) fn pass_text(&mut self) -> Option<NextToken> {
        if self.content != ContentModel::Data
            && let Some(kind) = self.raw_text()
        {
            return Some(NextToken::Text(kind));
        }
        let start = self.at;
        // Most tags follow directly on one another. This guess costs less than waiting for the
        // result of a search.
        let is_tag = self.input().get(start) == Some(&b'<');
        let visible = if is_tag { start } else { self.source.white_end(start) };
        if let Some(markup) = self.markup_at(visible) {
            self.at = visible;
            return Some(markup);
        }
        self.at = self.text_end(visible);
        (self.at > start).then_some(NextToken::Text(TextKind::Data))
    }

    /// Returns the kind of markup that begins at `offset`, if any does.
    #[inline(always)]
    fn markup_at(&self, offset: usize) -> Option<NextToken> {
        let input = self.input();
        if *input.get(offset)? != b'<' {
            return None;
        }
        match input.get(offset + 1)? {
            b'/' if input.get(offset + 2)?.is_ascii_alphabetic() => Some(NextToken::EndTag),
            b'/' | b'!' | b'?' => Some(NextToken::Declaration),
            b => b.is_ascii_alphabetic().then_some(NextToken::StartTag),
        }
    }

    /// Returns the end of the text around `start`: the offset of the next `<` that begins markup,
    /// or the end of the input.
    #[inline(always)]
    fn text_end(&self, mut start: usize) -> usize {
        while let Some(offset) = self.source.find(start, b'<') {
            if self.markup_at(offset).is_some() {
                return offset;
            }
            // A `<` that does not begin markup is text.
            start = offset + 1;
        }
        self.input().len()
    }

    /// Reads the start tag at the present position; `None` if the input ends in it. `LIST` is as in
    /// [`Attributes::read`].
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
            self.enter_content_model(start);
        }
        Some(start)
    }

    /// Skips the rest of the input, which ends inside a tag. The standard drops such a tag.
    #[cold]
    fn drop_rest<T>(&mut self) -> Option<T> {
        self.at = self.input().len();
        None
    }

    /// Switches to the content model of the element just opened.
    fn enter_content_model(&mut self, start: StartTag) {
        if self.foreign && (start.self_closing || start.tag != Tag::SCRIPT) {
            return;
        }
        self.content = ContentModel::from_tag(start.tag);
        self.raw_name = start.name().slice(self.input());
    }

    /// Passes the end tag at the present position and returns true, if it is the end tag of
    /// `expected` and is written without white space. Otherwise the position stays, and
    /// [`Tokenizer::end_tag`] must read the tag.
    #[inline(always)]
    pub(crate) fn pass_end_tag(&mut self, expected: Tag) -> bool {
        let name = self.at + 2;
        let len = self.source.bytes8(name).and_then(|bytes| expected.ends_with(bytes));
        if let Some(len) = len {
            self.at = name + len;
        }
        len.is_some()
    }

    /// Reads the end tag at the present position; `None` if the input ends in it.
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

    /// Reads the declaration at the present position; `None` if it has no meaning.
    pub(crate) fn declaration(&mut self) -> Option<Token> {
        let (end, token) = declaration::read(self.input(), self.at, self.foreign);
        self.at = end;
        token
    }

    /// Returns the end of the tag name that begins at `start`, and its tag.
    #[inline(always)]
    fn tag_name(&self, start: usize) -> (usize, Tag) {
        if let Some(bytes) = self.source.bytes16(start) {
            let bits = name_ends(bytes);
            let len = bits.trailing_zeros() as usize;
            if len <= 8 && self.input().get(start + len).is_some_and(|b| ends_name(*b)) {
                return (start + len, Tag::from_eight(bytes.first_eight(), len));
            }
        }
        self.long_tag_name(start)
    }

    /// Reads a name as [`Tokenizer::tag_name`] does, but of any length.
    fn long_tag_name(&self, start: usize) -> (usize, Tag) {
        let rest = &self.input()[start..];
        let len = rest.iter().position(|b| ends_name(*b)).unwrap_or(rest.len());
        (start + len, Tag::from_name(&rest[..len]))
    }

    /// Passes the content of a raw text element; `None` if it is empty. Ordinary data follow.
    fn raw_text(&mut self) -> Option<TextKind> {
        let start = self.at;
        let end = raw_text::end(self.input(), start, self.content, self.raw_name);
        let kind =
            if self.content == ContentModel::Rcdata { TextKind::Rcdata } else { TextKind::Raw };
        if end < self.input().len() || self.content != ContentModel::Plaintext {
            self.content = ContentModel::Data;
        }
        self.at = end;
        (end > start).then_some(kind)
    }
}

/// Returns which bytes may end a tag name. The bits include other control characters, so the caller
/// must check the byte.
#[inline(always)]
fn name_ends(bytes: Bytes16) -> u32 {
    bytes.equal(b'>').or(bytes.equal(b'/')).or(bytes.at_most(b' ')).bits()
}

/// Returns whether a byte ends a tag name.
#[inline(always)]
fn ends_name(b: u8) -> bool {
    matches!(b, b'\t' | b'\n' | b'\x0C' | b'\r' | b' ' | b'/' | b'>')
}
