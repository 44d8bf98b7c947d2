//! Words of a run: each ideograph is a word, and so is each maximal sequence of other scalars
//! without white space.
//!
//! Ideographs are U+2E80 to U+9FFF (which includes kana and Chinese punctuation) and U+F900 to
//! U+FAFF, but not the ideographic space, which is white space. Full-width forms are letters.
//! Zero-width scalars are ignored (specification 0.3): they neither make a word nor separate two. A
//! character reference for white space separates words; any other is part of a word. Cost:
//! O(bytes).

use huller_page::entity::Scalars;
use huller_page::text::{CharClass, char_class};
use huller_page::{Page, Run, RunFlags};
use std::ops::Range;

/// Iterates over the words of a run, as byte ranges of the page's source.
pub(crate) struct RunWords<'a> {
    /// The source of the run, if it is ASCII without character references.
    plain: Option<&'a [u8]>,
    /// Number of bytes of `plain` that are read.
    at: usize,
    scalars: Scalars<'a>,
    /// Byte of the page at which the run begins.
    base: usize,
    /// The ideograph that ended the last word. It is the next word.
    ideograph: Option<Range<usize>>,
}

/// The role of a scalar in words.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ScalarKind {
    White,
    /// Zero width.
    Nothing,
    Letter,
    Ideograph,
}

fn kind(c: char) -> ScalarKind {
    match char_class(c) {
        CharClass::White => ScalarKind::White,
        CharClass::ZeroWidth => ScalarKind::Nothing,
        _ if huller_page::unspaced::is_cjk(c) => ScalarKind::Ideograph,
        _ => ScalarKind::Letter,
    }
}

impl<'a> RunWords<'a> {
    pub(crate) fn new(page: &Page<'a>, run: &Run) -> RunWords<'a> {
        let source = page.run_source(run);
        let has_references = run.flags.contains(RunFlags::REFERENCES);
        let scalars =
            if has_references { Scalars::decoded(source) } else { Scalars::verbatim(source) };
        let plain = (!has_references && source.is_ascii()).then_some(source.as_bytes());
        RunWords { plain, at: 0, scalars, base: run.byte_start as usize, ideograph: None }
    }

    /// Returns the next word of an ASCII source.
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

impl Iterator for RunWords<'_> {
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
                    (ScalarKind::Nothing, _) | (ScalarKind::White, None) => {}
                    (ScalarKind::White, Some(_)) => break,
                    (ScalarKind::Letter, None) => word = Some(range),
                    (ScalarKind::Letter, Some(word)) => word.end = range.end,
                    (ScalarKind::Ideograph, None) => {
                        word = Some(range);
                        break;
                    }
                    (ScalarKind::Ideograph, Some(_)) => {
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

/// Returns the number of words in a run.
pub(crate) fn count(page: &Page<'_>, run: &Run) -> u32 {
    if page.run_source(run).is_ascii() && !run.flags.contains(RunFlags::REFERENCES) {
        return run.counts.gaps + 1;
    }
    RunWords::new(page, run).count() as u32
}

#[cfg(test)]
mod tests {
    use super::*;
    use huller_page::PageBuf;
    use proptest::prelude::*;

    fn words(html: &str) -> Vec<&str> {
        let mut buffer = PageBuf::new();
        let page = buffer.fill(html);
        let ranges = page.runs().iter().flat_map(|run| RunWords::new(&page, run));
        ranges.map(|range| &html[range.start as usize..range.end as usize]).collect()
    }

    #[test]
    fn words_are_byte_ranges_of_the_source() {
        let html = "<p> one&nbsp;two &amp;c. three</p><p>雨。rain下\u{3000}了&#x4E2D;</p>";
        let expected =
            ["one", "two", "&amp;c.", "three", "雨", "。", "rain", "下", "了", "&#x4E2D;"];
        assert_eq!(words(html), expected);
    }

    #[test]
    fn zero_width_scalars_neither_make_nor_separate_words() {
        assert_eq!(
            words("a\u{200b}b \u{200b} c\u{ad} 中\u{200b}文"),
            ["a\u{200b}b", "c", "中", "文"]
        );
    }

    proptest! {
        #[test]
        fn the_count_equals_that_of_splitting_the_decoded_text(text in "[a-z ,中文。、é\u{200b}\u{a0}\u{3000}\n]{0,60}", tail in "(x|&amp;|&#12354;|&nbsp;| )") {
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
