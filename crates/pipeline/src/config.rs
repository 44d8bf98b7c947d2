//! The options of a run, from any source.
//!
//! A [`Config`] holds the options as the user gave them: flags of a command line, keywords of a
//! function, entries of a file. Every option may be absent, so one configuration can be laid over
//! another ([`Config::or`]). [`Config::settings`] fills in the defaults, checks the whole, and
//! returns the [`Settings`](crate::Settings) of a run. Later code does not see the options as
//! given.
//!
//! A new option is one entry in `fields.rs`, one line in `settings.rs` (its effect) and one in
//! `run_config.rs`. By the last, a resumed run notices that the option changed.

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
mod side_tables;
mod stages;
#[cfg(feature = "flags")]
mod values;

pub use choices::{
    CompressChoice, FormatChoice, IncludeChoice, MarkdownChoice, ProfileChoice, RuleChoice,
    StatusChoice, TextChoice,
};
pub use error::ConfigError;
pub use fields::{Config, ConfigOption};
pub use file::ConfigFile;
#[cfg(feature = "flags")]
pub use flags::Flags;
pub use presets::{PRESETS, Preset};
#[cfg(feature = "flags")]
pub use values::{bytes as parse_bytes, parse_extractor};

#[cfg(test)]
pub(crate) mod tests;
