//! Main-content extractors over the page columns, one file per method.
//!
//! # The types, and how they meet
//!
//! * An [`Extractor`] looks at a [`Page`](huller_page::Page) and fills a [`Selection`]: which nodes hold the content and which
//!   of their descendants do not. It never makes text, so that all methods are compared on equal terms.
//! * A [`Renderer`] turns a selection into text or into the source HTML of its nodes.
//! * [`Scratch`] is the memory extractors work in. A worker has one, together with its
//!   [`PageBuf`](huller_page::PageBuf).
//! * A [`MetadataReader`] looks for what a page says of itself, whatever the method: [`Metadata`] holds title, author, date, site
//!   and description.
//! * [`METHODS`] lists everything there is. Command line, documentation, tables, benches and property tests iterate it,
//!   so a new method is one file below `methods/` and one line in `registry.rs`.
//!
//! # One page's walk
//!
//! ```
//! use huller_extract::{Profile, Renderer, Scratch, Selection, find};
//! use huller_page::PageBuf;
//!
//! let html = "<div><a href=/>Home</a></div><div id=main><p>Rain fell all day.</p><p>Roads shut.</p></div>";
//! let mut buffer = PageBuf::new();
//! let page = buffer.fill(html);
//!
//! let pvalue = find("pvalue").unwrap().profile(Profile::Paper);
//! let mut selection = Selection::default();
//! let verdict = pvalue.extract(&page, &mut Scratch::default(), &mut selection);
//! assert_eq!(verdict.has_article, Some(true));
//!
//! let mut text = String::new();
//! Renderer::default().text(&page, &selection, &mut text);
//! assert_eq!(text, "Rain fell all day.\nRoads shut.");
//! ```

mod blocks;
mod chosen;
mod events;
mod extractor;
mod layout;
mod lines;
mod metadata;
mod methods;
mod profile;
mod registry;
mod remembered;
mod removal;
mod render;
mod selection;
mod sums;
mod tags;
mod words;

pub use extractor::{Citation, Extractor, PageType, Scratch, Verdict};
pub use metadata::{Metadata, MetadataReader};
pub use methods::{ccb, ceds, cetd, cetr, dvps, hull, lineblock, nb, pvalue, tsd};
mod visual;
pub use profile::Profile;
pub use registry::{METHODS, Method, find};
pub use render::Renderer;
pub use selection::{Selection, Stretch};
