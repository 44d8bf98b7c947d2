//! Tables of a report, and the cells and lines that recur in them.

use crate::chart::bar;
use huller_html::{count, percent};
use maud::{Markup, html};

/// Text columns besides the first.
const TEXT_COLUMNS: [&str; 2] = ["why", "most frequent failure"];

/// Returns a table of rows. The first column is text, and an unnamed column has bars. The others
/// are numbers, except for [`TEXT_COLUMNS`].
pub(crate) fn table(titles: &[&str], rows: &Markup) -> Markup {
    let head = html! {
        @for (index, title) in titles.iter().enumerate() {
            (column(title, index == 0 || TEXT_COLUMNS.contains(title)))
        }
    };
    scrolled(&head, rows)
}

/// Returns the title of a column.
pub(crate) fn column(title: &str, is_text: bool) -> Markup {
    html! {
        @if title.is_empty() { td {} } @else {
            th scope="col" class=[(!is_text).then_some("number")] { (title) }
        }
    }
}

/// Returns a table that scrolls if it is wider than its place. `head` may be empty.
pub(crate) fn scrolled(head: &Markup, rows: &Markup) -> Markup {
    html! {
        div.scroll tabindex="0" {
            table {
                @if !head.0.is_empty() { thead { tr { (head) } } }
                tbody { (rows) }
            }
        }
    }
}

/// Returns three cells: the number, its percentage, and a bar.
pub(crate) fn share(part: u64, whole: u64) -> Markup {
    html! {
        td.number { (count(part)) }
        td.number { (percent(part, whole)) }
        td.bars { (bar(part as f64 / whole.max(1) as f64)) }
    }
}

/// Returns a table of names and counts, each with its share of all records.
pub(crate) fn shares<'a>(
    titles: &[&str],
    counts: impl IntoIterator<Item = (&'a str, u64)>,
    whole: u64,
) -> Markup {
    let rows = html! {
        @for (name, part) in counts { tr { td { (name) } (share(part, whole)) } }
    };
    table(titles, &rows)
}

/// Returns a note on what a table leaves out, if it does.
pub(crate) fn left_out(number: usize, name: &str) -> Markup {
    html! {
        @if number > 0 { p.dim { (count(number as u64)) " more " (name) " are not listed." } }
    }
}

/// Returns the place of a page: the command that shows it, or its input if its offset is unknown.
pub(crate) fn place(input: &str, offset: Option<u64>) -> Markup {
    html! {
        code {
            @match offset {
                Some(offset) => { "huller get " (quoted(input)) " " (offset) },
                None => (input),
            }
        }
    }
}

/// Quotes a file name as one argument of a shell command.
fn quoted(argument: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./:+=@%".contains(c);
    if argument.chars().all(is_plain) && !argument.is_empty() {
        argument.to_owned()
    } else {
        format!("'{}'", argument.replace('\'', "'\\''"))
    }
}
