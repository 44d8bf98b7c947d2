//! Training of naive Bayes (paper 000): from pages with gold text to counts of blocks.
//!
//! Every block of a page is labelled by its text: theme if at least half of its 3-token shingles (5 where most of its tokens are
//! single characters, as in Chinese) occur in the gold text; a block too short for a shingle, if its tokens stand in the gold
//! in a row. A block without tokens is noise. Tokens are those of the scores, so case, white space and
//! punctuation don't matter.
//!
//! Counts of pages add up, so the order in which they are read makes no difference, and cross-validation is a matter of
//! which pages are added.
//!
//! Cost: O(gold) a page, and for each way to cut it into blocks the sum of what lies below its blocks: O(nodes * depth).

use crate::error::EvalError;
use crate::gold::Gold;
use crate::source::{Leftovers, for_each_page, wanted};
use crate::tokens::{is_single, normalise, tokens};
use huller_extract::nb::NaiveBayes;
use huller_extract::nb::blocks::blocks;
use huller_extract::nb::model::{Definition, Model, ModelError};
use huller_extract::{Extractor, Renderer, Scratch, Selection};
use huller_page::{Page, PageBuf};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::PathBuf;

/// Tokens of a shingle where tokens are words, and where they are characters.
const WORDS: usize = 3;
const CHARACTERS: usize = 5;

/// What was learned from one page.
#[derive(Clone, Debug)]
pub struct Lesson {
    /// Index of the gold.
    pub gold: usize,
    /// Counts of its blocks.
    pub model: Model,
}

/// Learns from every page that has a gold text.
///
/// # Errors
///
/// An archive cannot be read.
pub fn lessons(archives: &[PathBuf], gold: &[Gold]) -> Result<(Vec<Lesson>, Leftovers), EvalError> {
    let wanted = wanted(gold, with_text(gold));
    let work = |buffer: &mut PageBuf, pages: &[usize], html: &str| {
        let page = buffer.fill(html);
        let learn = |gold_page: &usize| Lesson {
            gold: *gold_page,
            model: learn(&page, gold[*gold_page].text.as_deref().unwrap_or_default()),
        };
        pages.iter().map(learn).collect::<Vec<_>>()
    };
    let (results, leftovers) = for_each_page(archives, &wanted, PageBuf::new, work)?;
    Ok((results.into_iter().flat_map(|(_, lessons)| lessons).collect(), leftovers))
}

fn with_text(gold: &[Gold]) -> impl Iterator<Item = usize> + '_ {
    (0..gold.len()).filter(|page| gold[*page].text.is_some())
}

/// The model of all lessons.
pub fn sum<'a>(lessons: impl Iterator<Item = &'a Lesson>) -> Model {
    lessons.fold(Model::default(), |mut sum, lesson| {
        sum.add(&lesson.model);
        sum
    })
}

/// Counts the blocks of one page, each in the class that the gold text gives it.
pub fn learn(page: &Page<'_>, gold: &str) -> Model {
    let gold = normalise(gold);
    let gold = Reference::new(&gold);
    let mut model = Model::default();
    model.pages = 1;
    let mut renderer = Renderer::default();
    let mut text = String::new();
    for definition in Definition::ALL {
        for block in blocks(page, &definition.options()) {
            text.clear();
            renderer.text(page, &block.selection(page), &mut text);
            let is_theme = gold.holds(&normalise(&text));
            model.counts_mut(definition).push(block.counts.bins(), is_theme);
        }
    }
    model
}

/// A gold text, cut into every stretch of tokens that a block may be looked up by.
struct Reference<'a> {
    numbers: HashMap<&'a str, u32>,
    stretches: HashSet<Vec<u32>>,
}

impl<'a> Reference<'a> {
    fn new(normalised: &'a str) -> Reference<'a> {
        let mut numbers = HashMap::new();
        let number = |token| {
            let next = numbers.len() as u32;
            *numbers.entry(token).or_insert(next)
        };
        let tokens: Vec<u32> = tokens(normalised).map(number).collect();
        let stretches = (1..=CHARACTERS).flat_map(|len| tokens.windows(len)).map(<[u32]>::to_vec);
        Reference { stretches: stretches.collect(), numbers }
    }

    /// Whether enough of a block's text stands in the gold.
    fn holds(&self, normalised: &str) -> bool {
        const UNKNOWN: u32 = u32::MAX;
        let (mut block, mut characters) = (Vec::new(), 0);
        for token in tokens(normalised) {
            block.push(self.numbers.get(token).copied().unwrap_or(UNKNOWN));
            characters += usize::from(token.chars().next().is_some_and(is_single));
        }
        let len = if 2 * characters > block.len() { CHARACTERS } else { WORDS };
        if block.len() < len {
            return self.stretches.contains(&block);
        }
        let found = block.windows(len).filter(|shingle| self.stretches.contains(*shingle)).count();
        2 * found > block.len() - len
    }
}

/// Puts pages into folds, all pages of a domain into the same; pages without a domain stand for themselves. Large domains
/// go first, each into the smallest fold so far, so that the folds are of much the same size.
pub fn folds(gold: &[Gold], folds: usize) -> Vec<usize> {
    let mut domains: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (page, gold) in gold.iter().enumerate() {
        domains.entry(gold.domain.as_deref().unwrap_or(&gold.id)).or_default().push(page);
    }
    let mut domains: Vec<_> = domains.into_iter().collect();
    domains.sort_by_key(|(name, pages)| (std::cmp::Reverse(pages.len()), *name));
    let mut sizes = vec![0; folds.max(1)];
    let mut fold_of = vec![0; gold.len()];
    for (_, pages) in domains {
        let smallest = (0..sizes.len()).min_by_key(|fold| sizes[*fold]).unwrap_or_default();
        sizes[smallest] += pages.len();
        for page in pages {
            fold_of[page] = smallest;
        }
    }
    fold_of
}

/// The text of a page by a model that has not seen its domain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Prediction {
    /// Index of the gold.
    pub gold: usize,
    /// A text for every [`Definition`], in the order of [`Definition::ALL`].
    pub texts: [String; 4],
}

/// Why there can be no cross-validation.
#[derive(Debug, thiserror::Error)]
pub enum CrossValidationError {
    /// The pages cannot be read.
    #[error(transparent)]
    Pages(#[from] EvalError),
    /// The pages outside a fold don't make a model.
    #[error("too few pages for so many folds: {0}")]
    Model(#[from] ModelError),
}

/// Extracts every page that has a gold text, with a model of the lessons outside the page's fold.
///
/// # Errors
///
/// An archive cannot be read, or the pages outside some fold are too few for a model.
pub fn cross_validate(
    archives: &[PathBuf],
    gold: &[Gold],
    lessons: &[Lesson],
    fold_of: &[usize],
) -> Result<Vec<Prediction>, CrossValidationError> {
    let count = fold_of.iter().max().map_or(0, |last| last + 1);
    let methods = (0..count).map(|fold| {
        let model = sum(lessons.iter().filter(|lesson| fold_of[lesson.gold] != fold));
        let method = |definition: &Definition| NaiveBayes::with_model(*definition, &model);
        Definition::ALL.iter().map(method).collect::<Result<Vec<_>, _>>()
    });
    let methods = methods.collect::<Result<Vec<_>, _>>()?;
    let wanted = wanted(gold, with_text(gold));
    let work = |(buffer, scratch): &mut (PageBuf, Scratch), pages: &[usize], html: &str| {
        let page = buffer.fill(html);
        let predict = |gold: &usize| Prediction {
            gold: *gold,
            texts: [0, 1, 2, 3].map(|at| text(&page, &methods[fold_of[*gold]][at], scratch)),
        };
        pages.iter().map(predict).collect::<Vec<_>>()
    };
    let (results, _) = for_each_page(archives, &wanted, Default::default, work)?;
    Ok(results.into_iter().flat_map(|(_, predictions)| predictions).collect())
}

fn text(page: &Page<'_>, method: &NaiveBayes, scratch: &mut Scratch) -> String {
    let mut selection = Selection::default();
    method.extract(page, scratch, &mut selection);
    let mut text = String::new();
    Renderer::default().text(page, &selection, &mut text);
    text
}

#[cfg(test)]
mod tests;
