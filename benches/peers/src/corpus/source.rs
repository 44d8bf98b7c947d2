//! Reads the records of `.warc`, `.warc.gz` and `.warc.zst` files.
//!
//! It is meant for sound inputs: the first fault is an error that names the file.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use flate2::bufread::MultiGzDecoder;
use zstd::stream::read::Decoder as ZstdDecoder;

use crate::header::field;

const BUFFER: usize = 1 << 18;
/// Whole-file archives are packed with `zstd --long=31`.
const ZSTD_WINDOW_LOG: u32 = 31;

/// One WARC record: its header with the empty line, then its block, without the line ends after it.
#[derive(Debug, Default)]
pub struct Record {
    /// Header and block.
    pub bytes: Vec<u8>,
    /// Where the block starts.
    pub block: usize,
}

impl Record {
    /// The header, empty line included.
    pub fn header(&self) -> &[u8] {
        &self.bytes[..self.block]
    }

    /// Bytes of the record, with the two line ends after it.
    pub fn raw_len(&self) -> u64 {
        self.bytes.len() as u64 + 4
    }
}

/// The WARC files of a path: the file itself, or those directly in the folder, sorted by name.
pub fn list(path: &Path) -> Result<Vec<PathBuf>> {
    if path.is_file() {
        return Ok(vec![path.to_owned()]);
    }
    let mut files = Vec::new();
    let entries = path.read_dir().with_context(|| format!("cannot list '{}'", path.display()))?;
    for entry in entries {
        let file = entry?.path();
        let name = file.to_string_lossy();
        if [".warc", ".warc.gz", ".warc.zst"].iter().any(|end| name.ends_with(end)) {
            files.push(file);
        }
    }
    files.sort();
    ensure!(!files.is_empty(), "no WARC files in '{}'", path.display());
    Ok(files)
}

/// Calls `visit` with every record of a file.
pub fn for_each(path: &Path, mut visit: impl FnMut(&Record) -> Result<()>) -> Result<()> {
    let mut input = open(path).with_context(|| format!("cannot open '{}'", path.display()))?;
    let mut record = Record::default();
    let mut number = 0_u64;
    let place = |number: u64| format!("at record {number} of '{}'", path.display());
    while read_record(&mut input, &mut record).with_context(|| place(number))? {
        visit(&record).with_context(|| place(number))?;
        number += 1;
    }
    Ok(())
}

fn open(path: &Path) -> Result<Box<dyn BufRead>> {
    let file = BufReader::with_capacity(BUFFER, File::open(path)?);
    Ok(match path.extension().and_then(|extension| extension.to_str()) {
        Some("gz") => Box::new(BufReader::with_capacity(BUFFER, MultiGzDecoder::new(file))),
        Some("zst") => {
            let mut decoder = ZstdDecoder::with_buffer(file)?;
            decoder.window_log_max(ZSTD_WINDOW_LOG)?;
            Box::new(BufReader::with_capacity(BUFFER, decoder))
        }
        _ => Box::new(file),
    })
}

/// Reads the next record; false at the end of the file.
fn read_record(input: &mut impl BufRead, record: &mut Record) -> Result<bool> {
    let bytes = &mut record.bytes;
    bytes.clear();
    loop {
        let line = input.read_until(b'\n', bytes)?;
        if line == 0 && bytes.is_empty() {
            return Ok(false);
        }
        ensure!(line > 0, "a record header has no end");
        if bytes.ends_with(b"\r\n\r\n") {
            break;
        }
    }
    ensure!(bytes.starts_with(b"WARC/"), "no record where one should begin");

    record.block = bytes.len();
    let length = field(bytes, "Content-Length").context("a record without Content-Length")?;
    let length: usize = std::str::from_utf8(length)?.parse()?;
    bytes.reserve_exact(length);
    let read = input.take(length as u64).read_to_end(bytes)?;
    ensure!(read == length, "a record of {length} bytes ends after {read}");

    let mut end = [0; 4];
    input.read_exact(&mut end).context("a record without its end")?;
    ensure!(&end == b"\r\n\r\n", "a record does not end where its Content-Length says");
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn records(mut input: &[u8]) -> Result<Vec<String>> {
        let mut record = Record::default();
        let mut blocks = Vec::new();
        while read_record(&mut input, &mut record)? {
            blocks.push(String::from_utf8(record.bytes[record.block..].to_vec())?);
        }
        Ok(blocks)
    }

    #[test]
    fn reads_records_to_the_end() {
        let one = "WARC/1.0\r\nContent-Length: 5\r\n\r\nA\r\n\r\n\r\n\r\n";
        let two = "WARC/1.0\r\ncontent-length: 0\r\n\r\n\r\n\r\n";
        let blocks = records(format!("{one}{two}").as_bytes()).unwrap();
        assert_eq!(blocks, ["A\r\n\r\n", ""]);
    }

    #[test]
    fn refuses_damage() {
        for damaged in
            ["WARC/1.0\r\nContent-Length: 9\r\n\r\nA", "WARC/1.0\r\n\r\n\r\n\r\n", "GET /\r\n\r\n"]
        {
            assert!(records(damaged.as_bytes()).is_err(), "{damaged:?}");
        }
    }
}
