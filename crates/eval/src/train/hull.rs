//! Lessons for `hull`: the features of every block of a page, and how much of the block is in the gold text.
//!
//! The tokens of all blocks, in document order, are aligned with those of the gold by a longest common subsequence. A match counts
//! only beside another, so that single words met by chance don't. The label of a block is the share of its tokens that match.
//! Of pages whose gold are snippets each block says which of them it holds.

use crate::diff::longest_common;
use crate::error::EvalError;
use crate::gold::Gold;
use crate::snippets::Snippets;
use crate::source::{Leftovers, for_each_page, wanted};
use crate::tokens::{normalise, tokens};
use huller_extract::hull::Table;
use huller_extract::{Renderer, Selection};
use huller_page::{Page, PageBuf};
use std::collections::HashMap;
use std::path::PathBuf;

/// What the gold says of a block.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Label {
    /// Tokens of the block, as scores count them.
    pub tokens: u32,
    /// Those that stand in the gold.
    pub matched: u32,
    /// Snippets wanted in the text that the block holds, as bits; those beyond 64 are left out.
    pub with: u64,
    /// Snippets not wanted.
    pub without: u64,
    /// The text.
    pub text: String,
}

/// One page.
#[derive(Clone, Debug, Default)]
pub struct Lesson {
    /// Index of the gold.
    pub gold: usize,
    /// Tokens of the gold text.
    pub gold_tokens: u32,
    /// What the gold says of each block.
    pub labels: Vec<Label>,
    /// Features, block after block and in each feature after feature.
    pub features: Vec<f32>,
}

/// Learns from every page of the archives that there is gold for.
///
/// # Errors
///
/// An archive cannot be read.
pub fn lessons(archives: &[PathBuf], gold: &[Gold]) -> Result<(Vec<Lesson>, Leftovers), EvalError> {
    let wanted = wanted(gold, 0..gold.len());
    let count = Table::names().len();
    let work = |(buffer, table): &mut (PageBuf, Table), pages: &[usize], html: &str| {
        let page = buffer.fill(html);
        table.fill(&page);
        let learn = |index: &usize| {
            let (labels, gold_tokens) = labels(&page, table, &gold[*index]);
            let features = (0..labels.len())
                .flat_map(|block| (0..count).map(move |feature| (block, feature)))
                .map(|(block, feature)| table.column(feature)[block]);
            Lesson { gold: *index, gold_tokens, features: features.collect(), labels }
        };
        pages.iter().map(learn).collect::<Vec<_>>()
    };
    let (results, leftovers) = for_each_page(archives, &wanted, Default::default, work)?;
    Ok((results.into_iter().flat_map(|(_, lessons)| lessons).collect(), leftovers))
}

/// Labels the blocks of a page, and counts the tokens of the gold text.
fn labels(page: &Page<'_>, table: &Table, gold: &Gold) -> (Vec<Label>, u32) {
    let mut numbers: HashMap<String, u32> = HashMap::new();
    let mut number = |token: &str| {
        numbers.get(token).copied().unwrap_or_else(|| {
            let next = numbers.len() as u32;
            numbers.insert(token.to_owned(), next);
            next
        })
    };
    let mut all = Vec::new();
    let mut labels = Vec::new();
    let mut renderer = Renderer::default();
    let with = Snippets::new(gold.with.as_deref().unwrap_or_default(), &[]);
    let without = Snippets::new(gold.without.as_deref().unwrap_or_default(), &[]);
    for (first, end) in table.blocks() {
        let mut selection = Selection { roots: vec![0], is_partial: true, ..Selection::default() };
        for run in first..end {
            let huller_page::Run { byte_start, byte_end, .. } = page.runs()[run as usize];
            selection.stretches.push(huller_extract::Stretch {
                run,
                start: byte_start,
                end: byte_end,
            });
        }
        let mut text = String::new();
        renderer.text(page, &selection, &mut text);
        let normalised = normalise(&text);
        let before = all.len();
        all.extend(tokens(&normalised).map(&mut number));
        labels.push(Label {
            tokens: (all.len() - before) as u32,
            matched: 0,
            with: with.held(&normalised),
            without: without.held(&normalised),
            text,
        });
    }
    let Some(text) = &gold.text else { return (labels, 0) };
    let gold: Vec<u32> = tokens(&normalise(text)).map(&mut number).collect();
    let pairs = longest_common(&all, &gold);
    let mut block = 0;
    let mut end = labels.first().map_or(0, |label| label.tokens);
    for (at, (i, j)) in pairs.iter().enumerate() {
        let beside = |(a, b): &(u32, u32)| a.abs_diff(*i) == 1 && b.abs_diff(*j) == 1;
        let counts = at.checked_sub(1).is_some_and(|before| beside(&pairs[before]))
            || pairs.get(at + 1).is_some_and(beside);
        while *i >= end {
            block += 1;
            end += labels[block].tokens;
        }
        labels[block].matched += u32::from(counts);
    }
    (labels, gold.len() as u32)
}
