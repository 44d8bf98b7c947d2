//! Word diff between a gold text and a text.
//!
//! Both texts are cut into words at white space, which stays with the word before it. A scalar of a
//! script written without spaces (Han, kana, hangul, Thai, Lao, Burmese, Khmer) is a word of its
//! own, as in the metric. Words are compared exactly; white space is not compared. The alignment is
//! a longest common subsequence, so the words shown as equal are the words that a sequence metric
//! counts. The exception: one or two equal words in the middle of long changes are equal by chance,
//! and are shown as changed. The result is deterministic. At most [`MAX_WORDS`] words of each text
//! are compared, in O(n m / 64) steps and O(n + m) memory, so a hostile text costs milliseconds.
//!
//! Known failure: a moved passage is shown as missing in one place and extra in the other.

mod alignment;

pub(crate) use alignment::longest_common;

use crate::tokens::is_single;
use std::collections::HashMap;

/// Largest number of words to compare per text. Further words are left out and counted.
pub const MAX_WORDS: usize = 20_000;
/// At most `MAX_CHANCE_WORDS` equal words count as changed if more than `MIN_CHANGED_WORDS` words
/// changed before them and after them.
const MAX_CHANCE_WORDS: usize = 2;
const MIN_CHANGED_WORDS: usize = 8;
/// Number of equal words that are shown next to a change. Of a longer range, the middle is left
/// out.
const CONTEXT_WORDS: usize = 12;
/// Number of words that are shown at the beginning and at the end of a missing or extra range.
const SHOWN: (usize, usize) = (160, 40);
/// Largest number of bytes that are shown of one word, and of the white space after it.
const MAX_WORD_BYTES: usize = 200;
const MAX_SPACE_BYTES: usize = 8;

/// The kind of a piece of a diff.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PieceKind {
    /// Words of both texts.
    Same,
    /// Words of the gold only.
    Missing,
    /// Words of the text only.
    Extra,
    /// A note with the number of words that are not shown.
    Omitted,
}

impl PieceKind {
    /// Returns the marks around a piece in output without colours.
    pub fn marks(self) -> (&'static str, &'static str) {
        match self {
            PieceKind::Same => ("", ""),
            PieceKind::Missing => ("[-", "-]"),
            PieceKind::Extra => ("{+", "+}"),
            PieceKind::Omitted => ("(… ", " …)"),
        }
    }
}

/// A range of a diff.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DiffPiece {
    /// Its kind.
    pub kind: PieceKind,
    /// Its text, with the white space of the text it comes from.
    pub text: String,
}

/// The difference of two texts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Diff {
    /// The pieces in order. Missing words come before extra words in the same place.
    pub pieces: Vec<DiffPiece>,
    /// Number of words at the end of the gold that were not compared.
    pub gold_left_out: usize,
    /// Number of words at the end of the text that were not compared.
    pub text_left_out: usize,
}

impl Diff {
    /// Returns a note for each text with words that were not compared.
    pub fn omissions(&self) -> impl Iterator<Item = DiffPiece> {
        let sides = [(self.gold_left_out, "gold"), (self.text_left_out, "text")];
        sides.into_iter().filter(|(words, _)| *words > 0).map(|(words, whose)| DiffPiece {
            kind: PieceKind::Omitted,
            text: format!("{words} more words of the {whose} were not compared"),
        })
    }
}

/// Compares two texts word by word.
pub fn diff(gold: &str, text: &str) -> Diff {
    let (mut gold, gold_left_out) = cut_into_words(gold);
    let (text, text_left_out) = cut_into_words(text);
    let mut symbols = HashMap::new();
    let mut number = |word: &Word<'_>| -> u32 {
        let new_symbol = symbols.len() as u32;
        *symbols.entry(word.to_string()).or_insert(new_symbol)
    };
    let gold_symbols: Vec<u32> = gold.iter().map(&mut number).collect();
    let text_symbols: Vec<u32> = text.iter().map(&mut number).collect();
    let pairs = longest_common(&gold_symbols, &text_symbols);

    let mut pieces = DiffWriter::default();
    let (mut at_gold, mut at_text) = (0, 0);
    for alike in equal_ranges(&pairs, gold.len(), text.len()) {
        pieces.push_change(PieceKind::Missing, &gold[at_gold..alike.gold_start]);
        pieces.push_change(PieceKind::Extra, &text[at_text..alike.text_start]);
        (at_gold, at_text) = (alike.gold_start + alike.len, alike.text_start + alike.len);
        let is_last = at_gold == gold.len() && at_text == text.len();
        // The gold may end without white space after its last word, while the text has some after
        // the same word.
        if at_gold == gold.len() {
            gold[at_gold - 1].space = text[at_text - 1].space;
        }
        pieces.push_equal(&gold[alike.gold_start..at_gold], is_last);
    }
    pieces.push_change(PieceKind::Missing, &gold[at_gold..]);
    pieces.push_change(PieceKind::Extra, &text[at_text..]);
    Diff { pieces: pieces.0, gold_left_out, text_left_out }
}

/// A range of words that are equal in both texts.
#[derive(Clone, Copy, Debug)]
struct EqualRange {
    /// Index of its first word in the gold.
    gold_start: usize,
    /// Index of its first word in the text.
    text_start: usize,
    /// Number of words.
    len: usize,
}

/// Returns the ranges of equal words, without accidental matches.
fn equal_ranges(pairs: &[(u32, u32)], gold_len: usize, text_len: usize) -> Vec<EqualRange> {
    let all_ranges: Vec<EqualRange> = pairs
        .chunk_by(|(i, j), next| *next == (i + 1, j + 1))
        .map(|range| EqualRange {
            gold_start: range[0].0 as usize,
            text_start: range[0].1 as usize,
            len: range.len(),
        })
        .collect();
    let is_chance = |index: usize| {
        let alike = all_ranges[index];
        let end_before = index.checked_sub(1).map_or((0, 0), |index_before| {
            (
                all_ranges[index_before].gold_start + all_ranges[index_before].len,
                all_ranges[index_before].text_start + all_ranges[index_before].len,
            )
        });
        let behind = all_ranges
            .get(index + 1)
            .map_or((gold_len, text_len), |next| (next.gold_start, next.text_start));
        let changed_before = alike.gold_start - end_before.0 + alike.text_start - end_before.1;
        let changed_behind =
            behind.0 - alike.gold_start + behind.1 - alike.text_start - 2 * alike.len;
        alike.len <= MAX_CHANCE_WORDS && changed_before.min(changed_behind) > MIN_CHANGED_WORDS
    };
    (0..all_ranges.len())
        .filter(|index| !is_chance(*index))
        .map(|index| all_ranges[index])
        .collect()
}

/// A word, and the white space after it.
#[derive(Clone, Copy, Debug)]
struct Word<'a> {
    word: &'a str,
    space: &'a str,
}

impl std::ops::Deref for Word<'_> {
    type Target = str;

    fn deref(&self) -> &str {
        self.word
    }
}

/// Cuts a text into words. Returns the first [`MAX_WORDS`] words, and the number of the remaining
/// ones.
fn cut_into_words(text: &str) -> (Vec<Word<'_>>, usize) {
    let mut words = Vec::new();
    let mut left_out = 0;
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let len = if is_single(first) {
            first.len_utf8()
        } else {
            rest.find(|c: char| c.is_whitespace() || is_single(c)).unwrap_or(rest.len())
        };
        let (word, behind) = rest.split_at(len);
        rest = behind.trim_start();
        let space = &behind[..behind.len() - rest.len()];
        if words.len() < MAX_WORDS {
            words.push(Word { word, space });
        } else {
            left_out += 1;
        }
    }
    (words, left_out)
}

/// The pieces written so far.
#[derive(Default)]
struct DiffWriter(Vec<DiffPiece>);

impl DiffWriter {
    /// Adds equal words. Of a long range, adds only the words next to a change.
    fn push_equal(&mut self, words: &[Word<'_>], is_last: bool) {
        let head = if self.0.is_empty() { 0 } else { CONTEXT_WORDS };
        let tail = if is_last { 0 } else { CONTEXT_WORDS };
        self.push_shortened(PieceKind::Same, words, head, tail, "alike");
    }

    /// Adds words that occur in only one of the texts.
    fn push_change(&mut self, kind: PieceKind, words: &[Word<'_>]) {
        let kind_name = if kind == PieceKind::Missing { "missing" } else { "extra" };
        self.push_shortened(kind, words, SHOWN.0, SHOWN.1, kind_name);
    }

    fn push_shortened(
        &mut self,
        kind: PieceKind,
        words: &[Word<'_>],
        head: usize,
        tail: usize,
        kind_name: &str,
    ) {
        // Omitting less than about a line of words does not justify a note.
        if words.len() <= head + tail + CONTEXT_WORDS {
            return self.push(kind, words);
        }
        self.push(kind, &words[..head]);
        let omitted = words.len() - head - tail;
        self.0.push(DiffPiece {
            kind: PieceKind::Omitted,
            text: format!("{omitted} words {kind_name}"),
        });
        self.push(kind, &words[words.len() - tail..]);
    }

    fn push(&mut self, kind: PieceKind, words: &[Word<'_>]) {
        if words.is_empty() {
            return;
        }
        let mut text = String::new();
        for Word { word, space } in words {
            if word.len() > MAX_WORD_BYTES {
                text.push_str(&word[..word.floor_char_boundary(MAX_WORD_BYTES)]);
                text.push('…');
            } else {
                text.push_str(word);
            }
            if space.len() > MAX_SPACE_BYTES {
                text.push(if space.contains('\n') { '\n' } else { ' ' });
            } else {
                text.push_str(space);
            }
        }
        self.0.push(DiffPiece { kind, text });
    }
}

#[cfg(test)]
mod tests;
