//! Finds the authors.
//!
//! The sources, in order: JSON-LD; `meta` elements; then, around the headline: an element marked
//! for machines as the author's (`itemprop`, `rel`, a link to `/author`), an element whose class or
//! id speaks of the author, and text that begins with "by" or a longer label in one of a few
//! languages ([`Byline`]). Of a byline only the names are taken: labels, dates and roles are cut
//! off ([`name_of`]). Forms, comments, lists of related pages and other parts beside the main text
//! give no author. A stated value that names the site gives way to a marked byline, and the handle
//! of an account to the name that it is made of.
//!
//! Cost: O(1) for stated authors, O(window) for the others. Known failures: "by" in other languages
//! is taken as a part of the name; a byline far from the headline is not found.

use super::byline::{Byline, MarkedNode, Source};
use super::limits::LONGEST_AUTHOR;
use super::line::{LineWriter, Value};
use super::name::{is_address, is_handle, is_handle_of, is_label, without_label};
use super::site::Site;
use super::stated::Stated;
use super::window::Window;
use super::words::put_words;
use huller_page::{Attributes, Page};

/// Memory for finding authors.
#[derive(Debug, Default)]
pub(super) struct Memory {
    text: String,
    of_run: String,
    /// The stated names.
    stated: String,
    words: String,
    marks: Vec<MarkedNode>,
}

/// Appends the authors to `out`. Returns where they were found, or `None` if there are none.
pub(super) fn find(
    page: &Page<'_>,
    stated: &Stated<'_>,
    (headline, site): (Option<u32>, &Site),
    (lines, attributes, memory): (&mut LineWriter, &mut Attributes, &mut Memory),
    out: &mut String,
) -> Option<Source> {
    let Memory { text, of_run, stated: stated_text, words, marks } = memory;
    let from_json = stated.json_ld.authors();
    let from_json = from_json.as_slice().iter().map(|name| Value::Json(name));
    let from_meta = stated.authors().iter().map(|name| Value::Attribute(name));
    let mut names_site = |names: &str| {
        words.clear();
        put_words(names, words);
        site.is(words)
    };
    let has_json = put_names(from_json.clone(), lines, text, out);
    if has_json && !names_site(out) && !is_handle(out) {
        return Some(Source::JsonLd);
    }
    // A name in `meta` elements takes the place of a weak one in JSON-LD.
    stated_text.clear();
    let has_meta = put_names(from_meta, lines, text, stated_text);
    if has_meta && !names_site(stated_text) && !is_handle(stated_text) {
        out.clear();
        out.push_str(stated_text);
        return Some(Source::Meta);
    }
    if !has_json {
        out.push_str(stated_text);
    }
    // What is left is the name of the site or a handle.
    stated_text.clear();
    stated_text.push_str(out);
    out.clear();
    let mut byline = Byline::new(page, headline, lines, attributes, (text, of_run, marks));
    let window = Window::around(page, headline, Window::BYLINE);
    if let Some(source) = byline.marked(&window, out)
        && (names_site(stated_text) || stated_text.is_empty() || is_handle_of(stated_text, out))
    {
        return Some(source);
    }
    if !stated_text.is_empty() {
        out.clear();
        out.push_str(stated_text);
        return Some(if has_json { Source::JsonLd } else { Source::Meta });
    }
    byline.spoken(&window, out)
}

/// Appends those of the values that are names, each name once. Returns whether `out` has any.
fn put_names<'a>(
    names: impl Iterator<Item = Value<'a>>,
    lines: &mut LineWriter,
    text: &mut String,
    out: &mut String,
) -> bool {
    for value in names.filter(|value| !is_address(value.raw())) {
        text.clear();
        value.put_line(LONGEST_AUTHOR, lines, text);
        let name = without_label(text);
        let known = out.split(", ").any(|known| known == name);
        let separator = if out.is_empty() { "" } else { ", " };
        let room = LONGEST_AUTHOR.saturating_sub(out.chars().count() + separator.len());
        let is_name = name.contains(char::is_alphabetic) && !is_label(name);
        if known || !is_name || name.chars().count() > room {
            continue;
        }
        out.push_str(separator);
        out.push_str(name);
    }
    !out.is_empty()
}

#[cfg(test)]
mod tests;
