//! Crate `tl` in place of our parser: its tree, written as canonical HTML, fills our columns.
//!
//! Our tree builder takes text, not a tree. So the tree is written out ([`crate::canonical`]) and
//! read again. The cost of this writing and reading is not `tl`'s; the row `tl` shows its cost
//! alone. These rows compare how much text `tl` keeps for an extractor to find.

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
