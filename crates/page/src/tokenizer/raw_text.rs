//! Finds the end of the content of a raw text element (HTML standard, sections 13.2.5.2 to
//! 13.2.5.31).

use crate::tag::{Tag, TagSet};
use memchr::{memchr, memchr2};

/// The content model of the open element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ContentModel {
    Data,
    Rcdata,
    RawText,
    Script,
    Plaintext,
}

impl ContentModel {
    pub(super) fn from_tag(tag: Tag) -> ContentModel {
        match tag {
            Tag::SCRIPT => ContentModel::Script,
            Tag::PLAINTEXT => ContentModel::Plaintext,
            _ if tag.is(TagSet::RAW_TEXT) => ContentModel::RawText,
            _ if tag.is(TagSet::RCDATA) => ContentModel::Rcdata,
            _ => ContentModel::Data,
        }
    }
}

/// Returns the offset of the end tag that ends the content beginning at `start`, or the end of the
/// input. `name` is the element's name.
pub(super) fn end(input: &[u8], start: usize, content: ContentModel, name: &[u8]) -> usize {
    match content {
        ContentModel::Data => start,
        ContentModel::Plaintext => input.len(),
        ContentModel::Script => script_end(input, start, name),
        ContentModel::Rcdata | ContentModel::RawText => {
            let mut from = start;
            while let Some(found) = memchr(b'<', &input[from..]) {
                let at = from + found;
                if is_tag(&input[at..], b"</", name) {
                    return at;
                }
                from = at + 1;
            }
            input.len()
        }
    }
}

/// Returns whether `rest` begins with `prefix`, then `name` in any case, then a byte that ends a
/// tag name.
#[inline]
fn is_tag(rest: &[u8], prefix: &[u8], name: &[u8]) -> bool {
    let after = prefix.len() + name.len();
    rest.len() > after
        && rest.starts_with(prefix)
        && rest[prefix.len()..after].eq_ignore_ascii_case(name)
        && matches!(rest[after], b'\t' | b'\n' | b'\x0C' | b'\r' | b' ' | b'/' | b'>')
}

/// Finds the end of a script. It may hide its content in a comment, which may hold a script element
/// whose end tag does not count: `<script><!-- <script> </script> --></script>` is one script.
fn script_end(input: &[u8], start: usize, name: &[u8]) -> usize {
    let mut at = start;
    // Plain script data, until `<!--`.
    while let Some(found) = memchr(b'<', &input[at..]) {
        at += found;
        let rest = &input[at..];
        if is_tag(rest, b"</", name) {
            return at;
        }
        if !rest.starts_with(b"<!--") {
            at += 1;
            continue;
        }
        // Escaped script data, until `-->`. Its dashes may be those of the `<!--`.
        let dashes = at + 2;
        let mut double_escaped = false;
        at += 4;
        loop {
            let Some(found) = memchr2(b'<', b'>', &input[at..]) else { return input.len() };
            at += found;
            if input[at] == b'>' {
                let escape_ends = at >= dashes + 2 && input[at - 2..at] == *b"--";
                at += 1;
                if escape_ends {
                    break;
                }
            } else {
                let rest = &input[at..];
                if double_escaped {
                    double_escaped = !is_tag(rest, b"</", b"script");
                } else if is_tag(rest, b"</", name) {
                    return at;
                } else {
                    double_escaped = is_tag(rest, b"<", b"script");
                }
                at += 1;
            }
        }
    }
    input.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn script(input: &str) -> &str {
        &input[..end(input.as_bytes(), 0, ContentModel::Script, b"script")]
    }

    #[test]
    fn scripts_hide_their_end_tags_in_comments() {
        assert_eq!(script("a</script>"), "a");
        assert_eq!(
            script("<!-- <script> </script> --> b</script>"),
            "<!-- <script> </script> --> b"
        );
        assert_eq!(script("<!-- </script> -->"), "<!-- ");
        assert_eq!(script("<!--><script></script>"), "<!--><script>");
        assert_eq!(
            script("<!-- <script>x</script x --></SCRIPT >"),
            "<!-- <script>x</script x -->"
        );
        assert_eq!(script("a</scriptx></script"), "a</scriptx></script");
    }

    #[test]
    fn raw_text_ends_at_its_own_end_tag_only() {
        let input = b"a</b></styles></STYLE/>x";
        assert_eq!(end(input, 0, ContentModel::RawText, b"style"), 14);
        assert_eq!(end(b"never", 0, ContentModel::Rcdata, b"title"), 5);
    }
}
