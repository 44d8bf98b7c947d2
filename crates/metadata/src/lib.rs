//! Reads the metadata of a page: title, author, date of publication, name of the site and
//! description. The page itself states or shows them.
//!
//! One sweep over the nodes collects the machine-readable statements of the page (`meta` elements,
//! JSON-LD), and its headings and `time` elements. Then each field is taken from its own sources in
//! order; each field has a file of its own. If the page does not state an author or a date, the
//! reader searches the text within a `Window` around the headline.
//!
//! Cost: O(nodes + bytes of `meta` elements and JSON-LD); all other work is bounded. All values
//! have a bounded length. The reader allocates only while its buffers grow to the longest values.

mod author;
mod byline;
mod date;
mod date_line;
mod json_ld;
mod limits;
mod line;
mod metadata;
mod name;
mod names;
mod parts;
mod placeholder;
mod publication_date;
mod reader;
mod side_parts;
mod site;
mod stated_article;
mod stated_metadata;
mod title;
mod window;
mod words;

pub use metadata::Metadata;
pub use reader::MetadataReader;
pub use stated_article::StatedArticle;
