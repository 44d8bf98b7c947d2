//! Function blocks: short blocks that contain phrases of the thesaurus (`data/thesaurus.txt`).
//!
//! One Aho-Corasick pass over the text of short blocks: O(text). A phrase is found within one run of text, after white space is
//! normalised.

use crate::visual::Functions;
use crate::visual::segment::{VisualBlock, kept_runs};
use aho_corasick::{AhoCorasick, MatchKind};
use huller_page::entity::{Context, decode};
use huller_page::{Page, RunFlags};
use std::sync::LazyLock;

/// A function block has fewer visible scalars than this.
const LONGEST: u32 = 200;
/// A function block contains at least this many phrases.
const HITS: u32 = 2;

static THESAURUS: &str = include_str!("../../data/thesaurus.txt");

static PHRASES: LazyLock<AhoCorasick> = LazyLock::new(|| {
    let lines = THESAURUS.lines().map(str::trim);
    AhoCorasick::builder()
        .ascii_case_insensitive(true)
        .match_kind(MatchKind::LeftmostLongest)
        .build(lines.filter(|line| !line.is_empty() && !line.starts_with('#')))
        .expect("a few dozen phrases are far from the automaton's limits")
});

/// Phrases of lines about rights.
static RIGHTS: LazyLock<AhoCorasick> = LazyLock::new(|| {
    AhoCorasick::builder()
        .ascii_case_insensitive(true)
        .build(["©", "copyright", "all rights reserved", "版权所有", "版權所有"])
        .expect("a few phrases are far from the automaton's limits")
});

/// Whether a text speaks of the rights of the site.
pub fn speaks_of_rights(text: &str) -> bool {
    RIGHTS.is_match(text)
}

/// Reusable memory for the texts of blocks.
#[derive(Debug, Default)]
pub(crate) struct Phrases {
    text: String,
    decoded: String,
}

impl Functions for Phrases {
    fn is_functional(&mut self, page: &Page<'_>, removed: &[u32], block: &VisualBlock) -> bool {
        block.chars < LONGEST && self.hits(page, removed, std::slice::from_ref(block)) >= HITS
    }

    fn hits(&mut self, page: &Page<'_>, removed: &[u32], blocks: &[VisualBlock]) -> u32 {
        self.text.clear();
        for run in blocks.iter().flat_map(|block| kept_runs(page, removed, block)) {
            let run = &page.runs()[run as usize];
            let mut source = page.run_source(run);
            if run.flags.contains(RunFlags::REFERENCES) {
                self.decoded.clear();
                decode(source, Context::Text, &mut self.decoded);
                source = &self.decoded;
            }
            let trimmed = source.trim_ascii();
            if is_single_spaced(trimmed) {
                self.text.push_str(trimmed);
            } else {
                for word in trimmed.split_whitespace() {
                    self.text.push_str(word);
                    self.text.push(' ');
                }
            }
            // No phrase holds a newline, so none is found across two runs.
            self.text.push('\n');
        }
        hits_in(&self.text)
    }
}

/// Whether the only white space in a text is single spaces, as in most. May return false if the text is not ASCII.
fn is_single_spaced(text: &str) -> bool {
    let bytes = text.as_bytes();
    // ASCII control bytes, and the lead bytes of all white scalars beyond ASCII.
    let may_be_white = |b: &u8| matches!(b, ..b' ' | 0xC2 | 0xE1 | 0xE2 | 0xE3);
    !bytes.iter().any(may_be_white) && !bytes.windows(2).any(|pair| pair == b"  ")
}

/// Whether a text is that of a function block: short, with at least two phrases of the thesaurus.
pub fn is_function_text(text: &str) -> bool {
    let visible = text.chars().filter(|c| !c.is_whitespace()).take(LONGEST as usize).count();
    visible < LONGEST as usize && hits_in(text) >= HITS
}

fn hits_in(text: &str) -> u32 {
    let is_word = |c: Option<char>| c.is_some_and(|c| c.is_ascii_alphanumeric());
    PHRASES
        .find_iter(text)
        .filter(|found| {
            let inside = &text[found.range()];
            // Only a phrase that begins or ends in an ASCII letter or digit can be part of a longer word.
            let cut_before = is_word(inside.chars().next())
                && is_word(text[..found.start()].chars().next_back());
            let cut_after =
                is_word(inside.chars().next_back()) && is_word(text[found.end()..].chars().next());
            !cut_before && !cut_after
        })
        .count() as u32
}

#[cfg(test)]
mod tests {
    use super::*;
    use huller_page::{PageBuf, Run};

    #[test]
    fn white_space_within_a_phrase_is_normalised() {
        let hits = |html: &str| {
            let mut buffer = PageBuf::new();
            let page = buffer.fill(html);
            let sums = |run: &Run| run.counts.chars;
            let block = VisualBlock {
                node: 1,
                is_whole: true,
                run_start: 0,
                run_end: page.runs().len() as u32,
                coherence: 1,
                after_rule: false,
                after_other: false,
                chars: page.runs().iter().map(sums).sum(),
                linked_chars: 0,
                tags: 0,
                topics: 0,
                marked: 0,
            };
            Phrases::default().hits(&page, &[], &[block])
        };
        assert_eq!(hits("<p> contact us </p><p>contact  us</p>"), 2);
        assert_eq!(hits("<p>contact\nus<p>contact&nbsp;us<p>contact\u{a0} us"), 3);
        assert_eq!(hits("<p>contact</p><p>us</p><p>contact<b> us</b>"), 0);
    }

    #[test]
    fn phrases_are_whole_words_except_in_chinese() {
        assert_eq!(hits_in("Share this, shareholders! SEARCH research contact us."), 3);
        assert_eq!(hits_in("本站版权所有京备案123号"), 2);
        assert_eq!(hits_in("contact \nus"), 0);
    }
}
