//! Reads markup other than tags (HTML standard, sections 13.2.5.41 to 13.2.5.53, 13.2.5.69). These
//! are comments, document types, CDATA sections, and malformed tags.
//!
//! Such markup begins with `<!`, with `<?`, or with `</` and no letter. Malformed tags are
//! comments, except `</>`, which means nothing.

use super::token::{TextKind, Token};
use crate::span::Span;
use memchr::memchr;

/// Reads the declaration at `offset`. Returns the offset after it, and its token; `None` if it has
/// no meaning. `foreign` is whether it is in `svg` or `math`, which may hold CDATA sections.
pub(super) fn read(input: &[u8], offset: usize, foreign: bool) -> (usize, Option<Token>) {
    let start = offset + 2;
    match input[start - 1] {
        b'!' => {}
        b'/' if input[start] == b'>' => return (start + 1, None),
        b'/' => return bogus_comment(input, start),
        _ => return bogus_comment(input, start - 1),
    }
    let after_sign = &input[start..];
    if after_sign.starts_with(b"--") {
        return read_comment(input, start + 2);
    }
    if after_sign.len() >= 7 && after_sign[..7].eq_ignore_ascii_case(b"doctype") {
        let (end, content) = read_to_bracket(input, start + 7);
        return (end, Some(Token::Doctype(content)));
    }
    if foreign && after_sign.starts_with(b"[CDATA[") {
        let content = start + 7;
        let end = memchr::memmem::find(&input[content..], b"]]>").map(|i| content + i);
        let span = Span::new(content, end.unwrap_or(input.len()));
        let text = (!span.is_empty()).then_some(Token::Text { span, kind: TextKind::Raw });
        return (end.map_or(input.len(), |end| end + 3), text);
    }
    bogus_comment(input, start)
}

/// Reads a comment whose content begins at `content`. It ends at `-->` or `--!>`; by the standard
/// `<!-->` and `<!--->` are empty comments too.
fn read_comment(input: &[u8], content: usize) -> (usize, Option<Token>) {
    let mut start = content;
    while let Some(distance) = memchr(b'>', &input[start..]) {
        let offset = start + distance;
        let end = match &input[content..offset] {
            [] | [b'-'] => Some(content),
            [.., b'-', b'-'] => Some(offset - 2),
            [.., b'-', b'-', b'!'] => Some(offset - 3),
            _ => None,
        };
        if let Some(end) = end {
            return (offset + 1, Some(Token::Comment(Span::new(content, end))));
        }
        start = offset + 1;
    }
    // Dashes (and a `!`) at the end of the input may be the beginning of the end of the comment.
    // They are not content.
    let dashes = match &input[content..] {
        [.., b'-', b'-', b'!'] => 3,
        [.., b'-', b'-'] => 2,
        [.., b'-'] => 1,
        _ => 0,
    };
    (input.len(), Some(Token::Comment(Span::new(content, input.len() - dashes))))
}

fn bogus_comment(input: &[u8], content: usize) -> (usize, Option<Token>) {
    let (end, content) = read_to_bracket(input, content);
    (end, Some(Token::Comment(content)))
}

/// Reads the content that begins at `content` and ends at the next `>` or at the end of the input.
/// Returns the offset after the `>`, and the content.
fn read_to_bracket(input: &[u8], content: usize) -> (usize, Span) {
    let end = memchr(b'>', &input[content..]).map_or(input.len(), |i| content + i);
    ((end + 1).min(input.len()), Span::new(content, end))
}
