//! The page of results.

use crate::answer::Answer;
use crate::header::Header;
use crate::query::{HITS_PER_PAGE, Parameters};
use huller_html::{count, isolated, link, number, outside_link};
use huller_index::{Counts, IndexError, Replacement, SearchHit, Searcher, Snippet};
use maud::{Markup, html};

/// Most words of the query that are shown with the words that replaced them.
const MAX_SHOWN_REPLACEMENTS: usize = 20;

/// Most words of the index that are shown for a word of the query.
const SHOWN_WORDS: usize = 5;

/// Most headings of a passage that are shown.
const MAX_SHOWN_HEADINGS: usize = 20;

/// Answers a query, or shows the start page if the query is empty.
///
/// The page has less than 8 MiB: it has at most 10 hits, 60 values with counts and 100 links of
/// replaced words. A link has at most 16 KiB, a value at most 6 KiB, and a snippet is short.
pub(crate) fn results(searcher: &Searcher, header: &Header, parameters: &Parameters) -> Answer {
    let page = |status, main: Markup| {
        let title = match &*parameters.query {
            "" => header.name.clone(),
            query => format!("{query} – {}", header.name),
        };
        Answer::page(status, &title, html! { (header.markup(parameters)) (main) })
    };
    if parameters.query.is_empty() {
        return page(200, start_page(searcher, &header.name));
    }
    let (query, filter) = match parameters.asked() {
        Ok(search_query) => search_query,
        Err(why) => return page(400, refused_page(&why)),
    };
    let results_page = searcher.search(&query, &filter).and_then(|mut search| {
        let counts = search.counts()?;
        let hits = search.hits(parameters.page * HITS_PER_PAGE, HITS_PER_PAGE + 1)?;
        Ok((counts, hits, search.replacements().to_owned()))
    });
    match results_page {
        Ok((counts, hits, replacements)) => {
            let counts = (&counts, searcher.has_passages());
            page(200, hit_list(parameters, counts, &hits, &replacements))
        }
        Err(error @ (IndexError::Usage(_) | IndexError::Syntax(_))) => {
            page(400, refused_page(&error.to_string()))
        }
        Err(error) => Answer::failure(&error),
    }
}

/// Returns the start page.
fn start_page(searcher: &Searcher, name: &str) -> Markup {
    let (unit, fields): (_, &[_]) = if searcher.has_passages() {
        ("passages", &["title", "url", "host"])
    } else {
        ("rows", &["title", "author", "url", "host", "type", "published"])
    };
    html! {
        main {
            h1 { (isolated(name)) }
            p {
                (count(searcher.rows())) " " (unit) ". Search for words and "
                kbd { "\"phrases\"" } ". " kbd { "+word" } " is required, "
                kbd { "-word" } " is excluded. Fields and ranges: "
                @for field in fields { kbd { (field) ":" } ", " }
                @if !searcher.has_passages() { kbd { "date:2024-01-01..2024-12-31" } ", " }
                kbd { "lang:" } ". " kbd { "beginning*" } " of a word."
            }
        }
    }
}

fn refused_page(why: &str) -> Markup {
    html! {
        main {
            h1 { "The query cannot be read" }
            p.bad role="alert" { (why) }
        }
    }
}

fn hit_list(
    parameters: &Parameters,
    (counts, has_passages): (&Counts, bool),
    hits: &[SearchHit],
    replacements: &[Replacement],
) -> Markup {
    let unit = if has_passages { " passage" } else { " result" };
    let note = match (counts.rows, hits.len()) {
        (0, _) => ". Try fewer words, or another spelling.",
        (_, 0) => ", and no more on this page.",
        _ if has_passages => ", the best of each page here.",
        _ => "",
    };
    html! {
        div.columns {
            main {
                h1.unseen { "Results" }
                p.dim role="status" {
                    (count(counts.rows)) (unit) @if counts.rows != 1 { "s" } (note)
                }
                @if counts.rows > 0 { (replaced_words(parameters, replacements)) }
                (active_filters(parameters))
                ol.hits start=(parameters.page * HITS_PER_PAGE + 1) {
                    @for hit_found in hits.iter().take(HITS_PER_PAGE) { li { (hit_markup(parameters, hit_found)) } }
                }
                (page_links(parameters, hits.len()))
            }
            aside aria-label="Narrow down" { (facet_lists(parameters, counts)) }
        }
    }
}

/// Returns which words replaced words of the query, each a link to a query with it.
fn replaced_words(parameters: &Parameters, replacements: &[Replacement]) -> Markup {
    let with = |word: &str, by: &str| {
        let query = parameters.query.replacen(word, by, 1);
        Parameters { query, ..parameters.clone() }.results(0)
    };
    html! {
        @for Replacement { word, by, is_in_index } in replacements.iter().take(MAX_SHOWN_REPLACEMENTS) {
            p.dim {
                @if *is_in_index {
                    "Nothing matches exactly. Beside “" (isolated(word)) "” searched for "
                } @else {
                    "Nothing has “" (isolated(word)) "”. Searched for "
                }
                @for (index, by) in by.iter().take(SHOWN_WORDS).enumerate() {
                    @if index > 0 { ", " }
                    (link(&with(word, by), by))
                }
                "."
            }
        }
    }
}

/// Returns the active filters, each a link that removes it.
fn active_filters(parameters: &Parameters) -> Markup {
    let Parameters { language, host, page_type, from, to, .. } = parameters.clone();
    let without_filter = [
        (language, Parameters { language: String::new(), ..parameters.clone() }),
        (host, Parameters { host: String::new(), ..parameters.clone() }),
        (page_type, Parameters { page_type: String::new(), ..parameters.clone() }),
        (from, Parameters { from: String::new(), ..parameters.clone() }),
        (to, Parameters { to: String::new(), ..parameters.clone() }),
    ];
    let set: Vec<_> = without_filter.iter().filter(|(value, _)| !value.is_empty()).collect();
    html! {
        @if !set.is_empty() {
            p.active {
                "Only: "
                @for (value, rest) in set {
                    a href=(rest.results(0)) aria-label={ "without " (value) } {
                        (isolated(value)) " ×"
                    } " "
                }
            }
        }
    }
}

fn hit_markup(parameters: &Parameters, hit: &SearchHit) -> Markup {
    let title = title(hit);
    // The title is above them already.
    let lower_headings = match hit.passage.as_ref().map_or(&[][..], |passage| &passage.headings) {
        [first, lower_headings @ ..] if first == title => lower_headings,
        all => all,
    };
    let date = hit.published.as_ref().or(hit.date.as_ref());
    let facts = [hit.author.as_ref(), hit.language.as_ref(), hit.page_type.as_ref(), date];
    html! {
        h2 { (link(&parameters.of_row(&hit.row), title)) }
        p.place {
            @match hit.link() {
                Some(address) => (outside_link(&address)),
                None => (isolated(&hit.row)),
            }
        }
        @if !lower_headings.is_empty() { p.dim { (headings(lower_headings)) } }
        p dir="auto" { (marked_snippet(&hit.snippet)) }
        p.dim {
            @for value in facts.into_iter().flatten() { (isolated(value)) " · " }
            "score " (number(f64::from(hit.score), 2))
        }
    }
}

/// Returns the title of a row.
pub(crate) fn title(row: &SearchHit) -> &str {
    let title = row.title.as_deref().filter(|title| !title.trim().is_empty());
    title.unwrap_or("(no title)")
}

/// Returns the headings of a passage, the outermost first.
pub(crate) fn headings(headings: &[String]) -> Markup {
    html! {
        @for (index, heading) in headings.iter().take(MAX_SHOWN_HEADINGS).enumerate() {
            @if index > 0 { " › " }
            (isolated(heading))
        }
        @if headings.len() > MAX_SHOWN_HEADINGS { " …" }
    }
}

fn marked_snippet(snippet: &Snippet) -> Markup {
    let starts = std::iter::once(0).chain(snippet.marks.iter().map(|mark| mark.end));
    let end = snippet.marks.last().map_or(0, |mark| mark.end);
    html! {
        @for (start, mark) in starts.zip(&snippet.marks) {
            (snippet.text[start..mark.start]) mark { (snippet.text[mark.clone()]) }
        }
        (snippet.text[end..])
    }
}

/// Returns links to the previous and the next page.
fn page_links(parameters: &Parameters, hits: usize) -> Markup {
    let page = parameters.page;
    html! {
        nav.pages aria-label="Pages" {
            @if page > 0 { a rel="prev" href=(parameters.results(page - 1)) { "Earlier" } " " }
            @if parameters.has_next(hits) {
                a rel="next" href=(parameters.results(page + 1)) { "More" }
            }
        }
    }
}

/// Returns lists of values with their numbers of rows, for each filter that is not set. Each value
/// links to the results with it.
fn facet_lists(parameters: &Parameters, counts: &Counts) -> Markup {
    type Change = fn(&mut Parameters, String);
    let Parameters { language, host, page_type, .. } = parameters;
    let facets: [(_, _, _, Change); 3] = [
        ("Language", language, &counts.languages, |p, value| p.language = value),
        ("Host", host, &counts.hosts, |p, value| p.host = value),
        ("Page type", page_type, &counts.page_types, |p, value| p.page_type = value),
    ];
    let with = |change: Change, value: &str| {
        let mut parameters = parameters.clone();
        change(&mut parameters, value.to_owned());
        parameters.results(0)
    };
    html! {
        @for (name, set, values, change) in facets {
            @if set.is_empty() && !values.is_empty() {
                h2 { (name) }
                ul {
                    @for (value, rows) in values {
                        li {
                            (link(&with(change, value), value)) " "
                            span.dim { (count(*rows)) }
                        }
                    }
                }
            }
        }
    }
}
