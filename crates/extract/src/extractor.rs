//! What every method is and gives.

use crate::blocks::Blocks;
use crate::lines::Lines;
use crate::methods::{
    boilerpipe, ccb, ceds, cetd, cetr, dvps, fe, hull, lineblock, nb, pvalue, readability, tsd,
};
use crate::selection::Selection;
use crate::sums::Sums;
use crate::visual;
use huller_page::Page;
use std::sync::LazyLock;

/// A method of finding the main content of a page.
///
/// An extractor is stateless: the same page gives the same selection, whatever was extracted before and on whichever
/// thread. It runs in O(n) of the page's nodes and runs and allocates only while `scratch` and `out` meet larger
/// pages than before.
pub trait Extractor: Send + Sync {
    /// Fills `out`, which it first empties. An empty selection means that the method found nothing.
    fn extract(&self, page: &Page<'_>, scratch: &mut Scratch, out: &mut Selection) -> Verdict;
}

/// A method with the model that ships, which is read when it is first asked.
impl<E: Extractor> Extractor for LazyLock<E> {
    fn extract(&self, page: &Page<'_>, scratch: &mut Scratch, out: &mut Selection) -> Verdict {
        E::extract(self, page, scratch, out)
    }
}

/// What a method says of a page as a whole.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Verdict {
    /// The method's own page-level figure; its meaning and range are documented with the method. Finite.
    pub score: Option<f64>,
    /// Whether the page has a main content at all, where the method judges that.
    pub has_article: Option<bool>,
    /// What kind of page it is, where the method tells.
    pub page_type: Option<PageType>,
}

/// What kind of page a page is (the types of the data set wcxb).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PageType {
    /// One text to be read: news, a blog's entry.
    Article,
    /// Things to choose from: a shop's category.
    Collection,
    /// A manual's or a reference's page.
    Documentation,
    /// What several people wrote: a forum's thread, questions and answers.
    Forum,
    /// Teasers of other pages.
    Listing,
    /// One thing to buy.
    Product,
    /// What a company offers or is.
    Service,
}

impl PageType {
    /// The name in rows.
    pub fn name(self) -> &'static str {
        match self {
            PageType::Article => "article",
            PageType::Collection => "collection",
            PageType::Documentation => "documentation",
            PageType::Forum => "forum",
            PageType::Listing => "listing",
            PageType::Product => "product",
            PageType::Service => "service",
        }
    }
}

/// Where a method comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Citation {
    /// Number of the paper among the five that huller implements; `None` for baselines.
    pub paper: Option<&'static str>,
    /// What the paper, or the baseline, calls it.
    pub subject: &'static str,
}

/// Memory that extractors work in, made once a worker and reused for every page.
#[derive(Debug, Default)]
pub struct Scratch {
    /// Shared by all methods that need no other sums.
    pub(crate) sums: Sums,
    /// Shared by all methods that see lines.
    pub(crate) lines: Lines,
    /// Shared by all methods that see a row of blocks.
    pub(crate) blocks: Blocks,
    pub(crate) pvalue: pvalue::Scratch,
    pub(crate) nb: nb::Scratch,
    pub(crate) readability: readability::Scratch,
    pub(crate) tsd: tsd::Scratch,
    pub(crate) cetd: cetd::Scratch,
    pub(crate) ceds: ceds::Scratch,
    pub(crate) ccb: ccb::Scratch,
    pub(crate) cetr: cetr::Scratch,
    pub(crate) lineblock: lineblock::Scratch,
    pub(crate) boilerpipe: boilerpipe::Scratch,
    pub(crate) fe: fe::Scratch,
    /// Shared by the methods that cut pages into visual blocks.
    pub(crate) visual: visual::Scratch,
    pub(crate) dvps: dvps::Scratch,
    pub(crate) hull: hull::Scratch,
}
