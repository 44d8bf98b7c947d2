//! Words of a run: one ideograph, or as many other scalars as stand together without white space.
//!
//! Ideographs are U+2E80-9FFF (kana and the marks of Chinese among them) and U+F900-FAFF but for the ideographic space, which is
//! white like any other; full-width forms are letters. Zero-width scalars count as nothing (specification 0.3): they neither make nor part a word. A character reference that stands for white space
//! parts words, any other belongs to one. Cost: O(bytes).

use huller_page::entity::Scalars;
use huller_page::text::{CharClass, char_class};
use huller_page::{Page, Run, RunFlags};
use std::ops::Range;

/// Goes over the words of a run, as bytes of the page's source.
pub(crate) struct Words<'a> {
    /// The source if it is ASCII without references, and how much of it is read.
    plain: Option<&'a [u8]>,
    at: usize,
    scalars: Scalars<'a>,
    /// Where the run begins.
    base: usize,
    /// The ideograph that ended the word before; the next word.
    ideograph: Option<Range<usize>>,
}

/// What a scalar is to words.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    White,
    /// Zero width.
    Nothing,
    Letter,
    Ideograph,
}

fn kind(c: char) -> Kind {
    match char_class(c) {
        CharClass::White => Kind::White,
        CharClass::ZeroWidth => Kind::Nothing,
        _ if matches!(c, '\u{2E80}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}') => Kind::Ideograph,
        _ => Kind::Letter,
    }
}

impl<'a> Words<'a> {
    pub(crate) fn new(page: &Page<'a>, run: &Run) -> Words<'a> {
        let source = page.run_source(run);
        let has_references = run.flags.contains(RunFlags::REFERENCES);
        let scalars =
            if has_references { Scalars::decoded(source) } else { Scalars::verbatim(source) };
        let plain = (!has_references && source.is_ascii()).then_some(source.as_bytes());
        Words { plain, at: 0, scalars, base: run.byte_start as usize, ideograph: None }
    }

    /// The next word of a source in ASCII.
    #[inline]
    fn next_plain(&mut self, source: &[u8]) -> Option<Range<u32>> {
        let is_white = |b: u8| matches!(b, b' ' | b'\t'..=b'\r');
        let (mut start, mut end) = (None, 0);
        while let Some(b) = source.get(self.at) {
            self.at += 1;
            if is_white(*b) {
                if start.is_some() {
                    break;
                }
            } else if *b != 0 {
                start.get_or_insert(self.at - 1);
                end = self.at;
            }
        }
        Some((self.base + start?) as u32..(self.base + end) as u32)
    }
}

impl Iterator for Words<'_> {
    type Item = Range<u32>;

    #[inline]
    fn next(&mut self) -> Option<Range<u32>> {
        if let Some(source) = self.plain {
            return self.next_plain(source);
        }
        let mut word = self.ideograph.take();
        if word.is_none() {
            for (c, range) in self.scalars.by_ref() {
                match (kind(c), &mut word) {
                    (Kind::Nothing, _) | (Kind::White, None) => {}
                    (Kind::White, Some(_)) => break,
                    (Kind::Letter, None) => word = Some(range),
                    (Kind::Letter, Some(word)) => word.end = range.end,
                    (Kind::Ideograph, None) => {
                        word = Some(range);
                        break;
                    }
                    (Kind::Ideograph, Some(_)) => {
                        self.ideograph = Some(range);
                        break;
                    }
                }
            }
        }
        let Range { start, end } = word?;
        Some((self.base + start) as u32..(self.base + end) as u32)
    }
}

/// How many words a run has.
pub(crate) fn count(page: &Page<'_>, run: &Run) -> u32 {
    if page.run_source(run).is_ascii() && !run.flags.contains(RunFlags::REFERENCES) {
        return run.counts.gaps + 1;
    }
    Words::new(page, run).count() as u32
}

#[cfg(test)]
mod tests {
    use super::*;
    use huller_page::PageBuf;
    use proptest::prelude::*;

    fn words(html: &str) -> Vec<&str> {
        let mut buffer = PageBuf::new();
        let page = buffer.fill(html);
        let ranges = page.runs().iter().flat_map(|run| Words::new(&page, run));
        ranges.map(|range| &html[range.start as usize..range.end as usize]).collect()
    }

    #[test]
    fn words_are_bytes_of_the_source() {
        let html = "<p> one&nbsp;two &amp;c. three</p><p>雨。rain下\u{3000}了&#x4E2D;</p>";
        let expected =
            ["one", "two", "&amp;c.", "three", "雨", "。", "rain", "下", "了", "&#x4E2D;"];
        assert_eq!(words(html), expected);
    }

    #[test]
    fn zero_width_scalars_make_and_part_no_word() {
        assert_eq!(
            words("a\u{200b}b \u{200b} c\u{ad} 中\u{200b}文"),
            ["a\u{200b}b", "c", "中", "文"]
        );
    }

    proptest! {
        #[test]
        fn as_many_as_splitting_gives(text in "[a-z ,中文。、é\u{200b}\u{a0}\u{3000}\n]{0,60}", tail in "(x|&amp;|&#12354;|&nbsp;| )") {
            let html = format!("<p>x{text}{tail}");
            let mut buffer = PageBuf::new();
            let page = buffer.fill(&html);
            let decoded = format!("x{text}{tail}").replace("&amp;", "&").replace("&#12354;", "あ").replace("&nbsp;", " ");
            let is_ideograph = |c: char| ('\u{2e80}'..='\u{9fff}').contains(&c) && c != '\u{3000}';
            let mut spaced = String::new();
            for c in decoded.chars().filter(|c| *c != '\u{200b}') {
                if is_ideograph(c) { spaced.extend([' ', c, ' ']) } else { spaced.push(c) }
            }
            prop_assert_eq!(count(&page, &page.runs()[0]) as usize, spaced.split_whitespace().count());
        }
    }
}
