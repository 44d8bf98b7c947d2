//! Markup that is no tag: comments, document types, CDATA sections, and nonsense (HTML standard, sections 13.2.5.41 to
//! 13.2.5.53, 13.2.5.69).
//!
//! What begins with `<!`, with `<?`, or with `</` and no letter. Of the last `</>` means nothing, all else is a comment.

use super::{Span, TextKind, Token, Tokenizer};
use memchr::memchr;

impl Tokenizer<'_> {
    /// Reads the declaration at the present place. `None` if it means nothing.
    pub(crate) fn declaration(&mut self) -> Option<Token> {
        let start = self.at + 2;
        match self.input()[start - 1] {
            b'!' => {}
            b'/' if self.input()[start] == b'>' => {
                self.at = start + 1;
                return None;
            }
            b'/' => return Some(self.bogus_comment(start)),
            _ => return Some(self.bogus_comment(start - 1)),
        }
        let rest = &self.input()[start..];
        if rest.starts_with(b"--") {
            return Some(self.comment(start + 2));
        }
        if rest.len() >= 7 && rest[..7].eq_ignore_ascii_case(b"doctype") {
            let content = start + 7;
            let end =
                memchr(b'>', &self.input()[content..]).map_or(self.input().len(), |i| content + i);
            self.at = (end + 1).min(self.input().len());
            return Some(Token::Doctype(Span::new(content, end)));
        }
        if self.foreign && rest.starts_with(b"[CDATA[") {
            let content = start + 7;
            let end = memchr::memmem::find(&self.input()[content..], b"]]>").map(|i| content + i);
            self.at = end.map_or(self.input().len(), |end| end + 3);
            let span = Span::new(content, end.unwrap_or(self.input().len()));
            return (!span.is_empty()).then_some(Token::Text { span, kind: TextKind::Raw });
        }
        Some(self.bogus_comment(start))
    }

    /// A comment whose content begins at `content`. It ends at `-->` or `--!>`; the standard also lets `<!-->` and
    /// `<!--->` be empty ones.
    fn comment(&mut self, content: usize) -> Token {
        let mut from = content;
        while let Some(found) = memchr(b'>', &self.input()[from..]) {
            let at = from + found;
            let body = &self.input()[content..at];
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
        self.at = self.input().len();
        // At the end of the input the dashes (and `!`) that might have begun the end don't count as content.
        let body = &self.input()[content..];
        let dashes = match body {
            [.., b'-', b'-', b'!'] => 3,
            [.., b'-', b'-'] => 2,
            [.., b'-'] => 1,
            _ => 0,
        };
        Token::Comment(Span::new(content, self.input().len() - dashes))
    }

    fn bogus_comment(&mut self, content: usize) -> Token {
        let end =
            memchr(b'>', &self.input()[content..]).map_or(self.input().len(), |i| content + i);
        self.at = (end + 1).min(self.input().len());
        Token::Comment(Span::new(content, end))
    }
}
