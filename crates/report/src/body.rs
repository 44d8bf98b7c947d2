//! Writes the body of an HTML file piece by piece, and escapes everything except its own markup.

use crate::chart::{bar, push_text};
use crate::figures::{count, percent};
use std::fmt::Write;

/// Text columns besides the first.
const TEXT_COLUMNS: [&str; 2] = ["why", "most frequent failure"];

/// The body of a page, as far as it is written.
#[derive(Default)]
pub(crate) struct Body {
    pub(crate) html: String,
    sections: Vec<(&'static str, &'static str)>,
}

impl Body {
    pub(crate) fn raw(&mut self, html: &'static str) {
        self.html.push_str(html);
    }

    pub(crate) fn text(&mut self, text: &str) {
        push_text(text, &mut self.html);
    }

    pub(crate) fn open(&mut self, tag: &'static str, class: &'static str) {
        let _ = if class.is_empty() {
            write!(self.html, "<{tag}>")
        } else {
            write!(self.html, "<{tag} class=\"{class}\">")
        };
    }

    pub(crate) fn close(&mut self, tag: &'static str) {
        let _ = write!(self.html, "</{tag}>");
    }

    pub(crate) fn section(&mut self, id: &'static str, name: &'static str) {
        self.sections.push((id, name));
        let _ = write!(self.html, "<h2 id=\"{id}\">{name}</h2>");
    }

    pub(crate) fn heading(&mut self, name: &str) {
        self.open("h3", "");
        self.text(name);
        self.close("h3");
    }

    pub(crate) fn dim(&mut self, text: &str) {
        self.open("p", "dim");
        self.text(text);
        self.close("p");
    }

    pub(crate) fn left_out(&mut self, number: usize, of: &str) {
        if number > 0 {
            self.dim(&format!("{} more {of} are not listed.", count(number as u64)));
        }
    }

    /// Begins a table. The first column is text, and an unnamed column has bars. The others are
    /// numbers, except for [`TEXT_COLUMNS`].
    pub(crate) fn table(&mut self, titles: &[&str]) {
        self.raw("<div class=\"scroll\" tabindex=\"0\"><table><thead><tr>");
        for (place, title) in titles.iter().enumerate() {
            if title.is_empty() {
                self.raw("<td></td>");
                continue;
            }
            let is_text = place == 0 || TEXT_COLUMNS.contains(title);
            self.raw(if is_text {
                "<th scope=\"col\">"
            } else {
                "<th scope=\"col\" class=\"number\">"
            });
            self.text(title);
            self.raw("</th>");
        }
        self.raw("</tr></thead><tbody>");
    }

    pub(crate) fn end_table(&mut self) {
        self.raw("</tbody></table></div>");
    }

    pub(crate) fn number(&mut self, number: &str) {
        self.open("td", "number");
        self.text(number);
        self.close("td");
    }

    /// Writes three cells: the number, its percentage, and a bar.
    pub(crate) fn share(&mut self, part: u64, whole: u64) {
        self.number(&count(part));
        self.number(&percent(part, whole));
        self.open("td", "bars");
        bar(part as f64 / whole.max(1) as f64, &mut self.html);
        self.close("td");
    }

    /// Writes the place of a page: the command that shows it, or its input if its offset is
    /// unknown.
    pub(crate) fn place(&mut self, input: &str, offset: Option<u64>) {
        self.raw("<code>");
        match offset {
            Some(offset) => self.text(&format!("huller get {} {offset}", quoted(input))),
            None => self.text(input),
        }
        self.raw("</code>");
    }

    /// Returns the body, with a list of the sections before the first section.
    pub(crate) fn finish(self) -> String {
        let mut list = "<nav aria-label=\"Sections\"><ul>".to_owned();
        for (id, name) in &self.sections {
            let _ = write!(list, "<li><a href=\"#{id}\">{name}</a></li>");
        }
        list.push_str("</ul></nav>");
        let mut html = self.html;
        let place = html.find("<h2").unwrap_or(html.len());
        html.insert_str(place, &list);
        format!("<main>{html}</main>")
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
