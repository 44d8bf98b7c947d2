//! Finds the type of a page, with one forest for each type. The forests ask about features of the
//! whole page and of its URL.

use super::columns::Columns;
use super::features::Features;
use super::model::{Model, ModelError, PageForest};
use huller_select::PageType;

/// The page types, and the names of their forests.
const TYPES: [(PageType, &str); 7] = [
    (PageType::Article, "page:article"),
    (PageType::Collection, "page:collection"),
    (PageType::Documentation, "page:documentation"),
    (PageType::Forum, "page:forum"),
    (PageType::Listing, "page:listing"),
    (PageType::Product, "page:product"),
    (PageType::Service, "page:service"),
];

/// The index of articles in [`TYPES`].
const ARTICLE: usize = 0;

/// Advantage in log-odds that another type than article needs on a page that does not state its
/// URL. Without a URL, an article with long lists of other stories looks much like a list.
const REQUIRED_ADVANTAGE: f32 = 0.5;

/// One forest for each page type, in the order of [`TYPES`].
#[derive(Clone, Debug, PartialEq)]
pub(super) struct PageTypes {
    forests: Vec<PageForest>,
}

/// The log-odds of each page type, in the order of [`TYPES`]. Those of articles include
/// [`REQUIRED_ADVANTAGE`].
#[derive(Clone, Copy, Debug)]
pub(super) struct PageTypeScores {
    log_odds: [f32; TYPES.len()],
}

impl PageTypes {
    pub(super) fn new(model: &Model) -> Result<PageTypes, ModelError> {
        let forests = TYPES.iter().map(|(_, name)| Ok(PageForest::new(model.forest(name)?)));
        Ok(PageTypes { forests: forests.collect::<Result<_, ModelError>>()? })
    }

    /// Judges the page that `features` read last. Overwrites `columns` and `leaves`.
    pub(super) fn scores(
        &self,
        features: &mut Features,
        columns: &mut Columns,
        leaves: &mut Vec<u8>,
    ) -> PageTypeScores {
        columns.want(self.forests.iter().flat_map(PageForest::features));
        let first_block = (!features.blocks().blocks.is_empty()).then_some(0);
        features.fill_columns(first_block, columns);
        let mut sums = [0.0; TYPES.len()];
        for (sum, forest) in sums.iter_mut().zip(&self.forests) {
            *sum = forest.sum(columns, leaves);
        }
        PageTypeScores::new(sums, features.states_address())
    }
}

impl PageTypeScores {
    /// Returns the scores from the sums of the forests.
    fn new(mut log_odds: [f32; TYPES.len()], states_address: bool) -> PageTypeScores {
        if !states_address {
            log_odds[ARTICLE] += REQUIRED_ADVANTAGE;
        }
        PageTypeScores { log_odds }
    }

    /// Returns the likeliest page type; among equal ones the first.
    pub(super) fn likeliest(&self) -> PageType {
        TYPES[self.likeliest_index()].0
    }

    /// Returns the difference between the log-odds of the likeliest type and those of another type.
    pub(super) fn log_odds_margin(&self, other: PageType) -> f32 {
        let other = TYPES.iter().position(|(page_type, _)| *page_type == other);
        other.map_or(f32::INFINITY, |other| {
            self.log_odds[self.likeliest_index()] - self.log_odds[other]
        })
    }

    fn likeliest_index(&self) -> usize {
        let better =
            |best, index| if self.log_odds[index] > self.log_odds[best] { index } else { best };
        (0..TYPES.len()).fold(0, better)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_of_the_likeliest_types_counts() {
        let scores = PageTypeScores::new([-3.0, 1.0, -2.0, -1.5, 1.0, -9.0, 0.5], true);
        assert_eq!(scores.likeliest(), PageType::Collection);
        assert_eq!(scores.log_odds_margin(PageType::Collection).to_bits(), 0.0_f32.to_bits());
        assert_eq!(scores.log_odds_margin(PageType::Forum).to_bits(), 2.5_f32.to_bits());
    }

    #[test]
    fn a_page_without_an_address_is_sooner_an_article() {
        let sums = [0.5, -3.0, -2.0, -1.5, 0.75, -9.0, -4.0];
        assert_eq!(PageTypeScores::new(sums, true).likeliest(), PageType::Listing);
        assert_eq!(PageTypeScores::new(sums, false).likeliest(), PageType::Article);
    }
}
