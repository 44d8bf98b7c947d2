//! Training data for `hull`: for every block of a page, its features and the share of it that is in
//! the gold text.
//!
//! The tokens of all blocks, in document order, are aligned with the tokens of the gold by a
//! longest common subsequence. A match counts only next to another match, so that single words that
//! match by chance don't count. The label of a block is the share of its tokens that match. If the
//! gold has snippets, each block is also labelled with the snippets that it contains.

use crate::diff::longest_common;
use crate::error::EvalError;
use crate::gold::Gold;
use crate::snippets::Snippets;
use crate::source::{UnmatchedPages, for_each_page, index_by_id};
use crate::tokens::{normalise, tokens};
use huller_extract::{Renderer, Selection};
use huller_hull::Table;
use huller_page::{Page, PageBuf};
use std::collections::HashMap;
use std::path::PathBuf;

/// The label of a block by the gold.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BlockLabel {
    /// Number of tokens of the block, counted as in the scores.
    pub tokens: u32,
    /// Number of these that match the gold.
    pub matched: u32,
    /// The wanted snippets that the block contains, as bits; snippets after the 64th are left out.
    pub wanted_snippets: u64,
    /// The unwanted snippets that the block contains, as bits.
    pub unwanted_snippets: u64,
    /// The text of the block.
    pub text: String,
}

/// The training data of one page.
#[derive(Clone, Debug, Default)]
pub struct TrainingExample {
    /// Index of the page's gold.
    pub gold: usize,
    /// Number of tokens of the gold text.
    pub gold_tokens: u32,
    /// The label of each block.
    pub labels: Vec<BlockLabel>,
    /// The features of all blocks, block by block.
    pub features: Vec<f32>,
}

/// Builds training data from every page of the archives that has gold.
///
/// # Errors
///
/// An archive cannot be read.
pub fn training_examples(
    archives: &[PathBuf],
    gold: &[Gold],
) -> Result<(Vec<TrainingExample>, UnmatchedPages), EvalError> {
    let pages_by_id = index_by_id(gold, 0..gold.len());
    let count = Table::names().len();
    let work = |(buffer, table): &mut (PageBuf, Table), pages: &[usize], html: &str| {
        let page = buffer.fill(html);
        table.fill(&page);
        let learn = |index: &usize| {
            let (labels, gold_tokens) = block_labels(&page, table, &gold[*index]);
            let features = (0..labels.len())
                .flat_map(|block| (0..count).map(move |feature| (block, feature)))
                .map(|(block, feature)| table.column(feature)[block]);
            TrainingExample { gold: *index, gold_tokens, features: features.collect(), labels }
        };
        pages.iter().map(learn).collect::<Vec<_>>()
    };
    let (results, leftovers) = for_each_page(archives, &pages_by_id, Default::default, work)?;
    Ok((results.into_iter().flat_map(|(_, examples)| examples).collect(), leftovers))
}

/// Returns the labels of a page's blocks, and the number of tokens of the gold text.
fn block_labels(page: &Page<'_>, table: &Table, gold: &Gold) -> (Vec<BlockLabel>, u32) {
    let mut numbers: HashMap<String, u32> = HashMap::new();
    let mut number = |token: &str| {
        numbers.get(token).copied().unwrap_or_else(|| {
            let new_number = numbers.len() as u32;
            numbers.insert(token.to_owned(), new_number);
            new_number
        })
    };
    let mut page_tokens = Vec::new();
    let mut labels = Vec::new();
    let mut renderer = Renderer::default();
    let wanted = Snippets::new(gold.with.as_deref().unwrap_or_default(), &[]);
    let unwanted = Snippets::new(gold.without.as_deref().unwrap_or_default(), &[]);
    for (first_run, end_run) in table.blocks() {
        let mut selection = Selection { roots: vec![0], is_partial: true, ..Selection::default() };
        for run in first_run..end_run {
            let huller_page::Run { byte_start, byte_end, .. } = page.runs()[run as usize];
            selection.ranges.push(huller_extract::RunRange {
                run,
                start: byte_start,
                end: byte_end,
            });
        }
        let mut text = String::new();
        renderer.text(page, &selection, &mut text);
        let normalised = normalise(&text);
        let tokens_before = page_tokens.len();
        page_tokens.extend(tokens(&normalised).map(&mut number));
        labels.push(BlockLabel {
            tokens: (page_tokens.len() - tokens_before) as u32,
            matched: 0,
            wanted_snippets: wanted.contained_snippets(&normalised),
            unwanted_snippets: unwanted.contained_snippets(&normalised),
            text,
        });
    }
    let Some(text) = &gold.text else { return (labels, 0) };
    let gold: Vec<u32> = tokens(&normalise(text)).map(&mut number).collect();
    let pairs = longest_common(&page_tokens, &gold);
    let mut block = 0;
    let mut end_run = labels.first().map_or(0, |label| label.tokens);
    for (pair_index, (i, j)) in pairs.iter().enumerate() {
        let beside = |(a, b): &(u32, u32)| a.abs_diff(*i) == 1 && b.abs_diff(*j) == 1;
        let counts =
            pair_index.checked_sub(1).is_some_and(|index_before| beside(&pairs[index_before]))
                || pairs.get(pair_index + 1).is_some_and(beside);
        while *i >= end_run {
            block += 1;
            end_run += labels[block].tokens;
        }
        labels[block].matched += u32::from(counts);
    }
    (labels, gold.len() as u32)
}
