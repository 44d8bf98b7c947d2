//! Crate `tl` in the place of our parser: its tree, written as canonical HTML, fills our columns.
//!
//! Our builder takes text, not a tree. So the tree is written out ([`crate::canonical`]) and read
//! again. The second reading and the writing are a cost that is not `tl`'s; `tl` alone is the row of
//! that name. What the rows show like for like is what text `tl` leaves for an extractor to find.

use std::cell::RefCell;

use anyhow::Result;

use super::{Yield, huller};
use crate::canonical::canonical;

/// Extracts one page from text.
pub fn page(url: &str, html: &str) -> Result<Yield> {
    thread_local! {
        static CANONICAL: RefCell<String> = RefCell::default();
    }
    CANONICAL.with_borrow_mut(|out| {
        canonical(html, out)?;
        huller::pvalue_page(url, out)
    })
}
