//! Reads files with one JSON object per line: plain, gzip or zstd, recognised by their first bytes.

use crate::error::EvalError;
use flate2::bufread::MultiGzDecoder;
use huller_archive::without_mark;
use huller_row::json_string;
use serde::Deserialize;
use serde::de::{DeserializeOwned, Deserializer, Error};
use serde_json::value::RawValue;
use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::Path;

/// Calls `take` with each line that is not blank, and with its number from 1.
pub(crate) fn read_lines<T: DeserializeOwned>(
    path: &Path,
    mut take: impl FnMut(u64, T) -> Result<(), EvalError>,
) -> Result<(), EvalError> {
    let unreadable = |source| EvalError::Io { path: path.to_owned(), source };
    let mut reader = open_packed(path).map_err(unreadable)?;
    let mut line = Vec::new();
    for number in 1.. {
        line.clear();
        if reader.read_until(b'\n', &mut line).map_err(unreadable)? == 0 {
            break;
        }
        let object = without_mark(&line);
        if object.trim_ascii().is_empty() {
            continue;
        }
        let value = serde_json::from_slice(object).map_err(|source| EvalError::Line {
            path: path.to_owned(),
            line: number,
            problem: error_message(&source),
        })?;
        take(number, value)?;
    }
    Ok(())
}

/// Opens a plain, gzip or zstd file, recognised by its first bytes.
///
/// # Errors
///
/// It cannot be opened or its first bytes cannot be read.
pub fn open_packed(path: &Path) -> io::Result<Box<dyn BufRead>> {
    let mut file = BufReader::with_capacity(1 << 16, File::open(path)?);
    let start = file.fill_buf()?;
    Ok(if start.starts_with(&[0x1f, 0x8b]) {
        Box::new(BufReader::new(MultiGzDecoder::new(file)))
    } else if start.starts_with(&[0x28, 0xb5, 0x2f, 0xfd]) || is_skippable(start) {
        let mut decoder = zstd::Decoder::with_buffer(file)?;
        decoder.window_log_max(31)?;
        Box::new(BufReader::new(decoder))
    } else {
        Box::new(file)
    })
}

/// Returns whether a skippable zstd frame begins here.
fn is_skippable(start: &[u8]) -> bool {
    matches!(start, [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..])
}

/// Returns the message for a malformed line, without the parser's line number, which is always 1.
fn error_message(error: &serde_json::Error) -> String {
    let text = error.to_string();
    match text.rsplit_once(" at line ") {
        Some((problem, _)) => format!("{problem} (column {})", error.column()),
        None => text,
    }
}

/// A string in which unpaired surrogates are replaced by U+FFFD. JSON can escape them, and Python
/// keeps them. U+FFFD belongs neither to a word nor to white space, so the scores do not change.
#[derive(Debug, Default)]
pub(crate) struct LossyString(pub(crate) String);

impl<'de> Deserialize<'de> for LossyString {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<LossyString, D::Error> {
        let value = Box::<RawValue>::deserialize(deserializer)?;
        let text = json_string(&value).map(|text| LossyString(text.into_owned()));
        text.ok_or_else(|| Error::custom("invalid type, expected a string"))
    }
}
