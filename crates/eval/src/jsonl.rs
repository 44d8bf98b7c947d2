//! Reads files with one JSON object per line: plain, gzip or zstd, recognised by their first bytes.

use crate::error::EvalError;
use flate2::bufread::MultiGzDecoder;
use serde::Deserialize;
use serde::de::{DeserializeOwned, Deserializer, SeqAccess, Visitor};
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
        if line.trim_ascii().is_empty() {
            continue;
        }
        let value = serde_json::from_slice(&line).map_err(|source| EvalError::Line {
            path: path.to_owned(),
            line: number,
            what: said(&source),
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

/// Whether a skippable zstd frame begins here.
fn is_skippable(start: &[u8]) -> bool {
    matches!(start, [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..])
}

/// The message for a malformed line, without the parser's line number, which is always 1.
fn said(error: &serde_json::Error) -> String {
    let text = error.to_string();
    match text.rsplit_once(" at line ") {
        Some((what, _)) => format!("{what} (column {})", error.column()),
        None => text,
    }
}

/// A string in which lone halves of surrogate pairs (JSON can escape them, and Python keeps them) become U+FFFD. Neither is part
/// of a word or white space, so no score changes.
#[derive(Debug, Default)]
pub(crate) struct Text(pub(crate) String);

impl<'de> Deserialize<'de> for Text {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Text, D::Error> {
        struct Bytes;
        impl<'de> Visitor<'de> for Bytes {
            type Value = Text;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("a string")
            }

            fn visit_bytes<E>(self, bytes: &[u8]) -> Result<Text, E> {
                Ok(Text(replaced(bytes)))
            }

            // Otherwise serde would accept an array of numbers as bytes.
            fn visit_seq<A: SeqAccess<'de>>(self, _: A) -> Result<Text, A::Error> {
                Err(serde::de::Error::invalid_type(serde::de::Unexpected::Seq, &self))
            }
        }
        deserializer.deserialize_bytes(Bytes)
    }
}

/// The bytes as text, with U+FFFD for what is not UTF-8.
fn replaced(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        if !chunk.invalid().is_empty() {
            text.push(char::REPLACEMENT_CHARACTER);
        }
    }
    text
}
