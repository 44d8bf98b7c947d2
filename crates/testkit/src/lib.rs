//! Test support that several crates share. It is only a dev-dependency: the shipped crates do not
//! depend on it, and it depends on no crate of the workspace.
//!
//! * [`attack`]: 199 inputs that break careless readers, their expected outcomes, and a runner that
//!   checks them.
//! * [`damage`]: archives with damaged records, and the records that a reader must still find.
//! * [`dirty`]: random dirty corpora, about which the commands must agree.
//! * [`fasttext`]: small models of fastText.
//! * [`perplexity`]: small models of `SentencePiece` and KenLM, by the originals.
//! * [`mutants`]: files with wrong values in their structure, and the expected outcome of their
//!   rows.
//! * [`runs`]: random runs over one output folder, and the rules that hold after each.
//! * [`jobs`]: runs several seeds at a time.
//! * [`warc`] and [`pack`]: records, HTTP responses, gzip members, zstd frames.
//! * [`sample`]: the bundled pages and archive. [`server`]: a web server with faults on request.
//! * [`shared`]: the project's shared files, which a plain clone lacks. [`datasets`]: the gold
//!   pages among them.
//! * [`allocations`]: an allocator that counts requests.
//!
//! A test that needs the shared files is named in [`needs_shared!`]. Without these files it is
//! ignored, with the reason:
//!
//! ```
//! huller_testkit::needs_shared!(every_encoding_is_found);
//!
//! fn every_encoding_is_found() {
//!     let archive = huller_testkit::shared::path("hostile.tar.zst");
//!     assert!(archive.is_file());
//! }
//! ```
#![expect(clippy::missing_panics_doc, reason = "test code panics where it cannot go on")]

pub mod allocations;
pub mod arc;
pub mod attack;
pub mod damage;
pub mod datasets;
pub mod dirty;
pub mod fasttext;
pub mod jobs;
pub mod mutants;
pub mod pack;
pub mod perplexity;
pub mod random;
pub mod runs;
pub mod sample;
pub mod server;
pub mod shared;
pub mod tar;
pub mod utf8;
pub mod warc;
pub mod zip;
