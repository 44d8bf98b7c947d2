//! Word diff of a gold text and a text.
//!
//! Both texts are cut into words at white space, which stays with the word before it; scalars of scripts written without
//! spaces (Han, kana, hangul, Thai, Lao, Burmese, Khmer) are words of their own, as in the metric. Words are compared as
//! they stand, white space is not compared. The alignment is a longest common subsequence, so what is shown as alike is
//! what a sequence metric counts, but for one or two words alike in the midst of long changes: these are chance, and are
//! shown as changed. Deterministic. At most [`MOST_WORDS`] words a side are compared, at O(n m / 64) steps
//! and O(n + m) memory, so a hostile text costs milliseconds.
//!
//! Known failure: a moved passage shows as missing in one place and extra in the other.

mod alignment;

pub(crate) use alignment::longest_common;

use std::collections::HashMap;

/// Words compared a side; more are left out and counted.
pub const MOST_WORDS: usize = 20_000;
/// Stretches of at most so many words are chance where more than so many words changed before and behind them.
const CHANCE: usize = 2;
const CHANGED: usize = 8;
/// Words that are kept of a longer stretch alike, on each side of what is left out.
const CONTEXT: usize = 12;
/// Words that are shown of a missing or extra stretch, at its beginning and at its end.
const SHOWN: (usize, usize) = (160, 40);
/// Bytes that are shown of one word, and of the white space behind it.
const LONGEST_WORD: usize = 200;
const LONGEST_SPACE: usize = 8;

/// What a piece of a diff is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PieceKind {
    /// In both texts.
    Same,
    /// In the gold only.
    Missing,
    /// In the text only.
    Extra,
    /// Says how many words are not shown.
    Omitted,
}

impl PieceKind {
    /// What stands around a piece where there are no colours.
    pub fn marks(self) -> (&'static str, &'static str) {
        match self {
            PieceKind::Same => ("", ""),
            PieceKind::Missing => ("[-", "-]"),
            PieceKind::Extra => ("{+", "+}"),
            PieceKind::Omitted => ("(… ", " …)"),
        }
    }
}

/// A stretch of a diff.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// What it is.
    pub kind: PieceKind,
    /// Its text; white space as in the text it is from.
    pub text: String,
}

/// The difference of two texts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Diff {
    /// The pieces in order; in a place with both, what is missing stands before what is extra.
    pub pieces: Vec<Piece>,
    /// Words at the end of the gold that were not compared.
    pub gold_left_out: usize,
    /// Words at the end of the text that were not compared.
    pub text_left_out: usize,
}

impl Diff {
    /// Says what was not compared.
    pub fn left_out(&self) -> impl Iterator<Item = Piece> {
        let sides = [(self.gold_left_out, "gold"), (self.text_left_out, "text")];
        sides.into_iter().filter(|(words, _)| *words > 0).map(|(words, whose)| Piece {
            kind: PieceKind::Omitted,
            text: format!("{words} more words of the {whose} were not compared"),
        })
    }
}

/// Compares two texts word by word.
pub fn diff(gold: &str, text: &str) -> Diff {
    let (mut gold, gold_left_out) = words(gold);
    let (text, text_left_out) = words(text);
    let mut symbols = HashMap::new();
    let mut number = |word: &Word<'_>| -> u32 {
        let next = symbols.len() as u32;
        *symbols.entry(word.to_string()).or_insert(next)
    };
    let gold_symbols: Vec<u32> = gold.iter().map(&mut number).collect();
    let text_symbols: Vec<u32> = text.iter().map(&mut number).collect();
    let pairs = longest_common(&gold_symbols, &text_symbols);

    let mut pieces = Pieces::default();
    let (mut at_gold, mut at_text) = (0, 0);
    for alike in stretches(&pairs, gold.len(), text.len()) {
        pieces.change(PieceKind::Missing, &gold[at_gold..alike.gold]);
        pieces.change(PieceKind::Extra, &text[at_text..alike.text]);
        (at_gold, at_text) = (alike.gold + alike.len, alike.text + alike.len);
        let is_last = at_gold == gold.len() && at_text == text.len();
        // The last word of one text may have no white space behind it where that of the other has.
        if at_gold == gold.len() {
            gold[at_gold - 1].space = text[at_text - 1].space;
        }
        pieces.same(&gold[alike.gold..at_gold], is_last);
    }
    pieces.change(PieceKind::Missing, &gold[at_gold..]);
    pieces.change(PieceKind::Extra, &text[at_text..]);
    Diff { pieces: pieces.0, gold_left_out, text_left_out }
}

/// Words that are alike in both texts.
#[derive(Clone, Copy, Debug)]
struct Alike {
    gold: usize,
    text: usize,
    len: usize,
}

/// The stretches of words alike, without those that are chance.
fn stretches(pairs: &[(u32, u32)], gold_len: usize, text_len: usize) -> Vec<Alike> {
    let all: Vec<Alike> = pairs
        .chunk_by(|(i, j), next| *next == (i + 1, j + 1))
        .map(|stretch| Alike {
            gold: stretch[0].0 as usize,
            text: stretch[0].1 as usize,
            len: stretch.len(),
        })
        .collect();
    let is_chance = |index: usize| {
        let alike = all[index];
        let before = index
            .checked_sub(1)
            .map_or((0, 0), |at| (all[at].gold + all[at].len, all[at].text + all[at].len));
        let behind = all.get(index + 1).map_or((gold_len, text_len), |next| (next.gold, next.text));
        let changed_before = alike.gold - before.0 + alike.text - before.1;
        let changed_behind = behind.0 - alike.gold + behind.1 - alike.text - 2 * alike.len;
        alike.len <= CHANCE && changed_before.min(changed_behind) > CHANGED
    };
    (0..all.len()).filter(|index| !is_chance(*index)).map(|index| all[index]).collect()
}

/// A word, and the white space behind it.
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

/// Cuts a text into words; gives the first [`MOST_WORDS`] and the number of those left out.
fn words(text: &str) -> (Vec<Word<'_>>, usize) {
    let mut words = Vec::new();
    let mut left_out = 0;
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let len = if stands_alone(first) {
            first.len_utf8()
        } else {
            rest.find(|c: char| c.is_whitespace() || stands_alone(c)).unwrap_or(rest.len())
        };
        let (word, behind) = rest.split_at(len);
        rest = behind.trim_start();
        let space = &behind[..behind.len() - rest.len()];
        if words.len() < MOST_WORDS {
            words.push(Word { word, space });
        } else {
            left_out += 1;
        }
    }
    (words, left_out)
}

/// Whether a scalar belongs to a script that is written without spaces.
fn stands_alone(c: char) -> bool {
    matches!(c,
        '\u{e00}'..='\u{eff}' | '\u{1000}'..='\u{109f}' | '\u{1100}'..='\u{11ff}' | '\u{1780}'..='\u{17ff}'
        | '\u{3005}'..='\u{3007}' | '\u{3040}'..='\u{30ff}' | '\u{3100}'..='\u{312f}' | '\u{31f0}'..='\u{31ff}'
        | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}' | '\u{f900}'..='\u{faff}'
        | '\u{20000}'..='\u{3ffff}')
}

/// The pieces written so far.
#[derive(Default)]
struct Pieces(Vec<Piece>);

impl Pieces {
    /// Adds words that are alike; of a long stretch only those next to a change.
    fn same(&mut self, words: &[Word<'_>], is_last: bool) {
        let head = if self.0.is_empty() { 0 } else { CONTEXT };
        let tail = if is_last { 0 } else { CONTEXT };
        self.shortened(PieceKind::Same, words, head, tail, "alike");
    }

    /// Adds words that stand on one side only.
    fn change(&mut self, kind: PieceKind, words: &[Word<'_>]) {
        let what = if kind == PieceKind::Missing { "missing" } else { "extra" };
        self.shortened(kind, words, SHOWN.0, SHOWN.1, what);
    }

    fn shortened(
        &mut self,
        kind: PieceKind,
        words: &[Word<'_>],
        head: usize,
        tail: usize,
        what: &str,
    ) {
        // Leaving out less than a line saves nothing.
        if words.len() <= head + tail + CONTEXT {
            return self.push(kind, words);
        }
        self.push(kind, &words[..head]);
        let omitted = words.len() - head - tail;
        self.0.push(Piece { kind: PieceKind::Omitted, text: format!("{omitted} words {what}") });
        self.push(kind, &words[words.len() - tail..]);
    }

    fn push(&mut self, kind: PieceKind, words: &[Word<'_>]) {
        if words.is_empty() {
            return;
        }
        let mut text = String::new();
        for Word { word, space } in words {
            if word.len() > LONGEST_WORD {
                text.push_str(&word[..word.floor_char_boundary(LONGEST_WORD)]);
                text.push('…');
            } else {
                text.push_str(word);
            }
            if space.len() > LONGEST_SPACE {
                text.push(if space.contains('\n') { '\n' } else { ' ' });
            } else {
                text.push_str(space);
            }
        }
        self.0.push(Piece { kind, text });
    }
}

#[cfg(test)]
mod tests;
