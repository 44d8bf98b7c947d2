//! The page of a row.

use crate::header::Header;
use crate::html::{Html, address};
use crate::query::Parameters;
use crate::results::headings;
use huller_index::SearchHit;

/// Writes the page of a row: its source and its text. Its form has the parameters of the request.
pub(crate) fn row_page(
    header: &Header,
    parameters: &Parameters,
    row: &SearchHit,
    has_page: bool,
) -> Html {
    let title = row.title.as_deref().filter(|title| !title.trim().is_empty());
    let title = title.unwrap_or("(no title)");
    let mut html = Html::page(title);
    header.write(&mut html, parameters);
    html.raw("<main><h1>").isolated(title).raw("</h1>");
    let of_row = [("row", &*row.row)];
    if has_page && row.warc_filename.is_some() {
        html.raw("<nav class=\"row\" aria-label=\"Row\">");
        html.raw("<a href=\"").text(&address("/explain", &of_row)).raw("\">Why these blocks</a> ");
        html.raw("<a href=\"")
            .text(&address("/page", &of_row))
            .raw("\">The page as crawled</a></nav>");
    }
    html.raw("<dl>");
    if let Some(link) = row.link() {
        html.raw("<dt>Address</dt><dd>").outside(&link).raw("</dd>");
    }
    if let Some(place) = row.passage.as_ref().filter(|place| !place.headings.is_empty()) {
        html.raw("<dt>Headings</dt><dd>");
        headings(&mut html, &place.headings);
        html.raw("</dd>");
    }
    if let Some(place) = &row.passage {
        html.raw("<dt>Passage</dt><dd>").number(place.ordinal + 1).raw("</dd>");
    }
    let offset = row.warc_record_offset.map(|offset| offset.to_string());
    for (name, value) in [
        ("Author", row.author.as_deref()),
        ("Published", row.published.as_deref()),
        ("Date", row.date.as_deref()),
        ("Language", row.language.as_deref()),
        ("Page type", row.page_type.as_deref()),
        ("Row", Some(&*row.row)),
        ("Id", Some(&*row.id)),
        ("Archive", row.warc_filename.as_deref()),
        ("Offset of the record", offset.as_deref()),
    ] {
        if let Some(value) = value {
            html.raw("<dt>").text(name).raw("</dt><dd>").isolated(value).raw("</dd>");
        }
    }
    html.raw("</dl><h2>Text</h2>");
    let text = &row.snippet.text;
    html.raw("<div class=\"text\">").text(text).raw("</div>");
    let more = row.text_bytes.saturating_sub(text.len() as u64);
    if more > 0 {
        html.raw("<p class=\"dim\">").number(more);
        html.raw(" more bytes are not shown.</p>");
    }
    html.raw("</main>");
    html
}
