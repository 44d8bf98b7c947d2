//! Finds the end of the content of a raw text element (HTML standard, sections 13.2.5.2 to
//! 13.2.5.31).

use crate::tag::{Tag, TagSet};
use memchr::{memchr, memchr2};

/// The content model of the open element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ContentModel {
    /// Text with tags and references.
    Data,
    /// Text with references and no tags but the end tag.
    Rcdata,
    /// Text as written up to the end tag.
    RawText,
    /// Text of a script, with the rules for `<!--`.
    Script,
    /// Text as written up to the end of the input.
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
            let mut search_start = start;
            while let Some(distance) = memchr(b'<', &input[search_start..]) {
                let offset = search_start + distance;
                if is_tag(&input[offset..], b"</", name) {
                    return offset;
                }
                search_start = offset + 1;
            }
            input.len()
        }
    }
}

/// Returns whether `rest` begins with `prefix`, then `name` in any case, then a byte that ends a
/// tag name.
#[inline]
fn is_tag(rest: &[u8], prefix: &[u8], name: &[u8]) -> bool {
    let name_end = prefix.len() + name.len();
    rest.len() > name_end
        && rest.starts_with(prefix)
        && rest[prefix.len()..name_end].eq_ignore_ascii_case(name)
        && matches!(rest[name_end], b'\t' | b'\n' | b'\x0C' | b'\r' | b' ' | b'/' | b'>')
}

/// Finds the end of a script. It may hide its content in a comment, which may hold a script element
/// whose end tag does not count: `<script><!-- <script> </script> --></script>` is one script.
fn script_end(input: &[u8], start: usize, name: &[u8]) -> usize {
    let mut offset = start;
    // Plain script data, until `<!--`.
    while let Some(distance) = memchr(b'<', &input[offset..]) {
        offset += distance;
        let rest = &input[offset..];
        if is_tag(rest, b"</", name) {
            return offset;
        }
        if !rest.starts_with(b"<!--") {
            offset += 1;
            continue;
        }
        // Escaped script data, until `-->`. Its dashes may be those of the `<!--`.
        let dashes = offset + 2;
        let mut double_escaped = false;
        offset += 4;
        loop {
            let Some(distance) = memchr2(b'<', b'>', &input[offset..]) else { return input.len() };
            offset += distance;
            if input[offset] == b'>' {
                let escape_ends = offset >= dashes + 2 && input[offset - 2..offset] == *b"--";
                offset += 1;
                if escape_ends {
                    break;
                }
            } else {
                let rest = &input[offset..];
                if double_escaped {
                    double_escaped = !is_tag(rest, b"</", b"script");
                } else if is_tag(rest, b"</", name) {
                    return offset;
                } else {
                    double_escaped = is_tag(rest, b"<", b"script");
                }
                offset += 1;
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
