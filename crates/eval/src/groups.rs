//! Divides pages into groups whose scores are averaged.

use crate::evaluation::{Evaluation, PageFacts};
use std::collections::BTreeMap;

/// The name of the group of all pages.
pub const ALL: &str = "ALL";

/// The name of the unweighted mean over [`HEADLINE_SETS`].
pub const MEAN10: &str = "MEAN10";

/// The data sets of real pages whose gold was made by people, independently of this project.
pub const HEADLINE_SETS: [&str; 10] = [
    "wcxb",
    "cleaneval_en",
    "cleaneval_zh",
    "dragnet",
    "l3s_gn1",
    "big9",
    "chaos_utomo",
    "scrapinghub",
    "cwced_zh",
    "zh_portals",
];

/// The property that pages are grouped by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grouping {
    /// Data set.
    Dataset,
    /// Language.
    Lang,
    /// Type of page.
    PageType,
    /// Length of the page in bytes of UTF-8.
    Length,
}

/// A group of pages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PageGroup {
    /// The data set's name; `lang=en` and the like for other groups.
    pub name: String,
    /// Indices into [`Evaluation::pages`], rising.
    pub pages: Vec<usize>,
}

/// Returns all groups by these properties, sorted by name within each property, and last the group
/// of all pages.
pub fn groups(evaluation: &Evaluation, groupings: &[Grouping]) -> Vec<PageGroup> {
    let mut groups = Vec::new();
    for grouping in groupings {
        let mut of_kind: BTreeMap<(usize, String), Vec<usize>> = BTreeMap::new();
        for (index, page) in evaluation.pages.iter().enumerate() {
            of_kind.entry(group_key(page, *grouping)).or_default().push(index);
        }
        groups.extend(of_kind.into_iter().map(|((_, name), pages)| PageGroup { name, pages }));
    }
    groups.push(PageGroup { name: ALL.to_owned(), pages: (0..evaluation.pages.len()).collect() });
    groups
}

/// Returns the pages of each headline set; `None` unless the evaluation has pages of all ten.
pub fn headline_sets(evaluation: &Evaluation) -> Option<Vec<Vec<usize>>> {
    let mut sets = vec![Vec::new(); HEADLINE_SETS.len()];
    for (index, page) in evaluation.pages.iter().enumerate() {
        if let Some(set) = HEADLINE_SETS.iter().position(|name| *name == page.dataset) {
            sets[set].push(index);
        }
    }
    sets.iter().all(|pages| !pages.is_empty()).then_some(sets)
}

/// Returns the rank and the name of the group that a page belongs to.
fn group_key(page: &PageFacts, grouping: Grouping) -> (usize, String) {
    let key_of = |kind: &str, value: &Option<String>| match value {
        Some(value) => (0, format!("{kind}={value}")),
        None => (1, format!("{kind}=none")),
    };
    match grouping {
        Grouping::Dataset => (0, page.dataset.clone()),
        Grouping::Lang => key_of("lang", &page.lang),
        Grouping::PageType => key_of("page_type", &page.page_type),
        Grouping::Length => {
            // Steps by a factor of about three. A page of 0 bytes was not found.
            const STEPS: [(u64, &str); 6] = [
                (1, "none"),
                (10_000, "under_10kB"),
                (30_000, "10_to_30kB"),
                (100_000, "30_to_100kB"),
                (300_000, "100_to_300kB"),
                (u64::MAX, "from_300kB"),
            ];
            let step = STEPS.iter().position(|(end, _)| page.html_bytes < *end);
            let step = step.unwrap_or(STEPS.len() - 1);
            (step, format!("length={}", STEPS[step].1))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(dataset: &str, lang: Option<&str>, html_bytes: u64) -> PageFacts {
        PageFacts {
            dataset: dataset.to_owned(),
            lang: lang.map(str::to_owned),
            html_bytes,
            ..PageFacts::default()
        }
    }

    #[test]
    fn pages_are_grouped_in_order() {
        let pages =
            vec![page("b", Some("zh"), 99_999), page("a", None, 0), page("b", Some("en"), 100_000)];
        let evaluation = Evaluation { pages, ..Evaluation::default() };
        let names = |by: &[Grouping]| {
            groups(&evaluation, by).into_iter().map(|g| (g.name, g.pages)).collect::<Vec<_>>()
        };
        let group = |name: &str, pages: &[usize]| (name.to_owned(), pages.to_vec());
        let all = group("ALL", &[0, 1, 2]);
        assert_eq!(
            names(&[Grouping::Dataset]),
            [group("a", &[1]), group("b", &[0, 2]), all.clone()]
        );
        assert_eq!(
            names(&[Grouping::Lang]),
            [group("lang=en", &[2]), group("lang=zh", &[0]), group("lang=none", &[1]), all.clone()]
        );
        assert_eq!(
            names(&[Grouping::Length]),
            [
                group("length=none", &[1]),
                group("length=30_to_100kB", &[0]),
                group("length=100_to_300kB", &[2]),
                all
            ]
        );
    }

    #[test]
    fn the_mean_of_ten_needs_all_ten() {
        let mut pages: Vec<_> = HEADLINE_SETS.iter().map(|name| page(name, None, 1)).collect();
        let sets = |pages: &[PageFacts]| {
            headline_sets(&Evaluation { pages: pages.to_vec(), ..Evaluation::default() })
        };
        assert_eq!(sets(&pages).unwrap()[9], [9]);
        pages.pop();
        assert_eq!(sets(&pages), None);
    }
}
