//! Function blocks: short blocks that contain phrases of the thesaurus (`data/thesaurus.txt`, and
//! the user's phrases).
//!
//! One Aho-Corasick pass over the text of short blocks: O(text). A phrase is found within one run
//! of text, after white space is normalised.

use crate::visual::Functions;
use crate::visual::segment::{VisualBlock, kept_runs};
use aho_corasick::{AhoCorasick, MatchKind};
use huller_page::entity::{Context, decode};
use huller_page::{Page, RunFlags};
use std::sync::{Arc, LazyLock};

/// A function block has fewer visible scalars than this.
const MAX_CHARS: u32 = 200;
/// A function block contains at least this many phrases.
const MIN_PHRASES: u32 = 2;

static THESAURUS: &str = include_str!("../../data/thesaurus.txt");

/// The largest thesaurus of a user, in bytes. Its automaton takes about 100 times as many bytes of
/// memory.
const MAX_THESAURUS_BYTES: usize = 1 << 20;

/// Phrases that mark a function block.
#[derive(Clone, Debug)]
pub struct Thesaurus(Arc<AhoCorasick>);

/// The reason why a thesaurus cannot be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ThesaurusError {
    /// It is larger than 1 MiB.
    TooLarge,
    /// It has no phrase.
    Empty,
}

impl std::fmt::Display for ThesaurusError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            ThesaurusError::TooLarge => "it has more than 1 MiB",
            ThesaurusError::Empty => {
                "it has no phrase: write one phrase per line; lines with # are comments"
            }
        })
    }
}

impl std::error::Error for ThesaurusError {}

impl Thesaurus {
    /// Returns the built-in phrases.
    pub fn shipped() -> Thesaurus {
        static SHIPPED: LazyLock<Thesaurus> =
            LazyLock::new(|| Thesaurus::from_phrases(phrases_of(THESAURUS)));
        SHIPPED.clone()
    }

    /// Returns the built-in phrases together with those of a text, one per line. Blank lines and
    /// lines that begin with `#` don't count. White space in a phrase is reduced to one space.
    ///
    /// # Errors
    ///
    /// The text has no phrase, or more than 1 MiB.
    pub fn with_phrases(text: &str) -> Result<Thesaurus, ThesaurusError> {
        let more = Thesaurus::phrases(text)?;
        Ok(Thesaurus::from_phrases(phrases_of(THESAURUS).chain(more)))
    }

    /// Returns the phrases in a text, which has the form that [`Thesaurus::with_phrases`] reads.
    ///
    /// # Errors
    ///
    /// The same as those of [`Thesaurus::with_phrases`].
    pub fn phrases(text: &str) -> Result<Vec<String>, ThesaurusError> {
        if text.len() > MAX_THESAURUS_BYTES {
            return Err(ThesaurusError::TooLarge);
        }
        let phrases: Vec<_> = phrases_of(text).collect();
        if phrases.is_empty() { Err(ThesaurusError::Empty) } else { Ok(phrases) }
    }

    fn from_phrases(phrases: impl Iterator<Item = String>) -> Thesaurus {
        let automaton = AhoCorasick::builder()
            .ascii_case_insensitive(true)
            .match_kind(MatchKind::LeftmostLongest)
            .build(phrases)
            .expect("phrases of 1 MiB are far from the automaton's limits");
        Thesaurus(Arc::new(automaton))
    }

    /// Returns whether a text has the length and the phrases of a function block: fewer than 200
    /// visible scalars, and at least two phrases.
    pub fn is_function_text(&self, text: &str) -> bool {
        let visible = text.chars().filter(|c| !c.is_whitespace()).take(MAX_CHARS as usize).count();
        visible < MAX_CHARS as usize && self.count_phrases_in(text) >= MIN_PHRASES
    }

    fn count_phrases_in(&self, text: &str) -> u32 {
        let is_word = |c: Option<char>| c.is_some_and(|c| c.is_ascii_alphanumeric());
        self.0
            .find_iter(text)
            .filter(|phrase| {
                let inside = &text[phrase.range()];
                // Only a phrase with an ASCII letter or digit at its beginning or end can be part
                // of a longer word.
                let cut_before = is_word(inside.chars().next())
                    && is_word(text[..phrase.start()].chars().next_back());
                let cut_after = is_word(inside.chars().next_back())
                    && is_word(text[phrase.end()..].chars().next());
                !cut_before && !cut_after
            })
            .count() as u32
    }
}

impl Default for Thesaurus {
    fn default() -> Thesaurus {
        Thesaurus::shipped()
    }
}

/// Returns the phrases in the lines of a text.
fn phrases_of(text: &str) -> impl Iterator<Item = String> {
    let lines = text.trim_start_matches('\u{feff}').lines().map(str::trim);
    let phrases = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
    phrases.map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// Phrases of lines about rights.
static RIGHTS: LazyLock<AhoCorasick> = LazyLock::new(|| {
    AhoCorasick::builder()
        .ascii_case_insensitive(true)
        .build(["©", "copyright", "all rights reserved", "版权所有", "版權所有"])
        .expect("a few phrases are far from the automaton's limits")
});

/// Returns whether a text contains a phrase about rights.
pub fn mentions_rights(text: &str) -> bool {
    RIGHTS.is_match(text)
}

/// The thesaurus, and reusable buffers for the texts of blocks.
#[derive(Debug, Default)]
pub(crate) struct FunctionBlockScratch {
    pub(super) thesaurus: Thesaurus,
    text: String,
    decoded: String,
}

impl Functions for FunctionBlockScratch {
    fn is_function_block(&mut self, page: &Page<'_>, removed: &[u32], block: &VisualBlock) -> bool {
        block.chars < MAX_CHARS
            && self.count_phrases(page, removed, std::slice::from_ref(block)) >= MIN_PHRASES
    }

    fn count_phrases(&mut self, page: &Page<'_>, removed: &[u32], blocks: &[VisualBlock]) -> u32 {
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
            // The newline separates runs: phrases contain no newline, so a match never spans two
            // runs.
            self.text.push('\n');
        }
        self.thesaurus.count_phrases_in(&self.text)
    }
}

/// Returns whether the only white space in a text is single spaces, as in most texts. May return
/// false if the text is not ASCII.
fn is_single_spaced(text: &str) -> bool {
    let bytes = text.as_bytes();
    // ASCII control bytes, and the lead bytes of all white scalars beyond ASCII.
    let may_be_white = |b: &u8| matches!(b, ..b' ' | 0xC2 | 0xE1 | 0xE2 | 0xE3);
    !bytes.iter().any(may_be_white) && !bytes.windows(2).any(|pair| pair == b"  ")
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
                is_complete: true,
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
            FunctionBlockScratch::default().count_phrases(&page, &[], &[block])
        };
        assert_eq!(hits("<p> contact us </p><p>contact  us</p>"), 2);
        assert_eq!(hits("<p>contact\nus<p>contact&nbsp;us<p>contact\u{a0} us"), 3);
        assert_eq!(hits("<p>contact</p><p>us</p><p>contact<b> us</b>"), 0);
    }

    #[test]
    fn phrases_are_whole_words_except_in_chinese() {
        let hits_in = |text| Thesaurus::shipped().count_phrases_in(text);
        assert_eq!(hits_in("Share this, shareholders! SEARCH research contact us."), 3);
        assert_eq!(hits_in("本站版权所有京备案123号"), 2);
        assert_eq!(hits_in("contact \nus"), 0);
    }

    #[test]
    fn phrases_of_a_user_come_on_top() {
        let mine = Thesaurus::with_phrases("# mine\n\n Nach  oben \r\nMerkliste").unwrap();
        assert!(mine.is_function_text("nach oben | MERKLISTE"));
        assert!(mine.is_function_text("Merkliste, share"));
        assert!(!Thesaurus::shipped().is_function_text("nach oben | MERKLISTE"));
        assert_eq!(Thesaurus::with_phrases("# none\n").unwrap_err(), ThesaurusError::Empty);
        let large = "a".repeat(MAX_THESAURUS_BYTES + 1);
        assert_eq!(Thesaurus::with_phrases(&large).unwrap_err(), ThesaurusError::TooLarge);
    }
}
