//! The names of the site that a page states, and its URL. They show which parts of a title do not
//! belong to the headline.

use super::line::truncate_text;
use super::parts::{SeparatorStrength, SplitLine};
use super::words::{are_glued_equal, contains, count, letters, put_words};
use std::ops::Range;

/// The known names of the site, and its URL.
#[derive(Debug, Default)]
pub(super) struct Site {
    /// The words of all names, concatenated.
    words: String,
    names: Vec<(u32, u32)>,
    /// The host and the path of the page's URL, in lower case.
    host: String,
    path: String,
}

/// Largest number of bytes of a URL to read.
const MAX_URL_BYTES: usize = 1 << 10;
/// A label of the host equals words only if these have at least this many letters. A comparison of
/// their beginnings needs at least `MIN_PREFIX_LETTERS` letters.
const MIN_LABEL_LETTERS: usize = 3;
const MIN_PREFIX_LETTERS: usize = 5;
/// Largest number of parts of a title that form one name.
const MAX_NAME_PARTS: usize = 4;
/// Marks between the name of a site and its motto.
const BEFORE_MOTTO: [&str; 7] = [" - ", " – ", " — ", " | ", ": ", " » ", " · "];

impl Site {
    /// Discards the names, and stores the URL of the page.
    pub(super) fn reset(&mut self, url: Option<&str>) {
        let Site { words, names, host, path } = self;
        words.clear();
        names.clear();
        host.clear();
        path.clear();
        let Some((_, rest)) = url.and_then(|url| url.split_once("://")) else { return };
        let rest = truncate_text(rest, MAX_URL_BYTES);
        let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
        let of_path = rest[end..].split(['?', '#']).next().unwrap_or_default();
        host.push_str(rest[..end].strip_prefix("www.").unwrap_or(&rest[..end]));
        host.make_ascii_lowercase();
        path.push_str(of_path);
        path.make_ascii_lowercase();
    }

    /// Adds a name that the page states.
    pub(super) fn add(&mut self, name: &str) {
        let mut add = |name: &str| {
            // Prevents two names from sharing a space.
            self.words.push('\n');
            let start = self.words.len();
            put_words(name, &mut self.words);
            if self.words.len() > start + 2 {
                self.names.push((start as u32, self.words.len() as u32));
            }
        };
        add(name);
        if let Some(end) = BEFORE_MOTTO.iter().filter_map(|mark| name.find(mark)).min() {
            add(&name[..end]);
        }
    }

    /// Returns whether the page states a name of its site.
    pub(super) fn has_name(&self) -> bool {
        !self.names.is_empty()
    }

    fn names(&self) -> impl Iterator<Item = &str> {
        self.names.iter().map(|name| &self.words[name.0 as usize..name.1 as usize])
    }

    /// Returns whether these words are exactly a name that the page states.
    pub(super) fn is_named(&self, words: &str) -> bool {
        self.names().any(|name| name == words)
    }

    /// Returns whether these words of a part of a title name the site. They can be a name that the
    /// page states, most of such a name, its initials, or the host.
    pub(super) fn is_named_by(&self, words: &str) -> bool {
        words.len() > 2 && (self.names().any(|name| are_alike(name, words)) || self.is_host(words))
    }

    fn is_host(&self, words: &str) -> bool {
        let long = letters(words).count();
        if long < MIN_LABEL_LETTERS || self.host.is_empty() {
            return false;
        }
        let is_label = |label: &str| {
            let equal = without_marks(label).zip(letters(words)).take_while(|(a, b)| a == b);
            let (equal, of_label) = (equal.count(), without_marks(label).count());
            let begins = equal == of_label.min(long) && equal >= MIN_PREFIX_LETTERS;
            equal == long && equal == of_label || begins && 2 * long <= 3 * of_label
        };
        is_label(&self.host) || self.host.split('.').any(is_label)
    }

    /// Returns whether these words are a segment of the URL's path, like the name of a section.
    fn is_in_path(&self, words: &str) -> bool {
        let mut segments = self.path.split('/').filter(|segment| !segment.is_empty());
        segments.any(|segment| without_marks(segment).eq(letters(words)))
    }

    /// Removes parts of the line that name the site at both ends. Returns the remaining parts, at
    /// least one, and whether any were removed.
    pub(super) fn trim(&self, line: &SplitLine) -> (Range<usize>, bool) {
        let mut range = 0..line.part_count();
        let mut was_removed = false;
        loop {
            let (start, end) = (range.start, range.end);
            let longest = (end - start).saturating_sub(1).min(MAX_NAME_PARTS);
            let is_behind = |n: &usize| self.is_named_by(line.words_of(end - n..end));
            // A single word after the name is not a title: `Birdbuddy: Shop`.
            let is_in_front = |n: &usize| {
                line.mark_before(start + n) >= SeparatorStrength::Colon
                    && self.is_named_by(line.words_of(start..start + n))
                    && count(line.words_of(start + n..end)) > 1
            };
            let is_section = || {
                let is_apart = end - start > 1 && line.begins_after_strong(end - 1);
                is_apart && self.is_in_path(line.words_of(end - 1..end))
            };
            if let Some(n) = (1..=longest).rev().find(is_behind) {
                range.end -= n;
            } else if let Some(n) = (1..=longest).rev().find(is_in_front) {
                range.start += n;
            } else if was_removed && is_section() {
                range.end -= 1;
            } else {
                return (range, was_removed);
            }
            was_removed = true;
        }
    }
}

fn without_marks(text: &str) -> impl Iterator<Item = char> + Clone + '_ {
    text.chars().filter(|c| c.is_alphanumeric())
}

/// Returns whether a stated name and the words of a part of a title mean the same site.
fn are_alike(name: &str, words: &str) -> bool {
    let plain = |words: &'_ str| words.strip_prefix(" the ").map_or(1, |_| 5);
    let (name, words) = (&name[plain(name) - 1..], &words[plain(words) - 1..]);
    are_glued_equal(name, words)
        || contains(words, name) && 2 * count(name) >= count(words)
        || contains(name, words) && 2 * count(words) >= count(name)
        || are_initials(words.trim(), name)
}

/// Returns whether a word of two to five letters consists of the first letters of the name's words.
fn are_initials(word: &str, name: &str) -> bool {
    let firsts = name.split(' ').filter_map(|word| word.chars().next());
    (2..=5).contains(&word.len()) && firsts.eq(word.chars())
}
