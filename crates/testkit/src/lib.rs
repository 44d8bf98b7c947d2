//! What the tests of several crates share. A dev-dependency only: nothing that is shipped depends
//! on this crate, and it depends on no crate of ours.
//!
//! * [`attack`]: 192 inputs that break careless readers, what must happen to each, and a runner
//!   that checks it.
//! * [`damage`]: archives with damaged records, and what a reader must still find in them.
//! * [`dirty`]: random dirty corpora, about which commands must agree.
//! * [`mutants`]: files with wrong values in their structure, and what must become of their rows.
//! * [`runs`]: random runs over one output folder, and what must hold after each.
//! * [`jobs`]: several seeds at a time.
//! * [`warc`] and [`pack`]: records, HTTP responses, gzip members, zstd frames.
//! * [`sample`]: the bundled pages and archive. [`server`]: a web server at which requests go
//!   wrong.
//! * [`shared`]: the project's shared files, which a bare clone lacks; [`datasets`]: the gold pages
//!   among them.
//! * [`allocations`]: an allocator that counts.
//!
//! A test that needs the shared files is named in [`needs_shared!`]; without these files it is
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
pub mod jobs;
pub mod mutants;
pub mod pack;
pub mod random;
pub mod runs;
pub mod sample;
pub mod server;
pub mod shared;
pub mod tar;
pub mod utf8;
pub mod warc;
pub mod zip;
