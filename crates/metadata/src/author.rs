//! Finds the authors.
//!
//! The sources, in order:
//!
//! 1. JSON-LD.
//! 2. `meta` elements.
//! 3. Around the headline, an element with machine-readable marks of the author (`itemprop`, `rel`,
//!    a link to `/author`).
//! 4. Around the headline, an element whose class or id names the author.
//! 5. Around the headline, text that begins with "by" or a longer label in one of a few languages
//!    ([`Byline`]).
//!
//! Only the names in a byline are taken: labels, dates and roles are cut off ([`name_of`]). Forms,
//! comments, lists of related pages and other parts beside the main text give no author
//! ([`is_apart`]). A sentence that begins with "by" is no byline. A marked byline replaces a stated
//! value that names the site. It also replaces the handle of an account that is formed from its
//! name.
//!
//! [`name_of`]: super::name::name_of
//! [`is_apart`]: super::side_parts::is_apart
//!
//! Cost: O(1) for stated authors, O(window) for the others. Known failures: "by" in other languages
//! is taken as a part of the name; a byline far from the headline is not found.

use super::byline::{Byline, MarkedNode, Source};
use super::limits::MAX_AUTHOR_CHARS;
use super::line::{LineWriter, Value};
use super::name::{is_address, is_handle, is_handle_of, is_label, without_label};
use super::site::Site;
use super::stated_metadata::StatedMetadata;
use super::window::Window;
use super::words::put_words;
use huller_page::{Attributes, Page};

/// Buffers for finding authors.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    text: String,
    of_run: String,
    /// The stated names.
    stated: String,
    words: String,
    marks: Vec<MarkedNode>,
}

/// Appends the authors to `out`. Returns the source of the authors, or `None` if no author was
/// found.
pub(super) fn append_authors(
    page: &Page<'_>,
    stated: &StatedMetadata<'_>,
    (headline, site): (Option<u32>, &Site),
    (lines, attributes, scratch): (&mut LineWriter, &mut Attributes, &mut Scratch),
    out: &mut String,
) -> Option<Source> {
    let Scratch { text, of_run, stated: stated_text, words, marks } = scratch;
    let from_json = stated.json_ld.authors();
    let from_json = from_json.as_slice().iter().map(|name| Value::Json(name));
    let from_meta = stated.authors().iter().map(|name| Value::Attribute(name));
    let mut names_site = |names: &str| {
        words.clear();
        put_words(names, words);
        site.is_named_by(words)
    };
    let has_json = put_names(from_json.clone(), lines, text, out);
    if has_json && !names_site(out) && !is_handle(out) {
        return Some(Source::JsonLd);
    }
    // A name in `meta` elements replaces a weak one in JSON-LD.
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
    // Any remaining value names the site or is a handle.
    stated_text.clear();
    stated_text.push_str(out);
    out.clear();
    let mut byline = Byline::new(page, headline, lines, attributes, (text, of_run, marks));
    let window = Window::around_headline(page, headline, Window::BYLINE);
    if let Some(source) = byline.append_marked(&window, out)
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

/// Appends the values that are names, each name once. Returns whether `out` has any.
fn put_names<'a>(
    names: impl Iterator<Item = Value<'a>>,
    lines: &mut LineWriter,
    text: &mut String,
    out: &mut String,
) -> bool {
    for value in names.filter(|value| !is_address(value.raw())) {
        text.clear();
        value.put_line(MAX_AUTHOR_CHARS, lines, text);
        let name = without_label(text);
        let known = out.split(", ").any(|known| known == name);
        let separator = if out.is_empty() { "" } else { ", " };
        let room = MAX_AUTHOR_CHARS.saturating_sub(out.chars().count() + separator.len());
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
