//! Trains naive Bayes (paper 000): counts labelled blocks in pages with gold text.
//!
//! A block is labelled theme if at least half of its 3-token shingles occur in the gold text.
//! Shingles have 5 tokens if most tokens of the block are single characters, as in Chinese. A block
//! too short for a shingle is theme if its tokens occur in the gold one after another. A block
//! without tokens is noise. Tokens are those of the scores, so case, white space and punctuation
//! don't matter.
//!
//! The counts of pages are summed, so the order of the pages does not matter, and cross-validation
//! only selects the pages to sum.
//!
//! Cost per page: O(gold), and for each [`Definition`] the sum of the sizes of its blocks'
//! subtrees, O(nodes * depth).

use crate::error::EvalError;
use crate::gold::Gold;
use crate::source::{UnmatchedPages, for_each_page, index_by_id};
use crate::tokens::{is_single, normalise, tokens};
use huller_extract::{ExtractorFactory, Profile, Renderer, Selection, find};
use huller_methods::nb::blocks::blocks;
use huller_methods::nb::model::Model;
use huller_methods::nb::{BlockKind, Definition};
use huller_page::{Page, PageBuf};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::PathBuf;
use std::sync::Arc;

/// Number of tokens of a shingle if most tokens are words, and if most are single characters.
const WORDS_PER_SHINGLE: usize = 3;
const CHARACTERS_PER_SHINGLE: usize = 5;

/// The training result of one page.
#[derive(Clone, Debug)]
pub struct TrainingExample {
    /// Index of the page's gold.
    pub gold: usize,
    /// The counts of its blocks.
    pub model: Model,
}

/// Counts the blocks of this kind of every page that has a gold text.
///
/// # Errors
///
/// An archive cannot be read.
pub fn training_examples(
    archives: &[PathBuf],
    gold: &[Gold],
    kind: BlockKind,
) -> Result<(Vec<TrainingExample>, UnmatchedPages), EvalError> {
    let pages_by_id = index_by_id(gold, with_text(gold));
    let work = |buffer: &mut PageBuf, pages: &[usize], html: &str| {
        let page = buffer.fill(html);
        let learn = |gold_page: &usize| TrainingExample {
            gold: *gold_page,
            model: learn(&page, gold[*gold_page].text.as_deref().unwrap_or_default(), kind),
        };
        pages.iter().map(learn).collect::<Vec<_>>()
    };
    let (results, leftovers) = for_each_page(archives, &pages_by_id, PageBuf::new, work)?;
    Ok((results.into_iter().flat_map(|(_, examples)| examples).collect(), leftovers))
}

fn with_text(gold: &[Gold]) -> impl Iterator<Item = usize> + '_ {
    (0..gold.len()).filter(|page| gold[*page].text.is_some())
}

/// Returns the sum of all training results, which must count the same kind of blocks.
pub fn sum<'a>(examples: impl Iterator<Item = &'a TrainingExample>) -> Model {
    let mut examples = examples.peekable();
    let kind = examples.peek().map(|example| example.model.blocks()).unwrap_or_default();
    examples.fold(Model::of_blocks(kind), |mut sum, example| {
        sum.add(&example.model);
        sum
    })
}

/// Counts the blocks of one page by the classes that the gold text gives them.
pub fn learn(page: &Page<'_>, gold: &str, kind: BlockKind) -> Model {
    let gold = normalise(gold);
    let gold = Reference::new(&gold);
    let mut model = Model::of_blocks(kind);
    model.pages = 1;
    let mut renderer = Renderer::default();
    let mut text = String::new();
    for definition in Definition::ALL {
        for block in blocks(page, &definition.options().with_blocks(kind)) {
            text.clear();
            renderer.text(page, &block.selection(page), &mut text);
            let is_theme = gold.is_theme(&normalise(&text));
            model.counts_mut(definition).push(block.counts.bins(), is_theme);
        }
    }
    model
}

/// A gold text, indexed by the token sequences that blocks are compared with.
struct Reference<'a> {
    numbers: HashMap<&'a str, u32>,
    stretches: HashSet<Vec<u32>>,
}

impl<'a> Reference<'a> {
    fn new(normalised: &'a str) -> Reference<'a> {
        let mut numbers = HashMap::new();
        let number = |token| {
            let new_number = numbers.len() as u32;
            *numbers.entry(token).or_insert(new_number)
        };
        let tokens: Vec<u32> = tokens(normalised).map(number).collect();
        let stretches =
            (1..=CHARACTERS_PER_SHINGLE).flat_map(|len| tokens.windows(len)).map(<[u32]>::to_vec);
        Reference { stretches: stretches.collect(), numbers }
    }

    /// Returns whether a block with this text is theme.
    fn is_theme(&self, normalised: &str) -> bool {
        const UNKNOWN: u32 = u32::MAX;
        let (mut block, mut characters) = (Vec::new(), 0);
        for token in tokens(normalised) {
            block.push(self.numbers.get(token).copied().unwrap_or(UNKNOWN));
            characters += usize::from(token.chars().next().is_some_and(is_single));
        }
        let len =
            if 2 * characters > block.len() { CHARACTERS_PER_SHINGLE } else { WORDS_PER_SHINGLE };
        if block.len() < len {
            return self.stretches.contains(&block);
        }
        let shared_shingles =
            block.windows(len).filter(|shingle| self.stretches.contains(*shingle)).count();
        2 * shared_shingles > block.len() - len
    }
}

/// Assigns each page to a fold. All pages of a domain are in the same fold; a page without a domain
/// counts as a domain of its own. The largest domains are placed first, each into the smallest fold
/// so far, so that the folds have similar sizes.
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

/// The texts of a page, extracted with models that were trained without its domain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Prediction {
    /// Index of the gold.
    pub gold: usize,
    /// A text for every [`Definition`], in the order of [`Definition::ALL`].
    pub texts: [String; 4],
}

/// The reason why a cross-validation failed.
#[derive(Debug, thiserror::Error)]
pub enum CrossValidationError {
    /// The pages cannot be read.
    #[error(transparent)]
    Pages(#[from] EvalError),
    /// The pages outside a fold are too few for a model.
    #[error("too few pages outside one of the folds to train a model: {0}")]
    Model(Box<dyn std::error::Error + Send + Sync>),
}

/// Extracts every page that has a gold text, with a model trained on the pages outside its fold.
///
/// # Errors
///
/// An archive cannot be read, or the pages outside some fold are too few for a model.
pub fn cross_validate(
    archives: &[PathBuf],
    gold: &[Gold],
    examples: &[TrainingExample],
    fold_of: &[usize],
) -> Result<Vec<Prediction>, CrossValidationError> {
    let count = fold_of.iter().max().map_or(0, |last_fold| last_fold + 1);
    let extractors = (0..count).map(|fold| {
        let model = sum(examples.iter().filter(|example| fold_of[example.gold] != fold));
        let model = model.to_json();
        let with_model = |definition: &Definition| with_model(*definition, model.as_bytes());
        Definition::ALL.iter().map(with_model).collect::<Result<Vec<_>, _>>()
    });
    let extractors = extractors.collect::<Result<Vec<_>, _>>()?;
    let pages_by_id = index_by_id(gold, with_text(gold));
    let work = |buffer: &mut PageBuf, pages: &[usize], html: &str| {
        let page = buffer.fill(html);
        let predict = |gold: &usize| Prediction {
            gold: *gold,
            texts: [0, 1, 2, 3].map(|index| {
                extracted_text(
                    &page,
                    &*extractors[fold_of[*gold]][index],
                    Definition::ALL[index].profile(),
                )
            }),
        };
        pages.iter().map(predict).collect::<Vec<_>>()
    };
    let (results, _) = for_each_page(archives, &pages_by_id, PageBuf::new, work)?;
    Ok(results.into_iter().flat_map(|(_, predictions)| predictions).collect())
}

/// Returns the extractor of a definition, with its fall-back as in the registry, but with another
/// model.
fn with_model(
    definition: Definition,
    model: &[u8],
) -> Result<Arc<dyn ExtractorFactory>, CrossValidationError> {
    let extractor = find(definition.extractor()).expect("both extractors are in the list");
    let extractor = extractor.with_model(model, definition.profile());
    extractor.expect("both extractors have a model").map_err(CrossValidationError::Model)
}

fn extracted_text(page: &Page<'_>, extractor: &dyn ExtractorFactory, profile: Profile) -> String {
    let mut selection = Selection::default();
    extractor.worker(profile).extract(page, &mut selection);
    let mut text = String::new();
    Renderer::default().text(page, &selection, &mut text);
    text
}

#[cfg(test)]
mod tests;
