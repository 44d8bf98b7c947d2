//! The terms of scores, for people who look.

use huller_page::Page;
use huller_select::Term;
use std::collections::HashMap;

/// What an element has for the runs in it, as in
/// [`RunFigures::score_by_node`](huller_select::RunFigures::score_by_node).
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Scored {
    /// Nothing in it has a score.
    Nothing,
    /// What is around it holds.
    Around,
    /// Its own score.
    Itself,
}

/// The terms of the innermost element with a score around each run. `terms` is asked once for each
/// of these elements.
pub(crate) fn by_element(
    page: &Page<'_>,
    runs: &[u32],
    scored: impl Fn(u32) -> Scored,
    mut terms: impl FnMut(u32) -> Vec<Term>,
) -> Vec<Option<Vec<Term>>> {
    let mut known: HashMap<u32, Vec<Term>> = HashMap::new();
    let found = runs.iter().map(|run| {
        let mut at = page.runs()[*run as usize].node;
        loop {
            match scored(at) {
                Scored::Nothing => return None,
                Scored::Itself => break,
                Scored::Around if at == 0 => return None,
                Scored::Around => at = page.nodes()[at as usize].parent,
            }
        }
        Some(known.entry(at).or_insert_with(|| terms(at)).clone())
    });
    found.collect()
}

/// The terms of the part that each run belongs to: `parts` has the runs of each part, and `terms`
/// makes those of a part.
pub(crate) fn by_part<P: IntoIterator<Item = u32>>(
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
