//! `huller records`: lists the records of archives, or writes them to a new archive.

mod filter;
mod listing;
mod record_copier;
mod table;

use crate::args::RecordsArgs;
use crate::exit::{Exit, eprint_line, message};
use crate::stores::{READ_AHEAD, stores};
use crate::terminal::{print_waiting, printable, stdout_width, thousands};
use anyhow::Result;
use data_encoding::HEXLOWER;
use huller_archive::{
    ArchivedFile, Batch, BodyFault, Decoder, Fault, FileKind, HeadFault, Http, Input, JsonlKeys,
    Limits, PlannedRecord, Position, Record, RecordType, UnpackResult, Unpacker, Visitor,
    WarcHeader, redact_url, utf8_or_latin1,
};
use huller_corpus::RecordBuffer;
use huller_pipeline::{Job, JobSource, Plan, PlanOptions};
use huller_row::{JsonMembers, PageRecord, escape_controls};
use listing::Listing;
use record_copier::RecordCopier;
use sha1::{Digest, Sha1};
use std::borrow::Cow;
use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::Arc;
use table::RecordTable;

pub(crate) fn run(args: &RecordsArgs) -> Result<Exit> {
    let limits = Limits::default();
    let mut exit = Exit::Success;
    let stdout = io::BufWriter::new(io::stdout().lock());
    let table = (!args.json).then(|| RecordTable { width: stdout_width(), digest: args.digest });
    let decoder = Decoder::new();
    let (sources, are_all_there) = source_archives(args)?;
    if !are_all_there {
        exit = Exit::InputFailed;
    }
    let paths: Vec<_> = sources.iter().map(|source| source.path.clone()).collect();
    let copier =
        args.write.as_deref().map(|file| RecordCopier::create(file, &paths, args)).transpose()?;
    let keeper = copier.as_ref().map(RecordCopier::keeper).unwrap_or_default();
    let (result, read) = (Ok(()), 0);
    let mut lister =
        Lister { args, limits: &limits, decoder, stdout, table, keeper, copier, read, result };
    for source in &sources {
        let input = &source.path;
        if sources.len() > 1 && !args.json && args.write.is_none() {
            writeln!(lister.stdout, "{}:", printable(&redact_url(input).display().to_string()))?;
        }
        if input.as_os_str() == "-" {
            print_waiting();
        }
        if let Err(error) = list_records(source, &limits, &mut lister) {
            // Errors of the archive reader have their own type, so an `io::Error` is an error of
            // the output.
            if error.is::<io::Error>() {
                return Err(error);
            }
            eprint_line(&format!("error: {}", message(&error)));
            exit = Exit::InputFailed;
        }
    }
    lister.stdout.flush()?;
    let read = lister.read;
    if let Some(copier) = lister.copier {
        let written = copier.finish()?;
        eprint_line(&format!("{} of {} records written", thousands(written), thousands(read)));
    }
    Ok(exit)
}

/// An archive, and the records of it that an index names.
struct Source {
    path: PathBuf,
    records: Option<Arc<[PlannedRecord]>>,
}

/// Returns the archives in their order, and whether all that an index names are there.
fn source_archives(args: &RecordsArgs) -> Result<(Vec<Source>, bool)> {
    args.entries.check(false)?;
    if !args.entries.is_given() {
        let source = |path: &PathBuf| Source { path: path.clone(), records: None };
        return Ok((args.inputs.iter().map(source).collect(), true));
    }
    let index = args.entries.options(None);
    let plan = Plan::new(&[], &PlanOptions { index, ..PlanOptions::default() })?;
    for (name, error) in &plan.unusable {
        eprint_line(&format!("error: cannot use '{}': {error}", printable(name)));
    }
    let source = |job: Job| match job.source {
        JobSource::Indexed { path, records } => Some(Source { path, records: Some(records) }),
        _ => None,
    };
    Ok((plan.jobs.into_iter().filter_map(source).collect(), plan.unusable.is_empty()))
}

fn list_records(source: &Source, limits: &Limits, lister: &mut Lister<'_>) -> Result<()> {
    let path = source.path.as_path();
    let input = match &source.records {
        Some(records) => {
            Input::open_planned(&stores(READ_AHEAD), path, Arc::clone(records), limits)?
        }
        None if path.as_os_str() == "-" => Input::from_reader(Box::new(io::stdin()), limits)?,
        None => Input::open_in(&stores(READ_AHEAD), path, limits)?,
    };
    let mut stream = input.into_stream()?;
    match &mut lister.copier {
        Some(copier) => copier.begin(path, limits),
        None => {
            if let Some(table) = &lister.table {
                writeln!(lister.stdout, "{}", table.heading())?;
            }
        }
    }
    let mut walker = Unpacker::new(limits);
    let mut batch = Batch::default();
    while stream.next_batch(&mut batch)? {
        let unpacked = walker.unpack(&mut batch, lister);
        debug_assert_eq!(unpacked, UnpackResult::Complete, "a stream gives framed batches");
        std::mem::replace(&mut lister.result, Ok(()))?;
    }
    Ok(())
}

struct Lister<'a> {
    args: &'a RecordsArgs,
    limits: &'a Limits,
    decoder: Decoder,
    stdout: io::BufWriter<io::StdoutLock<'static>>,
    /// Formats lines for people. `None` writes JSON.
    table: Option<RecordTable>,
    /// Keeps the present record, whose bytes change when its page is decoded.
    keeper: RecordBuffer,
    /// The new archive. `None` prints a list.
    copier: Option<RecordCopier>,
    /// Number of records read.
    read: u64,
    /// The first error of the output.
    result: io::Result<()>,
}

impl Visitor for Lister<'_> {
    fn record(&mut self, record: Record<'_>) {
        let mut listing = listing_at(record.position);
        let mut keeper = std::mem::take(&mut self.keeper);
        let header = WarcHeader::parse(record.header);
        let kept_record = header.as_ref().and_then(|header| keeper.keep(header, &record));
        if let Some(header) = &header {
            listing.language = stated_languages(header, record.block);
            self.describe_record(header, record.block, &mut listing);
        }
        if let Some(repair) = record.repair {
            listing.error = Some(match repair {
                huller_archive::Repair::ContentLengthTooLong => {
                    "content_length_too_long (repaired)".to_owned()
                }
                huller_archive::Repair::ChecksumMismatch => {
                    "checksum_mismatch (repaired)".to_owned()
                }
                huller_archive::Repair::Truncated => "truncated (repaired)".to_owned(),
            });
        }
        self.show_entry(&listing, kept_record, record.position);
        self.keeper = keeper;
    }

    fn file(&mut self, file: ArchivedFile<'_>) {
        let ArchivedFile { name, kind, record } = file;
        let mut listing = listing_at(record.position);
        listing.kind = Some("file".to_owned());
        listing.uri = Some(name.to_owned());
        let mut kept_record = None;
        if kind == FileKind::Page {
            self.describe_payload(record.block, &mut listing);
            kept_record = self.keeper.keep_page(record.block, "text/html");
        }
        self.show_entry(&listing, kept_record, record.position);
    }

    fn line(&mut self, line: &[u8], position: Position) {
        let mut listing = listing_at(position);
        listing.kind = Some("line".to_owned());
        if let Ok(members) = serde_json::from_slice::<JsonMembers<'_>>(line) {
            let keys = JsonlKeys::default();
            let first_text = |names: &[String]| names.iter().find_map(|name| members.text(name));
            listing.uri = first_text(&keys.url).map(Cow::into_owned);
            listing.date = first_text(&keys.date).map(Cow::into_owned);
        }
        self.describe_payload(line, &mut listing);
        let kept_record = self.keeper.keep_page(line, "application/json");
        self.show_entry(&listing, kept_record, position);
    }

    fn fault(&mut self, fault: &Fault) {
        let mut listing = listing_at(fault.position);
        if let Some(header) = WarcHeader::parse(&fault.header) {
            self.describe_record(&header, &mut fault.block.clone(), &mut listing);
        }
        listing.error = Some(fault.detail.clone());
        self.show_entry(&listing, None, fault.position);
    }
}

fn listing_at(position: Position) -> Listing {
    let (offset, length) = position.member.unzip();
    Listing { offset, length, stream_offset: position.stream_offset, ..Listing::default() }
}

fn text(bytes: &[u8]) -> String {
    utf8_or_latin1(bytes).into_owned()
}

/// Returns the languages of a record, as its header or the HTTP head of its page states them.
fn stated_languages(header: &WarcHeader<'_>, block: &[u8]) -> Option<String> {
    const NAME: &[u8] = b"content-language:";
    if let Some(languages) = header.get("WARC-Identified-Content-Language") {
        return Some(text(languages));
    }
    if !block.starts_with(b"HTTP") {
        return None;
    }
    let lines = block.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii);
    let mut lines = lines.take_while(|line| !line.is_empty());
    let line = lines.find(|line| {
        line.get(..NAME.len()).is_some_and(|start| start.eq_ignore_ascii_case(NAME))
    })?;
    Some(text(line[NAME.len()..].trim_ascii()))
}

fn show_payload(args: &RecordsArgs, payload: &[u8], listing: &mut Listing) {
    listing.payload_len = Some(payload.len() as u64);
    if args.json || args.digest {
        listing.payload_sha1 = Some(HEXLOWER.encode(&Sha1::digest(payload)));
    }
}

impl Lister<'_> {
    fn describe_record(
        &mut self,
        header: &WarcHeader<'_>,
        block: &mut [u8],
        listing: &mut Listing,
    ) {
        listing.kind = header.get("WARC-Type").map(|kind| text(kind).to_ascii_lowercase());
        listing.uri = header.target_uri().map(text);
        listing.date = header.date().map(text);
        let is_http = block.get(..4).is_some_and(|start| start == b"HTTP");
        match header.record_type() {
            RecordType::Request => {}
            RecordType::Response | RecordType::Revisit if is_http => {
                self.describe_http(block, listing);
            }
            _ => {
                listing.content_type = header.content_type().map(text);
                self.describe_payload(block, listing);
            }
        }
        listing.html &= header.record_type() == RecordType::Response;
    }

    fn describe_http(&mut self, block: &mut [u8], listing: &mut Listing) {
        let (head, body) = Http::split(block, self.limits);
        listing.status = head.status;
        listing.content_type = head.content_type.map(text);
        listing.html = head.is_html();
        match self.decoder.decode(&head, body, self.limits) {
            Ok(body) => show_payload(self.args, body.bytes, listing),
            Err(fault) => {
                listing.error = Some(fault.to_string());
                // A header block without an end leaves an empty body.
                if fault == BodyFault::Head(HeadFault::Unterminated) {
                    show_payload(self.args, b"", listing);
                }
            }
        }
    }

    fn describe_payload(&self, payload: &[u8], listing: &mut Listing) {
        show_payload(self.args, payload, listing);
    }

    /// Prints a chosen entry, or writes its record. `kept_record` is `None` for an entry without
    /// one.
    fn show_entry(
        &mut self,
        listing: &Listing,
        kept_record: Option<PageRecord<'_>>,
        position: Position,
    ) {
        self.read += 1;
        if self.result.is_err() || !filter::takes(self.args, listing) {
            return;
        }
        self.result = match (&mut self.copier, kept_record) {
            (Some(copier), Some(kept_record)) => copier.add(kept_record, listing, position),
            (Some(_), None) => {
                let shown_offset = listing.offset.or(listing.stream_offset).unwrap_or_default();
                let why = listing.error.as_deref().unwrap_or("it is not a record");
                eprint_line(&format!("byte {shown_offset} was not written: {}", printable(why)));
                Ok(())
            }
            (None, _) => self.write(listing),
        };
    }

    fn write(&mut self, listing: &Listing) -> io::Result<()> {
        if let Some(table) = &self.table {
            return writeln!(self.stdout, "{}", table.line(listing));
        }
        let mut line = serde_json::to_vec(listing)?;
        escape_controls(&mut line, 0);
        line.push(b'\n');
        self.stdout.write_all(&line)
    }
}
