//! How likely the best language is.

use super::memory::Memory;
use super::tables::Tables;

/// The language with the largest weight among those of `languages`, and how likely it is.
///
/// Weights are sums of logarithms over n-grams that are not independent, so differences between
/// languages grow faster with the text than their probability does (P. Domingos and M. Pazzani
/// 1997). Each weight is therefore divided by `n^growth`, for `n` n-grams, and multiplied by
/// `scale`; then the likelihood is that of a softmax. The two numbers stand in the file of the
/// tables; they are fitted on sentences that the tables were not made from.
///
/// A text in a language that the tables lack resembles the nearest one that they have. What gives
/// it away is that the weight per n-gram is low: below [`USUAL`] the likelihood falls in proportion
/// to its square.
pub(super) fn best(
    tables: &Tables,
    languages: std::ops::Range<usize>,
    grams: u32,
    memory: &Memory,
) -> Option<(usize, f32)> {
    let weight =
        |language: usize| memory.weights[language].saturating_add(tables.languages[language].start);
    let best = languages
        .clone()
        .max_by_key(|&language| (weight(language), std::cmp::Reverse(language)))?;
    if grams == 0 {
        return None;
    }
    let grams = grams as f32;
    let factor = tables.scale / UNITS / grams.powf(tables.growth);
    let top = weight(best);
    let sum: f32 =
        languages.map(|language| (-factor * (top - weight(language)) as f32).exp()).sum();
    let usual = memory.weights[best] as f32 / UNITS / grams / USUAL;
    Some((best, usual.min(1.0).powi(2) / sum))
}

/// Weights are sixteenths of a natural logarithm.
const UNITS: f32 = 16.0;

/// A text in one of the languages rarely has less weight per n-gram than this, in natural
/// logarithms.
const USUAL: f32 = 3.0;
