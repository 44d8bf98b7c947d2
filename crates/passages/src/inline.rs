//! Reads inline markup as far as headings and the alignment with a text need it.
//!
//! Cuts do not depend on it. So a few rules of CommonMark for emphasis are left out, and a text
//! that is not markup may lose a sign.

/// The most Unicode scalars of the text of a heading or of a title.
pub(crate) const MAX_TITLE_CHARS: usize = 512;

/// Finds the ends of links. Searches that fail cost time, so their sum is bounded.
#[derive(Debug)]
pub(crate) struct Links {
    /// Bytes that searches without result may still read.
    left: usize,
}

impl Links {
    /// Searches in a text of this number of bytes.
    pub(crate) fn new(bytes: usize) -> Links {
        Links { left: bytes.saturating_mul(4) }
    }

    /// Returns the offset after the address of the link whose `](` is at an offset.
    pub(crate) fn end(&mut self, bytes: &[u8], offset: usize) -> Option<usize> {
        if !bytes[offset..].starts_with(b"](") {
            return None;
        }
        self.matching_close(bytes, offset + 2, b'(', b')')
    }

    /// Returns the offset after the image whose `![` is at an offset.
    pub(crate) fn image_end(&mut self, bytes: &[u8], offset: usize) -> Option<usize> {
        if !bytes[offset..].starts_with(b"![") {
            return None;
        }
        let end = self.matching_close(bytes, offset + 2, b'[', b']')?;
        self.end(bytes, end - 1)
    }

    /// Returns the offset after the bracket that closes the one before `offset`, on the same line.
    fn matching_close(
        &mut self,
        bytes: &[u8],
        offset: usize,
        open: u8,
        close: u8,
    ) -> Option<usize> {
        let mut depth = 1_usize;
        let mut index = offset;
        while let Some(byte) = bytes.get(index).filter(|byte| **byte != b'\n')
            && index - offset < self.left
        {
            match byte {
                b'\\' => index += 1,
                byte if *byte == open => depth += 1,
                byte if *byte == close => depth -= 1,
                _ => {}
            }
            index += 1;
            if depth == 0 {
                return Some(index);
            }
        }
        self.left = self.left.saturating_sub(index - offset);
        None
    }
}

/// Returns the identifier at the end of a heading's content, as `{#id}`, and the content before it.
pub(crate) fn split_anchor(content: &str) -> (&str, Option<&str>) {
    let content = content.trim();
    let split = content.strip_suffix('}').and_then(|rest| rest.rsplit_once("{#"));
    match split {
        Some((before, id)) if !id.is_empty() && !id.contains([' ', '\t', '}']) => {
            (before.trim_end(), Some(id))
        }
        _ => (content, None),
    }
}

/// Returns a heading's content without the signs that close it.
pub(crate) fn without_closing(content: &str) -> &str {
    let content = content.trim();
    let rest = content.trim_end_matches('#');
    if rest.is_empty() || rest.ends_with([' ', '\t']) { rest.trim_end() } else { content }
}

/// Appends the text of inline Markdown to `out`, up to [`MAX_TITLE_CHARS`] scalars.
pub(crate) fn text_of(markdown: &str, out: &mut String) {
    let start = out.len();
    let bytes = markdown.as_bytes();
    let mut links = Links::new(bytes.len());
    let mut brackets: Vec<usize> = Vec::new();
    let (mut offset, mut scalars) = (0, 0);
    while let Some(c) = markdown[offset..].chars().next().filter(|_| scalars < MAX_TITLE_CHARS) {
        let offset_after = offset + c.len_utf8();
        let char_before = out[start..].chars().next_back();
        let next_char = markdown[offset_after..].chars().next();
        offset = offset_after;
        match c {
            '\\' if next_char.is_some_and(|next_char| next_char.is_ascii_punctuation()) => {
                out.push_str(&markdown[offset_after..=offset_after]);
                offset += 1;
            }
            c if c.is_whitespace() => {
                if char_before.is_none_or(|char_before| char_before == ' ') {
                    continue;
                }
                out.push(' ');
            }
            '[' => {
                brackets.push(out.len());
                out.push('[');
            }
            ']' => match (brackets.pop(), links.end(bytes, offset_after - 1)) {
                (Some(bracket), Some(end)) => {
                    out.remove(bracket);
                    if out[start..bracket].ends_with('!') {
                        out.remove(bracket - 1);
                    }
                    offset = end;
                }
                _ => out.push(']'),
            },
            '`' => {}
            '*' if char_before.is_some_and(is_visible) || next_char.is_some_and(is_visible) => {}
            '_' if !char_before.is_some_and(char::is_alphanumeric)
                || !next_char.is_some_and(char::is_alphanumeric) => {}
            '~' if next_char == Some('~') => offset += 1,
            c => out.push(c),
        }
        scalars += 1;
    }
    let end = start + out[start..].trim_end().len();
    out.truncate(end);
}

fn is_visible(c: char) -> bool {
    !c.is_whitespace()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_text_of_a_heading_has_no_markup() {
        for (markdown, expected) in [
            (" Plain  text ", "Plain text"),
            (r"A \*b\* and *c* **d** _e_ f_g 2 * 3", "A *b* and c d e f_g 2 * 3"),
            ("[link](http://a.b/(c)) and ![alt](d \"e\")", "link and alt"),
            ("[not a link] (a) ](b)", "[not a link] (a) ](b)"),
            ("`code` ~~gone~~", "code gone"),
            ("", ""),
        ] {
            let mut out = String::from("before ");
            text_of(markdown, &mut out);
            assert_eq!(&out[7..], expected);
        }
        let mut out = String::new();
        text_of(&"é".repeat(5_000), &mut out);
        assert_eq!(out.chars().count(), MAX_TITLE_CHARS);
    }

    #[test]
    fn headings_may_have_identifiers_and_closing_signs() {
        assert_eq!(split_anchor(" A b {#a-b} "), ("A b", Some("a-b")));
        assert_eq!(split_anchor("A {#a b}"), ("A {#a b}", None));
        assert_eq!(split_anchor("A {#}"), ("A {#}", None));
        assert_eq!(without_closing(" a ## "), "a");
        assert_eq!(without_closing("a#"), "a#");
        assert_eq!(without_closing("##"), "");
    }

    #[test]
    fn links_without_ends_cost_linear_time() {
        let text = "](".repeat(1 << 20);
        let mut links = Links::new(text.len());
        let found = (0..text.len()).filter_map(|at| links.end(text.as_bytes(), at)).count();
        assert_eq!(found, 0);
        assert_eq!(links.left, 0);
    }
}
