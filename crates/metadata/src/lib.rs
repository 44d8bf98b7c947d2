//! Metadata of a page: title, author, date of publication, name of the site and description, as the
//! page itself states or shows them.
//!
//! One sweep over the nodes collects what the page states for machines (`meta` elements, JSON-LD),
//! and the headings and `time` elements. Then each field goes through its own sources in order, in
//! a file of its own. If an author or a date is not stated, it is searched on the page, within a
//! `Window` around the headline.
//!
//! Cost: O(nodes + bytes of `meta` elements and JSON-LD); everything else is bounded. All values
//! have a bounded length. The reader allocates only while its buffers grow to the longest values.

mod apart;
mod author;
mod byline;
mod date;
mod json_ld;
mod limits;
mod line;
mod metadata;
mod name;
mod names;
mod parts;
mod published;
mod reader;
mod site;
mod stated;
mod stated_article;
mod title;
mod window;
mod words;

pub use metadata::Metadata;
pub use reader::MetadataReader;
pub use stated_article::StatedArticle;
