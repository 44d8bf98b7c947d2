//! One pass over a page's bytes.
//!
//! This crate turns a page into flat columns that every extractor reads: elements in pre-order, text runs in document
//! order, and counts that make any subtree total a subtraction. It does no I/O, starts no threads, and allocates only
//! while it meets larger pages than before.
//!
//! # The types, and how they meet
//!
//! * [`Tokenizer`] cuts the source into [`Token`]s, which are spans of bytes.
//! * [`PageBuf`] owns the memory; [`PageBuf::fill`] runs the tokenizer, builds the tree and gives a [`Page`].
//! * [`Page`] is the borrowed view: [`Node`]s, [`Run`]s, the attributes someone may ask for, the source.
//! * [`Tag`] and [`TagSet`] say what an element is; [`entity`] and [`text`] decode and count what a run holds.
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
//! The bytes are read once. `<title>` is a node of the head with one run. The `div` opens the body. The second `p` ends the
//! first, which closes its ranges of nodes, runs and bytes. `&nbsp;` is decoded into a scratch buffer to be counted (it
//! is white space, so it makes a gap and no scalar) and stays as written in the source.

mod attribute;
mod columns;
pub mod entity;
mod lanes;
pub mod memory;
mod open_elements;
mod source;
mod tag;
pub mod text;
mod tokenizer;
mod tree;

pub use attribute::AttributeName;
pub use columns::{Columns, Node, NodeFlags, Page, Run, RunFlags};
pub use tag::{Tag, TagSet};
pub use text::TextCounts;
pub use tokenizer::{Attribute, Attributes, NodeAttribute, Span, TextKind, Token, Tokenizer};
pub use tree::PageBuf;
