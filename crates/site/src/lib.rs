//! Finds the lines that recur on the pages of a host: author bios, teasers, notices, share texts.
//! One page alone cannot show them.
//!
//! # The types, and how they work together
//!
//! * [`find`] reads corpora of rows as [`SiteOptions`] say. It returns a [`SiteSummary`], and the
//!   [`FoundLines`] if it could read any row.
//! * `PageCounts` counts the pages of each line by hashes. `RecurringLines` has the hashes of the
//!   lines that are on enough pages.
//! * `LineTexts` reads the rows again, and collects the text of each of these lines once.
//!
//! ```text
//!  rows ──► LineHasher ──► PageCounts ──► RecurringLines ──┐
//!  rows, a second time ────────────────────────────────────┴──► LineTexts ──► FoundLines
//! ```
//!
//! # What counts
//!
//! Lines of the text count, and lines of the blocks if the row has them. A template that the
//! extractor left out of most pages is still a template on the page where it stayed.
//!
//! A page counts a line once. Pages with equal texts count as one page, since mirrors of a page are
//! no evidence; white space may differ. Lines are compared without white space at their ends.
//!
//! # Bounds
//!
//! The first pass sorts 24 bytes for each line of a page, and the second one the lines that recur.
//! Both sorts go to the disk. A line that recurs takes 21 bytes of memory. Time is `O(n log n)` in
//! the number of lines. The result is the same for any memory and any number of threads.

mod error;
mod find;
mod line_rule;
mod line_texts;
mod page_counts;

pub use error::SiteError;
pub use find::{SiteOptions, SiteSummary, find};
pub use line_texts::FoundLines;
