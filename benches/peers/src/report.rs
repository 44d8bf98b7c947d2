//! The line that every peer prints, including those in other languages.

use std::io::Write;
use std::time::Instant;

use anyhow::Result;
use serde::Serialize;

use crate::usage::Usage;

/// Counters of a mode.
#[derive(Debug, Default, Clone, Copy)]
pub struct Counts {
    /// Records seen; for `inflate`, gzip members.
    pub records: u64,
    /// HTML responses whose body was read; absent if the mode does not read records.
    pub pages: Option<u64>,
    /// Bytes of those bodies; for `inflate`, all inflated bytes.
    pub body_bytes: u64,
    /// Bytes written or handed to the sink.
    pub out_bytes: u64,
    /// Text kept, in scalars that are not white space (see [`crate::kept_text`]).
    pub text_chars: Option<u64>,
    /// Pages that failed or records that could not be read.
    pub errors: u64,
    /// CPU time of the measured part, where that is not the whole process.
    pub measured_cpu_s: Option<f64>,
}

/// One run of one peer. `python3 -m bench table` reads this.
#[derive(Debug, Serialize)]
pub struct Report<'a> {
    mode: &'a str,
    version: &'a str,
    records: u64,
    pages: Option<u64>,
    body_mb: f64,
    out_mb: f64,
    text_chars: Option<u64>,
    cpu_s: f64,
    wall_s: f64,
    rss_mb: f64,
    errors: u64,
}

impl<'a> Report<'a> {
    /// Makes the report of a run that began at `start`.
    pub fn new(mode: &'a str, version: &'a str, counts: Counts, start: Instant) -> Result<Self> {
        let usage = Usage::of_process()?;
        Ok(Self {
            mode,
            version,
            records: counts.records,
            pages: counts.pages,
            body_mb: counts.body_bytes as f64 / 1e6,
            out_mb: counts.out_bytes as f64 / 1e6,
            text_chars: counts.text_chars,
            cpu_s: counts.measured_cpu_s.unwrap_or(usage.cpu_s),
            wall_s: start.elapsed().as_secs_f64(),
            rss_mb: usage.rss_mb,
            errors: counts.errors,
        })
    }

    /// Writes the line.
    pub fn write(&self, mut to: impl Write) -> Result<()> {
        serde_json::to_writer(&mut to, self)?;
        writeln!(to)?;
        Ok(())
    }
}
