//! A small web site on this machine, for searching and viewing a corpus.
//!
//! # The types, and how they work together
//!
//! * A [`Site`] answers one request at a time, on any number of threads, and knows no sockets. It
//!   has an index to search ([`huller_index::Searcher`]), and a [`Corpus`], which finds the page
//!   from which a row was made.
//! * [`serve`] takes a site and a bound socket, and answers until it is stopped.
//!
//! ```text
//!  server   connection ──► request line and fields (hyper) ──► Request ──► Site::answer ──► Answer ──► bytes, under a budget
//!                                                                             │
//!  site     /  ──► results     /row, /page, /explain ──► row     /report     /serve.css
//!                     │                │
//!           query ◄───┘                └──► Corpus
//! ```
//!
//! # The steps of a request
//!
//! 1. `server` accepts a connection if it is below its limit, and hyper reads the request: at most
//!    16 KiB, within ten seconds.
//! 2. A method other than GET and HEAD is refused. On a loopback address, another host name is
//!    refused too, so no page elsewhere can query this site by a name of its own.
//! 3. An answer thread parses the request (`query`), and the site makes the page of templates
//!    (`results`, `row`), which escape all text of rows ([`huller_html`]). They bound the text and
//!    the values of a row, so a page has less than the 8 MiB that its answer may have.
//! 4. Before an answer is made, the server reserves the bytes that it may have. The answer holds
//!    its own bytes until they are sent. If a request lacks memory, the server closes the
//!    connections of clients that do not read (`active_answers`). So they hold up no other request.
//! 5. Searches have a limit of their own, apart from rows, pages and reports
//!    (`request_limiter`).
//! 6. Explanations and original pages need much memory while they are made, so the server makes
//!    one at a time.
//!
//! # Guarantees
//!
//! * **Read only.** The server writes no files. A path of a request is never used as a path of the
//!   file system: rows are found by the index.
//! * **404 means that the item does not exist.** An item that exists and cannot be read
//!   ([`CorpusError`]) gives 500.
//! * **Rows run no code.** Pages allow no script and load only their style sheet. Original pages
//!   are sent as downloads that no browser shows.
//! * **Bounded.** Connections, bytes read for a request, bytes of all answers, and the duration of
//!   a connection have limits.

mod active_answers;
mod answer;
mod header;
mod query;
mod request_limiter;
mod results;
mod row;
mod server;
mod site;

pub use answer::{Answer, Request};
pub use server::{Limits, serve};
pub use site::{Corpus, CorpusError, Site};
