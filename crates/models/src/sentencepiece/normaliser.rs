//! The normalisation of a text before it is cut into pieces.

use super::SPACE;
use super::charsmap::CharsMap;
use super::message::{Message, Value};
use super::trie::Trie;
use crate::error::ModelError;
use std::ops::Range;

/// Rules of normalisation, and how spaces are treated.
#[derive(Clone, Debug)]
pub(super) struct Normaliser {
    charsmap: Option<CharsMap>,
    /// Pieces of the user, which stay as they are.
    own: Option<Trie>,
    adds_space: bool,
    removes_extra_spaces: bool,
    escapes_spaces: bool,
    /// Whether the added space is after the text.
    space_is_suffix: bool,
}

impl Default for Normaliser {
    fn default() -> Normaliser {
        Normaliser {
            charsmap: None,
            own: None,
            adds_space: true,
            removes_extra_spaces: true,
            escapes_spaces: true,
            space_is_suffix: false,
        }
    }
}

impl Normaliser {
    /// Reads the message `NormalizerSpec` in a range of a file.
    pub(super) fn read(&mut self, bytes: &[u8], range: Range<usize>) -> Result<(), ModelError> {
        let mut message = Message::new(bytes, range)?;
        while let Some((field, value)) = message.next()? {
            match (field, value) {
                (2, Value::Bytes(range)) if range.is_empty() => self.charsmap = None,
                (2, Value::Bytes(range)) => self.charsmap = Some(CharsMap::read(bytes, range)?),
                (3, Value::Number(flag)) => self.adds_space = flag != 0,
                (4, Value::Number(flag)) => self.removes_extra_spaces = flag != 0,
                (5, Value::Number(flag)) => self.escapes_spaces = flag != 0,
                _ => {}
            }
        }
        Ok(())
    }

    /// Sets the pieces of the user, and whether the added space is after the text.
    pub(super) fn complete(&mut self, own_rules: Option<Trie>, space_is_suffix: bool) {
        (self.own, self.space_is_suffix) = (own_rules, space_is_suffix);
    }

    /// Normalises a text into `out`, which is empty.
    pub(super) fn normalise(&self, mut text: &str, out: &mut String) {
        let space = if self.escapes_spaces { SPACE } else { ' ' };
        if self.removes_extra_spaces {
            while !text.is_empty() {
                let (replacement, len) = self.next_normalised(text);
                if replacement != " " {
                    break;
                }
                text = &text[len..];
            }
        }
        if text.is_empty() {
            return;
        }
        if self.adds_space && !self.space_is_suffix {
            out.push(space);
        }
        let mut follows_space = self.removes_extra_spaces;
        while !text.is_empty() {
            let (mut replacement, len) = self.next_normalised(text);
            text = &text[len..];
            if follows_space {
                replacement = replacement.trim_start_matches(' ');
            }
            if !replacement.is_empty() {
                follows_space = replacement.ends_with(' ') && self.removes_extra_spaces;
                push(replacement, space, out);
            }
        }
        if self.removes_extra_spaces {
            out.truncate(out.trim_end_matches(space).len());
        }
        if self.adds_space && self.space_is_suffix {
            out.push(space);
        }
    }

    /// Returns the normalised form of the beginning of a text, and the bytes of that beginning.
    #[inline]
    fn next_normalised<'t>(&'t self, text: &'t str) -> (&'t str, usize) {
        let bytes = text.as_bytes();
        if self.own.is_none()
            && bytes.get(1).is_none_or(u8::is_ascii)
            && self.charsmap.as_ref().is_none_or(|table| table.is_plain(bytes[0]))
            && bytes[0].is_ascii()
        {
            return (&text[..1], 1);
        }
        if let Some(own_rules) = &self.own {
            let mut longest = 0;
            own_rules.visit_prefixes(bytes, |len, _| longest = len);
            if longest > 0 {
                return (&text[..longest], longest);
            }
        }
        if let Some((len, replacement)) =
            self.charsmap.as_ref().and_then(|table| table.longest(text))
        {
            return (replacement, len);
        }
        let len = text.chars().next().map_or(0, char::len_utf8);
        (&text[..len], len)
    }
}

/// Appends a text with another character in place of spaces.
#[inline]
fn push(text: &str, space: char, out: &mut String) {
    match text.as_bytes() {
        [b' '] => out.push(space),
        // One character that is no space.
        [_] => out.push_str(text),
        _ => text.split_inclusive(' ').for_each(|word| match word.strip_suffix(' ') {
            Some(word) => {
                out.push_str(word);
                out.push(space);
            }
            None => out.push_str(word),
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn normalise(normaliser: &Normaliser, text: &str) -> String {
        let mut out = String::new();
        normaliser.normalise(text, &mut out);
        out
    }

    #[test]
    fn spaces_are_treated_as_the_model_says() {
        let plain = Normaliser::default();
        assert_eq!(normalise(&plain, "  one  two é "), "▁one▁two▁é");
        assert_eq!(normalise(&plain, "   "), "");
        let all = Normaliser { removes_extra_spaces: false, ..plain.clone() };
        assert_eq!(normalise(&all, " one  two "), "▁▁one▁▁two▁");
        let own = Trie::new(1, |_| (b"  ", 0.)).unwrap();
        let own = Normaliser { own: Some(own), ..all };
        assert_eq!(normalise(&own, "a  b"), "▁a▁▁b");
        let suffix = Normaliser { space_is_suffix: true, ..plain.clone() };
        assert_eq!(normalise(&suffix, " one two"), "one▁two▁");
        let bare = Normaliser { adds_space: false, escapes_spaces: false, ..plain };
        assert_eq!(normalise(&bare, " one  two "), "one two");
    }
}
