//! Splits a stated title into parts at the marks between them.

use super::words::{is_wide, put_words};
use std::ops::Range;

/// A line, its words and its parts.
#[derive(Debug, Default)]
pub(super) struct SplitLine {
    text: String,
    words: String,
    parts: Vec<LinePart>,
}

/// A part of a line between two marks, as bytes of the text and of the words.
#[derive(Clone, Copy, Debug)]
struct LinePart {
    text: (u32, u32),
    /// Includes the spaces before and after the words.
    words: (u32, u32),
    /// The strength of the marks before the part.
    mark: SeparatorStrength,
}

/// Largest number of parts. The last part includes the rest of the line.
const MAX_PARTS: usize = 16;

/// Marks that belong to the text after them (opening) or before them (closing).
const OPENING: [char; 7] = ['(', '[', '【', '《', '「', '（', '¿'];
const CLOSING: [char; 9] = [')', ']', '】', '》', '」', '）', '?', '!', '。'];

/// The strength with which a mark separates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum SeparatorStrength {
    /// Usually between words of one title: `Rain, wind and sun`.
    Weak,
    /// Within titles, and after names of sites: `Rain: a story`, `Daily: Rain falls`.
    Colon,
    /// Between titles and names of sites, rarely within a title: `Rain | Daily`.
    Strong,
}

impl SplitLine {
    pub(super) fn clear(&mut self) {
        self.text.clear();
        self.words.clear();
        self.parts.clear();
    }

    /// Replaces the line by the text that `put` appends, and splits it.
    pub(super) fn fill(&mut self, put: impl FnOnce(&mut String)) {
        self.clear();
        put(&mut self.text);
        let SplitLine { text, words, parts } = self;
        let (mut start, mut strength_before, mut search_start) = (0, SeparatorStrength::Strong, 0);
        while parts.len() + 1 < MAX_PARTS {
            let Some((mark, strength)) = next_mark(text, search_start) else { break };
            search_start = mark.end;
            let is_part = push(text, start..mark.start, strength_before, words, parts);
            strength_before = if is_part { strength } else { strength_before.max(strength) };
            start = mark.end;
        }
        push(text, start..text.len(), strength_before, words, parts);
    }

    pub(super) fn words(&self) -> &str {
        &self.words
    }

    pub(super) fn part_count(&self) -> usize {
        self.parts.len()
    }

    /// Returns the text of these parts, with the marks between them.
    pub(super) fn text_of(&self, parts: Range<usize>) -> &str {
        let is_last = parts.end == self.parts.len();
        let is_first = parts.start == 0;
        let Some((first, last)) = self.outer_parts(parts) else { return "" };
        let (text_before, text_after) = self.text.split_at(first.text.0 as usize);
        let opens = text_before.len() - text_before.trim_end_matches(OPENING).len();
        let start = if is_first { 0 } else { text_before.len() - opens };
        let text_after = &text_after[last.text.1 as usize - text_before.len()..];
        let closes = text_after.len() - text_after.trim_start_matches(CLOSING).len();
        let end =
            if is_last { self.text.len() } else { self.text.len() - text_after.len() + closes };
        self.text[start..end].trim()
    }

    /// Returns the words of these parts.
    pub(super) fn words_of(&self, parts: Range<usize>) -> &str {
        let Some((first, last)) = self.outer_parts(parts) else { return "" };
        &self.words[first.words.0 as usize..last.words.1 as usize]
    }

    fn outer_parts(&self, parts: Range<usize>) -> Option<(LinePart, LinePart)> {
        let parts = self.parts.get(parts)?;
        Some((*parts.first()?, *parts.last()?))
    }

    /// Returns the strength of the marks before a part. Before the first part, and after the last
    /// one, the line ends.
    pub(super) fn mark_before(&self, index: usize) -> SeparatorStrength {
        self.parts.get(index).map_or(SeparatorStrength::Strong, |part| part.mark)
    }

    /// Returns whether a strong mark, or an end of the line, precedes the part.
    pub(super) fn begins_after_strong(&self, index: usize) -> bool {
        self.mark_before(index) == SeparatorStrength::Strong
    }

    /// Returns the parts that consist of these words; `None` if the words begin or end within a
    /// part.
    pub(super) fn parts_with(&self, words: &str) -> Option<Range<usize>> {
        let start = super::words::offset_of(&self.words, words)? as u32;
        let end = start + words.len() as u32;
        let first = self.parts.iter().position(|part| part.words.0 == start)?;
        let last = self.parts.iter().position(|part| part.words.1 == end)?;
        Some(first..last + 1)
    }
}

/// Adds the part, unless it has no words. Returns whether it was added.
fn push(
    text: &str,
    range: Range<usize>,
    mark: SeparatorStrength,
    words: &mut String,
    parts: &mut Vec<LinePart>,
) -> bool {
    let start = words.len().saturating_sub(1);
    put_words(&text[range.clone()], words);
    if words.len() <= start + 1 {
        return false;
    }
    parts.push(LinePart {
        text: (range.start as u32, range.end as u32),
        words: (start as u32, words.len() as u32),
        mark,
    });
    true
}

/// Returns the next mark at or after the byte `search_start`, and its strength.
fn next_mark(text: &str, search_start: usize) -> Option<(Range<usize>, SeparatorStrength)> {
    text[search_start..].char_indices().find_map(|(offset, c)| {
        let (start, end) = (search_start + offset, search_start + offset + c.len_utf8());
        if c.is_alphanumeric() || c == ' ' {
            return None;
        }
        Some((start..end, strength(&text[..start], c, &text[end..])?))
    })
}

/// Returns the strength of the mark `c` between two texts; `None` if it belongs to a word or a
/// sentence.
fn strength(text_before: &str, c: char, text_after: &str) -> Option<SeparatorStrength> {
    let is_mark = |c: char| {
        matches!(
            c,
            '-' | '–'
                | '—'
                | '―'
                | '‐'
                | '−'
                | '·'
                | '•'
                | '∙'
                | '»'
                | '«'
                | '›'
                | '‹'
                | '>'
                | '<'
                | ':'
                | '|'
                | '｜'
                | '_'
                | '/'
                | '~'
                | '～'
                | '*'
                | '\\'
                | '⋆'
                | '★'
                | '●'
                | '：'
                | '¦'
                | '¬'
                | '→'
        )
    };
    let spaced_before =
        text_before.trim_end_matches(is_mark).ends_with(' ') || text_before.is_empty();
    let spaced_after =
        text_after.trim_start_matches(is_mark).starts_with(' ') || text_after.is_empty();
    let is_alone = spaced_before && spaced_after;
    // Chinese and Japanese sites write such marks without spaces.
    let wide = [text_before.chars().next_back(), text_after.chars().next()]
        .map(|c| c.is_some_and(is_wide));
    match c {
        '|' | '｜' | '»' | '¦' => Some(SeparatorStrength::Strong),
        '：' => Some(SeparatorStrength::Colon),
        ':' => spaced_after.then_some(SeparatorStrength::Colon),
        '_' if wide == [true; 2] || wide[0] && !spaced_after || is_alone => {
            Some(SeparatorStrength::Strong)
        }
        '-' | '–' | '—' if wide == [true; 2] || is_alone => Some(SeparatorStrength::Strong),
        '-' | '–' | '—' if spaced_before || spaced_after => Some(SeparatorStrength::Colon),
        '—' => Some(SeparatorStrength::Weak),
        _ if is_mark(c) => is_alone.then_some(SeparatorStrength::Strong),
        '.' | '?' | '!' | ',' | ';' | ')' | ']' => spaced_after.then_some(SeparatorStrength::Weak),
        '(' | '[' => spaced_before.then_some(SeparatorStrength::Weak),
        '【' | '】' | '《' | '》' | '「' | '」' | '（' | '）' | '，' | '。' => {
            Some(SeparatorStrength::Weak)
        }
        _ => None,
    }
}
