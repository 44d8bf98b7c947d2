//! `huller search`: prints the rows of an index that match a query.

use crate::args::SearchArgs;
use crate::exit::{Exit, eprint_line};
use crate::terminal::{Screen, printable, shorten};
use crate::usage_error::UsageError;
use anyhow::Result;
use huller_index::{Filter, IndexError, Query, Replacement, Search, SearchHit, Searcher, Snippet};
use std::io::{BufWriter, Write, read_to_string, stdin, stdout};
use std::ops::ControlFlow;

/// Most words of an index that a note lists.
const SHOWN_WORDS: usize = 5;

/// Escape sequences that begin and end bold text.
const BOLD: [&str; 2] = ["\u{1b}[1m", "\u{1b}[0m"];

pub(crate) fn run(args: &SearchArgs) -> Result<Exit> {
    let queries = requested_queries(args)?;
    let searcher = Searcher::open(&args.index)?;
    let mut out = BufWriter::new(stdout().lock());
    let screen = Screen::for_stdout();
    for AskedQuery { text, query } in &queries {
        let mut search = searcher.search(query, &args.filter())?;
        let shown_query = args.queries.as_ref().map(|_| &**text);
        if let (Some(text), false) = (shown_query, args.json) {
            writeln!(out, "# {}", printable(text))?;
        }
        let mut number = 0;
        let broken = search.for_each_hit(0, args.limit.rows(), |hit| {
            number += 1;
            let written = if args.json {
                writeln!(out, "{}", hit.to_json(shown_query))
            } else {
                write_hit(&mut out, number, &hit, screen)
            };
            written.map_or_else(ControlFlow::Break, ControlFlow::Continue)
        })?;
        broken.map_or(Ok(()), Err)?;
        if number > 0 {
            // The note follows the rows that it explains.
            out.flush()?;
            note_replacements(&search, shown_query);
        } else if shown_query.is_none() && !args.json {
            note_no_results(&searcher, args);
        }
    }
    out.flush()?;
    Ok(Exit::Success)
}

/// A query, and its text as the user gave it.
struct AskedQuery {
    text: String,
    query: Query,
}

/// Returns the query of the command line, or those of the file.
fn requested_queries(args: &SearchArgs) -> Result<Vec<AskedQuery>> {
    let parse = |text: &str| -> Result<AskedQuery, IndexError> {
        Ok(AskedQuery { text: text.to_owned(), query: Query::parse(text)? })
    };
    let Some(path) = &args.queries else {
        return Ok(vec![parse(args.query.as_deref().unwrap_or_default())?]);
    };
    let name = path.display();
    let lines = if path.as_os_str() == "-" {
        read_to_string(stdin().lock())
    } else {
        std::fs::read_to_string(path)
    };
    let lines = lines.map_err(|error| UsageError(format!("cannot read '{name}': {error}")))?;
    let lines = lines.strip_prefix('\u{feff}').unwrap_or(&lines);
    let mut queries = Vec::new();
    for (line_index, line) in lines.lines().enumerate().filter(|(_, line)| !line.trim().is_empty())
    {
        let query = parse(line.trim());
        let problem = |error| UsageError(format!("line {} of '{name}': {error}", line_index + 1));
        queries.push(query.map_err(problem)?);
    }
    if queries.is_empty() {
        return Err(UsageError(format!("'{name}' has no queries: write one in each line")).into());
    }
    Ok(queries)
}

/// Says which words replaced words of the query.
fn note_replacements(search: &Search<'_>, shown_query: Option<&str>) {
    for Replacement { word, by, is_in_index } in search.replacements() {
        let substitutes =
            by.iter().take(SHOWN_WORDS).map(|word| printable(word)).collect::<Vec<_>>().join(", ");
        let word = printable(word);
        let query = shown_query
            .map_or(String::new(), |shown_query| format!("{}: ", printable(shown_query)));
        eprint_line(&if *is_in_index {
            format!(
                "note: {query}no row matches exactly; beside '{word}' searched for {substitutes}"
            )
        } else {
            format!("note: {query}no row has '{word}'; searched for {substitutes}")
        });
    }
}

/// Says that no row matches, and which option lets none through.
fn note_no_results(searcher: &Searcher, args: &SearchArgs) {
    eprint_line("no results");
    for (option, field, value) in args.exact() {
        let rows = Query::parse(&format!("{field}:{value}")).map(|query| {
            searcher.search(&query, &Filter::default()).and_then(|mut search| search.hits(0, 1))
        });
        if rows.is_ok_and(|rows| rows.is_ok_and(|rows| rows.is_empty())) {
            eprint_line(&format!(
                "hint: {option} compares the field `{}`, and no row has the value '{}'",
                if field == "lang" { "language" } else { "page_type" },
                printable(value)
            ));
        }
    }
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
    let link = hit.link();
    writeln!(out, "   {}", printable(link.as_deref().unwrap_or(&hit.row)))?;
    if let Some(path) = heading_path(hit) {
        writeln!(out, "   {}", shorten(&printable(&path), screen.width.saturating_sub(3)))?;
    }
    writeln!(out, "   {}\n", mark_snippet(&hit.snippet, [bold, end]))
}

/// Returns the headings of a passage as one line, without the title of its page.
fn heading_path(hit: &SearchHit) -> Option<String> {
    let headings = &hit.passage.as_ref()?.headings;
    let is_title = headings.first().is_some_and(|first| Some(first) == hit.title.as_ref());
    let path = headings[usize::from(is_title)..].join(" > ");
    (!path.is_empty()).then_some(path)
}

/// Returns a snippet with its marks.
fn mark_snippet(snippet: &Snippet, [before, after]: [&str; 2]) -> String {
    let (mut out, mut copied_to) = (String::new(), 0);
    for mark in &snippet.marks {
        out.push_str(&printable(&snippet.text[copied_to..mark.start]));
        out.push_str(before);
        out.push_str(&printable(&snippet.text[mark.clone()]));
        out.push_str(after);
        copied_to = mark.end;
    }
    out.push_str(&printable(&snippet.text[copied_to..]));
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
