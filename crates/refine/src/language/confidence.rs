//! Computes the probability of the best language.

use super::scratch::Scratch;
use super::tables::Tables;

/// Returns the language of `languages` with the largest weight, and its probability.
///
/// Weights are sums of logarithms over n-grams that are not independent, so differences between
/// languages grow faster with the text than their probability does (P. Domingos and M. Pazzani
/// 1997). Each weight is therefore divided by `n^growth`, for `n` n-grams, and multiplied by
/// `scale`. A softmax over these gives the probability. The two numbers are in the file of the
/// tables, and are fitted on sentences that the tables were not made from.
///
/// A text in a language that the tables lack resembles the nearest language that they have, but its
/// weight per n-gram is low. Below [`USUAL_NGRAM_WEIGHT`] the probability falls in proportion to
/// the square of that weight.
pub(super) fn best_language(
    tables: &Tables,
    languages: std::ops::Range<usize>,
    grams: u32,
    scratch: &Scratch,
) -> Option<(usize, f32)> {
    let weight = |language: usize| {
        scratch.weights[language].saturating_add(tables.languages[language].start)
    };
    let best_candidate = languages
        .clone()
        .max_by_key(|&language| (weight(language), std::cmp::Reverse(language)))?;
    if grams == 0 {
        return None;
    }
    let grams = grams as f32;
    let factor = tables.scale / UNITS_PER_NAT / grams.powf(tables.growth);
    let top = weight(best_candidate);
    let sum: f32 =
        languages.map(|language| (-factor * (top - weight(language)) as f32).exp()).sum();
    let usual = scratch.weights[best_candidate] as f32 / UNITS_PER_NAT / grams / USUAL_NGRAM_WEIGHT;
    Some((best_candidate, usual.min(1.0).powi(2) / sum))
}

/// Weights are in sixteenths of a natural logarithm.
const UNITS_PER_NAT: f32 = 16.0;

/// Usual weight per n-gram, in natural logarithms. Texts in a language of the tables are rarely
/// below it.
const USUAL_NGRAM_WEIGHT: f32 = 3.0;
