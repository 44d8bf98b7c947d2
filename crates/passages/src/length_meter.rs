//! Measures Markdown in scalars or in tokens.
//!
//! # Exact counts without counting twice
//!
//! The tokens of parts do not add up to those of the whole. But a tokenizer cuts a text into
//! pieces, and a piece depends only on the text from its start on. So one pass over the page notes
//! the sum of tokens at places between pieces. For a part of the page only its beginning, with the
//! prefix before it, and its end are counted again. From the first noted place that the pieces of
//! the beginning reach, both have the same pieces, up to the last word. If they reach no such
//! place, the whole part is counted.

use crate::document::Document;
use huller_refine::tokens::{Counter, Tokenizer};
use std::ops::Range;

/// The unit of lengths.
#[derive(Debug)]
enum Unit {
    /// Unicode scalars.
    Scalars,
    /// Tokens of a tokenizer.
    Tokens(Box<Counter>),
}

/// Measures the Markdown of a page.
#[derive(Debug)]
pub(crate) struct LengthMeter {
    unit: Unit,
    /// Places between pieces, and the tokens before them. The first is the start of the Markdown,
    /// and the last its end.
    places: Vec<(usize, u64)>,
    /// Whether counts may use the places.
    is_additive: bool,
    buffer: String,
}

/// Least distance between two places, in bytes.
const MIN_PLACE_DISTANCE: usize = 8;

/// Bytes after the first place in which the pieces of a part should reach a place.
const MARGIN_BYTES: usize = 48;

impl LengthMeter {
    /// Measures in the tokens of a tokenizer, or in Unicode scalars.
    pub(crate) fn new(tokenizer: Option<&Tokenizer>) -> LengthMeter {
        let unit = tokenizer.map_or(Unit::Scalars, |tokenizer| {
            Unit::Tokens(Box::new(Counter::new(tokenizer.clone())))
        });
        LengthMeter { unit, places: Vec::new(), is_additive: false, buffer: String::new() }
    }

    /// Measures all rows of a document, and remembers the Markdown for the other functions.
    pub(crate) fn begin(&mut self, markdown: &str, document: &mut Document) {
        self.places.clear();
        self.places.shrink_to(1 << 14);
        match &mut self.unit {
            Unit::Scalars => {
                let mut length_before = 0;
                let ends = document.rows.iter().skip(1).map(|row| row.start);
                let ends: Vec<usize> = ends.chain([markdown.len()]).collect();
                for (row, end) in document.rows.iter_mut().zip(ends) {
                    row.before = length_before;
                    length_before += count_scalars(&markdown[row.start..end]);
                }
                document.size = length_before;
            }
            Unit::Tokens(counter) => {
                let (mut rows, mut start, mut tokens) = (document.rows.iter_mut().peekable(), 0, 0);
                let places = &mut self.places;
                places.push((0, 0));
                self.is_additive = counter.count_pieces(markdown, |end, of_piece| {
                    while let Some(row) = rows.next_if(|row| row.start < end) {
                        row.before = interpolate_measure(
                            (start, tokens),
                            (end, tokens + of_piece),
                            row.start,
                        );
                    }
                    start = end;
                    tokens += of_piece;
                    if places.last().is_some_and(|(offset, _)| offset + MIN_PLACE_DISTANCE <= end) {
                        places.push((end, tokens));
                    }
                    true
                });
                if places.last().is_some_and(|(offset, _)| *offset < markdown.len()) {
                    places.push((markdown.len(), tokens));
                }
                document.size = tokens;
            }
        }
    }

    /// Estimates the measure of a part of the Markdown. Sums of parts have no error of their own.
    pub(crate) fn estimate(&self, markdown: &str, range: Range<usize>) -> u64 {
        match self.unit {
            Unit::Scalars => count_scalars(&markdown[range]),
            Unit::Tokens(_) => self.tokens_before(range.end) - self.tokens_before(range.start),
        }
    }

    /// Estimates the tokens before an offset.
    fn tokens_before(&self, offset: usize) -> u64 {
        let index = self.places.partition_point(|(position, _)| *position <= offset);
        match (self.places.get(index.wrapping_sub(1)), self.places.get(index)) {
            (Some(point_before), Some(point_after)) => {
                interpolate_measure(*point_before, *point_after, offset)
            }
            (Some((_, tokens)), None) => *tokens,
            _ => 0,
        }
    }

    /// Measures a text.
    pub(crate) fn count(&mut self, text: &str) -> u64 {
        match &mut self.unit {
            Unit::Scalars => count_scalars(text),
            Unit::Tokens(counter) => counter.count(text),
        }
    }

    /// Measures a part of the Markdown with a text before it, as one text.
    pub(crate) fn count_part(
        &mut self,
        text_before: &str,
        markdown: &str,
        range: Range<usize>,
    ) -> u64 {
        let Unit::Tokens(counter) = &mut self.unit else {
            return count_scalars(text_before) + count_scalars(&markdown[range]);
        };
        let visible_end = range.start + markdown[range.clone()].trim_end().len();
        self.buffer.clear();
        self.buffer.shrink_to(1 << 16);
        self.buffer.push_str(text_before);
        let first_index = self.places.partition_point(|(position, _)| *position <= range.start);
        if self.is_additive
            && let Some((position, _)) = self.places.get(first_index)
            && position + 2 * MARGIN_BYTES < visible_end
        {
            let end = markdown.ceil_char_boundary(position + MARGIN_BYTES);
            self.buffer.push_str(&markdown[range.start..end]);
            let visible = self.buffer.trim_end().len();
            let (mut tokens, mut reached) = (0, None);
            let is_additive = counter.count_pieces(&self.buffer, |end, of_piece| {
                tokens += of_piece;
                if end > text_before.len() && end < visible {
                    let offset = range.start + end - text_before.len();
                    let position =
                        self.places.binary_search_by_key(&offset, |(position, _)| *position);
                    reached = position.ok();
                }
                reached.is_none() && end < visible
            });
            let last_index =
                self.places.partition_point(|(position, _)| *position < visible_end) - 1;
            if is_additive
                && let Some(reached) = reached
                && reached <= last_index
            {
                let (end, tokens_to_end) = self.places[last_index];
                let inner = tokens_to_end - self.places[reached].1;
                return tokens + inner + counter.count(&markdown[end..range.end]);
            }
            self.buffer.truncate(text_before.len());
        }
        self.buffer.push_str(&markdown[range]);
        counter.count(&self.buffer)
    }
}

/// Returns the measure at an offset between two places, as if it grew evenly.
fn interpolate_measure(
    point_before: (usize, u64),
    point_after: (usize, u64),
    offset: usize,
) -> u64 {
    let (bytes, tokens) = ((point_after.0 - point_before.0) as u64, point_after.1 - point_before.1);
    point_before.1 + tokens * (offset - point_before.0) as u64 / bytes.max(1)
}

fn count_scalars(text: &str) -> u64 {
    text.chars().count() as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scanner;
    use proptest::prelude::*;
    use std::sync::OnceLock;

    const PATTERNS: [&str; 5] = ["gpt2", "cl100k", "llama3", "qwen2", "o200k"];

    fn tokenizer(pattern: usize) -> &'static Tokenizer {
        static ALL: OnceLock<Vec<Tokenizer>> = OnceLock::new();
        let open = |pattern| Tokenizer::open("gpt2", pattern).unwrap();
        &ALL.get_or_init(|| PATTERNS.into_iter().map(open).collect())[pattern]
    }

    fn begun(tokenizer: Option<&Tokenizer>, markdown: &str) -> (LengthMeter, Document) {
        let mut meter = LengthMeter::new(tokenizer);
        let mut document = Document::default();
        scanner::scan(markdown, &mut scanner::Scratch::default(), &mut document);
        meter.begin(markdown, &mut document);
        (meter, document)
    }

    #[test]
    fn rows_are_measured_in_scalars() {
        let (mut meter, document) = begun(None, "# é\n\ntext\n");
        assert_eq!(document.rows.iter().map(|row| row.before).collect::<Vec<_>>(), [0, 5]);
        assert_eq!(document.size, 10);
        assert_eq!(meter.estimate("aéb", 1..3), 1);
        assert_eq!(meter.count_part("é", "aéb", 0..3), 3);
    }

    proptest! {
        #[test]
        fn parts_are_counted_as_whole_texts(
            words in prop::collection::vec(
                "[A-Za-z]{1,9}|[0-9]{1,5}|'(s|re|ll|x)|[.,:/#*|-]{1,4}|[ \n\t\r]{1,5}|日本語|é|ﬁ|\u{301}|aaaa{40}",
                0..120,
            ),
            before in "([A-Z][a-z]{0,5} ?){0,4}(\n\n)?",
            pattern in 0..PATTERNS.len(),
            ends in prop::collection::vec((0_usize..1_000, 0_usize..1_000), 8),
        ) {
            let markdown = words.join(" ").replace("  ", "");
            let (mut meter, _) = begun(Some(tokenizer(pattern)), &markdown);
            let mut counter = Counter::new(tokenizer(pattern).clone());
            for (one, other) in ends {
                let place = |part: usize| markdown.floor_char_boundary(part * markdown.len() / 1_000);
                let part = place(one.min(other))..place(one.max(other));
                let whole = format!("{before}{}", &markdown[part.clone()]);
                prop_assert_eq!(meter.count_part(&before, &markdown, part), counter.count(&whole));
            }
        }
    }
}
