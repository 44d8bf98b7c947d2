//! `huller records`: lists the records of an archive.

mod filter;
mod listing;
mod table;

use crate::args::RecordsArgs;
use crate::exit::{Exit, eprint_line, message};
use crate::stores::{READ_AHEAD, stores};
use crate::terminal::{printable, say_waiting, stdout_width};
use anyhow::Result;
use data_encoding::HEXLOWER;
use huller_archive::{
    ArchivedFile, Batch, BodyFault, Decoder, Fault, FileKind, HeadFault, Http, Input, JsonlKeys,
    Limits, Position, Record, RecordType, UnpackResult, Unpacker, Visitor, WarcHeader, redact_url,
    utf8_or_latin1,
};
use huller_row::{JsonMembers, escape_controls};
use listing::Listing;
use sha1::{Digest, Sha1};
use std::borrow::Cow;
use std::io::{self, Write};
use std::path::Path;
use table::RecordTable;

pub(crate) fn run(args: &RecordsArgs) -> Result<Exit> {
    let limits = Limits::default();
    let mut exit = Exit::Success;
    let stdout = io::BufWriter::new(io::stdout().lock());
    let table = (!args.json).then(|| RecordTable { width: stdout_width(), digest: args.digest });
    let decoder = Decoder::new();
    let mut lister = Lister { args, limits: &limits, decoder, stdout, table, result: Ok(()) };
    for input in &args.inputs {
        if args.inputs.len() > 1 && !args.json {
            writeln!(lister.stdout, "{}:", printable(&redact_url(input).display().to_string()))?;
        }
        if input.as_os_str() == "-" {
            say_waiting();
        }
        if let Err(error) = list(input, &limits, &mut lister) {
            // Errors of the archive reader have their own type, so an `io::Error` is an error of
            // standard output.
            if error.is::<io::Error>() {
                return Err(error);
            }
            eprint_line(&format!("error: {}", message(&error)));
            exit = Exit::InputFailed;
        }
    }
    lister.stdout.flush()?;
    Ok(exit)
}

fn list(path: &Path, limits: &Limits, lister: &mut Lister<'_>) -> Result<()> {
    let input = if path.as_os_str() == "-" {
        Input::from_reader(Box::new(io::stdin()), limits)?
    } else {
        Input::open_in(&stores(READ_AHEAD), path, limits)?
    };
    let mut stream = input.into_stream()?;
    if let Some(table) = &lister.table {
        writeln!(lister.stdout, "{}", table.heading())?;
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
    /// The first error of standard output.
    result: io::Result<()>,
}

impl Visitor for Lister<'_> {
    fn record(&mut self, record: Record<'_>) {
        let mut listing = listing_at(record.position);
        if let Some(header) = WarcHeader::parse(record.header) {
            self.describe(&header, record.block, &mut listing);
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
        self.show(&listing);
    }

    fn file(&mut self, file: ArchivedFile<'_>) {
        let ArchivedFile { name, kind, record } = file;
        let mut listing = listing_at(record.position);
        listing.kind = Some("file".to_owned());
        listing.uri = Some(name.to_owned());
        if kind == FileKind::Page {
            self.payload(record.block, &mut listing);
        }
        self.show(&listing);
    }

    fn line(&mut self, line: &[u8], position: Position) {
        let mut listing = listing_at(position);
        listing.kind = Some("line".to_owned());
        if let Ok(members) = serde_json::from_slice::<JsonMembers<'_>>(line) {
            let keys = JsonlKeys::default();
            let said = |names: &[String]| names.iter().find_map(|name| members.text(name));
            listing.uri = said(&keys.url).map(Cow::into_owned);
            listing.date = said(&keys.date).map(Cow::into_owned);
        }
        self.payload(line, &mut listing);
        self.show(&listing);
    }

    fn fault(&mut self, fault: &Fault) {
        let mut listing = listing_at(fault.position);
        if let Some(header) = WarcHeader::parse(&fault.header) {
            self.describe(&header, &mut fault.block.clone(), &mut listing);
        }
        listing.error = Some(fault.detail.clone());
        self.show(&listing);
    }
}

fn listing_at(position: Position) -> Listing {
    let (offset, length) = position.member.unzip();
    Listing { offset, length, stream_offset: position.stream_offset, ..Listing::default() }
}

fn text(bytes: &[u8]) -> String {
    utf8_or_latin1(bytes).into_owned()
}

fn show_payload(args: &RecordsArgs, payload: &[u8], listing: &mut Listing) {
    listing.payload_len = Some(payload.len() as u64);
    if args.json || args.digest {
        listing.payload_sha1 = Some(HEXLOWER.encode(&Sha1::digest(payload)));
    }
}

impl Lister<'_> {
    fn describe(&mut self, header: &WarcHeader<'_>, block: &mut [u8], listing: &mut Listing) {
        listing.kind = header.get("WARC-Type").map(|kind| text(kind).to_ascii_lowercase());
        listing.uri = header.target_uri().map(text);
        listing.date = header.date().map(text);
        let is_http = block.get(..4).is_some_and(|start| start == b"HTTP");
        match header.record_type() {
            RecordType::Request => {}
            RecordType::Response | RecordType::Revisit if is_http => self.http(block, listing),
            _ => {
                listing.content_type = header.content_type().map(text);
                self.payload(block, listing);
            }
        }
        listing.html &= header.record_type() == RecordType::Response;
    }

    fn http(&mut self, block: &mut [u8], listing: &mut Listing) {
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

    fn payload(&self, payload: &[u8], listing: &mut Listing) {
        show_payload(self.args, payload, listing);
    }

    fn show(&mut self, listing: &Listing) {
        if self.result.is_ok() && filter::takes(self.args, listing) {
            self.result = self.write(listing);
        }
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
