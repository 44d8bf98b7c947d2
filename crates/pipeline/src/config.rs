//! What a user may say about a run, however it is said.
//!
//! A [`Config`] is what was said: flags of a command line, keywords of a function, entries of a
//! file. Every option may be left unsaid, so that several of them can be laid over one another
//! ([`Config::or`]). [`Config::settings`] fills in the defaults, checks the whole, and gives the
//! [`Settings`](crate::Settings) that a run works by; nothing after it sees what was typed.
//!
//! A new option is one entry in `fields.rs` and one line each in `settings.rs` (what it does) and
//! in `run_files/run_config.rs` (how a resumed run tells that it changed).

mod choices;
mod error;
mod fields;
mod file;
#[cfg(feature = "flags")]
mod flags;
mod lists;
mod outputs;
mod presets;
mod settings;
mod stages;
#[cfg(feature = "flags")]
mod values;

pub use choices::{
    CompressChoice, FormatChoice, IncludeChoice, MarkdownChoice, ProfileChoice, StatusChoice,
    TextChoice,
};
pub use error::ConfigError;
pub use fields::Config;
pub use file::ConfigFile;
#[cfg(feature = "flags")]
pub use flags::Flags;
pub use presets::{PRESETS, Preset};
#[cfg(feature = "flags")]
pub use values::{bytes as parse_bytes, parse_method};

#[cfg(test)]
pub(crate) mod tests;
