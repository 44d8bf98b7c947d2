//! `huller records`: what an archive holds, record by record.

use crate::args::RecordsArgs;
use crate::exit::{Exit, eprint_line, message};
use crate::terminal::printable;
use anyhow::Result;
use data_encoding::HEXLOWER;
use huller_archive::{
    Batch, BodyFault, Decoder, Fault, HeadFault, Http, Input, Limits, Position, Record, RecordType,
    Unpacked, Unpacker, Visitor, WarcHeader,
};
use huller_pipeline::escape_controls;
use serde::Serialize;
use sha1::{Digest, Sha1};
use std::io::{self, Write};
use std::path::Path;

/// One record. The order of the fields is that of the JSON.
#[derive(Serialize, Default)]
struct Listing {
    offset: Option<u64>,
    length: Option<u64>,
    stream_offset: Option<u64>,
    #[serde(rename = "type")]
    kind: Option<String>,
    uri: Option<String>,
    date: Option<String>,
    status: Option<u16>,
    content_type: Option<String>,
    payload_len: Option<u64>,
    payload_sha1: Option<String>,
    /// By the HTTP Content-Type only.
    html: bool,
    error: Option<String>,
}

pub(crate) fn run(args: &RecordsArgs) -> Result<Exit> {
    let limits = Limits::default();
    let mut exit = Exit::Success;
    let stdout = io::BufWriter::new(io::stdout().lock());
    let mut lister =
        Lister { args, limits: &limits, decoder: Decoder::new(), stdout, result: Ok(()) };
    for input in &args.inputs {
        if args.inputs.len() > 1 && !args.json {
            writeln!(lister.stdout, "{}:", printable(&input.display().to_string()))?;
        }
        if let Err(error) = list(input, &limits, &mut lister) {
            // What the archive reader says is of its own type: this is standard output.
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
        Input::open(path, limits)?
    };
    let mut stream = input.into_stream()?;
    let mut walker = Unpacker::new(limits);
    let mut batch = Batch::default();
    while stream.next_batch(&mut batch)? {
        let unpacked = walker.unpack(&mut batch, lister);
        debug_assert_eq!(unpacked, Unpacked::Complete, "a stream gives framed batches");
        std::mem::replace(&mut lister.result, Ok(()))?;
    }
    Ok(())
}

struct Lister<'a> {
    args: &'a RecordsArgs,
    limits: &'a Limits,
    decoder: Decoder,
    stdout: io::BufWriter<io::StdoutLock<'static>>,
    /// The first failure to write.
    result: io::Result<()>,
}

impl Visitor for Lister<'_> {
    fn record(&mut self, record: Record<'_>) {
        let mut listing = at(record.position);
        if let Some(header) = WarcHeader::parse(record.header) {
            self.describe(&header, record.block, &mut listing);
        }
        if let Some(repair) = record.repair {
            listing.error = Some(match repair {
                huller_archive::Repair::ContentLengthTooLong => {
                    "content_length_too_long (mended)".to_owned()
                }
                huller_archive::Repair::ChecksumMismatch => "checksum_mismatch (mended)".to_owned(),
            });
        }
        self.show(&listing);
    }

    fn line(&mut self, line: &[u8], position: Position) {
        let mut listing = at(position);
        listing.kind = Some("line".to_owned());
        self.payload(line, &mut listing);
        self.show(&listing);
    }

    fn fault(&mut self, fault: &Fault) {
        let mut listing = at(fault.position);
        if let Some(header) = WarcHeader::parse(&fault.header) {
            self.describe(&header, &mut fault.block.clone(), &mut listing);
        }
        listing.error = Some(fault.detail.clone());
        self.show(&listing);
    }
}

fn at(position: Position) -> Listing {
    let (offset, length) = position.member.unzip();
    Listing { offset, length, stream_offset: position.stream_offset, ..Listing::default() }
}

fn text(bytes: &[u8]) -> String {
    bytes.utf8_chunks().fold(String::new(), |mut text, chunk| {
        text.push_str(chunk.valid());
        if !chunk.invalid().is_empty() {
            text.push(char::REPLACEMENT_CHARACTER);
        }
        text
    })
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
                // After a head without end there is nothing.
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
        if self.result.is_ok() {
            self.result = self.write(listing);
        }
    }

    fn write(&mut self, listing: &Listing) -> io::Result<()> {
        if self.args.json {
            let mut line = serde_json::to_vec(listing)?;
            escape_controls(&mut line, 0);
            line.push(b'\n');
            return self.stdout.write_all(&line);
        }
        let number =
            |value: Option<u64>| value.map_or_else(|| "-".to_owned(), |value| value.to_string());
        write!(
            self.stdout,
            "{:>12} {:>9} {:<12} {:>3} ",
            number(listing.offset.or(listing.stream_offset)),
            number(listing.payload_len),
            printable(listing.kind.as_deref().unwrap_or("-")),
            number(listing.status.map(u64::from)),
        )?;
        if self.args.digest {
            write!(self.stdout, "{:<40} ", listing.payload_sha1.as_deref().unwrap_or("-"))?;
        }
        write!(self.stdout, "{}", printable(listing.uri.as_deref().unwrap_or("-")))?;
        if let Some(error) = &listing.error {
            write!(self.stdout, "  [{}]", printable(error))?;
        }
        writeln!(self.stdout)
    }
}
