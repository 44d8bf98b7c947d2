//! A row in progress, as stages see it.

use crate::row_fields::RowFields;
use crate::signals::Signals;
use crate::text::Text;

/// The values of a row in progress that stages read or change. A value that the row does not have
/// yet is `None` or empty; [`StagePhase`](crate::StagePhase) lists the order in which rows get
/// them.
#[derive(Debug)]
pub struct RowInProgress<'a> {
    /// The URL of the page, as the source states it. `None` if the source states no URL.
    pub url: Option<&'a str>,
    /// Whether the extractor decides that the page has a main content. `None` if the extractor does
    /// not judge pages.
    pub has_article: Option<bool>,
    /// The kind of page that the extractor assigns, by its name in rows. `None` if the extractor
    /// assigns no kind.
    pub page_type: Option<&'a str>,
    /// The quality that the extractor expects of its text, 0 to 1. `None` if the extractor
    /// estimates no quality.
    pub score: Option<f64>,
    /// The language of the text. `None` until a stage has identified it.
    pub language: Option<Language>,
    /// The other text fields of the row. `None` until the extractor has judged the page.
    pub fields: Option<&'a dyn RowFields>,
    /// The text.
    pub text: &'a mut Text,
    /// The figures behind the decisions. They are recorded only if the run asks for them.
    pub signals: &'a mut Signals,
}

impl<'a> RowInProgress<'a> {
    /// Creates a row of which only the text is known.
    pub fn from_text(text: &'a mut Text, signals: &'a mut Signals) -> RowInProgress<'a> {
        let (url, has_article, page_type) = (None, None, None);
        let (score, language, fields) = (None, None, None);
        RowInProgress { url, has_article, page_type, score, language, fields, text, signals }
    }
}

/// The language of a text.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Language {
    /// ISO 639-3, in lower case: `*b"zho"`.
    pub code: [u8; 3],
    /// ISO 15924, with a capital first: `*b"Hans"`.
    pub script: [u8; 4],
    /// Confidence of the identifier, 0 to 1.
    pub score: f64,
}

impl Language {
    /// Returns the language code as text. It is empty if the bytes are not ASCII.
    pub fn code(&self) -> &str {
        std::str::from_utf8(&self.code).unwrap_or_default()
    }

    /// Returns the script code as text. It is empty if the bytes are not ASCII.
    pub fn script(&self) -> &str {
        std::str::from_utf8(&self.script).unwrap_or_default()
    }
}
