//! Our own path on one thread, from the file to rows, whole or with one part replaced.
//!
//! This module processes a page like `huller extract`, with the same libraries: record, HTTP,
//! charset, columns, P value, text. The function [`run`] can replace one part by a peer, so that
//! two of these modes differ only by that part. These modes leave out the rest of `huller extract`
//! (other columns of a row, compression, journal).

use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use anyhow::{Context, Result, anyhow};
use huller_archive::{
    Batch, Decoder, Fault, Http, Input, Limits, Position, Record, RecordType, UnpackResult,
    Unpacker, Visitor, WarcHeader, charset,
};
use huller_extract::{Extractor, Profile, Renderer, Selection};
use huller_page::PageBuf;
use warc::{WarcHeader as Field, WarcReader};

use super::PageYield;
use crate::canonical;
use crate::report::Counts;
use crate::rows::Rows;

/// The part that a peer replaces.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReplacedPart {
    /// No part; the other modes are compared with this one.
    Nothing,
    /// The parser, replaced by crate `tl` ([`canonical`]).
    Parser,
    /// The reader of records, replaced by crate `warc`.
    Reader,
}

thread_local! {
    static PVALUE: RefCell<Extraction> = RefCell::new(Extraction::new("pvalue"));
    static HULL: RefCell<Extraction> = RefCell::new(Extraction::new("hull"));
}

/// Extracts one page from text by the P value.
pub fn pvalue_page(_url: &str, html: &str) -> Result<PageYield> {
    PVALUE.with_borrow_mut(|extraction| Ok(extraction.page(html)))
}

/// Extracts one page from text by the trained extractor.
pub fn hull_page(_url: &str, html: &str) -> Result<PageYield> {
    HULL.with_borrow_mut(|extraction| Ok(extraction.page(html)))
}

/// Runs our path over a file; rows go to `out`.
pub fn run(replaced: ReplacedPart, path: &Path, out: Option<&Path>) -> Result<Counts> {
    let mut pages = PagePath::new(replaced, Rows::create(out)?);
    if replaced == ReplacedPart::Reader {
        read_warc(path, &mut pages)
    } else {
        read(path, &mut pages)
    }?;
    let PagePath { rows, mut counts, failure, .. } = pages;
    failure.map_or(Ok(()), Err)?;
    counts.out_bytes = rows.finish()?;
    Ok(counts)
}

/// Reads a file with our reader: batches of members, each unpacked as in a worker.
fn read(path: &Path, pages: &mut PagePath) -> Result<()> {
    let limits = Limits::default();
    let mut input = Input::open(path, &limits)?;
    let (mut unpacker, mut batch) = (Unpacker::new(&limits), Batch::default());
    while input.next_batch(&mut batch)? {
        if let UnpackResult::StoppedAt(offset) = unpacker.unpack(&mut batch, pages) {
            return Err(anyhow!("damage at byte {offset}: a corpus to measure on must be sound"));
        }
    }
    Ok(())
}

/// Reads a file with crate `warc`. The first broken record counts as one error and ends the file.
fn read_warc(path: &Path, pages: &mut PagePath) -> Result<()> {
    let reader = WarcReader::from_path_gzip(path)
        .with_context(|| format!("cannot open '{}'", path.display()))?;
    for record in reader.iter_raw_records() {
        let Ok((header, mut block)) = record else {
            pages.counts.errors += 1;
            break;
        };
        pages.counts.records += 1;
        let header = header.as_ref();
        if header.get(&Field::WarcType).is_some_and(|kind| kind == b"response") {
            let url = header.get(&Field::TargetURI).map_or(&b""[..], Vec::as_slice);
            pages.response(url, &mut block);
        }
    }
    Ok(())
}

/// Reusable buffers for the columns, the selection and the text of a page.
struct Extraction {
    buffer: PageBuf,
    worker: Box<dyn Extractor>,
    selection: Selection,
    renderer: Renderer,
    text: String,
}

impl Extraction {
    fn new(extractor: &str) -> Self {
        let extractor = huller_extract::find(extractor).expect("it is one of the extractors");
        Self {
            buffer: PageBuf::new(),
            worker: extractor.worker(Profile::Tuned),
            selection: Selection::default(),
            renderer: Renderer::default(),
            text: String::new(),
        }
    }

    /// Returns the article of a page, and the amount of text in its tree.
    fn page(&mut self, html: &str) -> PageYield {
        let kept = self.fill(html);
        PageYield::ArticleOf { text: self.text.clone(), kept }
    }

    /// Writes the article into `text`. Returns the number of visible scalars in the tree.
    fn fill(&mut self, html: &str) -> u64 {
        let page = self.buffer.fill(html);
        self.worker.extract(&page, &mut self.selection);
        self.text.clear();
        self.renderer.text(&page, &self.selection, &mut self.text);
        page.runs().iter().map(|run| u64::from(run.counts.chars)).sum()
    }
}

/// The path from a response to its row.
struct PagePath {
    replaced: ReplacedPart,
    limits: Limits,
    decoder: Decoder,
    utf8: String,
    canonical: String,
    extraction: Extraction,
    rows: Rows,
    counts: Counts,
    /// The error of the first row that could not be written; later pages are skipped.
    failure: Option<anyhow::Error>,
}

impl PagePath {
    fn new(replaced: ReplacedPart, rows: Rows) -> Self {
        Self {
            replaced,
            limits: Limits::default(),
            decoder: Decoder::new(),
            utf8: String::new(),
            canonical: String::new(),
            extraction: Extraction::new("pvalue"),
            rows,
            counts: Counts { pages: Some(0), text_chars: Some(0), ..Counts::default() },
            failure: None,
        }
    }

    fn response(&mut self, url: &[u8], block: &mut [u8]) {
        let (head, body) = Http::split(block, &self.limits);
        let ok = head.status.is_none_or(|status| (200..300).contains(&status));
        if !ok || !head.is_html() || self.failure.is_some() {
            return;
        }
        let Ok(body) = self.decoder.decode(&head, body, &self.limits) else {
            self.counts.errors += 1;
            return;
        };
        *self.counts.pages.get_or_insert(0) += 1;
        self.counts.body_bytes += body.bytes.len() as u64;

        let url = str::from_utf8(url).unwrap_or_default();
        let found = charset::detect(body.bytes, head.charset(), Some(url));
        let html = charset::decode_into(body.bytes, found, &mut self.utf8);
        let (extraction, canonical) = (&mut self.extraction, &mut self.canonical);
        let kept = catch_unwind(AssertUnwindSafe(|| match self.replaced {
            ReplacedPart::Parser => {
                canonical::canonical(html, canonical)?;
                anyhow::Ok(extraction.fill(canonical))
            }
            ReplacedPart::Nothing | ReplacedPart::Reader => Ok(extraction.fill(html)),
        }));
        if let Ok(Ok(kept)) = kept {
            *self.counts.text_chars.get_or_insert(0) += kept;
        } else {
            self.counts.errors += 1;
            *extraction = Extraction::new("pvalue");
        }
        self.failure = self.rows.write(url, &self.extraction.text).err();
    }
}

impl Visitor for PagePath {
    fn record(&mut self, record: Record<'_>) {
        self.counts.records += 1;
        let header = WarcHeader::parse(record.header);
        if let Some(header) = header.filter(|header| header.record_type() == RecordType::Response) {
            self.response(header.target_uri().unwrap_or_default(), record.block);
        }
    }

    fn line(&mut self, _: &[u8], _: Position) {}

    fn fault(&mut self, _: &Fault) {
        self.counts.errors += 1;
    }
}
