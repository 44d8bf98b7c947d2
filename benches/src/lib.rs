//! Fixtures shared by the benches: the pages of one WARC file, and the results they must give.
//!
//! The file is `data/sample.warc.gz`, which is in the repository, or the one that `HULLER_CORPUS`
//! names (`scripts/lab/run corpus` makes one). Each bench also checks its result. For the sample
//! the expected counts are constants here. For any other file they come from a [`RecordStream`],
//! which is not the measured code path.
//!
//! ```sh
//! cargo bench -p huller-benches                                       # all
//! cargo bench -p huller-benches --bench extract -- pvalue             # some
//! HULLER_CORPUS=benches/corpus/1100mb.warc.gz cargo bench -p huller-benches
//! ```
//!
//! `cargo test -p huller-benches --benches` runs each bench once, to check the counts.
//!
//! Throughput is always in bytes of decoded pages, so that the stages can be compared.

use huller_archive::{
    Batch, Decoder, Fault, Http, Limits, Position, Record, RecordStream, RecordType, UnpackResult,
    Unpacker, Visitor, WarcHeader, charset, is_html_media_type,
};
use rustix::time::{ClockId, clock_gettime};
use std::fs::File;
use std::path::{Path, PathBuf};

/// The records in `data/sample.warc.gz`.
const SAMPLE_RECORDS: u64 = 96;

/// The pages among them: HTML responses with status 200.
const SAMPLE_PAGES: usize = 41;

/// Returns the CPU time of the calling thread, in seconds.
pub fn cpu_seconds() -> f64 {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
}

/// The pages of a measurement.
pub struct Corpus {
    /// The path of the file, with one gzip member per record.
    pub path: PathBuf,
    /// All its records in order: header, block and the line ends after it.
    pub records: Vec<Vec<u8>>,
    /// Its pages as text, in order.
    pub pages: Vec<String>,
}

impl Corpus {
    /// Reads the file. Each bench does this once, before it measures.
    ///
    /// # Panics
    ///
    /// If the file cannot be read or is damaged, or if the sample does not have the expected
    /// counts.
    pub fn load() -> Corpus {
        let sample = Path::new(env!("CARGO_MANIFEST_DIR")).join("../data/sample.warc.gz");
        let given = std::env::var_os("HULLER_CORPUS").map(PathBuf::from);
        let corpus = Corpus::read(given.clone().unwrap_or(sample));
        if given.is_none() {
            assert_eq!(corpus.record_count(), SAMPLE_RECORDS, "records in the sample");
            assert_eq!(corpus.pages.len(), SAMPLE_PAGES, "pages in the sample");
        }
        corpus
    }

    fn read(path: PathBuf) -> Corpus {
        let limits = Limits::default();
        // Benches run in the folder of their package, but paths are usually given relative to the
        // workspace.
        let path = if path.exists() {
            path
        } else {
            Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(path)
        };
        let file = File::open(&path)
            .unwrap_or_else(|error| panic!("cannot open '{}': {error}", path.display()));
        let mut stream =
            RecordStream::from_reader(Box::new(file), &limits).expect("the file is a WARC");
        let mut unpacker = Unpacker::new(&limits);
        let mut batch = Batch::default();
        let mut reader =
            PageReader { limits, decoder: Decoder::new(), records: Vec::new(), pages: Vec::new() };
        while stream.next_batch(&mut batch).expect("the file can be read to its end") {
            assert_eq!(unpacker.unpack(&mut batch, &mut reader), UnpackResult::Complete);
        }
        Corpus { path, records: reader.records, pages: reader.pages }
    }

    /// Returns the number of records.
    pub fn record_count(&self) -> u64 {
        self.records.len() as u64
    }

    /// Returns the bytes of all pages, as UTF-8.
    pub fn page_bytes(&self) -> u64 {
        self.pages.iter().map(|page| page.len() as u64).sum()
    }
}

/// A visitor that keeps records and pages.
struct PageReader {
    limits: Limits,
    decoder: Decoder,
    records: Vec<Vec<u8>>,
    pages: Vec<String>,
}

impl Visitor for PageReader {
    fn record(&mut self, record: Record<'_>) {
        assert_eq!(record.repair, None, "a corpus is sound");
        self.records.push([record.header, record.block, b"\r\n\r\n"].concat());
        let header = WarcHeader::parse(record.header).expect("a sound record has a header");
        if header.record_type() != RecordType::Response {
            return;
        }
        let (head, body) = Http::split(record.block, &self.limits);
        let ok = head.status.is_none_or(|status| (200..300).contains(&status));
        if ok && head.content_type.is_some_and(is_html_media_type) {
            let body =
                self.decoder.decode(&head, body, &self.limits).expect("a body within the limits");
            let url = header.target_uri().and_then(|url| str::from_utf8(url).ok());
            let charset = charset::detect(body.bytes, head.charset(), url);
            self.pages
                .push(charset::decode_into(body.bytes, charset, &mut String::new()).to_owned());
        }
    }

    fn line(&mut self, _: &[u8], _: Position) {
        panic!("the corpus must be a WARC");
    }

    fn fault(&mut self, fault: &Fault) {
        panic!("the corpus is damaged: {}", fault.detail);
    }
}
