//! Records with markers, and their bytes in each format.

use super::row_similarity::RowSimilarity;
use crate::pack::noise;
use crate::warc::{Http, Record as WarcRecord};
use std::fmt;
use std::sync::OnceLock;

/// The identity of a record and of its row. It is unique in a case, and a changed record gets a new
/// one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Marker {
    pub(super) input: u32,
    pub(super) serial: u32,
}

/// The letters at the start of a marker. They occur nowhere else in a record.
const START: &str = "mk";
const DIGITS: [usize; 2] = [2, 5];

impl fmt::Display for Marker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{START}{:02}n{:05}x", self.input, self.serial)
    }
}

impl Marker {
    /// Returns all markers in a text, in order.
    pub(super) fn find(text: &str) -> Vec<Marker> {
        let parse = |rest: &str| {
            let (input, rest) = rest.split_at_checked(DIGITS[0])?;
            let (serial, rest) = rest.strip_prefix('n')?.split_at_checked(DIGITS[1])?;
            rest.starts_with('x').then_some(())?;
            Some(Marker { input: input.parse().ok()?, serial: serial.parse().ok()? })
        };
        text.match_indices(START)
            .filter_map(|(at, start)| parse(&text[at + start.len()..]))
            .collect()
    }
}

/// The expected outcome of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RecordOutcome {
    /// A page: a row.
    Page,
    /// A page or row with few characters: a row, unless the settings ask for more.
    Short,
    /// A page with status 404, or a row whose URL has `/error/`: a row, unless the settings drop
    /// such rows.
    Unwanted,
    /// Skipped for this reason.
    Skipped(&'static str),
    /// Failed for this reason.
    Failed(&'static str),
    /// A cut or damaged record: a row, or failed for any reason.
    Damaged,
}

/// A record with its expected outcome.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Record {
    pub(super) marker: Marker,
    pub(super) fate: RecordOutcome,
    /// The properties that it shares with other records, if it is a row.
    pub(super) likeness: RowSimilarity,
    /// The number of extra bytes.
    pub(super) padding: usize,
}

/// The least number of characters that a page's text needs not to count as
/// [`RecordOutcome::Short`].
pub(super) const MIN_CHARS: usize = 60;

/// Returns bytes without a pattern and without a marker.
pub(super) fn padding(len: usize) -> &'static [u8] {
    static NOISE: OnceLock<Vec<u8>> = OnceLock::new();
    let noise = NOISE.get_or_init(|| {
        noise(22, 1 << 19)
            .into_iter()
            .map(|byte| b"abcdefghijlnopqrstuvwxyz0123456789"[byte as usize % 34])
            .collect()
    });
    &noise[..len]
}

impl Record {
    /// Returns the page, or the content in its place.
    fn html(&self) -> Vec<u8> {
        let Record { marker, fate, padding: len, .. } = *self;
        let more = match fate {
            RecordOutcome::Short => "",
            _ => {
                " was read in the harbour, where the ferry has been running again since the morning."
            }
        };
        let mut page = format!(
            "<!DOCTYPE html><html><head><title>A page</title></head><body><p>{marker}{more}</p>"
        )
        .into_bytes();
        if len > 0 {
            page.extend(b"<!--");
            page.extend(padding(len));
            page.extend(b"-->");
        }
        page.extend(b"</body></html>\n");
        page
    }

    /// Returns the record as a file.
    pub(super) fn page_file(&self) -> Vec<u8> {
        match self.fate {
            RecordOutcome::Skipped(_) => {
                let marker = self.marker.to_string();
                [b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", marker.as_bytes(), padding(30 + self.padding)]
                    .concat()
            }
            _ => self.html(),
        }
    }

    /// Returns the record as a line of JSON.
    pub(super) fn line(&self) -> Vec<u8> {
        let (url, len) = (format!("http://example.test/{}", self.marker), self.padding);
        let html = String::from_utf8(self.html()).expect("pages are text");
        let mut line = match self.fate {
            RecordOutcome::Failed("invalid_json") => {
                [format!("{{\"url\": \"{url}\", oh").as_bytes(), padding(len)].concat()
            }
            RecordOutcome::Failed(_) => {
                serde_json::json!({ "url": url, "words": html }).to_string().into_bytes()
            }
            _ => serde_json::json!({ "url": url, "html": html }).to_string().into_bytes(),
        };
        line.push(b'\n');
        line
    }

    /// Returns the record as a WARC record. Garbage is returned as it is.
    pub(super) fn warc(&self) -> Vec<u8> {
        let Record { marker, fate, padding: len, .. } = *self;
        let Marker { input, serial } = marker;
        let uri = format!("http://example.test/{marker}");
        let http = |http: Http| ("response", http.to_bytes());
        let (kind, block) = match fate {
            RecordOutcome::Failed(_) => {
                return [b"These bytes are no record. ", padding(40 + len)].concat();
            }
            RecordOutcome::Page | RecordOutcome::Short | RecordOutcome::Damaged => {
                http(Http::page(self.html()))
            }
            RecordOutcome::Unwanted => http(Http::page(self.html()).status("404 Not Found")),
            RecordOutcome::Skipped("not_html") => {
                http(Http::page(padding(50 + len)).content_type("text/css"))
            }
            RecordOutcome::Skipped(kind) => (kind, padding(50 + len).to_vec()),
        };
        let record = WarcRecord::new(kind, block).uri(uri.as_bytes());
        let record = record.id(format!("00000000-0000-4000-8000-{input:06}{serial:06}"));
        match kind {
            "response" => record.content_type("application/http; msgtype=response"),
            _ => record.content_type("text/plain"),
        }
        .to_bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markers_are_found_in_any_text() {
        let [one, two] = [3, 4].map(|serial| Marker { input: 12, serial });
        let text = format!("mk {one} mk12n00003 \u{e4}mk{two}{one}");
        assert_eq!(Marker::find(&text), [one, two, one]);
        for fate in
            [RecordOutcome::Page, RecordOutcome::Failed("no_html_key"), RecordOutcome::Unwanted]
        {
            let record =
                Record { marker: one, fate, likeness: RowSimilarity::NONE, padding: 70_000 };
            for bytes in [record.line(), record.html()] {
                assert!(
                    Marker::find(std::str::from_utf8(&bytes).unwrap()).iter().all(|m| *m == one)
                );
            }
        }
    }

    #[test]
    fn only_a_short_page_has_few_characters() {
        let chars = |fate| {
            let record = Record {
                marker: Marker { input: 1, serial: 2 },
                fate,
                likeness: RowSimilarity::NONE,
                padding: 0,
            };
            let html = String::from_utf8(record.html()).unwrap();
            let text = html.split("<p>").nth(1).unwrap().split("</p>").next().unwrap();
            text.len()
        };
        assert!(chars(RecordOutcome::Short) < MIN_CHARS && chars(RecordOutcome::Page) > MIN_CHARS);
    }
}
