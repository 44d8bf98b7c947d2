//! Labels text runs as content by gold HTML, and compares the runs that an extractor keeps with
//! these labels (the block-level accuracy of paper 002).
//!
//! The gold is the HTML source of the nodes that hold the content. Its runs are found in the page
//! in order, by their texts. Texts are compared with character references decoded, and without
//! white space and zero-width scalars:
//!
//! 1. If the page contains all runs of the gold one after another, these are the content (the first
//!    such place; search by Knuth, Morris and Pratt).
//! 2. Otherwise, texts that occur once in the gold and once in the page are anchors, of which the
//!    longest rising chain is used. From each anchor, runs are matched in both directions as long
//!    as they are equal. The runs left between two anchors are matched by a longest common
//!    subsequence. This keeps a date of the content from being matched in a menu.
//!
//! Runs outside `body` do not belong to the page text and have no label. Cost: O(n log n), and O(g
//! p / 64) for a gap of g and p runs. Gaps with more than 10^10 pairs are left unmatched.
//!
//! Known failures: if the gold's markup inside the text was cleaned, its runs differ from the
//! page's. They then match only in part (see [`GoldLabels::unmatched`]). If a page holds its
//! article twice, only the first copy is labelled.

pub mod pages;

use crate::confusion::Confusion;
use crate::diff::longest_common;
use huller_extract::Selection;
use huller_page::entity::{self, Context};
use huller_page::text::{CharClass, char_class};
use huller_page::{Page, Run, RunFlags, Tag};
use std::collections::HashMap;
use std::ops::Range;

/// Gaps with more pairs of runs are not aligned.
const MAX_PAIRS: usize = 10_000_000_000;

/// The gold labels of a page's runs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GoldLabels {
    /// For each run of the page, whether it is content; `None` for runs outside `body`.
    pub labels: Vec<Option<bool>>,
    /// Number of runs of the gold that the page lacks.
    pub unmatched: usize,
}

/// The runs that an extractor keeps, compared with the gold.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BlockScores {
    /// Each run counts once.
    pub runs: Confusion,
    /// Each run counts once per visible scalar.
    pub scalars: Confusion,
}

impl BlockScores {
    /// Compares a selection with the gold labels of the same page. A run counts as kept if any
    /// piece of it is kept.
    pub fn compute(page: &Page<'_>, gold: &GoldLabels, selection: &Selection) -> BlockScores {
        let mut kept_runs = selection.kept_runs(page).peekable();
        let mut scores = BlockScores::default();
        for ((run, label), index) in page.runs().iter().zip(&gold.labels).zip(0..) {
            let is_kept = kept_runs.next_if_eq(&index).is_some();
            if let Some(truth) = *label {
                scores.runs.add(is_kept, truth, 1);
                scores.scalars.add(is_kept, truth, u64::from(run.counts.chars));
            }
        }
        scores
    }

    /// Adds the counts of another page. A page with very much text dominates the sums by scalars;
    /// to give all pages the same weight, average the F1 of the pages instead.
    pub fn merge(&mut self, other: BlockScores) {
        self.runs.merge(other.runs);
        self.scalars.merge(other.scalars);
    }
}

impl GoldLabels {
    /// Labels the runs of `page`. `gold` is the gold HTML, parsed as a page of its own.
    pub fn compute(page: &Page<'_>, gold: &Page<'_>) -> GoldLabels {
        let mut labels = vec![None; page.runs().len()];
        if let Some(body) = page.nodes().iter().find(|node| node.tag == Tag::BODY) {
            labels[body.runs()].fill(Some(false));
        }
        let mut texts = Texts::default();
        let (mut gold_texts, mut page_texts, mut page_runs) = (Vec::new(), Vec::new(), Vec::new());
        let title = gold.title();
        for (index, run) in gold.runs().iter().enumerate() {
            if !title.contains(&index) {
                gold_texts.push(texts.number_text(gold, run));
            }
        }
        for (run, index) in page.runs().iter().zip(0_usize..) {
            if labels[index].is_some() {
                page_texts.push(texts.number_text(page, run));
                page_runs.push(index);
            }
        }
        let matched_pairs = match_texts(&gold_texts, &page_texts, texts.numbers.len());
        for (_, page_index) in &matched_pairs {
            labels[page_runs[*page_index as usize]] = Some(true);
        }
        GoldLabels { labels, unmatched: gold_texts.len() - matched_pairs.len() }
    }
}

/// Assigns numbers to the texts of runs.
#[derive(Default)]
struct Texts {
    numbers: HashMap<String, u32>,
    decoded: String,
}

impl Texts {
    fn number_text(&mut self, page: &Page<'_>, run: &Run) -> u32 {
        self.decoded.clear();
        let source = page.run_source(run);
        if run.flags.contains(RunFlags::REFERENCES) {
            entity::decode(source, Context::Text, &mut self.decoded);
        } else {
            self.decoded.push_str(source);
        }
        let dropped = |c: char| matches!(char_class(c), CharClass::White | CharClass::ZeroWidth);
        self.decoded.retain(|c| !dropped(c));
        let new_number = self.numbers.len() as u32;
        *self.numbers.entry(self.decoded.clone()).or_insert(new_number)
    }
}

/// Returns the pairs of places of equal texts in gold and page, both rising. Texts are given as
/// numbers below `numbers`.
fn match_texts(gold: &[u32], page: &[u32], numbers: usize) -> Vec<(u32, u32)> {
    if let Some(start) = find_sequence(gold, page) {
        return (0..gold.len() as u32).map(|i| (i, start + i)).collect();
    }
    let mut pairs = Vec::new();
    let (mut gold_from, mut page_from) = (0, 0);
    let end = (gold.len(), page.len());
    for (i, j) in anchor_chain(gold, page, numbers).into_iter().chain([end]) {
        if i < gold_from || j < page_from {
            // Already matched from the anchor before.
            continue;
        }
        let behind = equal_at_end(&gold[gold_from..i], &page[page_from..j]);
        match_gap(gold, page, gold_from..i - behind, page_from..j - behind, &mut pairs);
        let ahead = gold[i..].iter().zip(&page[j..]).take_while(|(a, b)| a == b).count();
        let first_pair = (i - behind, j - behind);
        pairs.extend(
            (0..behind + ahead).map(|k| ((first_pair.0 + k) as u32, (first_pair.1 + k) as u32)),
        );
        (gold_from, page_from) = (i + ahead, j + ahead);
    }
    pairs
}

/// Returns the first place in `sequence` at which all of `wanted` occurs.
fn find_sequence(wanted: &[u32], sequence: &[u32]) -> Option<u32> {
    if wanted.is_empty() {
        return None;
    }
    // borders[i]: length of the longest proper prefix of wanted[..=i] that is also its end.
    let mut borders = vec![0; wanted.len()];
    let mut len = 0;
    for index in 1..wanted.len() {
        while len > 0 && wanted[index] != wanted[len] {
            len = borders[len - 1];
        }
        len += usize::from(wanted[index] == wanted[len]);
        borders[index] = len;
    }
    let mut len = 0;
    for (index, symbol) in sequence.iter().enumerate() {
        while len > 0 && *symbol != wanted[len] {
            len = borders[len - 1];
        }
        len += usize::from(*symbol == wanted[len]);
        if len == wanted.len() {
            return Some((index + 1 - len) as u32);
        }
    }
    None
}

/// Returns the longest rising chain of texts that occur once in the gold and once in the page.
fn anchor_chain(gold: &[u32], page: &[u32], numbers: usize) -> Vec<(usize, usize)> {
    const ABSENT: u32 = u32::MAX;
    const OFTEN: u32 = u32::MAX - 1;
    let once = |sequence: &[u32]| {
        let mut places = vec![ABSENT; numbers];
        for (symbol, at) in sequence.iter().zip(0..) {
            let place_of_symbol = &mut places[*symbol as usize];
            *place_of_symbol = if *place_of_symbol == ABSENT { at } else { OFTEN };
        }
        places
    };
    let (in_gold, in_page) = (once(gold), once(page));
    let unique = |at: u32| at < OFTEN;
    let candidates: Vec<(usize, usize)> = gold
        .iter()
        .filter(|symbol| unique(in_gold[**symbol as usize]) && unique(in_page[**symbol as usize]))
        .map(|symbol| (in_gold[*symbol as usize] as usize, in_page[*symbol as usize] as usize))
        .collect();
    // Patience sorting: ends[k] is the candidate with the smallest place in the page that ends a
    // chain of k + 1.
    let mut ends: Vec<usize> = Vec::new();
    let mut before = vec![None; candidates.len()];
    for (index, (_, page_index)) in candidates.iter().enumerate() {
        let len = ends.partition_point(|end| candidates[*end].1 < *page_index);
        before[index] = len.checked_sub(1).map(|last| ends[last]);
        if len == ends.len() { ends.push(index) } else { ends[len] = index }
    }
    let mut chain: Vec<(usize, usize)> =
        std::iter::successors(ends.last().copied(), |index| before[*index])
            .map(|index| candidates[index])
            .collect();
    chain.reverse();
    chain
}

fn equal_at_end(a: &[u32], b: &[u32]) -> usize {
    a.iter().rev().zip(b.iter().rev()).take_while(|(a, b)| a == b).count()
}

/// Matches the runs between two anchors.
fn match_gap(
    gold: &[u32],
    page: &[u32],
    i: Range<usize>,
    j: Range<usize>,
    pairs: &mut Vec<(u32, u32)>,
) {
    if i.is_empty() || j.is_empty() || i.len().saturating_mul(j.len()) > MAX_PAIRS {
        return;
    }
    let common_pairs = longest_common(&gold[i.clone()], &page[j.clone()]);
    pairs.extend(common_pairs.iter().map(|(a, b)| (a + i.start as u32, b + j.start as u32)));
}

#[cfg(test)]
mod tests;
