//! Decodes text into scalars, each with its place in the source.

use super::reference::{Context, Value, reference};
use memchr::memchr;
use std::ops::Range;
use std::str::Chars;

/// The scalars of a text, each with the range of bytes of the source that it comes from. A
/// reference that means two scalars yields its range twice. Cost is O(n) over the whole text.
#[derive(Clone, Debug)]
pub struct Scalars<'a> {
    source: &'a str,
    /// Byte offset of the next scalar.
    at: usize,
    /// Offset of the next `&`, or the end of the source.
    ampersand: usize,
    /// The scalars of the last named reference that are not yet yielded.
    named: Chars<'static>,
    /// Range of that reference.
    range: Range<usize>,
}

impl<'a> Scalars<'a> {
    /// Returns the scalars of `source` with its character references decoded as in text.
    pub fn decoded(source: &'a str) -> Scalars<'a> {
        let ampersand = next_ampersand(source, 0);
        Scalars { ampersand, ..Scalars::verbatim(source) }
    }

    /// Returns the scalars of `source` as written.
    pub fn verbatim(source: &'a str) -> Scalars<'a> {
        Scalars { source, at: 0, ampersand: source.len(), named: "".chars(), range: 0..0 }
    }
}

fn next_ampersand(source: &str, start: usize) -> usize {
    memchr(b'&', &source.as_bytes()[start..]).map_or(source.len(), |distance| start + distance)
}

impl Iterator for Scalars<'_> {
    type Item = (char, Range<usize>);

    #[inline]
    fn next(&mut self) -> Option<(char, Range<usize>)> {
        if let Some(c) = self.named.next() {
            return Some((c, self.range.clone()));
        }
        let start = self.at;
        if start == self.ampersand && start < self.source.len() {
            let reference_found = reference(&self.source.as_bytes()[start + 1..], Context::Text);
            self.at += 1 + reference_found.map_or(0, |(_, reference_bytes)| reference_bytes);
            self.ampersand = next_ampersand(self.source, self.at);
            self.range = start..self.at;
            let c = match reference_found {
                None => '&',
                Some((Value::Scalar(c), _)) => c,
                Some((Value::Named(scalars), _)) => {
                    self.named = scalars.chars();
                    self.named.next()?
                }
            };
            return Some((c, start..self.at));
        }
        let c = self.source[start..].chars().next()?;
        self.at += c.len_utf8();
        Some((c, start..self.at))
    }
}

#[cfg(test)]
mod tests {
    use super::super::decode::decode;
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn each_scalar_of_a_reference_has_its_range() {
        let found: Vec<_> = Scalars::decoded("a&nbsp;&ampb&#20013;&;&fjlig;").collect();
        let expected = [
            ('a', 0..1),
            ('\u{a0}', 1..7),
            ('&', 7..11),
            ('b', 11..12),
            ('中', 12..20),
            ('&', 20..21),
            (';', 21..22),
            ('f', 22..29),
            ('j', 22..29),
        ];
        assert_eq!(found, expected);
        let verbatim: String = Scalars::verbatim("&amp;中").map(|(c, _)| c).collect();
        assert_eq!(verbatim, "&amp;中");
    }

    proptest! {
        #[test]
        fn equal_the_decoded_text_and_cover_the_source(parts in prop::collection::vec(prop::sample::select(vec![
            "a", "é", "中", " ", "&", ";", "#", "&amp;", "&amp", "&notin;", "&NotEqualTilde;", "&#65;", "&#x", "&nosuch;",
        ]), 0..40)) {
            let source = parts.concat();
            let mut decoded = String::new();
            decode(&source, Context::Text, &mut decoded);
            prop_assert_eq!(Scalars::decoded(&source).map(|(c, _)| c).collect::<String>(), decoded);
            let mut end = 0;
            for (_, range) in Scalars::decoded(&source) {
                prop_assert!(range.start == end || range.end == end);
                end = range.end;
            }
            prop_assert_eq!(end, source.len());
        }
    }
}
