//! `huller explain`: shows why the blocks of a page were kept or not.

mod find;
mod outline;

use crate::args::ExplainArgs;
use crate::exit::Exit;
use crate::output_file::OutputFile;
use crate::stores::{READ_AHEAD, stores};
use crate::terminal::{Screen, print_waiting, printable};
use crate::usage_error::UsageError;
use anyhow::{Context, Result, bail};
use huller_archive::{
    Input, Limits, PageContent, RawPage, SEARCHED_BYTES, is_binary, looks_like_html, redact_url,
};
use huller_eval::diff::{Diff, PieceKind, diff};
use huller_pipeline::{Config, Pages, ProfileChoice};
use huller_report::{Explanation, Piece};
use serde::Deserialize;
use std::io::{self, Cursor, Read};
use std::iter;
use std::path::Path;

pub(crate) fn run(args: &ExplainArgs) -> Result<Exit> {
    let (row, source) = requested_row(args)?;
    let gold = args.gold.as_deref().map(read_gold).transpose()?;
    let gold = gold.map(|gold| against_gold(&gold, &row)).transpose()?.unwrap_or_default();
    let Some(output) = &args.output else {
        outline::write(&row, Screen::for_stdout(), &mut io::stdout().lock())?;
        return Ok(Exit::Success);
    };
    let html = Explanation { row: &row, source: &source, gold: &gold }.to_html()?;
    let inputs = iter::once(&args.page).chain(&args.gold);
    OutputFile::write_whole(output, inputs, html.as_bytes())?;
    Ok(Exit::Success)
}

/// Returns the row of the requested page, and the source of the page.
fn requested_row(args: &ExplainArgs) -> Result<(String, String)> {
    let file = redact_url(&args.page).display().to_string();
    let (row, source) = match &args.record {
        None => {
            let max_page_bytes = huller_pipeline::Settings::new(Vec::new()).max_page_bytes;
            let bytes = read_page(&args.page, max_page_bytes)?;
            refuse_archive(&args.page, &bytes)?;
            if bytes.len() > max_page_bytes {
                crate::exit::eprint_line(&format!(
                    "note: the page is cut off after {max_page_bytes} bytes"
                ));
            }
            let page = RawPage::new(PageContent::Html { bytes: &bytes, charset: None });
            (explained(page_as_requested(args, page), &args.extractors, args.profile), file)
        }
        Some(wanted) => {
            let record_place = find::place(&args.page, wanted)?;
            let row = record_place.page(|page| {
                explained(page_as_requested(args, page), &args.extractors, args.profile)
            })?;
            (row, format!("{file}, byte {}", record_place.offset))
        }
    };
    let row = row.with_context(|| format!("'{}' yields no row", printable(&source)))?;
    Ok((row, source))
}

/// Returns a page with the URL and the charset that were given for it.
fn page_as_requested<'p>(args: &'p ExplainArgs, page: RawPage<'p>) -> RawPage<'p> {
    let charset = args.charset.as_deref().map(str::as_bytes);
    let content = match page.content {
        // Plain text is treated as a page, since it would otherwise have no blocks to explain.
        PageContent::PlainText { bytes, .. } => PageContent::Html { bytes, charset },
        PageContent::Html { .. } | PageContent::Decoded(_) if charset.is_some() => {
            PageContent::Html { bytes: page.bytes(), charset }
        }
        content => content,
    };
    RawPage { content, url: args.url.as_deref().map(str::as_bytes).or(page.url), ..page }
}

/// Returns the row of a page with all its fields, or the reason why the page has no row.
pub(crate) fn explained(
    page: RawPage<'_>,
    extractors: &[String],
    profile: ProfileChoice,
) -> Result<String> {
    let config = Config {
        extractor: Some(extractors.to_vec()),
        profile: Some(profile),
        blocks: Some(true),
        markdown: Some(true),
        html: Some(true),
        ..Config::default()
    };
    let mut settings = config.settings().map_err(|error| UsageError(error.to_string()))?;
    settings.terms = true;
    let mut rows = Vec::new();
    if let Err(reason) = Pages::new(settings).read_page(page, &mut rows) {
        bail!("{}", reason.name());
    }
    String::from_utf8(rows).context("rows are UTF-8")
}

/// Reads the bytes of a page, at most one more than `max_bytes`.
fn read_page(path: &Path, max_bytes: usize) -> Result<Vec<u8>> {
    let mut html = Vec::new();
    let input: Box<dyn Read> = if path.as_os_str() == "-" {
        print_waiting();
        Box::new(io::stdin())
    } else {
        Box::new(stores(READ_AHEAD).open(path).map_err(|error| unreadable_input(path, &error))?)
    };
    let read = input.take(max_bytes as u64 + 1).read_to_end(&mut html);
    read.map_err(|error| unreadable_input(path, &error))?;
    Ok(html)
}

/// Refuses inputs that hold several pages, and inputs that are not text, whose blocks would be
/// noise.
fn refuse_archive(path: &Path, bytes: &[u8]) -> Result<()> {
    if looks_like_html(bytes) {
        return Ok(());
    }
    let limits = Limits::default();
    let input = if path.as_os_str() == "-" {
        let head = bytes[..bytes.len().min(SEARCHED_BYTES)].to_vec();
        Input::from_reader(Box::new(Cursor::new(head)), &limits)
    } else {
        Input::open_in(&stores(READ_AHEAD), path, &limits)
    };
    let name = redact_url(path).display().to_string();
    if input.is_ok() {
        bail!(
            "'{name}' holds records, not a single page: choose one with --record by offset, URL \
             or id; `huller records` lists them"
        );
    }
    if is_binary(bytes) {
        bail!("'{name}' is not an HTML page, or is compressed: decompress it first");
    }
    Ok(())
}

/// Makes the error of an input. An `io::Error` would count as an error of the output.
fn unreadable_input(path: &Path, error: &io::Error) -> anyhow::Error {
    anyhow::anyhow!("cannot read '{}': {error}", redact_url(path).display())
}

fn read_gold(path: &Path) -> Result<String> {
    std::fs::read_to_string(path).map_err(|error| unreadable_input(path, &error))
}

#[derive(Deserialize)]
struct WithText {
    text: String,
}

/// Compares the text of a row with its gold text.
fn against_gold(gold: &str, row: &str) -> Result<Vec<Piece>> {
    let WithText { text } = serde_json::from_str(row)?;
    let compared: Diff = diff(gold, &text);
    let left_out: Vec<_> = compared.omissions().collect();
    let pieces = compared.pieces.into_iter().chain(left_out);
    Ok(pieces.map(|piece| Piece { kind: report_kind(piece.kind), text: piece.text }).collect())
}

fn report_kind(kind: PieceKind) -> huller_report::PieceKind {
    match kind {
        PieceKind::Same => huller_report::PieceKind::Same,
        PieceKind::Missing => huller_report::PieceKind::Missing,
        PieceKind::Extra => huller_report::PieceKind::Extra,
        PieceKind::Omitted => huller_report::PieceKind::Omitted,
    }
}
