//! The list of all extractors, with their fall-backs.
//!
//! A new extractor is a file in the crate `methods` and a line here. Help, tables, tests and
//! benches iterate the list.

use crate::fallback::FallbackExtractor;
use huller_hull as hull;
use huller_methods::{
    body, boilerpipe, ccb, ceds, cetd, cetr, dvps, fe, lineblock, mss, nb, nb_table, pvalue,
    readability, td, tsd, vips,
};
use huller_select::ExtractorFactory;

/// All extractors: the default, those of the five papers, then the baselines.
pub static EXTRACTORS: &[&dyn ExtractorFactory] = &[
    hull::EXTRACTOR,
    PVALUE,
    &with_pvalue_fallback(nb::EXTRACTOR),
    &with_pvalue_fallback(tsd::EXTRACTOR),
    &with_pvalue_fallback(dvps::EXTRACTOR),
    &with_pvalue_fallback(ceds::EXTRACTOR),
    &with_pvalue_fallback(td::EXTRACTOR),
    &with_pvalue_fallback(nb_table::EXTRACTOR),
    &with_pvalue_fallback(cetd::EXTRACTOR),
    &with_pvalue_fallback(cetr::EXTRACTOR),
    &with_pvalue_fallback(ccb::EXTRACTOR),
    &with_pvalue_fallback(mss::EXTRACTOR),
    &with_pvalue_fallback(fe::EXTRACTOR),
    &with_pvalue_fallback(lineblock::EXTRACTOR),
    &with_pvalue_fallback(vips::EXTRACTOR),
    &with_pvalue_fallback(readability::EXTRACTOR),
    &with_pvalue_fallback(boilerpipe::EXTRACTOR),
    body::EXTRACTOR,
];

/// The P value, with all text of the page as its fall-back. Most extractors fall back to this.
static PVALUE: &dyn ExtractorFactory =
    &FallbackExtractor { first: pvalue::EXTRACTOR, second: body::EXTRACTOR };

const fn with_pvalue_fallback(
    extractor: &'static dyn ExtractorFactory,
) -> FallbackExtractor<&'static dyn ExtractorFactory> {
    FallbackExtractor { first: extractor, second: PVALUE }
}

/// The extractor that selects all text of a page.
pub static WHOLE: &dyn ExtractorFactory = body::EXTRACTOR;

/// A second name of the default extractor.
pub const AUTO: &str = "auto";

/// Returns the extractor with this name or with the name [`AUTO`]. `None` if the name is unknown.
pub fn find(name: &str) -> Option<&'static dyn ExtractorFactory> {
    if name == AUTO {
        return Some(EXTRACTORS[0]);
    }
    EXTRACTORS.iter().copied().find(|extractor| extractor.name() == name)
}
