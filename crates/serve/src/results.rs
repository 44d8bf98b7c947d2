//! The page of results.

use crate::answer::Answer;
use crate::header::Header;
use crate::html::Html;
use crate::query::{HITS, Parameters};
use huller_index::{Counts, IndexError, Replacement, SearchHit, Searcher, Snippet};

/// Most words of the index that are shown for a word of the query.
const SHOWN_WORDS: usize = 5;

/// Answers a query, or shows the start page if the query is empty.
pub(crate) fn results(searcher: &Searcher, header: &Header, parameters: &Parameters) -> Answer {
    let title = match &*parameters.query {
        "" => header.name.clone(),
        query => format!("{query} – {}", header.name),
    };
    let mut html = Html::page(&title);
    header.write(&mut html, parameters);
    if parameters.query.is_empty() {
        begin(searcher, &header.name, &mut html);
        return Answer::page(200, html);
    }
    let (query, filter) = match parameters.asked() {
        Ok(asked) => asked,
        Err(why) => return refused(html, &why),
    };
    let found = searcher.search(&query, &filter).and_then(|mut search| {
        let counts = search.counts()?;
        let hits = search.hits(parameters.page * HITS, HITS + 1)?;
        Ok((counts, hits, search.replacements().to_owned()))
    });
    match found {
        Ok((counts, hits, replacements)) => {
            list(&mut html, parameters, (&counts, searcher.has_passages()), &hits, &replacements);
            Answer::page(200, html)
        }
        Err(error @ (IndexError::Usage(_) | IndexError::Syntax(_))) => {
            refused(html, &error.to_string())
        }
        Err(error) => Answer::failure(&error),
    }
}

/// Writes the start page.
fn begin(searcher: &Searcher, name: &str, html: &mut Html) {
    html.raw("<main><h1>").isolated(name).raw("</h1><p>").number(searcher.rows());
    let (unit, fields): (_, &[_]) = if searcher.has_passages() {
        (" passages", &["title", "url", "host"])
    } else {
        (" rows", &["title", "author", "url", "host", "type", "published"])
    };
    html.raw(unit).raw(". Search for words and ");
    html.raw(
        "<kbd>\"phrases\"</kbd>. <kbd>+word</kbd> is required, <kbd>-word</kbd> is excluded. ",
    );
    html.raw("Fields and ranges: ");
    for field in fields {
        html.raw("<kbd>").raw(field).raw(":</kbd>, ");
    }
    if !searcher.has_passages() {
        html.raw("<kbd>date:2024-01-01..2024-12-31</kbd>, ");
    }
    html.raw("<kbd>lang:</kbd>. <kbd>beginning*</kbd> of a word.");
    html.raw("</p></main>");
}

fn refused(mut html: Html, why: &str) -> Answer {
    html.raw("<main><h1>The query cannot be read</h1>");
    html.raw("<p class=\"bad\" role=\"alert\">").text(why).raw("</p></main>");
    Answer::page(400, html)
}

fn list(
    html: &mut Html,
    parameters: &Parameters,
    (counts, has_passages): (&Counts, bool),
    hits: &[SearchHit],
    replacements: &[Replacement],
) {
    html.raw("<div class=\"columns\"><main><h1 class=\"unseen\">Results</h1>");
    html.raw("<p class=\"dim\" role=\"status\">").number(counts.rows);
    html.raw(if has_passages { " passage" } else { " result" });
    html.raw(if counts.rows == 1 { "" } else { "s" });
    html.raw(match (counts.rows, hits.len()) {
        (0, _) => ". Try fewer words, or another spelling.</p>",
        (_, 0) => ", and no more on this page.</p>",
        _ if has_passages => ", the best of each page here.</p>",
        _ => "</p>",
    });
    if counts.rows > 0 {
        replaced(html, parameters, replacements);
    }
    active(html, parameters);
    html.raw("<ol class=\"hits\" start=\"").number((parameters.page * HITS + 1) as u64).raw("\">");
    for found in hits.iter().take(HITS) {
        html.raw("<li>");
        hit(html, parameters, found);
        html.raw("</li>");
    }
    html.raw("</ol>");
    pages(html, parameters, hits.len());
    html.raw("</main><aside aria-label=\"Narrow down\">");
    let Parameters { language, host, page_type, .. } = parameters;
    let with = |change: fn(&mut Parameters, String)| {
        move |value: &str| {
            let mut parameters = parameters.clone();
            change(&mut parameters, value.to_owned());
            parameters.results(0)
        }
    };
    facet(html, "Language", language, &counts.languages, with(|p, value| p.language = value));
    facet(html, "Host", host, &counts.hosts, with(|p, value| p.host = value));
    facet(html, "Page type", page_type, &counts.page_types, with(|p, value| p.page_type = value));
    html.raw("</aside></div>");
}

/// Writes which words replaced words of the query, each a link to a query with it.
fn replaced(html: &mut Html, parameters: &Parameters, replacements: &[Replacement]) {
    for Replacement { word, by, is_in_index } in replacements {
        html.raw("<p class=\"dim\">");
        if *is_in_index {
            html.raw("Nothing matches exactly. Beside “").isolated(word).raw("” searched for ");
        } else {
            html.raw("Nothing has “").isolated(word).raw("”. Searched for ");
        }
        for (at, by) in by.iter().take(SHOWN_WORDS).enumerate() {
            let query = parameters.query.replacen(&**word, by, 1);
            html.raw(if at > 0 { ", " } else { "" });
            html.link(&Parameters { query, ..parameters.clone() }.results(0), by);
        }
        html.raw(".</p>");
    }
}

/// Writes the active filters, each a link that removes it.
fn active(html: &mut Html, parameters: &Parameters) {
    let Parameters { language, host, page_type, from, to, .. } = parameters.clone();
    let without = [
        (language, Parameters { language: String::new(), ..parameters.clone() }),
        (host, Parameters { host: String::new(), ..parameters.clone() }),
        (page_type, Parameters { page_type: String::new(), ..parameters.clone() }),
        (from, Parameters { from: String::new(), ..parameters.clone() }),
        (to, Parameters { to: String::new(), ..parameters.clone() }),
    ];
    let set: Vec<_> = without.iter().filter(|(value, _)| !value.is_empty()).collect();
    if set.is_empty() {
        return;
    }
    html.raw("<p class=\"active\">Only: ");
    for (value, rest) in set {
        html.raw("<a href=\"").text(&rest.results(0)).raw("\" aria-label=\"without ").text(value);
        html.raw("\">").isolated(value).raw(" ×</a> ");
    }
    html.raw("</p>");
}

fn hit(html: &mut Html, parameters: &Parameters, hit: &SearchHit) {
    let title = hit.title.as_deref().filter(|title| !title.trim().is_empty());
    html.raw("<h2>").link(&parameters.of_row(&hit.row), title.unwrap_or("(no title)"));
    html.raw("</h2><p class=\"place\">");
    match hit.link() {
        Some(link) => _ = html.outside(&link),
        None => _ = html.isolated(&hit.row),
    }
    html.raw("</p>");
    // The title is above them already.
    let below = match hit.passage.as_ref().map_or(&[][..], |place| &place.headings) {
        [first, below @ ..] if Some(&**first) == title => below,
        all => all,
    };
    if !below.is_empty() {
        html.raw("<p class=\"dim\">");
        headings(html, below);
        html.raw("</p>");
    }
    html.raw("<p dir=\"auto\">");
    marked(html, &hit.snippet);
    html.raw("</p><p class=\"dim\">");
    let date = hit.published.as_ref().or(hit.date.as_ref());
    for value in [hit.author.as_ref(), hit.language.as_ref(), hit.page_type.as_ref(), date]
        .into_iter()
        .flatten()
    {
        html.isolated(value).raw(" · ");
    }
    html.raw("score ").score(hit.score).raw("</p>");
}

/// Writes the headings of a passage, the outermost first.
pub(crate) fn headings(html: &mut Html, headings: &[String]) {
    for (at, heading) in headings.iter().enumerate() {
        html.raw(if at > 0 { " › " } else { "" }).isolated(heading);
    }
}

fn marked(html: &mut Html, snippet: &Snippet) {
    let mut at = 0;
    for mark in &snippet.marks {
        html.text(&snippet.text[at..mark.start]).raw("<mark>");
        html.text(&snippet.text[mark.clone()]).raw("</mark>");
        at = mark.end;
    }
    html.text(&snippet.text[at..]);
}

/// Writes links to the previous and the next page.
fn pages(html: &mut Html, parameters: &Parameters, hits: usize) {
    let page = parameters.page;
    html.raw("<nav class=\"pages\" aria-label=\"Pages\">");
    if page > 0 {
        html.raw("<a rel=\"prev\" href=\"")
            .text(&parameters.results(page - 1))
            .raw("\">Earlier</a> ");
    }
    if parameters.has_next(hits) {
        html.raw("<a rel=\"next\" href=\"").text(&parameters.results(page + 1)).raw("\">More</a>");
    }
    html.raw("</nav>");
}

/// Writes a list of values with their numbers of rows. Each links to the results with this value.
fn facet(
    html: &mut Html,
    name: &'static str,
    set: &str,
    values: &[(String, u64)],
    address: impl Fn(&str) -> String,
) {
    if values.is_empty() || !set.is_empty() {
        return;
    }
    html.raw("<h2>").raw(name).raw("</h2><ul>");
    for (value, rows) in values {
        html.raw("<li>").link(&address(value), value).raw(" <span class=\"dim\">");
        html.number(*rows).raw("</span></li>");
    }
    html.raw("</ul>");
}
