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
        let mut at = page.runs()[*run as usize].node;
        loop {
            match scored(at) {
                ScoreSource::Nothing => return None,
                ScoreSource::Itself => break,
                ScoreSource::Around if at == 0 => return None,
                ScoreSource::Around => at = page.nodes()[at as usize].parent,
            }
        }
        Some(known.entry(at).or_insert_with(|| terms(at)).clone())
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
    for (part, runs) in parts.into_iter().enumerate() {
        runs.into_iter().for_each(|run| part_of_run[run as usize] = part);
    }
    let part =
        |run: &u32| part_of_run.get(*run as usize).copied().filter(|part| *part != usize::MAX);
    runs.iter().map(|run| part(run).map(&terms)).collect()
}
