//! The extractors of the five papers, and the baselines they are compared with: one file per
//! extractor.
//!
//! # The types, and how they work together
//!
//! * Each module holds one extractor and exports it as `EXTRACTOR`: its card and its algorithm. The
//!   algorithm has settings for the profiles `paper` and `tuned`
//!   ([`Profiles`](huller_select::Profiles)). The module's documentation gives the paper's
//!   equations, our choices where the paper is open (docs/specification.md), the cost and the known
//!   failures.
//! * `sweep` holds the ways to traverse a page that several extractors share. `layout` estimates
//!   where elements lie; `visual` cuts pages into blocks by that estimate.
//! * `settings` reads the settings of an extractor from a user's file.
//! * `Removal` lists the elements that an extractor removes before it reads a page.
//!
//! An extractor that finds nothing selects nothing. The registry (crate `extract`) decides about
//! fall-backs. In profile `tuned` an extractor falls back to the P value, and from there to all
//! text of the body. In profile `paper` it never falls back.
//!
//! # Example
//!
//! ```
//! use huller_methods::pvalue;
//! use huller_page::PageBuf;
//! use huller_select::{Profile, Selection};
//!
//! let mut buffer = PageBuf::new();
//! let page = buffer.fill("<div><a href=/>Home</a></div><div id=main><p>Rain fell all day.</p></div>");
//! let mut selection = Selection::default();
//! let verdict = pvalue::EXTRACTOR.worker(Profile::Paper).extract(&page, &mut selection);
//! assert_eq!(verdict.has_article, Some(true));
//! assert_eq!(selection.roots.len(), 1);
//! ```

pub mod body;
pub mod boilerpipe;
pub mod ccb;
pub mod ceds;
pub mod cetd;
pub mod cetr;
pub mod dvps;
pub mod fe;
mod layout;
pub mod lineblock;
pub mod mss;
pub mod nb;
pub mod nb_table;
pub mod pvalue;
pub mod readability;
mod removal;
mod settings;
mod sweep;
pub mod td;
mod terms;
#[cfg(test)]
mod tests;
pub mod tsd;
pub mod vips;
mod visual;
