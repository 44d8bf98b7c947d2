//! The list of all extractors, with their fall-backs.
//!
//! A new extractor is a file in the crate `methods` and a line here. Help, tables, tests and
//! benches iterate the list.

use crate::fallback::FallbackMethod;
use huller_hull as hull;
use huller_methods::{
    body, boilerpipe, ccb, ceds, cetd, cetr, dvps, fe, lineblock, mss, nb, nb_table, pvalue,
    readability, td, tsd, vips,
};
use huller_select::Method;

/// All extractors: the default, those of the five papers, then the baselines.
pub static METHODS: &[&dyn Method] = &[
    hull::METHOD,
    PVALUE,
    &with_pvalue_fallback(nb::METHOD),
    &with_pvalue_fallback(tsd::METHOD),
    &with_pvalue_fallback(dvps::METHOD),
    &with_pvalue_fallback(ceds::METHOD),
    &with_pvalue_fallback(td::METHOD),
    &with_pvalue_fallback(nb_table::METHOD),
    &with_pvalue_fallback(cetd::METHOD),
    &with_pvalue_fallback(cetr::METHOD),
    &with_pvalue_fallback(ccb::METHOD),
    &with_pvalue_fallback(mss::METHOD),
    &with_pvalue_fallback(fe::METHOD),
    &with_pvalue_fallback(lineblock::METHOD),
    &with_pvalue_fallback(vips::METHOD),
    &with_pvalue_fallback(readability::METHOD),
    &with_pvalue_fallback(boilerpipe::METHOD),
    body::METHOD,
];

/// The P value, with all text of the page as its fall-back. Most extractors fall back to this.
static PVALUE: &dyn Method = &FallbackMethod { first: pvalue::METHOD, second: body::METHOD };

const fn with_pvalue_fallback(method: &'static dyn Method) -> FallbackMethod<&'static dyn Method> {
    FallbackMethod { first: method, second: PVALUE }
}

/// The extractor that selects all text of a page.
pub static WHOLE: &dyn Method = body::METHOD;

/// A second name of the default extractor.
pub const AUTO: &str = "auto";

/// Returns the extractor with this name or with the name [`AUTO`]. `None` if the name is unknown.
pub fn find(name: &str) -> Option<&'static dyn Method> {
    if name == AUTO {
        return Some(METHODS[0]);
    }
    METHODS.iter().copied().find(|method| method.name() == name)
}
