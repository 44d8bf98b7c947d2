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

    /// Returns whether a part of a title names the site. Between weaker marks, a name of the site
    /// together with other words belongs to the headline: `No rivets: Gazette asks`.
    fn is_named_by_part(&self, words: &str, mark: SeparatorStrength) -> bool {
        let is_among_others = || {
            let words = without_article(words);
            let mut names = self.names().map(without_article);
            names.any(|name| contains(words, name) && count(name) < count(words))
        };
        self.is_named_by(words)
            && (mark == SeparatorStrength::Strong
                || self.is_named(words)
                || self.is_host(words)
                || !is_among_others())
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

    /// Returns whether these words are a folder of the URL's path, like the name of a section. The
    /// last segment is the page itself, unless it is the only one.
    fn is_in_path(&self, words: &str) -> bool {
        let mut segments = self.path.split('/').filter(|segment| !segment.is_empty());
        let names = |segment: &str| without_marks(segment).eq(letters(words));
        let is_first = segments.next().is_some_and(names);
        segments.next_back();
        is_first || segments.any(names)
    }

    /// Removes parts of the line that name the site at both ends. Returns the remaining parts, at
    /// least one, and whether any were removed.
    pub(super) fn trim(&self, line: &SplitLine) -> (Range<usize>, bool) {
        let all = 0..line.part_count();
        let mut range = all.clone();
        loop {
            if let Some(parts) = self.parts_at_end(line, &range) {
                range.end -= parts;
            } else if let Some(parts) = self.parts_in_front(line, &range) {
                range.start += parts;
            } else if range != all && self.ends_with_section(line, &range) {
                range.end -= 1;
            } else if range.start > 0 && self.begins_with_section(line, &range) {
                range.start += 1;
            } else {
                return (range.clone(), range != all);
            }
        }
    }

    /// Returns the smallest number of parts at the end of the range that name the site. After parts
    /// have been removed there, only a name as the page states it counts.
    fn parts_at_end(&self, line: &SplitLine, range: &Range<usize>) -> Option<usize> {
        let end = range.end;
        let names_site = |parts: &usize| {
            let words = line.words_of(end - parts..end);
            if end < line.part_count() {
                self.is_named(words)
            } else {
                self.is_named_by_part(words, line.mark_before(end - parts))
            }
        };
        (1..=longest_name(range)).find(names_site)
    }

    /// Returns the smallest number of parts at the beginning of the range that name the site.
    fn parts_in_front(&self, line: &SplitLine, range: &Range<usize>) -> Option<usize> {
        let Range { start, end } = *range;
        // A single word after the name is not a title: `Birdbuddy: Shop`.
        let names_site = |parts: &usize| {
            let mark = line.mark_before(start + parts);
            mark >= SeparatorStrength::Colon
                && count(line.words_of(start + parts..end)) > 1
                && self.is_named_by_part(line.words_of(start..start + parts), mark)
        };
        (1..=longest_name(range)).find(names_site)
    }

    /// Returns whether the last part is the name of a section. The path may contain the words of
    /// the headline too, but the headline is longer.
    fn ends_with_section(&self, line: &SplitLine, range: &Range<usize>) -> bool {
        let last = range.end - 1;
        let words = line.words_of(last..range.end);
        range.start < last
            && line.begins_after_strong(last)
            && count(words) <= count(line.words_of(range.start..last))
            && self.is_in_path(words)
    }

    /// Returns whether the first part is the name of a section, or ends with it:
    /// `Lake News: Boats are back`, in the folder `news`.
    fn begins_with_section(&self, line: &SplitLine, range: &Range<usize>) -> bool {
        const MAX_SECTION_WORDS: usize = 2;
        const MIN_TITLE_WORDS: usize = 3;
        let second = range.start + 1;
        let words = line.words_of(range.start..second);
        let (begin, last) = words.trim_end().rsplit_once(' ').unwrap_or_default();
        // A single word before a colon may be a kicker of the headline: `Sport: a history`.
        let is_section = match line.mark_before(second) {
            SeparatorStrength::Strong => self.is_in_path(words) || self.is_in_path(last),
            SeparatorStrength::Colon => !begin.is_empty() && self.is_in_path(last),
            SeparatorStrength::Weak => false,
        };
        is_section
            && count(words) <= MAX_SECTION_WORDS
            && count(line.words_of(second..range.end)) >= MIN_TITLE_WORDS
    }
}

/// Returns the largest number of parts of the range that may form a name. At least one remains.
fn longest_name(range: &Range<usize>) -> usize {
    range.len().saturating_sub(1).min(MAX_NAME_PARTS)
}

fn without_marks(text: &str) -> impl Iterator<Item = char> + Clone + '_ {
    text.chars().filter(|c| c.is_alphanumeric())
}

/// Returns whether a stated name and the words of a part of a title mean the same site.
fn are_alike(name: &str, words: &str) -> bool {
    let (name, words) = (without_article(name), without_article(words));
    are_glued_equal(name, words)
        || contains(words, name) && 2 * count(name) >= count(words)
        || contains(name, words) && 2 * count(words) >= count(name)
        || are_initials(words.trim(), name)
}

/// Returns the words without an English article at their beginning.
fn without_article(words: &str) -> &str {
    const ARTICLE: &str = " the";
    words.strip_prefix(ARTICLE).filter(|rest| rest.starts_with(' ')).unwrap_or(words)
}

/// Returns whether a word of two to five letters consists of the first letters of the name's words.
fn are_initials(word: &str, name: &str) -> bool {
    let firsts = name.split(' ').filter_map(|word| word.chars().next());
    (2..=5).contains(&word.len()) && firsts.eq(word.chars())
}
