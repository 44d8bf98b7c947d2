//! Contributions of the features to the log-odds of a block: the path contributions of the trees.
//!
//! At the root of a tree a block has the mean of all leaves. Each answer leaves one half of them,
//! with another mean. The change counts for the feature of the question. The changes over all
//! questions and trees, plus the means at the roots, equal the sum of the block's leaves:
//!
//! ```text
//! log-odds = bias + sum over trees of mean(root) + sum over questions of ( mean(after the answer) - mean(before it) )
//! ```
//!
//! Blocks that the first trees found hopeless have the log-odds of these trees alone, times a
//! factor (`judge`). The same factor applies to their contributions.

use crate::columns::Columns;
use crate::features::Features;
use crate::judge::{ContentForest, GLANCE_FACTOR, Judge};
use crate::model::{BlockForest, Means};
use huller_page::Page;
use huller_select::{Derivations, Rule, Term};

/// Largest number of features that are shown one by one.
const MAX_SHOWN_FEATURES: usize = 12;

/// Number of blocks whose features are computed at a time.
const BLOCKS_PER_CHUNK: usize = 1 << 10;

/// A forest, prepared for computing contributions.
struct Forest<'a> {
    forest: &'a BlockForest,
    means: Means,
}

impl Forest<'_> {
    fn from_block_forest(forest: &BlockForest) -> Forest<'_> {
        Forest { forest, means: forest.means() }
    }
}

/// The sums of features for one block.
struct Sums {
    /// The part of the log-odds that no feature explains.
    bias: f64,
    /// For each feature, its part of the log-odds.
    by_feature: Vec<f64>,
    /// The value of each feature that a question asked about.
    values: Vec<f32>,
}

/// Splits the scores of runs into terms; `judge` judged the page by `content`.
pub(super) fn derive(
    page: &Page<'_>,
    content: &ContentForest,
    judge: &Judge,
    (features, columns): (&mut Features, &mut Columns),
    runs: &[u32],
) -> Derivations {
    let mut block_of_run = vec![None; page.runs().len()];
    for block in 0..features.blocks().blocks.len() {
        features
            .blocks()
            .runs(block)
            .for_each(|run| block_of_run[run as usize] = Some(block as u32));
    }
    let mut wanted_blocks: Vec<u32> =
        runs.iter().filter_map(|run| block_of_run[*run as usize]).collect();
    wanted_blocks.sort_unstable();
    wanted_blocks.dedup();
    let names = Features::names();
    let forests = [&content.glance, &content.rest].map(Forest::from_block_forest);
    let mut terms_of = vec![None; features.blocks().blocks.len()];
    columns.want(content.glance.features().chain(content.rest.features()));
    for blocks in wanted_blocks.chunks(BLOCKS_PER_CHUNK) {
        features.fill_columns(blocks.iter().copied(), columns);
        for (index, block) in blocks.iter().enumerate() {
            let is_glanced = judge.glanced().binary_search(block).is_ok();
            let used = if is_glanced { &forests[..1] } else { &forests[..] };
            let sums = sum_forests(used, names.len(), |feature| columns.column(feature)[index]);
            terms_of[*block as usize] = Some(largest_terms(&sums, &names, is_glanced));
        }
    }
    let of_run = |run: &u32| terms_of[block_of_run[*run as usize]? as usize].clone();
    Derivations {
        equation: "p = 1 / (1 + e^-s), s = bias + what each feature's questions change on the block's paths through the trees",
        rule: Rule::Logistic,
        terms: runs.iter().map(of_run).collect(),
    }
}

fn sum_forests(forests: &[Forest<'_>], features: usize, value: impl Fn(usize) -> f32) -> Sums {
    let mut sums =
        Sums { bias: 0.0, by_feature: vec![0.0; features], values: vec![f32::NAN; features] };
    for Forest { forest, means } in forests {
        for feature in forest.features() {
            sums.values[usize::from(feature)] = value(usize::from(feature));
        }
        sums.bias += forest.contributions(means, &value, |feature, change| {
            sums.by_feature[usize::from(feature)] += change;
        });
    }
    sums
}

/// Returns the bias, the features with the largest contributions, and the sum of all others.
fn largest_terms(sums: &Sums, names: &[String], is_glanced: bool) -> Vec<Term> {
    let factor = if is_glanced { f64::from(GLANCE_FACTOR) } else { 1.0 };
    let scope = if is_glanced { "the first trees alone, all terms times 1.3" } else { "all trees" };
    let mut order: Vec<usize> =
        (0..names.len()).filter(|feature| !sums.values[*feature].is_nan()).collect();
    let size = |feature: &usize| sums.by_feature[*feature].abs();
    order.sort_by(|a, b| size(b).total_cmp(&size(a)));
    let mut terms = vec![Term::new("bias", factor * sums.bias, scope)];
    terms.extend(order.iter().take(MAX_SHOWN_FEATURES).map(|feature| {
        let value = factor * sums.by_feature[*feature];
        Term::new(names[*feature].clone(), value, sums.values[*feature].to_string())
    }));
    if let Some(other_features) =
        order.get(MAX_SHOWN_FEATURES..).filter(|other_features| !other_features.is_empty())
    {
        let value: f64 = other_features.iter().map(|feature| sums.by_feature[*feature]).sum();
        terms.push(Term::new(
            "all other features",
            factor * value,
            other_features.len().to_string(),
        ));
    }
    terms
}
