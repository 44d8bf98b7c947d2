//! `huller get`: returns the bytes from which a row was made.

use crate::args::GetArgs;
use crate::exit::{Exit, eprint_line, message};
use crate::record_place::{FoundEntry, RecordPlace};
use crate::usage_error::UsageError;
use anyhow::{Result, anyhow};
use huller_archive::RawPage;
use huller_pipeline::{Pages, Settings};
use serde::Deserialize;
use std::io::{self, Write};

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

/// Returns the requested part of the record at the offset.
fn find(args: &GetArgs) -> Result<Vec<u8>> {
    let record_place = RecordPlace {
        input: &args.input,
        offset: args.offset,
        in_stream: args.stream,
        most_bytes: None,
    };
    if args.page {
        return Ok(record_place.page(|page| page.bytes().to_vec())?);
    }
    if args.text {
        return record_place.page(|page| main_text(args, page))?;
    }
    Ok(record_place.entry(|entry| FoundEntry::bytes(&entry))?)
}

/// Returns the main text with a line end, or the bytes of a text that was extracted earlier.
fn main_text(args: &GetArgs, page: RawPage<'_>) -> Result<Vec<u8>> {
    #[derive(Deserialize)]
    struct Row {
        text: String,
    }
    if page.is_plain_text() {
        return Ok(page.bytes().to_vec());
    }
    let extractor = huller_extract::find(&args.extractor).ok_or_else(|| {
        UsageError(format!(
            "unknown extractor '{}'; `huller extractors` lists them",
            args.extractor
        ))
    })?;
    let mut row = Vec::new();
    Pages::new(Settings::new(vec![extractor]))
        .read_page(page, &mut row)
        .map_err(|reason| anyhow!("the page yields no row: {}", reason.name()))?;
    let Row { text } = serde_json::from_slice(&row)?;
    Ok([text.as_bytes(), b"\n"].concat())
}
