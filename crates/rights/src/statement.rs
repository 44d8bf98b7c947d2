//! One statement of rights, and the names of signals and sources.

use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// The kind of a statement. Rows and settings use its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Signal {
    /// Search engines shall not list the page: `noindex` or `none`.
    #[serde(rename = "noindex")]
    NoIndex,
    /// The page shall not be used for artificial intelligence.
    #[serde(rename = "noai")]
    NoAi,
    /// The images of the page shall not be used for artificial intelligence.
    #[serde(rename = "noimageai")]
    NoImageAi,
    /// No text of the page shall be shown: `nosnippet` or `max-snippet:0`.
    #[serde(rename = "nosnippet")]
    NoSnippet,
    /// No copy of the page shall be shown.
    #[serde(rename = "noarchive")]
    NoArchive,
    /// Bing's name for `noarchive`.
    #[serde(rename = "nocache")]
    NoCache,
    /// The page shall not be listed after a date, which is the value.
    #[serde(rename = "unavailable_after")]
    UnavailableAfter,
    /// Whether the rights of text and data mining are reserved: `1` or `0`.
    TdmReservation,
    /// The URL of a policy of text and data mining.
    TdmPolicy,
    /// A rule of robots.txt, which is the value, forbids robots to fetch the page. For a server
    /// that answered with an error, the value is `HTTP` and its status.
    Disallow,
    /// Whether models may be trained with the page: `yes` or `no`.
    AiTrain,
    /// Whether models may read the page to answer a question: `yes` or `no`.
    AiInput,
    /// Whether a search engine may list the page: `yes` or `no`.
    Search,
    /// The licence of the page: a short name, a URL, or text.
    License,
    /// A text or URL about the rights of the page.
    Rights,
    /// The URL of the terms of use of the page.
    UsageInfo,
    /// A signal of another version of this program.
    #[serde(other)]
    Other,
}

impl Signal {
    /// All signals by name, without [`Signal::Other`].
    pub const ALL: [(&'static str, Signal); 16] = [
        ("noindex", Signal::NoIndex),
        ("noai", Signal::NoAi),
        ("noimageai", Signal::NoImageAi),
        ("nosnippet", Signal::NoSnippet),
        ("noarchive", Signal::NoArchive),
        ("nocache", Signal::NoCache),
        ("unavailable_after", Signal::UnavailableAfter),
        ("tdm-reservation", Signal::TdmReservation),
        ("disallow", Signal::Disallow),
        ("ai-train", Signal::AiTrain),
        ("ai-input", Signal::AiInput),
        ("search", Signal::Search),
        ("tdm-policy", Signal::TdmPolicy),
        ("license", Signal::License),
        ("rights", Signal::Rights),
        ("usage-info", Signal::UsageInfo),
    ];

    /// How many leading entries of [`Signal::ALL`] can refuse a use of the page.
    const REFUSAL_COUNT: usize = 12;

    /// Returns the names and signals that can refuse a use of the page.
    pub fn refusals() -> &'static [(&'static str, Signal)] {
        const { Signal::ALL.split_at(Signal::REFUSAL_COUNT).0 }
    }

    /// Returns the name of the signal. [`Signal::Other`] is `other`.
    pub fn name(self) -> &'static str {
        let known = Signal::ALL.iter().find(|(_, signal)| *signal == self);
        known.map_or("other", |(name, _)| name)
    }

    /// Returns whether a statement with this value refuses the use.
    pub fn refuses(self, value: &str) -> bool {
        match self {
            Signal::TdmReservation => value == "1",
            Signal::AiTrain | Signal::AiInput | Signal::Search => value == "no",
            Signal::TdmPolicy
            | Signal::License
            | Signal::Rights
            | Signal::UsageInfo
            | Signal::Other => false,
            _ => true,
        }
    }
}

/// The kind of evidence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Source {
    /// A file `tdmrep.json` of the server.
    #[serde(rename = "tdmrep.json")]
    TdmrepJson,
    /// A file `robots.txt` of the server.
    #[serde(rename = "robots.txt")]
    RobotsTxt,
    /// A header of the HTTP response.
    #[serde(rename = "header")]
    Header,
    /// A `meta` element.
    #[serde(rename = "meta")]
    Meta,
    /// A link: `a`, `area` or `link`.
    #[serde(rename = "link")]
    Link,
    /// A JSON-LD `script` element.
    #[serde(rename = "json-ld")]
    JsonLd,
    /// A source of another version of this program.
    #[serde(other, rename = "other")]
    Other,
}

/// The record that holds the evidence of a statement.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EvidenceLocation<'a> {
    /// The archive or file, named as in the row.
    pub file: &'a str,
    /// Offset of the record in the file, in bytes. `None` if the file holds one page.
    pub offset: Option<u64>,
}

/// One statement about the use of a page.
///
/// ```
/// use huller_rights::{Signal, Source, Statement};
///
/// let json = r#"{"signal":"ai-train","value":"no","source":"robots.txt","agent":"CCBot","file":"a","offset":7}"#;
/// let statement: Statement<'_> = serde_json::from_str(json)?;
/// assert_eq!((statement.signal, statement.source), (Signal::AiTrain, Source::RobotsTxt));
/// assert_eq!(serde_json::to_string(&statement)?, json);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Statement<'a> {
    /// Its kind.
    pub signal: Signal,
    /// Its value, at most [`Statement::MAX_VALUE_BYTES`] bytes.
    #[serde(borrow, default)]
    pub value: Cow<'a, str>,
    /// The kind of its evidence.
    pub source: Source,
    /// The robot that it names. `None` if it concerns all robots.
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<Cow<'a, str>>,
    /// The archive or file of its evidence.
    #[serde(borrow, default)]
    pub file: Cow<'a, str>,
    /// Offset of the record of its evidence, in bytes.
    #[serde(default)]
    pub offset: Option<u64>,
}

impl Statement<'_> {
    /// Most bytes of a value. A longer one is cut.
    pub const MAX_VALUE_BYTES: usize = 300;

    /// Converts borrowed text to owned text.
    pub fn into_owned(self) -> Statement<'static> {
        let to_owned_text = |text: Cow<'_, str>| Cow::Owned(text.into_owned());
        let Statement { signal, value, source, agent, file, offset } = self;
        let (value, agent, file) =
            (to_owned_text(value), agent.map(to_owned_text), to_owned_text(file));
        Statement { signal, value, source, agent, file, offset }
    }

    /// Returns whether the statement refuses a use to a robot with one of these names. A statement
    /// that names no robot concerns all.
    pub fn refuses(&self, agents: &[String]) -> bool {
        let is_named = |agent: &str| agents.iter().any(|name| name.eq_ignore_ascii_case(agent));
        self.agent.as_deref().is_none_or(is_named) && self.signal.refuses(&self.value)
    }
}

/// Reads the JSON list of a row's field `rights`.
///
/// # Errors
///
/// The text is not a list of statements.
pub fn read_statements(json: &str) -> Result<Vec<Statement<'_>>, serde_json::Error> {
    serde_json::from_str(json)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signals_have_one_name_in_rows_and_settings() {
        for (name, signal) in Signal::ALL {
            assert_eq!(serde_json::to_value(signal).unwrap(), name);
            assert_eq!(signal.name(), name);
        }
        assert!(
            Signal::refusals()
                .iter()
                .all(|(_, signal)| { signal.refuses("1") || signal.refuses("no") })
        );
        let others = &Signal::ALL[Signal::REFUSAL_COUNT..];
        assert!(others.iter().all(|(_, signal)| !signal.refuses("1") && !signal.refuses("no")));
        assert!(!Signal::TdmReservation.refuses("0") && !Signal::AiTrain.refuses("yes"));
    }

    #[test]
    fn statements_of_other_versions_are_read() {
        let json = r#"[{"signal":"nofuture","source":"beacon","value":"a\"b"}]"#;
        let statements = read_statements(json).unwrap();
        assert_eq!((statements[0].signal, statements[0].source), (Signal::Other, Source::Other));
        assert_eq!((&*statements[0].value, statements[0].offset), ("a\"b", None));
        assert!(read_statements("{}").is_err());
    }
}
