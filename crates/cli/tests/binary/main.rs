//! The program as its users run it: real files in, exit status, messages and files out.
#![expect(clippy::print_stderr, reason = "tests may say why they skip")]
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod bench;
mod bundles;
mod containers;
mod crawls;
mod damage;
mod dedup;
mod dirty;
mod documents;
mod eval;
mod eval_aspects;
mod exits;
mod explain;
mod formats;
mod help;
mod hostile;
mod index;
mod index_join;
mod indexes;
mod inputs;
mod links;
mod messages;
mod models;
mod mutants;
mod network;
mod options;
mod pages;
mod passages;
mod records;
mod refine;
mod rejects;
mod relabel;
mod report;
mod resources;
mod resume;
mod rights;
mod runs;
mod sample;
mod search;
mod serve;
mod side_tables;
mod signals;
mod site_lines;
mod splits;
mod stats;
#[cfg(feature = "remote")]
mod store_outputs;
#[cfg(feature = "remote")]
mod stores;
mod strangers;
mod support;
mod tables;
mod threads;
mod topics;
mod train;
mod trust;
mod unions;
mod verify;
mod wacz;
mod withdraw;
