//! Writes rows as JSONL, in the same form for every extractor.

use std::fs::File;
use std::io::{BufWriter, Write, sink};
use std::path::Path;

use anyhow::{Context, Result};
use serde::Serialize;

#[derive(Serialize)]
struct Row<'a> {
    url: &'a str,
    text: &'a str,
}

/// A writer of rows.
pub struct Rows {
    to: BufWriter<Box<dyn Write>>,
    line: Vec<u8>,
    bytes: u64,
}

impl Rows {
    /// Creates the file; without a path the rows are discarded.
    pub fn create(out: Option<&Path>) -> Result<Self> {
        let to: Box<dyn Write> = match out {
            Some(path) => Box::new(
                File::create(path)
                    .with_context(|| format!("cannot create '{}'", path.display()))?,
            ),
            None => Box::new(sink()),
        };
        Ok(Self { to: BufWriter::with_capacity(1 << 18, to), line: Vec::new(), bytes: 0 })
    }

    /// Writes a row.
    pub fn write(&mut self, url: &str, text: &str) -> Result<()> {
        self.line.clear();
        serde_json::to_writer(&mut self.line, &Row { url, text })?;
        self.line.push(b'\n');
        self.bytes += self.line.len() as u64;
        Ok(self.to.write_all(&self.line)?)
    }

    /// Flushes the output. Returns the number of bytes written.
    pub fn finish(mut self) -> Result<u64> {
        self.to.flush()?;
        Ok(self.bytes)
    }
}
