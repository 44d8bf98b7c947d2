//! Cuts the part of a text that shows the matched words.

use crate::analysis::{Analysis, with_language};
use crate::stems::Language;
use std::collections::HashSet;
use std::ops::Range;
use tantivy::tokenizer::{TokenStream, Tokenizer};

/// Target length of a snippet in bytes. Words stay whole.
const SNIPPET_BYTES: usize = 240;

/// Bytes before the first mark.
const MAX_BYTES_BEFORE_MARK: usize = 60;

/// Bytes from the start of the first mark to the end of the last one.
const MAX_MARKED_BYTES: usize = SNIPPET_BYTES - MAX_BYTES_BEFORE_MARK;

/// Bytes that are still searched for a better part after a part that has all terms.
const MAX_EXTRA_SEARCH_BYTES: usize = 2048;

/// A term that snippets mark.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct MarkedTerm {
    term: String,
    /// The languages of the rows in which it is marked. Empty for all.
    languages: Vec<Language>,
    /// Whether words that begin with it are marked too.
    is_prefix: bool,
}

impl MarkedTerm {
    /// Returns a term that is marked in rows of these languages, or in all if there are none.
    pub(crate) fn new(term: &str, languages: &[Language]) -> MarkedTerm {
        MarkedTerm { term: term.to_owned(), languages: languages.to_vec(), is_prefix: false }
    }

    /// Returns the beginning of words that are marked in all rows.
    pub(crate) fn prefix(prefix: &str) -> MarkedTerm {
        MarkedTerm { is_prefix: true, ..MarkedTerm::new(prefix, &[]) }
    }

    fn counts_in(&self, language: Option<Language>) -> bool {
        self.languages.is_empty()
            || language.is_some_and(|row_language| self.languages.contains(&row_language))
    }
}

/// A part of a text, in one line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Snippet {
    /// The part, with `…` where the text continues.
    pub text: String,
    /// Byte ranges of the words that match the query. They ascend and do not overlap.
    pub marks: Vec<Range<usize>>,
}

/// Cuts a snippet around `terms`, the terms of the query. `analysis` makes the terms of the text.
pub(crate) fn snippet(
    analysis: &mut Analysis,
    text: &str,
    language: &str,
    terms: &[MarkedTerm],
) -> Snippet {
    let matches = find_matches(analysis, text, language, terms);
    let best_offset = best_start(&matches);
    let start = best_offset.saturating_sub(MAX_BYTES_BEFORE_MARK);
    let start = if start == 0 { 0 } else { word_after(text, start, best_offset) };
    let wanted_end = text.floor_char_boundary((start + SNIPPET_BYTES).min(text.len()));
    let end =
        if wanted_end == text.len() { wanted_end } else { word_before(text, wanted_end, start) };
    let mut snippet = Snippet::default();
    if start > 0 {
        snippet.text.push('…');
    }
    let mut marks = joined(matches).into_iter().peekable();
    let mut copied_to = start;
    while copied_to < end {
        while marks.next_if(|mark| mark.start < copied_to).is_some() {}
        let mark = marks.peek().filter(|mark| mark.end <= end).cloned();
        let stop = mark.as_ref().map_or(end, |mark| mark.start);
        push(&text[copied_to..stop], &mut snippet.text);
        copied_to = stop;
        if let Some(mark) = mark {
            let begin = snippet.text.len();
            push(&text[mark.clone()], &mut snippet.text);
            snippet.marks.push(begin..snippet.text.len());
            copied_to = mark.end;
        }
    }
    if end < text.len() {
        snippet.text.push('…');
    }
    snippet
}

/// Returns the byte ranges of the terms in the text, with the terms. Terms of text without spaces
/// overlap. The search ends soon after a part that has all terms.
fn find_matches(
    analysis: &mut Analysis,
    text: &str,
    language: &str,
    terms: &[MarkedTerm],
) -> Vec<(Range<usize>, String)> {
    let row_language = Language::from_code(language);
    let (mut whole_terms, mut prefixes) = (HashSet::new(), Vec::new());
    for term in terms.iter().filter(|term| term.counts_in(row_language)) {
        if term.is_prefix {
            prefixes.push(&*term.term);
        } else {
            whole_terms.insert(&*term.term);
        }
    }
    let value = with_language(language, text);
    let mut stream = analysis.token_stream(&value);
    let mut matches: Vec<(Range<usize>, String)> = Vec::new();
    let (mut first, mut end) = (0, usize::MAX);
    while stream.advance() && stream.token().offset_to <= end {
        let token = stream.token();
        let is_wanted = whole_terms.contains(&*token.text)
            || prefixes.iter().any(|prefix| token.text.starts_with(prefix));
        if !is_wanted {
            continue;
        }
        matches.push((token.offset_from..token.offset_to, token.text.clone()));
        while matches[first].0.start + MAX_MARKED_BYTES < token.offset_to
            && first + 1 < matches.len()
        {
            first += 1;
        }
        if end == usize::MAX
            && count_distinct_terms(&matches[first..]) >= whole_terms.len() + prefixes.len()
        {
            end = token.offset_to + MAX_EXTRA_SEARCH_BYTES;
        }
    }
    matches
}

/// Returns the number of different terms among the matches of a part. A part holds few.
fn count_distinct_terms(part: &[(Range<usize>, String)]) -> usize {
    part.iter().map(|(_, term)| term.as_str()).collect::<HashSet<_>>().len()
}

/// Joins ranges that overlap, as those of a run do.
fn joined(matches: Vec<(Range<usize>, String)>) -> Vec<Range<usize>> {
    let mut marks: Vec<Range<usize>> = Vec::new();
    for (range, _) in matches {
        match marks.last_mut() {
            Some(last) if range.start < last.end => last.end = last.end.max(range.end),
            _ => marks.push(range),
        }
    }
    marks
}

/// Returns the start of the part with the most different terms. Among equals, the part with the
/// most matches wins.
fn best_start(matches: &[(Range<usize>, String)]) -> usize {
    let mut best_part = (0, 0, 0);
    let mut last = 0;
    for (first, (range, _)) in matches.iter().enumerate() {
        last = last.max(first);
        while matches.get(last).is_some_and(|(next, _)| next.end <= range.start + MAX_MARKED_BYTES)
        {
            last += 1;
        }
        let matches_within = &matches[first..last];
        let distinct_terms = count_distinct_terms(matches_within);
        if (distinct_terms, matches_within.len()) > (best_part.0, best_part.1) {
            best_part = (distinct_terms, matches_within.len(), range.start);
        }
    }
    best_part.2
}

/// Returns the start of the first word between two places.
fn word_after(text: &str, start: usize, end: usize) -> usize {
    let start = text.ceil_char_boundary(start).min(end);
    let blank = text[start..end].find(char::is_whitespace);
    blank.map_or(start, |distance| {
        start + distance + text[start + distance..].chars().next().map_or(0, char::len_utf8)
    })
}

/// Returns the end of the last word between two places.
fn word_before(text: &str, end: usize, start: usize) -> usize {
    let half = text.ceil_char_boundary(start + (end - start) / 2);
    text[half..end].rfind(char::is_whitespace).map_or(end, |distance| half + distance)
}

/// Appends a text as one line, without control characters.
fn push(text: &str, out: &mut String) {
    for c in text.chars() {
        if c == '\n' || c == '\t' {
            out.push(' ');
        } else if !c.is_control() {
            out.push(c);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn marked(text: &str, terms: &[&str]) -> (String, Vec<String>) {
        let terms: Vec<_> = terms.iter().map(|term| MarkedTerm::new(term, &[])).collect();
        let found = snippet(&mut Analysis::default(), text, "eng", &terms);
        let marks = found.marks.iter().map(|mark| found.text[mark.clone()].to_owned()).collect();
        (found.text, marks)
    }

    #[test]
    fn the_part_with_most_words_is_shown_in_one_line() {
        let filler = "lorem ipsum ".repeat(100);
        let text =
            format!("{filler}a cat\nand its {filler}Running dogs\u{1b}[2J chase a cat {filler}");
        let (text, marks) = marked(&text, &["cat", "dogs", "\u{1}run"]);
        assert_eq!(marks, ["Running", "dogs", "cat"]);
        assert!(
            text.starts_with('…') && text.ends_with('…') && text.len() < SNIPPET_BYTES + 10,
            "{text}"
        );
        assert!(!text.contains(|c: char| c.is_control()));
    }

    #[test]
    fn the_search_ends_after_a_part_with_all_words() {
        let near = format!("a cat {}one cat, two cats", "lorem ".repeat(100));
        assert_eq!(marked(&near, &["cat"]).1, ["cat"]);
        assert!(marked(&near, &["one", "cat"]).0.ends_with("one cat, two cats"));
        let far = format!("cat {}one cat", "lorem ".repeat(1000));
        let (start, marks) = marked(&far, &["cat"]);
        assert!(start.starts_with("cat lorem") && marks == ["cat"]);
        let (end, marks) = marked(&far, &["cat", "one"]);
        assert!(end.ends_with("one cat") && marks == ["one", "cat"]);
    }

    #[test]
    fn any_text_has_a_snippet() {
        assert_eq!(marked("", &["a"]), (String::new(), vec![]));
        assert_eq!(marked("short", &[]), ("short".to_owned(), vec![]));
        assert_eq!(marked("short", &["short"]), ("short".to_owned(), vec!["short".to_owned()]));
        let long = "漢".repeat(1000);
        let (text, _) = marked(&long, &["漢漢"]);
        assert!(text.ends_with('…'));
        for at in 0..20 {
            let text = format!("{}ü{}", "x".repeat(at), "ä ö".repeat(300));
            marked(&text, &["o", "a"]);
        }
    }
}
