//! A row on its way through the stages.

use crate::signals::Signals;
use crate::text::Text;

/// What stages see of a row that is being made, and what they may change of it. As long as a row
/// has not got as far as the [`Needs`](crate::Needs) of a stage, what it lacks is `None` or empty.
#[derive(Debug)]
pub struct Draft<'a> {
    /// The address of the page, as the source states it. `None` if it states none.
    pub url: Option<&'a str>,
    /// Whether the method judges that the page has a main content. `None` if it does not judge
    /// pages.
    pub has_article: Option<bool>,
    /// What kind of page the method takes it for, by the names in rows. `None` if it does not say.
    pub page_type: Option<&'a str>,
    /// How good the method expects its text to be, 0 to 1. `None` if it does not say.
    pub score: Option<f64>,
    /// The language of the text. `None` until a stage has identified it.
    pub language: Option<Language>,
    /// The text.
    pub text: &'a mut Text,
    /// The figures behind the decisions, if the run asks for them.
    pub signals: &'a mut Signals,
}

impl<'a> Draft<'a> {
    /// A row of which nothing is known but its text.
    pub fn of_text(text: &'a mut Text, signals: &'a mut Signals) -> Draft<'a> {
        let (url, has_article, page_type) = (None, None, None);
        Draft { url, has_article, page_type, score: None, language: None, text, signals }
    }
}

/// The language of a text.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Language {
    /// ISO 639-3, in lower case: `*b"zho"`.
    pub code: [u8; 3],
    /// ISO 15924, with a capital first: `*b"Hans"`.
    pub script: [u8; 4],
    /// How sure the identifier is, 0 to 1.
    pub score: f64,
}

impl Language {
    /// The code as text. Empty if it is no ASCII.
    pub fn code(&self) -> &str {
        std::str::from_utf8(&self.code).unwrap_or_default()
    }

    /// The script as text. Empty if it is no ASCII.
    pub fn script(&self) -> &str {
        std::str::from_utf8(&self.script).unwrap_or_default()
    }
}
