//! Reads a page of HTML in one pass over its bytes.
//!
//! This crate turns a page into flat columns that every extractor reads: elements in pre-order,
//! text runs in document order, and counts by which the total of any subtree is a subtraction. It
//! does no I/O, starts no threads, and allocates only while pages are larger than those before.
//!
//! # The types, and how they meet
//!
//! * [`Tokenizer`] cuts the source into [`Token`]s, which are spans of bytes.
//! * [`PageBuf`] owns the memory; [`PageBuf::fill`] runs the tokenizer, builds the tree and returns
//!   a [`Page`].
//! * [`Page`] is the borrowed view: [`Node`]s, [`Run`]s, the attributes that extractors use, the
//!   source.
//! * The tree is that of a browser without scripts, as far as text is concerned. Nodes and runs
//!   stand in document order. That is the order of the source, except on pages where text directly
//!   in a table was moved before it ([`Page::is_moved`]).
//! * [`Tag`], [`TagSet`] and [`Tags`] say what an element is; [`entity`] and [`text`] decode and
//!   count what a run holds.
//! * `simd`, [`fnv`], [`memory`] and [`unspaced`] hold what this crate shares with the crates above
//!   it.
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
//! `&nbsp;` is decoded into a buffer to be counted (it is white space, so it makes a gap and no
//! scalar) and stays as written in the source.

mod attribute;
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
mod source;
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
pub use tag::{Tag, TagSet, Tags};
pub use text::TextCounts;
pub use tokenizer::{Attributes, TextKind, Token, Tokenizer};
pub use tree::PageBuf;

/// What crates.io shows, as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
