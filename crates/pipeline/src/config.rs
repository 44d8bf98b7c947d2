//! What a user may say about a run, however it is said.
//!
//! A [`Config`] is what was said: flags of a command line, keywords of a function, entries of a file. Every option may be left
//! unsaid, so that several of them can be laid over one another ([`Config::or`]). [`Config::settings`] fills in the defaults,
//! checks the whole, and gives the [`Settings`](crate::Settings) that a run works by; nothing after it sees what was typed.
//!
//! A new option is one entry in `fields.rs` and one line each in `settings.rs` (what it does) and in
//! `run_files/run_config.rs` (how a resumed run tells that it changed).

mod choices;
mod error;
mod fields;
#[cfg(feature = "flags")]
mod flags;
mod lists;
mod settings;
#[cfg(feature = "flags")]
mod values;

pub use choices::{CompressChoice, IncludeChoice, MarkdownChoice, ProfileChoice, StatusChoice};
pub use error::ConfigError;
pub use fields::Config;
#[cfg(feature = "flags")]
pub use flags::Flags;
#[cfg(feature = "flags")]
pub use values::{bytes as parse_bytes, parse_method};

#[cfg(test)]
pub(crate) mod tests;
