//! Reads the pages of archives in the same way as the pipeline: same records, same HTTP body, same
//! decoding, same cut at 16 MiB. So an extractor's text here equals that of the row from
//! `huller extract`.
//!
//! Archives are read one after another, and all threads work on their batches. The results are
//! sorted in the order of the records. Of several records with one identifier the first counts.

use crate::error::EvalError;
use crate::gold::{Gold, bare_record_id};
use huller_archive::{
    Batch, Fault, Input, JsonlKeys, Limits, NoPageReason, PageReader, Position, Record,
    RecordStream, Unpacker, Visitor, WarcHeader, utf8_or_latin1,
};
use rayon::prelude::*;
use std::collections::{HashMap, HashSet};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

/// Largest length of a page in bytes; a longer page is cut there.
const MAX_PAGE_BYTES: usize = 16 << 20;

/// Other contents of the archives, besides the wanted pages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct UnmatchedPages {
    /// Pages without gold.
    pub without_gold: u64,
    /// Pages whose identifier occurred before.
    pub repeated: u64,
    /// Damaged byte ranges.
    pub damaged: u64,
}

/// The gold pages of each identifier.
pub(crate) type GoldById<'g> = HashMap<&'g str, Vec<usize>>;

/// Indexes the wanted pages by the identifiers of their records, and by their own.
pub(crate) fn index_by_id(gold: &[Gold], pages: impl Iterator<Item = usize>) -> GoldById<'_> {
    let mut pages_by_id = GoldById::new();
    for page in pages {
        let Gold { id, record_id, .. } = &gold[page];
        for id in record_id.iter().map(String::as_str).chain([id.as_str()]) {
            let pages = pages_by_id.entry(id).or_default();
            if pages.last() != Some(&page) {
                pages.push(page);
            }
        }
    }
    pages_by_id
}

/// The gold pages that belong to a page, and the result of its work.
pub(crate) type PageWorkResult<'w, R> = (&'w [usize], R);

/// Runs `work` over every wanted page, on all threads of the current pool. Returns the results in
/// the order of the archives, each with the gold pages that belong to it.
pub(crate) fn for_each_page<'w, W, R: Send>(
    archives: &[PathBuf],
    wanted: &'w GoldById<'_>,
    new_workspace: impl Fn() -> W + Sync + Send,
    work: impl Fn(&mut W, &'w [usize], &str) -> R + Sync + Send,
) -> Result<(Vec<PageWorkResult<'w, R>>, UnmatchedPages), EvalError> {
    for_each_page_until(&AtomicBool::new(false), archives, wanted, new_workspace, work)
}

/// Does the same as [`for_each_page`] until another thread sets `stop`. Then reading ends with
/// [`EvalError::Interrupted`], and no more pages reach `work`.
pub(crate) fn for_each_page_until<'w, W, R: Send>(
    stop: &AtomicBool,
    archives: &[PathBuf],
    wanted: &'w GoldById<'_>,
    new_workspace: impl Fn() -> W + Sync + Send,
    work: impl Fn(&mut W, &'w [usize], &str) -> R + Sync + Send,
) -> Result<(Vec<PageWorkResult<'w, R>>, UnmatchedPages), EvalError> {
    let limits = Limits::default();
    let archives = archives.iter();
    let batches = Batches { archives, stream: None, limits: &limits, number: 0, stop };
    let products = batches.par_bridge().map_init(
        || (Reader::new(&limits), new_workspace()),
        |(reader, workspace), batch| {
            let (number, mut batch) = batch?;
            let mut page_results = Vec::new();
            let mut visitor = PageVisitor {
                reader,
                wanted,
                leftovers: UnmatchedPages::default(),
                take: |pages, html: &str| {
                    if !stop.load(Ordering::Relaxed) {
                        page_results.push((pages, work(workspace, pages, html)));
                    }
                },
            };
            // A stream fills batches of plain records, and the unpacker always visits all of them.
            let _ = Unpacker::new(&limits).unpack(&mut batch, &mut visitor);
            let leftovers = visitor.leftovers;
            Ok::<_, EvalError>((number, page_results, leftovers))
        },
    );
    let mut products = products.collect::<Result<Vec<_>, _>>()?;
    products.sort_unstable_by_key(|(number, ..)| *number);
    let mut unmatched = UnmatchedPages::default();
    let mut seen_pages = HashSet::new();
    let mut results = Vec::new();
    for (_, page_results, leftovers) in products {
        unmatched.without_gold += leftovers.without_gold;
        unmatched.damaged += leftovers.damaged;
        for (pages, result) in page_results {
            if seen_pages.insert(pages[0]) {
                results.push((pages, result));
            } else {
                unmatched.repeated += 1;
            }
        }
    }
    Ok((results, unmatched))
}

/// The batches of all archives, numbered.
struct Batches<'a> {
    archives: std::slice::Iter<'a, PathBuf>,
    stream: Option<RecordStream>,
    limits: &'a Limits,
    /// Number of batches so far.
    number: u64,
    /// Ends reading.
    stop: &'a AtomicBool,
}

impl Batches<'_> {
    fn read(&mut self) -> Result<Option<Batch>, EvalError> {
        loop {
            if self.stop.load(Ordering::Relaxed) {
                return Err(EvalError::Interrupted);
            }
            if let Some(stream) = &mut self.stream {
                let mut batch = Batch::default();
                if stream.next_batch(&mut batch)? {
                    return Ok(Some(batch));
                }
                self.stream = None;
            }
            let Some(path) = self.archives.next() else { return Ok(None) };
            self.stream = Some(Input::open(path, self.limits)?.into_stream()?);
        }
    }
}

impl Iterator for Batches<'_> {
    type Item = Result<(u64, Batch), EvalError>;

    fn next(&mut self) -> Option<Self::Item> {
        let batch = self.read();
        if batch.is_err() {
            // An error ends the run, so reading stops.
            self.stream = None;
            self.archives = [].iter();
        }
        self.number += 1;
        batch.map(|batch| batch.map(|batch| (self.number, batch))).transpose()
    }
}

/// Buffers for reading pages.
struct Reader {
    pages: PageReader,
    utf8: String,
}

impl Reader {
    fn new(limits: &Limits) -> Reader {
        Reader { pages: PageReader::new(limits, JsonlKeys::default(), false), utf8: String::new() }
    }
}

struct PageVisitor<'a, 'w, F> {
    reader: &'a mut Reader,
    wanted: &'w GoldById<'w>,
    leftovers: UnmatchedPages,
    take: F,
}

impl<'w, F: FnMut(&'w [usize], &str)> PageVisitor<'_, 'w, F> {
    fn warc_page(&mut self, header: &WarcHeader<'_>, block: &mut [u8], pages: Option<&'w [usize]>) {
        let Reader { pages: reader, utf8 } = &mut *self.reader;
        let Ok(record) = reader.html_record(header, block) else { return };
        let Some(pages) = pages else {
            self.leftovers.without_gold += 1;
            return;
        };
        let page = match reader.decoded(header, record, &mut ()) {
            Ok(page) => page,
            Err(why) => {
                self.leftovers.damaged += u64::from(matches!(why, NoPageReason::Body(_)));
                return;
            }
        };
        let url = page.url.map(utf8_or_latin1);
        (self.take)(pages, page.text(url.as_deref(), MAX_PAGE_BYTES, utf8).text);
    }

    fn pages_of(&self, id: &str) -> Option<&'w [usize]> {
        let wanted = self.wanted;
        wanted.get(id).or_else(|| wanted.get(bare_record_id(id))).map(Vec::as_slice)
    }
}

impl<'w, F: FnMut(&'w [usize], &str)> Visitor for PageVisitor<'_, 'w, F> {
    fn record(&mut self, record: Record<'_>) {
        let Some(header) = WarcHeader::parse(record.header) else { return };
        let id = header.record_id().and_then(|id| std::str::from_utf8(id).ok());
        let pages = id.and_then(|id| self.pages_of(id));
        self.warc_page(&header, record.block, pages);
    }

    fn line(&mut self, line: &[u8], _: Position) {
        let wanted = self.wanted;
        let Reader { pages: reader, utf8 } = &mut *self.reader;
        let Ok(page) = reader.line(line) else {
            self.leftovers.damaged += 1;
            return;
        };
        let id = page.id.and_then(|id| std::str::from_utf8(id).ok());
        match id.and_then(|id| wanted.get(id).or_else(|| wanted.get(bare_record_id(id)))) {
            Some(pages) => (self.take)(pages, page.text(None, MAX_PAGE_BYTES, utf8).text),
            None => self.leftovers.without_gold += 1,
        }
    }

    fn fault(&mut self, _: &Fault) {
        self.leftovers.damaged += 1;
    }
}
