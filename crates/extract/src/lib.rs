//! All extractors in one list, and one call from HTML to text.
//!
//! # The types, and how they work together
//!
//! * [`EXTRACTORS`] lists all extractors, the default first. The command line, documents, tables,
//!   benches and property tests iterate it. A new extractor is one file in the crate `methods` and
//!   one line in `registry.rs`.
//! * In profile `tuned`, an extractor that finds nothing falls back. Most extractors fall back to
//!   the P value, and the P value to all text of the page. The combinator in `fallback.rs` does
//!   this for all of them. The default, `hull`, has no fall-back.
//! * [`Links`] lists the links of a page with the roles of their blocks.
//! * [`Blocks`] lists the blocks of a page with the judgement of several extractors on each.
//! * A [`TextExtractor`] is the shortest way from HTML to text.
//!
//! The crate `huller-select` documents extractors, workers and selections. This crate re-exports
//! its types.
//!
//! # Example
//!
//! ```
//! use huller_extract::{Profile, Renderer, Selection, find};
//! use huller_page::PageBuf;
//!
//! let html = "<div><a href=/>Home</a></div><div id=main><p>Rain fell all day.</p><p>Roads shut.</p></div>";
//! let mut buffer = PageBuf::new();
//! let page = buffer.fill(html);
//!
//! let mut worker = find("pvalue").unwrap().worker(Profile::Paper);
//! let mut selection = Selection::default();
//! let verdict = worker.extract(&page, &mut selection);
//! assert_eq!(verdict.has_article, Some(true));
//!
//! let mut text = String::new();
//! Renderer::default().text(&page, &selection, &mut text);
//! assert_eq!(text, "Rain fell all day.\nRoads shut.");
//! ```

mod blocks;
pub mod document;
mod fallback;
mod links;
mod registry;
mod text_extractor;

pub use blocks::{Block, BlockJudgement, Blocks, DerivedScore, PageFacts};
pub use huller_methods::dvps::{Thesaurus, ThesaurusError};
pub use huller_select::{
    Citation, Derivations, Extractor, ExtractorCard, ExtractorFactory, MarkdownOptions, PageArea,
    PageType, Profile, Renderer, Role, Rule, RunFigures, RunPlace, RunRange, Selection, Term,
    TextForm, TextStyle, Verdict,
};
pub use links::{LinkPage, Links, PageLink};
pub use registry::{AUTO, EXTRACTORS, WHOLE, find};
pub use text_extractor::TextExtractor;

/// Compiles and runs the example of README.md.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
