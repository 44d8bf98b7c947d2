//! Measures how much of a page's text a parser keeps.
//!
//! The measure is the number of scalars that are not white space, in all text nodes outside
//! `script` and `style`. The reference is `html5ever`, which follows the standard. Some parsers
//! return text with undecoded character references. [`MarkupCounter`] counts such a reference as
//! one scalar, so that the parsers can be compared.

/// Counts the scalars of decoded text that are not white space.
pub fn count(text: &str) -> u64 {
    text.chars().filter(|scalar| !scalar.is_whitespace()).count() as u64
}

/// The most characters of a recognised character reference, without its `&` and `;`.
const MAX_REFERENCE_CHARS: usize = 32;

/// A counter for text with undecoded character references, given in pieces of any size.
///
/// A reference is `&`, letters, digits or `#`, and `;`. Without `;`, its characters are counted as
/// written.
#[derive(Debug, Default)]
pub struct MarkupCounter {
    total: u64,
    /// The text after an `&` at the end of the last piece, while it may still become a reference.
    pending: Option<String>,
}

impl MarkupCounter {
    /// Adds a piece of text.
    pub fn add(&mut self, piece: &str) {
        let mut rest = piece;
        if let Some(begun) = self.pending.take() {
            rest = self.reference(begun, rest);
        }
        while let Some(at) = rest.find('&') {
            self.total += count(&rest[..at]);
            rest = self.reference(String::new(), &rest[at + 1..]);
        }
        self.total += count(rest);
    }

    /// Ends a text node, and counts the characters of an unfinished reference as written.
    pub fn end_node(&mut self) {
        self.total += self.pending.take().map_or(0, |begun| 1 + begun.len() as u64);
    }

    /// Returns the count of all nodes that have ended.
    pub fn total(&self) -> u64 {
        self.total
    }

    /// Continues a reference that begins with `begun`. Returns the text after it.
    fn reference<'a>(&mut self, mut begun: String, text: &'a str) -> &'a str {
        let is_name = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'#';
        let end = text.bytes().position(|byte| !is_name(byte)).unwrap_or(text.len());
        begun.push_str(&text[..end]);
        if begun.len() > MAX_REFERENCE_CHARS {
            self.total += 1 + begun.len() as u64;
            return &text[end..];
        }
        match text.as_bytes().get(end) {
            None => {
                self.pending = Some(begun);
                ""
            }
            Some(b';') if !begun.is_empty() => {
                self.total += u64::from(!is_space(&begun));
                &text[end + 1..]
            }
            Some(_) => {
                self.total += 1 + begun.len() as u64;
                &text[end..]
            }
        }
    }
}

/// Returns whether a reference means white space, in the spellings that pages use.
fn is_space(name: &str) -> bool {
    let Some(number) = name.strip_prefix('#') else {
        return matches!(name, "nbsp" | "ensp" | "emsp" | "thinsp" | "Tab" | "NewLine");
    };
    let code = match number.strip_prefix(['x', 'X']) {
        Some(hex) => u32::from_str_radix(hex, 16),
        None => number.parse(),
    };
    code.ok().and_then(char::from_u32).is_some_and(char::is_whitespace)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count_markup(pieces: &[&str]) -> u64 {
        let mut counter = MarkupCounter::default();
        for piece in pieces {
            counter.add(piece);
        }
        counter.end_node();
        counter.total()
    }

    #[test]
    fn white_space_is_not_counted() {
        assert_eq!(count(" a\u{a0}b\n\u{3000}ü "), 3);
    }

    #[test]
    fn a_reference_is_one_scalar() {
        assert_eq!(count_markup(&["a &amp; b"]), 3);
        assert_eq!(count_markup(&["&nbsp;&#160;&#xA0;&#32;x"]), 1);
        assert_eq!(count_markup(&["Q&A; AT&T & &;"]), 9);
    }

    #[test]
    fn pieces_do_not_matter() {
        let text = "x &amp; y&nbsp;z &eacute &copy";
        let whole = count_markup(&[text]);
        for at in 0..=text.len() {
            assert_eq!(count_markup(&[&text[..at], &text[at..]]), whole, "cut at {at}");
        }
    }
}
