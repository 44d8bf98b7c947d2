//! Collects the terms of scores, for inspection.

use huller_page::Page;
use huller_select::Term;
use std::collections::HashMap;

/// The source of the score of the runs in an element, as in
/// [`RunFigures::score_by_node`](huller_select::RunFigures::score_by_node).
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum ScoreSource {
    /// The element gives its runs no score.
    Nothing,
    /// The score of the element around it.
    Around,
    /// The element's own score.
    Itself,
}

/// Returns for each run the terms of the innermost scored element around it. Calls `terms` once for
/// each of these elements.
pub(crate) fn by_element(
    page: &Page<'_>,
    runs: &[u32],
    scored: impl Fn(u32) -> ScoreSource,
    mut terms: impl FnMut(u32) -> Vec<Term>,
) -> Vec<Option<Vec<Term>>> {
    let mut known: HashMap<u32, Vec<Term>> = HashMap::new();
    let found = runs.iter().map(|run| {
        let mut element = page.runs()[*run as usize].node;
        loop {
            match scored(element) {
                ScoreSource::Nothing => return None,
                ScoreSource::Itself => break,
                ScoreSource::Around if element == 0 => return None,
                ScoreSource::Around => element = page.nodes()[element as usize].parent,
            }
        }
        Some(known.entry(element).or_insert_with(|| terms(element)).clone())
    });
    found.collect()
}

/// Returns for each run the terms of the part that it belongs to. `parts` has the runs of each
/// part, and `terms` computes the terms of a part by its index.
pub(crate) fn terms_by_part<P: IntoIterator<Item = u32>>(
    page: &Page<'_>,
    runs: &[u32],
    parts: impl IntoIterator<Item = P>,
    terms: impl Fn(usize) -> Vec<Term>,
) -> Vec<Option<Vec<Term>>> {
    let mut part_of_run = vec![usize::MAX; page.runs().len()];
    for (part_index, runs) in parts.into_iter().enumerate() {
        runs.into_iter().for_each(|run| part_of_run[run as usize] = part_index);
    }
    let part_index = |run: &u32| {
        part_of_run.get(*run as usize).copied().filter(|part_index| *part_index != usize::MAX)
    };
    runs.iter().map(|run| part_index(run).map(&terms)).collect()
}
