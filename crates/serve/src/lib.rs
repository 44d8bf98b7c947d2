//! A small web site on this machine: a corpus to search and to look at.
//!
//! # The types, and how they meet
//!
//! * A [`Site`] is what there is to see: an index that is asked ([`huller_index::Searcher`]), and a
//!   [`Corpus`], which leads from a row back to the page that it was made of. It answers one
//!   request at a time, on any number of threads, and knows nothing of sockets.
//! * [`serve`] takes a site and a bound socket, and answers until it is told to stop.
//!
//! ```text
//!  server   connection ──► request line and fields (hyper) ──► Request ──► Site::answer ──► Answer ──► bytes, under a budget
//!                                                                             │
//!  site     /  ──► results     /row, /page, /explain ──► row     /report     /serve.css
//!                     │                │
//!           query ◄───┘                └──► Corpus
//! ```
//!
//! # One request's walk
//!
//! 1. `server` takes a connection if there are fewer than its limit, and hyper reads the request:
//!    at most 16 KiB, within ten seconds.
//! 2. What is no GET or HEAD, or names another host than this one, is refused: so no page elsewhere
//!    can ask this site by a name of its own.
//! 3. A thread for answers takes the request apart (`query`), and the site writes the page
//!    (`results`, `row`). Whatever rows say is escaped by `html`, which is the only place where
//!    text becomes markup.
//! 4. The bytes of the answer count against a budget until they are sent, so slow readers cannot
//!    pile up memory.
//!
//! # What may be relied upon
//!
//! * **Read only.** Nothing is written, and no path of a request is a path of the file system: rows
//!   are found by the index alone.
//! * **404 means that nothing is there.** An item that exists and cannot be read ([`CorpusError`])
//!   is answered by 500.
//! * **Nothing of a row runs.** Pages allow no script and load nothing but their style sheet;
//!   originals are sent as downloads that no browser shows.
//! * **Bounded.** Connections, bytes read for a request, bytes of answers under way, and the time a
//!   connection may last are limited.

mod answer;
mod header;
mod html;
mod query;
mod results;
mod row;
mod server;
mod site;

pub use answer::{Answer, Request};
pub use server::{Limits, serve};
pub use site::{Corpus, CorpusError, Site};
