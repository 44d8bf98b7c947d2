//! `huller get`: from a row back to the bytes that it was made of.

use crate::args::GetArgs;
use crate::exit::{Exit, eprint_line, message};
use crate::stores::{READ_AHEAD, stores};
use crate::usage_error::UsageError;
use anyhow::{Context, Result, bail};
use huller_archive::{
    Batch, Decoder, Entry, FaultReason, FileKind, Input, JsonlKeys, JsonlReader, Limits,
    PageRecord, Position, TextRecord, WarcHeader, shown, utf8_or_latin1,
};
use huller_pipeline::{Html, Pages, Settings};
use serde::Deserialize;
use std::io::{self, Write};
use std::path::Path;

pub(crate) fn run(args: &GetArgs) -> Result<Exit> {
    match find(args) {
        Ok(bytes) => {
            let mut stdout = io::stdout().lock();
            stdout.write_all(&bytes)?;
            stdout.flush()?;
            Ok(Exit::Success)
        }
        Err(error) if error.is::<UsageError>() => Err(error),
        Err(error) => {
            eprint_line(&format!("error: {}", message(&error)));
            Ok(Exit::InputFailed)
        }
    }
}

/// What was asked for of the record at the offset.
fn find(args: &GetArgs) -> Result<Vec<u8>> {
    let place = Place { input: &args.input, offset: args.offset, in_stream: args.stream };
    if args.page {
        return Ok(page(place)?.bytes);
    }
    if args.text {
        return text(args, page(place)?);
    }
    place.record(|bytes, record| {
        Ok(match record {
            Record::Warc(_) => bytes.to_vec(),
            // Its header was made up here.
            Record::File(header) => bytes[header..].to_vec(),
            Record::Line => [&*bytes, b"\n"].concat(),
        })
    })
}

/// Where a record begins.
#[derive(Clone, Copy)]
pub(crate) struct Place<'a> {
    pub(crate) input: &'a Path,
    /// Byte of the file, or of what it is decompressed to.
    pub(crate) offset: u64,
    pub(crate) in_stream: bool,
}

/// What a record is.
enum Record {
    /// One of WARC or ARC, with so many bytes of header.
    Warc(usize),
    /// A file of a ZIP or tar file, after a header of so many bytes.
    File(usize),
    /// A line of JSONL.
    Line,
}

/// A page as the server had it: without HTTP head, chunks and content encodings.
pub(crate) struct Found {
    pub(crate) bytes: Vec<u8>,
    pub(crate) url: Option<String>,
    /// What HTTP says of its encoding. A page of JSONL is UTF-8.
    pub(crate) charset: Option<String>,
    /// It is text that was extracted before, as WET files have it.
    is_text: bool,
}

impl Place<'_> {
    /// Passes on the record that begins there.
    fn record<T>(self, with: impl FnOnce(&mut [u8], Record) -> Result<T>) -> Result<T> {
        let limits = Limits::default();
        let input = Input::open_in(&stores(READ_AHEAD), self.input, &limits)?;
        let mut stream =
            if self.in_stream { input.into_stream()? } else { input.repair_at(self.offset)? };
        let mut batch = Batch::default();
        while stream.next_batch(&mut batch)? {
            for entry in &batch.entries {
                let position = match entry {
                    Entry::Record { position, .. }
                    | Entry::Line { position, .. }
                    | Entry::File { position, .. } => position,
                    Entry::Fault(fault) => &fault.position,
                };
                if self.of(position) != Some(self.offset) {
                    if self.in_stream {
                        continue;
                    }
                    bail!(self.nothing());
                }
                return match entry {
                    Entry::Record { bytes, header, .. } => {
                        with(&mut batch.bytes[bytes.clone()], Record::Warc(*header))
                    }
                    Entry::File { kind: FileKind::Page, bytes, header, .. } => {
                        with(&mut batch.bytes[bytes.clone()], Record::File(*header))
                    }
                    Entry::File { .. } => bail!("the file that begins there is no HTML page"),
                    Entry::Line { bytes, .. } => {
                        with(&mut batch.bytes[bytes.clone()], Record::Line)
                    }
                    Entry::Fault(fault) if fault.reason == FaultReason::Garbage => {
                        bail!(self.nothing())
                    }
                    Entry::Fault(fault) => bail!("the record is damaged: {}", fault.detail),
                };
            }
        }
        bail!(self.nothing())
    }

    fn of(self, position: &Position) -> Option<u64> {
        if self.in_stream {
            position.stream_offset
        } else {
            position.member.map(|(offset, _)| offset)
        }
    }

    fn nothing(self) -> String {
        let (what, remedy) = if self.in_stream {
            (" of the decompressed stream", "a `warc_record_offset` is asked for without --stream")
        } else {
            (
                "",
                "a `stream_offset`, which it shows where a record has no place of its own in the file, is asked for with --stream",
            )
        };
        format!(
            "no record of '{}' begins at byte {}{what}; `huller records` lists where they begin; {remedy}",
            shown(self.input).display(),
            self.offset
        )
    }
}

/// The page of the record that begins there.
pub(crate) fn page(place: Place<'_>) -> Result<Found> {
    place.record(|bytes, record| match record {
        Record::Warc(header) | Record::File(header) => page_of_record(bytes, header),
        Record::Line => page_of_line(bytes),
    })
}

fn page_of_record(bytes: &mut [u8], header: usize) -> Result<Found> {
    let limits = Limits::default();
    let (head, block) = bytes.split_at_mut(header);
    let header = WarcHeader::parse(head).context("the record has no header")?;
    let url = header.target_uri().map(|url| utf8_or_latin1(url).into_owned());
    if let Some(text) = TextRecord::new(&header, block) {
        return Ok(Found { bytes: text.bytes.to_vec(), url, charset: None, is_text: true });
    }
    let mut decoder = Decoder::new();
    let page = PageRecord::new(&header, block, true, &limits)
        .and_then(|record| record.decode(&mut decoder, &limits))
        .map_err(|why| anyhow::anyhow!("the record holds no page: {why}"))?;
    let charset = page.http_charset.and_then(|label| std::str::from_utf8(label).ok());
    let charset = charset.map(str::to_owned);
    Ok(Found { bytes: page.bytes.to_vec(), url, charset, is_text: false })
}

fn page_of_line(line: &[u8]) -> Result<Found> {
    let mut reader = JsonlReader::new(JsonlKeys::default());
    let page = reader.read(line).map_err(|fault| anyhow::anyhow!("{fault}"))?;
    Ok(Found {
        bytes: page.html.as_bytes().to_vec(),
        url: page.url.map(str::to_owned),
        charset: Some("utf-8".to_owned()),
        is_text: false,
    })
}

/// The main text, with a line end.
fn text(args: &GetArgs, page: Found) -> Result<Vec<u8>> {
    #[derive(Deserialize)]
    struct Row {
        text: String,
    }
    if page.is_text {
        return Ok(page.bytes);
    }
    let method = huller_extract::find(&args.extractor).ok_or_else(|| {
        UsageError(format!(
            "no method is called '{}'; `huller extractors` lists them",
            args.extractor
        ))
    })?;
    let mut row = Vec::new();
    let (url, charset) = (page.url.as_deref(), page.charset.as_deref());
    Pages::new(Settings::new(vec![method]))
        .read(Html::Bytes(&page.bytes), url, charset, &mut row)
        .map_err(|reason| anyhow::anyhow!("the page gives no row: {}", reason.name()))?;
    let Row { text } = serde_json::from_slice(&row)?;
    Ok([text.as_bytes(), b"\n"].concat())
}
