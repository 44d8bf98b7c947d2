//! Chooses the n-grams of the tables, and their weights.

use crate::counts::Counts;
use crate::recipe::RECIPES;
use huller_refine::language::TableRow;
use std::collections::BTreeMap;

/// The least number of occurrences in a million letters with which an n-gram counts for a language.
const LEAST: f32 = 10.0;

/// Added to each count; it is also the count of an unseen n-gram. Weights are logarithms above
/// this.
pub const UNSEEN: f32 = 2.0;

/// The number of weight units in one natural logarithm.
pub const UNITS: f32 = 16.0;

/// Returns the rows of the tables: the `most` n-grams with the most information. The information of
/// an n-gram is its frequency, times the divergence (Kullback and Leibler 1951) of its languages
/// from a uniform choice among the script's languages.
pub fn rows(counts: &[Counts], most: usize) -> Vec<TableRow> {
    let mut languages_of: BTreeMap<u64, Vec<(u8, f32)>> = BTreeMap::new();
    for (language, counts) in counts.iter().enumerate() {
        for (&gram, &count) in counts.iter().filter(|(_, count)| **count >= LEAST) {
            languages_of.entry(gram).or_default().push((language as u8, count));
        }
    }
    let mut ranked: Vec<(f32, u64)> =
        languages_of.iter().map(|(&gram, languages)| (tells(languages), gram)).collect();
    ranked.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    let weight =
        |count: f32| (((count + UNSEEN) / UNSEEN).ln() * UNITS).round().clamp(1.0, 255.0) as u8;
    let row = |&(_, gram): &(f32, u64)| {
        let weights = languages_of[&gram]
            .iter()
            .map(|&(language, count)| (language, weight(count)))
            .collect();
        TableRow { gram, weights }
    };
    ranked.iter().take(most).map(row).collect()
}

fn tells(languages: &[(u8, f32)]) -> f32 {
    let script = RECIPES[languages[0].0 as usize].script;
    let all = RECIPES.iter().filter(|recipe| recipe.script == script).count() as f32;
    let total = languages.iter().map(|language| language.1 + UNSEEN).sum::<f32>()
        + UNSEEN * (all - languages.len() as f32);
    let term = |share: f32| share * (share * all).ln();
    let known: f32 = languages.iter().map(|language| term((language.1 + UNSEEN) / total)).sum();
    total * (known + (all - languages.len() as f32) * term(UNSEEN / total))
}
