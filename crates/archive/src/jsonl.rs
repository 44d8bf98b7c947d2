//! One line of JSONL as a page.
//!
//! [`JsonlReader`] checks that a line is one JSON object, all of it and by the grammar of RFC 8259, and takes out the few
//! fields a page needs. It is written by hand since nothing else may be allocated for: strings without escapes are borrowed
//! from the line, the others are unescaped into buffers that the reader keeps.
//!
//! ```
//! use huller_archive::jsonl::{JsonlKeys, JsonlReader};
//!
//! let mut reader = JsonlReader::new(JsonlKeys::default());
//! let page = reader.read(br#"{"id": 7, "u": "http://a/", "raw_content": "<p>\u00e9", "score": [1e400]}"#)?;
//! assert_eq!((page.id, page.url, page.html), (Some("7"), Some("http://a/"), "<p>é"));
//! # Ok::<(), huller_archive::jsonl::JsonlFault>(())
//! ```

mod scan;
mod unescape;

use scan::{Scanner, Text, Value};

/// The names under which the fields of a page are looked for, first choice first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JsonlKeys {
    /// The page itself: `html`, `h`, `content`, `raw_content`, `body`.
    pub html: Vec<String>,
    /// Its address: `url`, `u`, `warc_url`.
    pub url: Vec<String>,
    /// Its identifier, a string or a number: `id`.
    pub id: Vec<String>,
    /// When it was fetched: `date`, `timestamp`, `warc_date`, `crawl_date`.
    pub date: Vec<String>,
}

impl Default for JsonlKeys {
    fn default() -> Self {
        let list = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
        JsonlKeys {
            html: list(&["html", "h", "content", "raw_content", "body"]),
            url: list(&["url", "u", "warc_url"]),
            id: list(&["id"]),
            date: list(&["date", "timestamp", "warc_date", "crawl_date"]),
        }
    }
}

/// A page, borrowed from its line or from the reader.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JsonlPage<'a> {
    /// The page itself.
    pub html: &'a str,
    /// Its address.
    pub url: Option<&'a str>,
    /// Its identifier; a number as it is written in the line.
    pub id: Option<&'a str>,
    /// When it was fetched, as given.
    pub date: Option<&'a str>,
}

/// Why a line is no page, and where in the line that shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{reason} at byte {position} of the line")]
pub struct JsonlFault {
    /// What is wrong.
    pub reason: JsonlReason,
    /// Offset in bytes in the line.
    pub position: usize,
}

impl JsonlFault {
    /// Whether the line is sound JSON in which no string was found for the page.
    pub fn is_missing_html(&self) -> bool {
        matches!(self.reason, JsonlReason::NoHtml | JsonlReason::HtmlNotAString)
    }
}

/// What is wrong with a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, thiserror::Error)]
pub enum JsonlReason {
    /// Bytes that are not UTF-8.
    #[error("invalid UTF-8")]
    NotUtf8,
    /// The line is empty, or holds an array, a string, a number or a word.
    #[error("no JSON object")]
    NotAnObject,
    /// A byte that the grammar doesn't allow there.
    #[error("invalid JSON")]
    Syntax,
    /// A control character in a string that isn't escaped; NUL, for one.
    #[error("control character in a JSON string")]
    ControlCharacter,
    /// An escape that doesn't exist.
    #[error("invalid escape in a JSON string")]
    Escape,
    /// The line ends inside the object.
    #[error("JSON ends early")]
    Truncated,
    /// Objects and arrays nested deeper than 1,024.
    #[error("JSON nested too deeply")]
    TooDeep,
    /// Something follows the object.
    #[error("text after the JSON object")]
    TrailingText,
    /// No field of those looked for holds the page.
    #[error("no HTML field")]
    NoHtml,
    /// The field that should hold the page is not a string.
    #[error("HTML field is not a string")]
    HtmlNotAString,
}

/// Reads lines. Belongs to one worker; allocates nothing once its buffers have grown to what lines need.
#[derive(Debug)]
pub struct JsonlReader {
    html: Field,
    url: Field,
    id: Field,
    date: Field,
    /// A key with escapes.
    key: String,
}

/// A field that is looked for.
#[derive(Debug)]
struct Field {
    names: Vec<String>,
    numbers: bool,
    buffer: String,
    /// The best value of the line so far: index of its name, and what it is.
    best: Option<(usize, Value)>,
    /// Where a value that is no string begins.
    refused: Option<usize>,
}

impl Field {
    fn new(names: Vec<String>, numbers: bool) -> Self {
        Field { names, numbers, buffer: String::new(), best: None, refused: None }
    }

    /// Takes the value in if its key is one of ours and no better one has one.
    fn offer(&mut self, key: &str, value: &Value) {
        let Some(rank) = self.names.iter().position(|name| name == key) else { return };
        let usable = match value {
            Value::Text(_) => true,
            Value::Number(_) => self.numbers,
            Value::Other(_) => false,
        };
        if !usable {
            self.refused = self.refused.or(Some(value.start()));
        } else if self.best.as_ref().is_none_or(|&(best, _)| rank <= best) {
            // Of two values under one key the last counts, as with every other reader of JSON.
            self.best = Some((rank, value.clone()));
        }
    }

    /// The value as text.
    fn text<'a>(&'a mut self, line: &'a str) -> Option<&'a str> {
        match self.best.take()?.1 {
            Value::Text(text) if text.escaped => {
                recycle(&mut self.buffer);
                unescape::unescape(&line[text.inside], &mut self.buffer);
                Some(&self.buffer)
            }
            Value::Text(Text { inside, .. }) | Value::Number(inside) => Some(&line[inside]),
            Value::Other(_) => None,
        }
    }
}

impl JsonlReader {
    /// A reader that looks for these keys.
    pub fn new(keys: JsonlKeys) -> Self {
        JsonlReader {
            html: Field::new(keys.html, false),
            url: Field::new(keys.url, false),
            id: Field::new(keys.id, true),
            date: Field::new(keys.date, false),
            key: String::new(),
        }
    }

    /// Reads one line, with or without its line end.
    ///
    /// Where several names of a field are present, the first in the list that holds a string counts. Halves of surrogate
    /// pairs become U+FFFD. Numbers of any size and depth up to 1,024 are no faults.
    ///
    /// # Errors
    ///
    /// The line is not one JSON object, or holds no page.
    pub fn read<'a>(&'a mut self, line: &'a [u8]) -> Result<JsonlPage<'a>, JsonlFault> {
        let line = match simdutf8::basic::from_utf8(line) {
            Ok(line) => line,
            Err(_) => simdutf8::compat::from_utf8(line)
                .map_err(|error| fault(JsonlReason::NotUtf8, error.valid_up_to()))?,
        };
        for field in [&mut self.html, &mut self.url, &mut self.id, &mut self.date] {
            field.best = None;
            field.refused = None;
        }
        let mut scanner = Scanner::open(line)?;
        while let Some((key, value)) = scanner.member()? {
            // A key with escapes is rare enough to be unescaped whether it is one of ours or not.
            let name = if key.escaped {
                recycle(&mut self.key);
                unescape::unescape(&line[key.inside], &mut self.key);
                self.key.as_str()
            } else {
                &line[key.inside]
            };
            for field in [&mut self.html, &mut self.url, &mut self.id, &mut self.date] {
                field.offer(name, &value);
            }
        }
        let refused = self.html.refused;
        let html = self.html.text(line).ok_or_else(|| match refused {
            Some(position) => fault(JsonlReason::HtmlNotAString, position),
            None => fault(JsonlReason::NoHtml, line.len()),
        })?;
        let (url, id, date) = (self.url.text(line), self.id.text(line), self.date.text(line));
        Ok(JsonlPage { html, url, id, date })
    }
}

fn fault(reason: JsonlReason, position: usize) -> JsonlFault {
    JsonlFault { reason, position }
}

/// Empties a buffer; one that a giant left behind is cut back.
fn recycle(buffer: &mut String) {
    const KEEP: usize = 2 << 20;
    buffer.clear();
    buffer.shrink_to(KEEP);
}

#[cfg(test)]
mod tests;
