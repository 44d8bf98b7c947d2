//! What makes a run durable.

pub mod account;
pub mod clocks;
pub mod digest;
pub mod durable;
pub mod error;
pub mod line_log;
pub mod logs;
pub mod monitor;
pub mod options;
pub mod output_file;
pub mod part_file;
pub mod pending;
pub mod plan;
pub mod run_files;
pub mod signature_file;
pub mod slowest;
pub mod split;
pub mod summary;
pub mod upload;
pub mod verify;
pub mod watch;
pub mod waterfall;
