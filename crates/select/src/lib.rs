//! The interface of extractors, and the selections that they make.
//!
//! # The types, and how they work together
//!
//! * An [`ExtractorFactory`] is an extractor as users choose it. It has an [`ExtractorCard`] (name,
//!   summary, meaning of its score, origin) and makes workers, in one of two [`Profile`]s.
//! * An [`Extractor`] is such a worker. It reads a [`Page`](huller_page::Page), fills a
//!   [`Selection`] and returns a [`Verdict`]. It owns its scratch buffers; a thread has one worker
//!   for each extractor that it runs.
//! * A [`Selection`] holds indices into the page: the nodes that hold the content, and the
//!   descendants of these that do not count. If the extractor selects runs or words, it also holds
//!   the [`RunRange`]es of the source that count. Extractors do not write text, so the texts of all
//!   extractors are comparable.
//! * A [`Renderer`] writes a selection as text, as Markdown, as clean HTML, or as the source of its
//!   nodes.
//! * Most extractors implement [`Algorithm`]: settings without state, and scratch buffers of a
//!   worker. Two algorithms, one for each profile, become an extractor by [`Profiles`]. An
//!   algorithm with a model becomes one by [`ModelExtractor`].
//! * [`RunFigures`] hold an extractor's scores of single parts of a page, and [`Derivations`] the
//!   terms of these scores. A [`Role`] is the purpose of a part. A
//!   [`PageSegmentation`] lists the blocks of a page with their roles, if the extractor knows them.
//! * [`AttrCache`] remembers results for attribute values, since many nodes have equal values.
//!
//! # Example
//!
//! ```
//! use huller_page::{Page, PageBuf, Tag};
//! use huller_select::{
//!     Algorithm, ExtractorCard, ExtractorFactory, Profile, Profiles, Renderer, Selection, Verdict,
//! };
//!
//! /// Selects the longest paragraph.
//! #[derive(Clone)]
//! struct LongestParagraph;
//!
//! impl Algorithm for LongestParagraph {
//!     type Scratch = ();
//!
//!     fn extract(&self, page: &Page<'_>, (): &mut (), out: &mut Selection) -> Verdict {
//!         out.clear();
//!         let nodes = page.nodes().iter().enumerate();
//!         let paragraphs = nodes.filter(|(_, node)| node.tag == Tag::P);
//!         let longest = paragraphs.max_by_key(|(_, node)| node.byte_end - node.byte_start);
//!         out.roots.extend(longest.map(|(index, _)| index as u32));
//!         Verdict::default()
//!     }
//! }
//!
//! static EXTRACTOR: Profiles<LongestParagraph> = Profiles {
//!     card: ExtractorCard::new("longest", "the longest paragraph"),
//!     paper: LongestParagraph,
//!     tuned: LongestParagraph,
//! };
//!
//! let mut buffer = PageBuf::new();
//! let page = buffer.fill("<p>Home</p><p>Rain fell all day.</p>");
//! let mut worker = EXTRACTOR.worker(Profile::Tuned);
//! let mut selection = Selection::default();
//! worker.extract(&page, &mut selection);
//!
//! let mut text = String::new();
//! Renderer::default().text(&page, &selection, &mut text);
//! assert_eq!(text, "Rain fell all day.");
//! ```

mod algorithm;
mod attr_cache;
mod card;
mod derivation;
mod extractor;
mod extractor_factory;
mod hidden_elements;
pub mod no_content;
mod page_segmentation;
mod page_type;
mod profile;
mod render;
mod role;
mod run_figures;
mod selection;
mod verdict;

pub use algorithm::{Algorithm, ModelExtractor, Profiles, Worker};
pub use attr_cache::AttrCache;
pub use card::{Citation, ExtractorCard};
pub use derivation::{Derivations, Rule, Term};
pub use extractor::Extractor;
pub use extractor_factory::{ExtractorFactory, UserModelResult};
pub use hidden_elements::{hides, is_hidden};
pub use page_segmentation::{BlockFacts, PageSegmentation};
pub use page_type::PageType;
pub use profile::Profile;
pub use render::{
    HeadingPlace, MarkdownOptions, Renderer, RunPlace, TextForm, TextStyle, is_data_table,
    is_share_link, is_wiki_tool_link, keeps_joiner,
};
pub use role::Role;
pub use run_figures::{PageArea, RunFigures};
pub use selection::{RunRange, Selection, element_around};
pub use verdict::Verdict;
