//! Crate `tl` in place of our parser: its tree, written as canonical HTML, fills our columns.
//!
//! Our tree builder takes text, not a tree. The tree is therefore written as text
//! ([`crate::canonical`]) and read again. This cost does not belong to `tl`; the row `tl` shows the
//! cost of its parse. These rows compare how much text `tl` keeps for an extractor.

use std::cell::RefCell;

use anyhow::Result;

use super::{PageYield, huller};
use crate::canonical::canonical;

/// Extracts one page from text.
pub fn page(url: &str, html: &str) -> Result<PageYield> {
    thread_local! {
        static CANONICAL: RefCell<String> = RefCell::default();
    }
    CANONICAL.with_borrow_mut(|out| {
        canonical(html, out)?;
        huller::pvalue_page(url, out)
    })
}
