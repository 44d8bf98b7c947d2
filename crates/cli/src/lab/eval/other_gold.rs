//! Refuses archives that do not belong to the gold standard, since their figures would be
//! meaningless.

use crate::terminal::thousands;
use anyhow::{Result, bail};
use huller_eval::{Counters, Plan};

/// Refuses archives without a page of the gold standard.
pub(super) fn refuse(plan: &Plan, counters: &Counters) -> Result<()> {
    let pages = plan.gold.len() as u64;
    if pages == 0 {
        bail!("no gold page is left to score");
    }
    if plan.extractors.is_empty() {
        return Ok(());
    }
    refuse_missing(pages, pages - counters.found)
}

/// Refuses archives in which all of `pages` pages are missing.
pub(super) fn refuse_missing(pages: u64, missing: u64) -> Result<()> {
    if pages > 0 && missing >= pages {
        let pages = thousands(pages);
        bail!(
            "none of the {pages} gold pages is in the archives: the gold was made for other \
             archives"
        );
    }
    Ok(())
}
