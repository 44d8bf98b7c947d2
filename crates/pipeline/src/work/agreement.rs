//! Finds the selection with the highest expected F1 among those of several extractors.
//!
//! Each selection counts as one guess at the main content, and all guesses as equally likely. So
//! the expected F1 of a selection is its mean F1 against the others. This is minimum Bayes risk
//! decoding (Kumar and Byrne, 2004) with extractors in place of samples.

use huller_page::Page;
use huller_select::Selection;

/// The selections of the extractors for one page. Costs O(extractors² × selected runs).
#[derive(Debug, Default)]
pub(crate) struct Agreement {
    /// The selected runs of all extractors, each with its selected bytes of source.
    runs: Vec<(u32, u32)>,
    /// Where the runs of each extractor end.
    ends: Vec<usize>,
}

impl Agreement {
    /// Begins a page.
    pub(crate) fn begin(&mut self) {
        self.runs.clear();
        self.ends.clear();
    }

    /// Adds the selection of the next extractor.
    pub(crate) fn add(&mut self, page: &Page<'_>, selection: &Selection) {
        let mut ranges = selection.ranges.iter().peekable();
        for run in selection.kept_runs(page) {
            let bytes = if selection.is_partial {
                while ranges.next_if(|range| range.run < run).is_some() {}
                let of_run = std::iter::from_fn(|| ranges.next_if(|it| it.run == run));
                of_run.map(|range| range.end - range.start).sum()
            } else {
                let run = &page.runs()[run as usize];
                run.byte_end - run.byte_start
            };
            self.runs.push((run, bytes));
        }
        self.ends.push(self.runs.len());
    }

    /// Returns the place of the extractor with the highest expected F1. Of equal ones the first is
    /// the best.
    pub(crate) fn best_extractor(&self) -> usize {
        let count = self.ends.len();
        let mut sums = vec![0.; count];
        for a in 0..count {
            for b in a + 1..count {
                let f1 = f1(self.selected(a), self.selected(b));
                sums[a] += f1;
                sums[b] += f1;
            }
        }
        (0..count).rev().max_by(|a, b| sums[*a].total_cmp(&sums[*b])).unwrap_or(0)
    }

    fn selected(&self, index: usize) -> &[(u32, u32)] {
        let start = index.checked_sub(1).map_or(0, |index_before| self.ends[index_before]);
        &self.runs[start..self.ends[index]]
    }
}

/// Returns F1 of the bytes of two selections. Two empty ones agree. If both have a run in part,
/// they share the smaller number of bytes.
fn f1(a: &[(u32, u32)], b: &[(u32, u32)]) -> f64 {
    let total_bytes = |selection: &[(u32, u32)]| {
        selection.iter().map(|(_, bytes)| u64::from(*bytes)).sum::<u64>()
    };
    let mut shared = 0;
    let mut other_runs = b.iter().peekable();
    for (run, bytes) in a {
        while other_runs.next_if(|(other, _)| other < run).is_some() {}
        if let Some((_, other_bytes)) = other_runs.next_if(|(other, _)| other == run) {
            shared += u64::from(*bytes.min(other_bytes));
        }
    }
    let sum = total_bytes(a) + total_bytes(b);
    if sum == 0 { 1. } else { 2. * shared as f64 / sum as f64 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use huller_page::PageBuf;
    use huller_select::RunRange;

    #[test]
    fn the_selection_that_agrees_most_is_the_best() {
        let mut buffer = PageBuf::new();
        let page =
            buffer.fill("<p>menu</p><p>rain fell on the hills</p><p>and wind</p><p>foot</p>");
        let of = |runs: &[u32]| {
            let mut selection = Selection::default();
            for run in runs {
                selection.push_run(&page, *run);
            }
            selection.finish_ranges(&page);
            selection
        };
        let mut agreement = Agreement::default();
        let mut best = |selections: &[Selection]| {
            agreement.begin();
            for selection in selections {
                agreement.add(&page, selection);
            }
            agreement.best_extractor()
        };
        assert_eq!(best(&[of(&[0]), of(&[1, 2]), of(&[1])]), 1);
        assert_eq!(best(&[of(&[0, 1, 2, 3]), of(&[1, 2]), of(&[1])]), 1);
        assert_eq!(best(&[of(&[]), of(&[]), of(&[1])]), 0);
        assert_eq!(best(&[of(&[1]), of(&[3])]), 0, "of equal ones the first");
        let whole = Selection { roots: vec![page.body()], ..Selection::default() };
        assert_eq!(best(&[of(&[0]), whole, of(&[0, 1, 2, 3])]), 1);
        // Two thirds of a run agree with all of it more than another run does.
        let mut part = of(&[1]);
        part.ranges[0].end -= 3;
        assert!(part.ranges[0] != RunRange::whole_run(&page, 1));
        assert_eq!(best(&[of(&[3]), part, of(&[1])]), 1);
    }
}
