//! Extracts the fields of a page from a line.

use super::fault::{JsonlFault, JsonlReason, fault};
use super::kept_values::KeptValues;
use super::keys::JsonlKeys;
use super::scan::{StringToken, Value, members};
use super::unescape;

/// A page, borrowed from its line or from the reader.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JsonlPage<'a> {
    /// The HTML of the page.
    pub html: &'a str,
    /// Its URL.
    pub url: Option<&'a str>,
    /// Its identifier; a number as it is written in the line.
    pub id: Option<&'a str>,
    /// The time of its fetch, as the line states it.
    pub date: Option<&'a str>,
    /// The keys in [`JsonlKeys::kept`] with their values, as one JSON object. `None` if no keys are
    /// kept.
    pub kept: Option<&'a str>,
}

/// Reads lines. Each worker has one. It allocates nothing once its buffers have grown to the size
/// of the lines.
#[derive(Debug)]
pub struct JsonlReader {
    html: Field,
    url: Field,
    id: Field,
    date: Field,
    kept: KeptValues,
    /// A key whose escapes were decoded.
    key: String,
}

/// A field that the reader searches for.
#[derive(Debug)]
struct Field {
    names: Vec<String>,
    /// Whether it accepts numbers.
    numbers: bool,
    buffer: String,
    /// The best value in the line so far, with the index of its name.
    best: Option<(usize, Value)>,
    /// Offset of the first value of the wrong type.
    refused: Option<usize>,
}

impl Field {
    fn new(names: Vec<String>, numbers: bool) -> Self {
        Field { names, numbers, buffer: String::new(), best: None, refused: None }
    }

    /// Stores the value if its key is a name of this field, and no earlier name has a value.
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
            // The last of two values under one key counts, as in other JSON readers.
            self.best = Some((rank, value.clone()));
        }
    }

    /// Returns the best value as text.
    fn text<'a>(&'a mut self, line: &'a str) -> Option<&'a str> {
        match self.best.take()?.1 {
            Value::Text(text) if text.escaped => {
                recycle(&mut self.buffer);
                unescape::unescape(&line[text.inside], &mut self.buffer);
                Some(&self.buffer)
            }
            Value::Text(StringToken { inside, .. }) | Value::Number(inside) => Some(&line[inside]),
            Value::Other(_) => None,
        }
    }
}

impl JsonlReader {
    /// Returns a reader for fields with these names.
    pub fn new(keys: JsonlKeys) -> Self {
        JsonlReader {
            html: Field::new(keys.html, false),
            url: Field::new(keys.url, false),
            id: Field::new(keys.id, true),
            date: Field::new(keys.date, false),
            kept: KeptValues::new(keys.kept),
            key: String::new(),
        }
    }

    /// Reads one line, with or without its line end.
    ///
    /// If several names of a field are present, the first in the list with a string counts. Lone
    /// surrogates become U+FFFD. Numbers may have any size, and nesting may be 1,024 levels deep.
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
        self.kept.clear();
        let JsonlReader { html, url, id, date, kept, key: decoded } = self;
        members(line, |key, value| {
            // Keys with escapes are rare, so each is unescaped, needed or not.
            let name = if key.escaped {
                recycle(decoded);
                unescape::unescape(&line[key.inside], decoded);
                decoded.as_str()
            } else {
                &line[key.inside]
            };
            for field in [&mut *html, url, id, date] {
                field.offer(name, &value);
            }
            kept.offer(name, &value);
        })?;
        let refused = self.html.refused;
        let html = self.html.text(line).ok_or_else(|| match refused {
            Some(position) => fault(JsonlReason::HtmlNotAString, position),
            None => fault(JsonlReason::NoHtml, line.len()),
        })?;
        let (url, id, date) = (self.url.text(line), self.id.text(line), self.date.text(line));
        Ok(JsonlPage { html, url, id, date, kept: self.kept.object(line) })
    }
}

/// Empties a buffer and keeps at most 2 MiB of its memory.
fn recycle(buffer: &mut String) {
    const KEEP: usize = 2 << 20;
    buffer.clear();
    buffer.shrink_to(KEEP);
}

#[cfg(test)]
mod tests;
