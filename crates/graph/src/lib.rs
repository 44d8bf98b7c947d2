//! Turns tables of links into host graphs, for programs that read the graphs of Common Crawl.
//!
//! # The types, and how they work together
//!
//! * [`build`] reads the files of links that [`GraphOptions`] allow, and returns a
//!   [`GraphSummary`].
//! * A `LinkRule` decides which rows count. It makes a `HostLink` of a row, or a reason.
//! * A `RowPass` reads the rows. `SortedRecords` sorts records of bytes in bounded memory, and adds
//!   up the counts of equal ones. Both types are in `huller_run`.
//! * `HostNumbers` gives hosts their numbers in ascending order. A join reads it from the start.
//! * `GraphFiles` are the three outputs. They get their names when all are complete.
//!
//! ```text
//!  files of links ──► RowReader ──► LinkRule ──┬─► pages by host ──► HostNumbers ──► vertices.txt.gz
//!                                              │                        │
//!                                              └─► links by source ─────┼─► links by target ─► links by number ─► edges.txt.gz
//!                                                                       └────────┘                            └─► roles.csv.gz
//! ```
//!
//! # One row's walk
//!
//! 1. The `LinkRule` finds the hosts of `url` and `target`, in reverse order of their labels. A
//!    row that counts has both, a selected role, and a target on another host.
//! 2. The host of the page is a record with a digest of the page's `id`. Equal records merge, so
//!    each page counts once. The host of the target is a record without a digest.
//! 3. The link is a record `source NUL target NUL role`. Equal records add up.
//! 4. When all rows are read, the sort returns the hosts in order. Each gets the next number, and
//!    goes to `vertices.txt.gz`.
//! 5. The sort returns the links by source. A merge with the hosts replaces the source by its
//!    number. The same happens by target.
//! 6. The sort returns the links by the two numbers. They go to the other two files.
//!
//! A link within one host counts its host and its page, but adds no edge. Common Crawl's host
//! graphs treat such links the same way.
//!
//! # Bounds
//!
//! Each sort holds a quarter of the memory, and at most two sorts hold records at a time. Hosts
//! have at most 253 bytes and roles 32, so no record has more than 600 bytes. Time is
//! `O(n log n)` in the number of links.

mod build;
mod error;
mod files;
mod graph_writer;
mod host_numbers;
mod link;

pub use build::{GraphOptions, GraphSummary, build};
pub use error::GraphError;
pub use files::GRAPH_FILE_NAMES;
