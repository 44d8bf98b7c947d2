//! Rows of JSONL inputs.

use anyhow::{Result, bail};
use huller_archive::{
    ArchiveError, Batch, Fault, Input, Limits, Position, Record, Unpacked, Unpacker, Visitor,
};
use serde::de::{Deserialize, Deserializer, MapAccess};
use serde_json::value::RawValue;
use std::io;
use std::path::Path;

/// One row: keys and values in the order of the line, values as they are written there.
pub(crate) struct Row<'a> {
    pub(crate) fields: Vec<(String, &'a RawValue)>,
}

impl<'a> Row<'a> {
    /// The value of a key; the last one if the key comes several times.
    fn find(&self, key: &str) -> Option<&'a str> {
        self.fields.iter().rev().find(|(name, _)| name == key).map(|(_, value)| value.get())
    }

    /// The value of a key, or of one in an object: `texts.hull` is that of `hull` in the object `texts`, unless the row has a key of
    /// this name.
    fn value(&self, key: &str) -> Option<&'a str> {
        self.find(key).or_else(|| {
            let (outer, inner) = key.split_once('.')?;
            let object: Row<'a> = serde_json::from_str(self.find(outer)?).ok()?;
            object.value(inner)
        })
    }

    /// The value of a key, if it is a string.
    pub(crate) fn string(&self, key: &str) -> Option<String> {
        serde_json::from_str(self.value(key)?).ok()
    }

    /// The value of a key as text, if it is a string, a number or a truth value.
    pub(crate) fn label(&self, key: &str) -> Option<String> {
        let value = self.value(key)?;
        match value.as_bytes().first()? {
            b'"' => serde_json::from_str(value).ok(),
            b'{' | b'[' | b'n' => None,
            _ => Some(value.to_owned()),
        }
    }
}

impl<'de> Deserialize<'de> for Row<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Fields;
        impl<'de> serde::de::Visitor<'de> for Fields {
            type Value = Row<'de>;
            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("a JSON object")
            }
            fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<Row<'de>, M::Error> {
                let mut fields = Vec::new();
                while let Some(field) = map.next_entry()? {
                    fields.push(field);
                }
                Ok(Row { fields })
            }
        }
        deserializer.deserialize_map(Fields)
    }
}

/// What was wrong with the lines of an input.
#[derive(Default)]
pub(crate) struct Damage {
    lines: u64,
    /// What was wrong with the first of them.
    first: Option<String>,
}

impl Damage {
    fn add(&mut self, what: String) {
        self.lines += 1;
        self.first.get_or_insert(what);
    }

    /// A line for the user; `None` if nothing was wrong.
    pub(crate) fn message(&self, input: &Path) -> Option<String> {
        let (first, name) = (self.first.as_ref()?, input.display());
        let others = match self.lines {
            1 => String::new(),
            lines => format!(" ({lines} such lines)"),
        };
        Some(format!("error: '{name}': {first}{others}"))
    }
}

/// Calls `each` with every row of an input; `-` is standard input. Lines that are no rows are skipped and counted.
pub(crate) fn each_row(path: &Path, each: impl FnMut(Row<'_>) -> Result<()>) -> Result<Damage> {
    let limits = Limits::default();
    let input = if path.as_os_str() == "-" {
        Input::from_reader(Box::new(io::stdin()), &limits)
    } else {
        Input::open(path, &limits)
    };
    let input = match input {
        // `huller extract` writes an empty file for an input without pages.
        Err(ArchiveError::Empty { .. }) => return Ok(Damage::default()),
        input => input?,
    };
    let mut stream = input.into_stream()?;
    let (mut walker, mut batch) = (Unpacker::new(&limits), Batch::default());
    let mut reader = Reader { each, damage: Damage::default(), lines: 0, result: Ok(()) };
    while stream.next_batch(&mut batch)? {
        let unpacked = walker.unpack(&mut batch, &mut reader);
        debug_assert_eq!(unpacked, Unpacked::Complete, "a stream gives framed batches");
        std::mem::replace(&mut reader.result, Ok(()))?;
    }
    Ok(reader.damage)
}

struct Reader<F> {
    each: F,
    damage: Damage,
    lines: u64,
    /// The first error that ends the reading.
    result: Result<()>,
}

impl<F: FnMut(Row<'_>) -> Result<()>> Visitor for Reader<F> {
    fn record(&mut self, _: Record<'_>) {
        if self.result.is_ok() {
            self.result = Err(NotRows.into());
        }
    }

    fn line(&mut self, line: &[u8], _: Position) {
        self.lines += 1;
        if self.result.is_err() {
            return;
        }
        match serde_json::from_slice(line) {
            Ok(row) => self.result = (self.each)(row),
            Err(error) => self.damage.add(format!("row {} is damaged: {error}", self.lines)),
        }
    }

    fn fault(&mut self, fault: &Fault) {
        self.damage.add(fault.detail.clone());
    }
}

/// The input holds WARC records in place of rows.
#[derive(Debug)]
struct NotRows;

impl std::fmt::Display for NotRows {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("this is an archive, not JSONL with texts: run `huller extract` on it first")
    }
}

impl std::error::Error for NotRows {}

/// Prints what was wrong with one of several inputs, and returns whether anything was. A failure of the output is returned as an
/// error instead.
pub(crate) fn report(input: &Path, result: Result<Damage>) -> Result<bool> {
    match result {
        Ok(damage) => {
            let message = damage.message(input);
            if let Some(message) = &message {
                crate::exit::eprint_line(message);
            }
            Ok(message.is_some())
        }
        // Errors of reading have their own types, so an `io::Error` is one of the output.
        Err(error) if error.is::<io::Error>() => bail!(error),
        Err(error) => {
            let said = crate::exit::message(&error);
            let name = input.display().to_string();
            let of = if said.contains(&name) { String::new() } else { format!("'{name}': ") };
            crate::exit::eprint_line(&format!("error: {of}{said}"));
            Ok(true)
        }
    }
}
