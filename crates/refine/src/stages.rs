//! All stages with their settings, one file each.

mod c4;
mod decontaminate;
mod fasttext;
mod fineweb;
mod gopher_quality;
mod gopher_repetition;
mod judge;
mod language;
mod length;
mod lines;
mod mask;
mod matching;
mod min_chars;
mod normalise;
mod page;
mod perplexity;
mod rights;
mod signature;
mod site_lines;
mod tokens;
mod url;

pub use c4::{C4, C4Settings};
pub use decontaminate::{
    Decontaminate, DecontaminateSettings, DecontaminationRule, DecontaminationWords,
};
pub use fasttext::{ClassifierSettings, FastText, FastTextSettings, LineMode};
pub use fineweb::{FineWeb, FineWebSettings};
pub use gopher_quality::{GopherQuality, GopherQualitySettings};
pub use gopher_repetition::{GopherRepetition, GopherRepetitionSettings};
pub use judge::Judge;
pub use language::{Language, LanguageSettings};
pub use length::{Length, LengthSettings};
pub use lines::{Lines, LinesSettings};
pub use mask::{Mask, MaskSettings};
pub use matching::{Match, MatchAction, MatchRuleSettings, MatchSettings};
pub use min_chars::MinChars;
pub use normalise::{Normalise, NormaliseSettings};
pub use page::{Page, PageSettings};
pub use perplexity::{PerplexitySettings, PerplexityStage};
pub use rights::{Rights, RightsSettings};
pub use signature::Signature;
pub use site_lines::{SiteLines, SiteLinesSettings};
pub use tokens::{Tokens, TokensSettings};
pub use url::{Url, UrlSettings};

/// Returns the fingerprint of a stage: its settings and its version. The version is raised when the
/// same settings give other rows.
fn fingerprint(version: u32, settings: &impl serde::Serialize) -> serde_json::Value {
    let settings = serde_json::to_value(settings).expect("settings are plain data");
    serde_json::json!({ "version": version, "settings": settings })
}
