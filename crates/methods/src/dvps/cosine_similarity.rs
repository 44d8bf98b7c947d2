//! Compares the words of blocks: equations (1) and (2) of paper 002, with the blocks of a page as
//! texts.
//!
//! ```text
//! weight(t, b) = tf(t, b) ln(N / n(t))                     N blocks, n(t) of them with term t                   (1)
//! cosine(b, c) = sum of weight(t, b) weight(t, c) / (|b| |c|)                   0 if either is 0                (2)
//! ```
//!
//! Terms are lower-cased words. In scripts without spaces they are pairs of neighbouring scalars,
//! so that no segmenter is needed. A word that an element cuts counts as two. Terms are compared by
//! 44 bits of a hash. Among 10,000 different terms, two collide on about one page of 300,000.
//!
//! Cost: O(t log t) for t terms. The terms are sorted, because a page written with knowledge of the
//! hash can slow a hash table down.

use crate::visual::segment::{VisualBlock, kept_runs};
use crate::visual::separators::BlockGroup;
use huller_page::entity::{Context, decode};
use huller_page::{Page, RunFlags};

/// A term in a group of blocks: bits of the term's hash above the number of the group. Sorting thus
/// puts equal terms together, and within them the occurrences of each group.
type Occurrence = u64;

/// Number of bits of a group's number.
const GROUP_BITS: u32 = 20;

/// Pages with more groups are not compared.
const MAX_GROUPS: usize = 1 << GROUP_BITS;

/// Pages with this many terms or more are not compared, so the terms take 8 MiB at most.
/// Buffers, and the cosines of the last page. Created once and refilled.
const MAX_TERMS: usize = 1 << 20;

fn term_of(occurrence: Occurrence) -> u64 {
    occurrence >> GROUP_BITS
}

fn group_of(occurrence: Occurrence) -> usize {
    (occurrence & (MAX_GROUPS as u64 - 1)) as usize
}

/// Buffers, and the cosines of the last page. Created once and refilled.
#[derive(Debug, Default)]
pub(super) struct CosineSimilarity {
    occurrences: Vec<Occurrence>,
    decoded: String,
    /// For each group, the sum of its squared weights.
    squares: Vec<f64>,
    /// For each group, its cosine with the best group.
    cosines: Vec<f64>,
}

impl CosineSimilarity {
    /// Reads the words of the groups. Does nothing for fewer than three groups: a term in both of
    /// two groups has no weight.
    pub(super) fn fill(
        &mut self,
        page: &Page<'_>,
        removed: &[u32],
        blocks: &[VisualBlock],
        groups: &[BlockGroup],
    ) {
        let CosineSimilarity { occurrences, decoded, squares, cosines } = self;
        occurrences.clear();
        let read = if (3..=MAX_GROUPS).contains(&groups.len()) { groups } else { &[] };
        for (number, group) in (0..).zip(read) {
            for run in blocks[group.blocks()].iter().flat_map(|b| kept_runs(page, removed, b)) {
                let run = &page.runs()[run as usize];
                let mut source = page.run_source(run);
                if run.flags.contains(RunFlags::REFERENCES) {
                    decoded.clear();
                    decode(source, Context::Text, decoded);
                    source = decoded;
                }
                each_term(source, |term| {
                    if occurrences.len() < MAX_TERMS {
                        let bits = term >> GROUP_BITS << GROUP_BITS;
                        occurrences.push(bits | number);
                    }
                });
            }
        }
        if occurrences.len() == MAX_TERMS {
            occurrences.clear();
        }
        occurrences.sort_unstable();
        for sums in [squares, cosines] {
            sums.clear();
            sums.resize(groups.len(), 0.0);
        }
    }

    /// Returns the cosine of each group with the group number `best_group`.
    pub(super) fn cosines(&mut self, best_group: usize) -> &[f64] {
        let CosineSimilarity { occurrences, squares, cosines, .. } = self;
        squares.fill(0.0);
        cosines.fill(0.0);
        let group_count = squares.len() as f64;
        let rarest = group_count.ln();
        for of_term in occurrences.chunk_by(|a, b| term_of(*a) == term_of(*b)) {
            let counts = || of_term.chunk_by(|a, b| a == b);
            let groups = counts().count();
            if groups == 1 && group_of(of_term[0]) != best_group {
                // A term that occurs only in one other group counts only in that group's norm.
                squares[group_of(of_term[0])] += (of_term.len() as f64 * rarest).powi(2);
                continue;
            }
            let rarity = (group_count / groups as f64).ln();
            let weight = |count: &[Occurrence]| count.len() as f64 * rarity;
            let of_best =
                counts().find(|count| group_of(count[0]) == best_group).map_or(0.0, weight);
            for count in counts() {
                let (group, weight) = (group_of(count[0]), weight(count));
                squares[group] += weight * weight;
                cosines[group] += weight * of_best;
            }
        }
        let square_of_best = squares.get(best_group).copied().unwrap_or_default();
        for (cosine, square) in cosines.iter_mut().zip(squares) {
            let norms = (*square * square_of_best).sqrt();
            *cosine = if norms > 0.0 { *cosine / norms } else { 0.0 };
            debug_assert!(cosine.is_finite());
        }
        cosines
    }
}

/// Initial hash of a term (FNV-1a over scalars).
const SEED: u64 = 0xcbf2_9ce4_8422_2325;

fn add_to_hash(hash: u64, c: char) -> u64 {
    (hash ^ u64::from(u32::from(c))).wrapping_mul(0x0000_0100_0000_01b3)
}

/// Marks a byte beyond ASCII.
const NON_ASCII: u8 = 0xFF;

/// For each byte: letters in lower case and digits as they are, 0 for other ASCII, [`NON_ASCII`].
static LOWERED: [u8; 256] = {
    let mut lowered = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let ascii = byte as u8;
        if !ascii.is_ascii() {
            lowered[byte] = NON_ASCII;
        } else if ascii.is_ascii_alphanumeric() {
            lowered[byte] = ascii.to_ascii_lowercase();
        }
        byte += 1;
    }
    lowered
};

/// Calls `each` with the hash of every term of a text.
fn each_term(text: &str, mut each: impl FnMut(u64)) {
    // `word`: the hash of the word so far, or `SEED` between words. `previous_scalar`: the previous
    // scalar, if its script is written without spaces.
    let (mut word, mut previous_scalar) = (SEED, None);
    let bytes = text.as_bytes();
    let mut offset = 0;
    while let Some(byte) = bytes.get(offset) {
        let lowered = LOWERED[usize::from(*byte)];
        if lowered != NON_ASCII {
            offset += 1;
            if lowered != 0 {
                word = add_to_hash(word, char::from(lowered));
                continue;
            }
            previous_scalar = None;
            if word != SEED {
                each(std::mem::replace(&mut word, SEED));
            }
            continue;
        }
        let Some(c) = text[offset..].chars().next() else { break };
        offset += c.len_utf8();
        let is_unspaced = is_unspaced(c);
        if !is_unspaced && is_in_words(c) {
            word = add_lower_case_to_hash(c, word);
        } else if word != SEED {
            // The scalar before the word, from a script without spaces, is not a neighbour of this
            // one.
            previous_scalar = None;
            each(std::mem::replace(&mut word, SEED));
        }
        if let Some(previous_scalar) = previous_scalar.filter(|_| is_unspaced) {
            each(add_to_hash(add_to_hash(SEED, previous_scalar), c));
        }
        previous_scalar = is_unspaced.then_some(c);
    }
    if word != SEED {
        each(word);
    }
}

/// Continues a hash with the lower case of a scalar beyond ASCII.
fn add_lower_case_to_hash(c: char, hash: u64) -> u64 {
    // Cased letters that matter here are in these ranges only: Latin, Greek, Cyrillic and Armenian;
    // Georgian; more Latin and Greek.
    match c {
        '\u{C0}'..='\u{58F}' | '\u{10A0}'..='\u{10FF}' | '\u{1E00}'..='\u{1FFF}' => {
            c.to_lowercase().fold(hash, add_to_hash)
        }
        _ => add_to_hash(hash, c),
    }
}

/// Returns whether a scalar beyond ASCII is part of words, that is, outside the blocks of
/// punctuation and symbols. Unicode tables would cost most of the time here.
fn is_in_words(c: char) -> bool {
    !matches!(c,
        '\u{80}'..='\u{BF}' | '×' | '÷' | '\u{589}' | '\u{5BE}' | '\u{5C0}' | '\u{5C3}' | '\u{600}'..='\u{61F}' | '\u{66A}'..='\u{66D}'
        | '\u{6D4}' | '\u{964}' | '\u{965}' | '\u{E3F}' | '\u{1680}' | '\u{2000}'..='\u{2BFF}' | '\u{2E00}'..='\u{303F}'
        | '\u{FE10}'..='\u{FE6F}' | '\u{FF00}'..='\u{FF0F}' | '\u{FF1A}'..='\u{FF20}' | '\u{FF3B}'..='\u{FF40}'
        | '\u{FF5B}'..='\u{FF65}' | '\u{FFE0}'..='\u{FFFF}' | '\u{1F000}'..='\u{1FAFF}')
}

/// Returns whether a scalar belongs to the letters or digits of a script written without spaces
/// between words.
fn is_unspaced(c: char) -> bool {
    matches!(c,
        '\u{E01}'..='\u{E3A}' | '\u{E40}'..='\u{E59}' | '\u{E81}'..='\u{EDF}' | '\u{1000}'..='\u{1049}' | '\u{1780}'..='\u{17D3}' // Thai, Lao, Burmese, Khmer
        | '\u{3041}'..='\u{30FF}' | '\u{3400}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}' | '\u{20000}'..='\u{3FFFF}') // kana, Han
}

#[cfg(test)]
mod tests {
    use super::*;

    fn terms(text: &str) -> Vec<u64> {
        let mut terms = Vec::new();
        each_term(text, |term| terms.push(term));
        terms
    }

    fn hash(term: &str) -> u64 {
        term.chars().fold(SEED, add_to_hash)
    }

    #[test]
    fn terms_are_lowered_words_and_pairs() {
        let all = |expected: &[&str]| expected.iter().map(|term| hash(term)).collect::<Vec<_>>();
        assert_eq!(terms("The FERRY, x2!"), all(&["the", "ferry", "x2"]));
        assert_eq!(terms("ÉTÉ – Ðурга «Дождь» —"), all(&["été", "ðурга", "дождь"]));
        assert_eq!(terms("天气预报a好。好的"), all(&["天气", "气预", "预报", "a", "好的"]));
        assert_eq!(terms("ฝนตก rain雨水"), all(&["ฝน", "นต", "ตก", "rain", "雨水"]));
        assert_eq!(terms("नमस्ते।"), all(&["नमस्ते"]));
        assert_eq!(terms(" ,.… \u{3000}"), all(&[]));
    }
}
