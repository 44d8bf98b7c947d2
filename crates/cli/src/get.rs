//! `huller get`: from a row back to the bytes that it was made of.

use crate::args::GetArgs;
use crate::exit::{Exit, eprint_line, message};
use crate::usage_error::UsageError;
use anyhow::{Context, Result, bail};
use huller_archive::{
    Batch, Decoder, Entry, Input, JsonlKeys, JsonlReader, Limits, PageRecord, Position, TextRecord,
    WarcHeader,
};
use huller_pipeline::{Html, Pages, Settings};
use serde::Deserialize;
use std::io::{self, Write};
use std::ops::Range;

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
    let limits = Limits::default();
    let input = Input::open(&args.input, &limits)?;
    let mut stream =
        if args.stream { input.into_stream()? } else { input.repair_at(args.offset)? };
    let mut batch = Batch::default();
    while stream.next_batch(&mut batch)? {
        for entry in &batch.entries {
            let position = match entry {
                Entry::Record { position, .. } | Entry::Line { position, .. } => position,
                Entry::Fault(fault) => &fault.position,
            };
            if place(position, args.stream) != Some(args.offset) {
                if args.stream {
                    continue;
                }
                bail!(nothing_at(args));
            }
            return match entry {
                Entry::Record { bytes, header, .. } => {
                    record(args, &mut batch.bytes[bytes.clone()], *header, &limits)
                }
                Entry::Line { bytes, .. } => line(args, &batch.bytes, bytes),
                Entry::Fault(fault) => bail!("the record is damaged: {}", fault.detail),
            };
        }
    }
    bail!(nothing_at(args))
}

fn place(position: &Position, in_stream: bool) -> Option<u64> {
    if in_stream { position.stream_offset } else { position.member.map(|(offset, _)| offset) }
}

fn nothing_at(args: &GetArgs) -> String {
    let (what, remedy) = if args.stream {
        ("of the decompressed stream", "a `warc_record_offset` is asked for without --stream")
    } else {
        ("", "the `stream_offset` of a row is asked for with --stream")
    };
    let blank = if what.is_empty() { "" } else { " " };
    format!(
        "no record of '{}' begins at byte {}{blank}{what}; `huller records` lists where they begin; {remedy}",
        args.input.display(),
        args.offset
    )
}

/// What was asked for of a record.
fn record(args: &GetArgs, bytes: &mut [u8], header: usize, limits: &Limits) -> Result<Vec<u8>> {
    if !args.page && !args.text {
        return Ok(bytes.to_vec());
    }
    let (head, block) = bytes.split_at_mut(header);
    let header = WarcHeader::parse(head).context("the record has no header")?;
    let url = header.target_uri().and_then(|url| std::str::from_utf8(url).ok());
    if let Some(text) = TextRecord::new(&header, block) {
        return Ok(text.bytes.to_vec());
    }
    let mut decoder = Decoder::new();
    let page = PageRecord::new(&header, block, true, limits)
        .and_then(|record| record.decode(&mut decoder, limits))
        .map_err(|why| anyhow::anyhow!("the record holds no page: {why}"))?;
    if args.page {
        return Ok(page.bytes.to_vec());
    }
    let charset = page.http_charset.and_then(|label| std::str::from_utf8(label).ok());
    text(args, Html::Bytes(page.bytes), url, charset)
}

/// What was asked for of a line of JSONL.
fn line(args: &GetArgs, bytes: &[u8], place: &Range<usize>) -> Result<Vec<u8>> {
    let line = &bytes[place.clone()];
    if !args.page && !args.text {
        return Ok([line, b"\n"].concat());
    }
    let mut reader = JsonlReader::new(JsonlKeys::default());
    let page = reader.read(line).map_err(|fault| anyhow::anyhow!("{fault}"))?;
    if args.page {
        return Ok(page.html.as_bytes().to_vec());
    }
    text(args, Html::Text(page.html), page.url, None)
}

/// The main text, with a line end.
fn text(
    args: &GetArgs,
    html: Html<'_>,
    url: Option<&str>,
    charset: Option<&str>,
) -> Result<Vec<u8>> {
    #[derive(Deserialize)]
    struct Row {
        text: String,
    }
    let method = huller_extract::find(&args.extractor).ok_or_else(|| {
        UsageError(format!(
            "no method is called '{}'; `huller extractors` lists them",
            args.extractor
        ))
    })?;
    let mut row = Vec::new();
    Pages::new(Settings::new(vec![method]))
        .read(html, url, charset, &mut row)
        .map_err(|reason| anyhow::anyhow!("the page gives no row: {}", reason.name()))?;
    let Row { text } = serde_json::from_slice(&row)?;
    Ok([text.as_bytes(), b"\n"].concat())
}
