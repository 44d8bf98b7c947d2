//! Reads a page of HTML in one pass over its bytes.
//!
//! This crate turns a page into flat columns that every extractor reads. They hold elements in
//! pre-order and text runs in document order. The total of any subtree is one subtraction of their
//! counts. The crate does no I/O and starts no threads. It allocates only while pages are larger
//! than all pages before.
//!
//! # The types, and how they work together
//!
//! * [`Tokenizer`] cuts the source into [`Token`]s, which are spans of bytes.
//! * [`PageBuf`] owns the memory; [`PageBuf::fill`] runs the tokenizer, builds the tree and returns
//!   a [`Page`].
//! * [`Page`] is the borrowed view: [`Node`]s, [`Run`]s, the attributes that extractors use, the
//!   source.
//! * The tree has the text of the tree that a browser without scripts builds. Nodes and runs are in
//!   document order. This is the order of the source, except on pages where browsers move text from
//!   a table to the place before it ([`Page::is_moved`]).
//! * [`Tag`], [`TagSet`] and [`TagTable`] classify elements; [`entity`] and [`text`] decode and
//!   count the text of a run.
//! * `simd`, [`fnv`], [`memory`] and [`unspaced`] hold code that crates above this one use too.
//!
//! # One page's walk
//!
//! ```
//! use huller_page::{PageBuf, Tag};
//!
//! let mut buffer = PageBuf::new();
//! let page = buffer.fill("<title>Rain</title><div id=main><p>Rain fell all day.<p>Roads&nbsp;shut.</div>");
//! let main = page.nodes().iter().find(|node| node.tag == Tag::DIV).unwrap();
//! let chars: u32 = page.runs()[main.runs()].iter().map(|run| run.counts.chars).sum();
//! assert_eq!(chars, 15 + 10);
//! assert_eq!(page.run_source(&page.runs()[page.title()][0]), "Rain");
//! ```
//!
//! The tokenizer reads the bytes once. `<title>` is a node of the head with one run. The `div`
//! opens the body. The second `p` ends the first, which closes its ranges of nodes, runs and bytes.
//! The builder decodes `&nbsp;` into a buffer to count it: it is white space, so it makes a gap and
//! no scalar. The source keeps the reference as written.

mod attribute;
mod byte_source;
mod bytes16;
mod columns;
pub mod entity;
pub mod fnv;
pub mod memory;
mod node;
mod open_elements;
mod page;
mod run;
#[cfg(target_arch = "x86_64")]
pub mod simd;
mod span;
mod tag;
pub mod text;
mod tokenizer;
mod tree;
pub mod unspaced;

pub use attribute::{Attribute, AttributeName, NodeAttribute};
pub use node::{Node, NodeFlags};
pub use page::Page;
pub use run::{Run, RunFlags, WhiteRun};
pub use span::{MAX_INPUT_LEN, Span};
pub use tag::{Tag, TagSet, TagTable};
pub use text::TextCounts;
pub use tokenizer::{Attributes, TextKind, Token, Tokenizer};
pub use tree::PageBuf;

/// The README that crates.io shows, compiled as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
