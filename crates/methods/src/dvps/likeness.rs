//! How like the words of one block are to those of another: equations (1) and (2) of paper 002, with the blocks of a page as
//! texts.
//!
//! ```text
//! weight(t, b) = tf(t, b) ln(N / n(t))                     N blocks, n(t) of them with term t                   (1)
//! cosine(b, c) = sum of weight(t, b) weight(t, c) / (|b| |c|)                   0 if either is 0                (2)
//! ```
//!
//! Terms are lower-cased words; in scripts without spaces pairs of neighbouring scalars, so that no segmenter is needed. A word
//! that an element cuts counts as two. Terms are told apart by 64 bits of a hash.
//!
//! Cost: O(t log t) for t terms.

use crate::visual::segment::{VisualBlock, kept_runs};
use crate::visual::separators::Group;
use huller_page::entity::{Context, decode};
use huller_page::{Page, RunFlags};

/// A term in a group of blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Occurrence {
    term: u64,
    group: u32,
}

/// Buffers, and the cosines of the last page. Made once and refilled.
#[derive(Debug, Default)]
pub(super) struct Likeness {
    occurrences: Vec<Occurrence>,
    decoded: String,
    /// For each group the sum of its squared weights.
    squares: Vec<f64>,
    /// For each group its cosine.
    cosines: Vec<f64>,
}

impl Likeness {
    /// Reads the words of the groups.
    pub(super) fn fill(
        &mut self,
        page: &Page<'_>,
        removed: &[u32],
        blocks: &[VisualBlock],
        groups: &[Group],
    ) {
        let Likeness { occurrences, decoded, squares, cosines } = self;
        occurrences.clear();
        for (number, group) in (0..).zip(groups) {
            for run in blocks[group.blocks()].iter().flat_map(|b| kept_runs(page, removed, b)) {
                let run = &page.runs()[run as usize];
                let mut source = page.run_source(run);
                if run.flags.contains(RunFlags::REFERENCES) {
                    decoded.clear();
                    decode(source, Context::Text, decoded);
                    source = decoded;
                }
                each_term(source, |term| occurrences.push(Occurrence { term, group: number }));
            }
        }
        occurrences.sort_unstable();
        for sums in [squares, cosines] {
            sums.clear();
            sums.resize(groups.len(), 0.0);
        }
    }

    /// The cosine of each group with the one of this number.
    pub(super) fn cosines(&mut self, best: usize) -> &[f64] {
        let Likeness { occurrences, squares, cosines, .. } = self;
        squares.fill(0.0);
        cosines.fill(0.0);
        let all = squares.len() as f64;
        for of_term in occurrences.chunk_by(|a, b| a.term == b.term) {
            let counts = || of_term.chunk_by(|a, b| a.group == b.group);
            let rarity = (all / counts().count() as f64).ln();
            let weight = |count: &[Occurrence]| count.len() as f64 * rarity;
            let of_best =
                counts().find(|count| count[0].group as usize == best).map_or(0.0, weight);
            for count in counts() {
                let (group, weight) = (count[0].group as usize, weight(count));
                squares[group] += weight * weight;
                cosines[group] += weight * of_best;
            }
        }
        let square_of_best = squares.get(best).copied().unwrap_or_default();
        for (cosine, square) in cosines.iter_mut().zip(squares) {
            let norms = (*square * square_of_best).sqrt();
            *cosine = if norms > 0.0 { *cosine / norms } else { 0.0 };
            debug_assert!(cosine.is_finite());
        }
        cosines
    }
}

/// Begins and continues the hash of a term (FNV-1a over scalars).
const SEED: u64 = 0xcbf2_9ce4_8422_2325;

fn hashed(hash: u64, c: char) -> u64 {
    (hash ^ u64::from(u32::from(c))).wrapping_mul(0x0000_0100_0000_01b3)
}

/// Calls `each` with the hash of every term of a text.
fn each_term(text: &str, mut each: impl FnMut(u64)) {
    // The hash of the word so far, and the scalar before if it is of a script without spaces.
    let (mut word, mut before) = (None, None);
    for c in text.chars() {
        if is_unspaced(c) {
            word.take().into_iter().for_each(&mut each);
            if let Some(before) = before {
                each(hashed(hashed(SEED, before), c));
            }
            before = Some(c);
            continue;
        }
        before = None;
        if c.is_alphanumeric() {
            word = Some(c.to_lowercase().fold(word.unwrap_or(SEED), hashed));
        } else {
            word.take().into_iter().for_each(&mut each);
        }
    }
    word.into_iter().for_each(each);
}

/// Whether a scalar belongs to a script written without spaces between words.
fn is_unspaced(c: char) -> bool {
    matches!(c,
        '\u{E00}'..='\u{EFF}' | '\u{1000}'..='\u{109F}' | '\u{1780}'..='\u{17FF}' // Thai, Lao, Burmese, Khmer
        | '\u{2E80}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}' | '\u{20000}'..='\u{3FFFF}') // Han, kana
        && c.is_alphanumeric()
}
