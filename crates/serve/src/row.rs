//! The page of a row.

use crate::answer::Answer;
use crate::header::Header;
use crate::query::{Parameters, address};
use crate::results::{headings, title};
use huller_html::{count, isolated, outside_link, shortened};
use huller_index::SearchHit;
use maud::{Markup, html};

/// Most bytes of the text of a row that are shown. An index stores half of them.
const MAX_TEXT_BYTES: usize = 512 << 10;

/// Returns the page of a row: its source and its text. Its form has the parameters of the request.
///
/// A byte of text becomes at most six of the page (`&quot;`). So the text of
/// [`MAX_TEXT_BYTES`] fills at most 3 MiB, and the values of the row, each of them cut, less
/// than 1 MiB.
pub(crate) fn row_page(
    header: &Header,
    parameters: &Parameters,
    row: &SearchHit,
    has_page: bool,
) -> Answer {
    let of_row = [("row", &*row.row)];
    let text = shortened(&row.snippet.text, MAX_TEXT_BYTES);
    let more = row.text_bytes.saturating_sub(row.snippet.text.len().min(MAX_TEXT_BYTES) as u64);
    let body = html! {
        (header.markup(parameters))
        main {
            h1 { (isolated(title(row))) }
            @if has_page && row.warc_filename.is_some() {
                nav.row aria-label="Row" {
                    a href=(address("/explain", &of_row)) { "Why these blocks" } " "
                    a href=(address("/page", &of_row)) { "The page as crawled" }
                }
            }
            dl { (source_fields(row)) }
            h2 { "Text" }
            div.text { (text) }
            @if more > 0 {
                p.dim { (count(more)) " more bytes are not shown." }
            }
        }
    };
    Answer::page(200, title(row), body)
}

/// Returns the names and values of a row's source.
fn source_fields(row: &SearchHit) -> Markup {
    let offset = row.warc_record_offset.map(|offset| offset.to_string());
    let values = [
        ("Author", row.author.as_deref()),
        ("Published", row.published.as_deref()),
        ("Date", row.date.as_deref()),
        ("Language", row.language.as_deref()),
        ("Page type", row.page_type.as_deref()),
        ("Row", Some(&*row.row)),
        ("Id", Some(&*row.id)),
        ("Archive", row.warc_filename.as_deref()),
        ("Offset of the record", offset.as_deref()),
    ];
    html! {
        @if let Some(link) = row.link() {
            dt { "Address" } dd { (outside_link(&link)) }
        }
        @if let Some(passage) = &row.passage {
            @if !passage.headings.is_empty() {
                dt { "Headings" } dd { (headings(&passage.headings)) }
            }
            dt { "Passage" } dd { (count(passage.ordinal + 1)) }
        }
        @for (name, value) in values {
            @if let Some(value) = value {
                dt { (name) } dd { (isolated(value)) }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use huller_index::{PassagePlace, Snippet};

    fn page(value: &str, text: &str) -> String {
        let some = Some(value.to_owned());
        let row = SearchHit {
            id: value.to_owned(),
            row: value.to_owned(),
            url: some.clone(),
            title: some.clone(),
            date: some.clone(),
            language: some.clone(),
            page_type: some.clone(),
            author: some.clone(),
            published: some.clone(),
            warc_filename: some.clone(),
            warc_record_offset: Some(7),
            score: 1.0,
            snippet: Snippet { text: text.to_owned(), ..Snippet::default() },
            text_bytes: text.len() as u64,
            passage: Some(PassagePlace {
                parent_id: value.to_owned(),
                ordinal: 1,
                anchor: None,
                headings: vec![value.to_owned(); 2],
            }),
        };
        let parameters =
            Parameters { query: value.to_owned(), host: value.to_owned(), ..Parameters::default() };
        let header = Header { name: value.to_owned(), has_report: true };
        String::from_utf8(row_page(&header, &parameters, &row, true).body).unwrap()
    }

    /// Returns the tags without the values of their attributes.
    fn markup(page: &str) -> Vec<String> {
        let tags = page.split('<').skip(1).map(|rest| rest.split('>').next().unwrap());
        tags.map(|tag| tag.split('"').step_by(2).collect()).collect()
    }

    #[test]
    fn a_hostile_row_stays_text() {
        let hostile = "<script>alert(1)</script>\" onload='x' &amp;\0\u{1b}[2J\u{9b}\u{202e}";
        let shown = page(hostile, hostile);
        assert_eq!(markup(&shown), markup(&page("a", "b")));
        assert!(!shown.contains(|c: char| c.is_control() && c != '\n'), "{shown:?}");
        assert!(!shown.contains('\u{202e}') && !shown.contains("<script"));
        assert!(shown.contains("<h1><bdi>&lt;script&gt;alert(1)&lt;/script&gt;&quot; onload='x'"));
    }

    #[test]
    fn a_page_is_never_larger_than_its_answer_may_be() {
        // A request has at most 16 KiB.
        let value = "\"".repeat(8 << 10);
        let shown = page(&value, &"\"".repeat(4 << 20));
        assert!(shown.len() < 4 << 20, "{}", shown.len());
        assert!(shown.contains("&quot;…</div>") && shown.contains("3,670,016 more bytes"));
    }
}
