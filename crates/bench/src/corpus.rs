//! The corpus of a measurement: its inputs, its sizes, and a digest. With the digest, two people
//! can check that they measured the same data.

use crate::error::BenchError;
use huller_archive::{
    Batch, Fault, Input, InputDigest, Limits, PageRecord, Position, Record, UnpackResult, Unpacker,
    Visitor, WarcHeader,
};
use huller_pipeline::{JobSource, Plan};
use serde::Serialize;
use std::path::PathBuf;

/// The inputs of a measurement.
#[derive(Clone, Debug, Serialize)]
pub struct Corpus {
    /// The files.
    #[serde(skip)]
    pub paths: Vec<PathBuf>,
    /// The number of inputs.
    pub inputs: u64,
    /// The size of the files on disk, in bytes.
    pub packed_bytes: u64,
    /// The bytes of records or lines after decompression, separators included. All rates use these
    /// bytes.
    pub raw_bytes: u64,
    /// The number of records or lines.
    pub records: u64,
    /// The number of lines, and of records whose headers say that they hold a page.
    pub pages: u64,
    /// The number of damaged byte ranges.
    pub damaged: u64,
    /// The XXH3 (128 bits, `xxh128`) over the digests of the inputs in order. Names do not count.
    pub digest: String,
}

/// Counters of the contents of an archive.
#[derive(Default)]
struct ArchiveCounter {
    limits: Limits,
    records: u64,
    pages: u64,
    bytes: u64,
    damaged: u64,
}

/// The bytes between a WARC record and the next (WARC 1.1, section 4).
const SEPARATOR_BYTES: u64 = 4;

impl Visitor for ArchiveCounter {
    fn record(&mut self, record: Record<'_>) {
        self.records += 1;
        self.bytes += (record.header.len() + record.block.len()) as u64 + SEPARATOR_BYTES;
        let header = WarcHeader::parse(record.header);
        let is_page = header.is_some_and(|header| {
            PageRecord::new(&header, record.block, false, &self.limits).is_ok()
        });
        self.pages += u64::from(is_page);
    }

    fn line(&mut self, line: &[u8], _: Position) {
        self.records += 1;
        self.pages += 1;
        self.bytes += line.len() as u64 + 1;
    }

    fn fault(&mut self, _: &Fault) {
        self.damaged += 1;
    }
}

/// Returns the digest of a corpus of files with these digests.
pub(crate) fn combine_digests(files: &[String]) -> String {
    let mut digest = InputDigest::default();
    for file in files {
        digest.update(file.as_bytes());
    }
    digest.prefix_digest().digest()
}

impl Corpus {
    /// Reads all inputs of a plan once, in this thread, with at most one batch in memory.
    /// Afterwards the files are in the page cache, if it is large enough.
    ///
    /// # Errors
    ///
    /// An input does not exist, cannot be read several times, or is not an archive.
    pub fn survey(plan: &Plan) -> Result<Corpus, BenchError> {
        if let Some((path, error)) = plan.unusable.first() {
            return Err(BenchError::Unusable { path: path.clone(), error: error.clone() });
        }
        let mut corpus = Corpus {
            paths: Vec::new(),
            inputs: 0,
            packed_bytes: 0,
            raw_bytes: 0,
            records: 0,
            pages: 0,
            damaged: 0,
            digest: String::new(),
        };
        let mut digests = Vec::new();
        for job in &plan.jobs {
            let JobSource::File(path) = &job.source else {
                return Err(BenchError::NotAFile(job.name.clone()));
            };
            if !path.is_file() {
                return Err(BenchError::NotAFile(path.display().to_string()));
            }
            let limits = Limits::default();
            let mut input = Input::open(path, &limits)?;
            let (mut unpacker, mut batch) = (Unpacker::new(&limits), Batch::default());
            let mut count = ArchiveCounter::default();
            while input.next_batch(&mut batch)? {
                if let UnpackResult::StoppedAt(offset) = unpacker.unpack(&mut batch, &mut count) {
                    input.restart_at(offset)?;
                }
                batch.clear();
            }
            let digest = input.prefix_digest();
            digests.push(digest.digest());
            corpus.paths.push(path.clone());
            corpus.inputs += 1;
            corpus.packed_bytes += digest.bytes;
            corpus.raw_bytes += count.bytes;
            corpus.records += count.records;
            corpus.pages += count.pages;
            corpus.damaged += count.damaged;
        }
        corpus.digest = combine_digests(&digests);
        Ok(corpus)
    }

    /// Returns the MB (millions of bytes) before compression.
    pub fn raw_mb(&self) -> f64 {
        self.raw_bytes as f64 / 1e6
    }

    /// Returns the bytes on disk per byte before compression.
    pub fn packed_share(&self) -> f64 {
        self.packed_bytes as f64 / (self.raw_bytes as f64).max(1.0)
    }
}
