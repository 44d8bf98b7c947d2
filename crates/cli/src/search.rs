//! `huller search`: prints the rows of an index that match a query.

use crate::args::SearchArgs;
use crate::exit::{Exit, eprint_line};
use crate::terminal::{Screen, printable, shorten};
use anyhow::Result;
use huller_index::{Filter, Query, SearchHit, Searcher, Snippet};
use serde_json::json;
use std::io::{BufWriter, Write, stdout};

/// Escape sequences that begin and end bold text.
const BOLD: [&str; 2] = ["\u{1b}[1m", "\u{1b}[0m"];

pub(crate) fn run(args: &SearchArgs) -> Result<Exit> {
    let query = Query::parse(&args.query).map_err(huller_index::IndexError::from)?;
    let searcher = Searcher::open(&args.index)?;
    let hits = searcher.search(&query, &args.filter(), 0, args.limit as usize)?;
    let mut out = BufWriter::new(stdout().lock());
    let screen = Screen::for_stdout();
    for (at, hit) in hits.iter().enumerate() {
        if args.json {
            writeln!(out, "{}", as_json(hit))?;
        } else {
            write_hit(&mut out, at + 1, hit, screen)?;
        }
    }
    out.flush()?;
    if hits.is_empty() && !args.json {
        eprint_line("no results");
        for (option, field, value) in args.exact() {
            let rows = Query::parse(&format!("{field}:{value}"))
                .map(|query| searcher.search(&query, &Filter::default(), 0, 1));
            if rows.is_ok_and(|rows| rows.is_ok_and(|rows| rows.is_empty())) {
                eprint_line(&format!(
                    "hint: {option} compares the field `{}`, and no row has the value '{}'",
                    if field == "lang" { "language" } else { "page_type" },
                    printable(value)
                ));
            }
        }
    }
    Ok(Exit::Success)
}

/// Returns a hit as a line of JSON. Control characters are escaped by JSON itself.
fn as_json(hit: &SearchHit) -> serde_json::Value {
    let marks: Vec<_> =
        hit.snippet.marks.iter().map(|mark| json!([mark.start, mark.end])).collect();
    json!({
        "id": hit.id,
        "url": hit.url,
        "title": hit.title,
        "score": hit.score,
        "snippet": hit.snippet.text,
        "marks": marks,
        "date": hit.date,
        "language": hit.language,
        "page_type": hit.page_type,
        "row": hit.row,
        "warc_filename": hit.warc_filename,
        "warc_record_offset": hit.warc_record_offset,
    })
}

/// Writes a hit for people: number and title, URL, snippet.
fn write_hit(
    out: &mut impl Write,
    number: usize,
    hit: &SearchHit,
    screen: Screen,
) -> std::io::Result<()> {
    let [bold, end] = if screen.is_coloured { BOLD } else { [""; 2] };
    let title = hit.title.as_deref().unwrap_or("(no title)");
    let title = printable(title).into_owned();
    writeln!(out, "{bold}{number}. {}{end}", shorten(&title, screen.width.saturating_sub(5)))?;
    let place = hit.url.as_deref().unwrap_or(&hit.row);
    writeln!(out, "   {}", printable(place))?;
    writeln!(out, "   {}\n", mark_snippet(&hit.snippet, [bold, end]))
}

/// Returns a snippet with its marks.
fn mark_snippet(snippet: &Snippet, [before, after]: [&str; 2]) -> String {
    let (mut out, mut at) = (String::new(), 0);
    for mark in &snippet.marks {
        out.push_str(&printable(&snippet.text[at..mark.start]));
        out.push_str(before);
        out.push_str(&printable(&snippet.text[mark.clone()]));
        out.push_str(after);
        at = mark.end;
    }
    out.push_str(&printable(&snippet.text[at..]));
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_bold_and_signs_of_strangers_are_shown() {
        let snippet = Snippet {
            text: "a \u{202e}cat \u{9b}2J".to_owned(),
            marks: std::iter::once(5..8).collect(),
        };
        assert_eq!(mark_snippet(&snippet, BOLD), "a \\u{202e}\u{1b}[1mcat\u{1b}[0m \\u{9b}2J");
        assert_eq!(mark_snippet(&snippet, ["", ""]), "a \\u{202e}cat \\u{9b}2J");
    }
}
