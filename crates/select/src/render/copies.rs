//! Leaves out repeated blocks of a page: copies for other screens, for print, for screen readers.
//!
//! A long line is written once if it occurs twice in a row, or if one of the two is not for every
//! reader. Repetition by the author stays: other lines, lines of verse, short lines, tables, code
//! and quotations.

use super::share;
use huller_page::{AttributeName, Page, Tag};
use std::collections::HashMap;
use std::ops::Range;

/// A line with fewer bytes than this may occur twice.
const MIN_UNIQUE_BYTES: usize = 80;
/// In scripts with long encodings, a line with fewer scalars than this may occur twice.
const MIN_UNIQUE_SCALARS: usize = 40;
/// A line with fewer bytes than this may occur twice in a row.
const MIN_UNIQUE_BYTES_IN_A_ROW: usize = 24;

/// The long lines of one text, and the runs that were left out because their line had occurred
/// before.
#[derive(Debug, Default)]
pub(super) struct Copies {
    /// The first line with each key.
    lines: HashMap<u64, Line>,
    /// Ranges of run indices, ascending.
    left_out: Vec<Range<u32>>,
}

/// A line of a text.
#[derive(Clone, Debug, Default)]
pub(super) struct Line {
    /// Range of bytes of the line in the text.
    pub(super) place: Range<usize>,
    /// The runs that the line is made of.
    pub(super) runs: Range<u32>,
}

impl Copies {
    pub(super) fn clear(&mut self) {
        const MAX_KEPT_ENTRIES: usize = 1 << 12;
        self.lines.clear();
        self.lines.shrink_to(MAX_KEPT_ENTRIES);
        self.left_out.clear();
        self.left_out.shrink_to(MAX_KEPT_ENTRIES);
    }

    /// Begins another text, without lines. Keeps the runs that were left out of the last text.
    pub(super) fn begin(&mut self) {
        self.lines.clear();
    }

    /// Returns the ranges of runs that were left out, in document order.
    pub(super) fn omitted_runs(&self) -> &[Range<u32>] {
        &self.left_out
    }

    /// Forgets all ranges that were left out, except for the first `count`.
    pub(super) fn keep_left_out(&mut self, count: usize) {
        self.left_out.truncate(count);
    }

    /// Returns whether the last line of a text does not belong to it. Such a line is a bar of
    /// buttons for sharing, or a copy of an earlier line ([`Copies::is_copy`]).
    pub(super) fn leaves_out(
        &mut self,
        page: &Page<'_>,
        text: &str,
        line: &Line,
        previous: Option<&Line>,
    ) -> bool {
        let is_out = self.is_copy(page, text, line, previous)
            || share::is_bar(page, &text[line.place.clone()], line.runs.clone());
        if is_out {
            self.left_out.push(line.runs.clone());
        }
        is_out
    }

    /// Returns whether the last line of a text is a copy of an earlier one; if not, remembers it.
    /// `previous` is the line before it, if both are blocks of their own.
    fn is_copy(
        &mut self,
        page: &Page<'_>,
        text: &str,
        line: &Line,
        previous: Option<&Line>,
    ) -> bool {
        let source = &text[line.place.clone()];
        // Authors repeat filler on purpose.
        if source.len() < MIN_UNIQUE_BYTES_IN_A_ROW || source.starts_with("Lorem ipsum") {
            return false;
        }
        if previous.is_some_and(|previous| text[previous.place.clone()] == *source) {
            true
        } else if source.len() < MIN_UNIQUE_BYTES
            || source.len() < 3 * MIN_UNIQUE_BYTES && source.chars().count() < MIN_UNIQUE_SCALARS
        {
            false
        } else {
            // Lines with equal keys are compared, and the first of a key stays. So the cost is that
            // of reading each line once.
            let first_line =
                self.lines.entry(line_key(source.as_bytes())).or_insert_with(|| line.clone());
            first_line.place.start != line.place.start
                && text[first_line.place.clone()] == *source
                && (is_for_some(page, line) || is_for_some(page, first_line))
        }
    }
}

/// Number of elements around a line whose attributes are tested.
const MAX_TESTED_ANCESTORS: usize = 14;

/// Class words of an element that is not for every reader.
const HINTS: &[&str] = &[
    "hidden",
    "hide",
    "mobile",
    "desktop",
    "tablet",
    "phone",
    "print",
    "printable",
    "visible",
    "visually",
    "none",
    "sr",
    "offscreen",
    "modal",
    "tooltip",
    "popup",
    "lightbox",
    "slick",
    "swiper",
    "cloned",
    "reader",
];

/// Returns whether a line is not for every reader: hidden, or for one kind of screen, for print,
/// for screen readers. The attributes of an element around it decide this.
fn is_for_some(page: &Page<'_>, line: &Line) -> bool {
    let nodes = page.nodes();
    let mut ancestor = page.runs()[line.runs.start as usize].node;
    for _ in 0..MAX_TESTED_ANCESTORS {
        if ancestor == page.body() || ancestor == 0 {
            break;
        }
        let node = &nodes[ancestor as usize];
        let attribute = |name| page.attribute(node, name);
        let is_hint = |word: &str| HINTS.iter().any(|hint| word.eq_ignore_ascii_case(hint));
        if attribute(AttributeName::Hidden).is_some()
            || node.tag == Tag::NOSCRIPT
            || attribute(AttributeName::Style).is_some_and(|style| style.contains("none"))
            || attribute(AttributeName::Class)
                .is_some_and(|class| class.split(|c: char| !c.is_alphanumeric()).any(is_hint))
        {
            return true;
        }
        ancestor = node.parent;
    }
    false
}

/// Returns a key of a line: its length, and words of its start, middle and end.
fn line_key(line: &[u8]) -> u64 {
    const FACTOR: u64 = 0x9E37_79B9_7F4A_7C15;
    let word = |offset: usize| {
        let bytes: [u8; 8] = line[offset..offset + 8].try_into().expect("eight bytes");
        u64::from_le_bytes(bytes)
    };
    let len = line.len();
    let places = [0, 8, 16, len / 4, len / 2, len * 3 / 4, len - 16, len - 8];
    places.into_iter().fold(len as u64, |key, offset| {
        (key ^ word(offset.min(len - 8))).wrapping_mul(FACTOR).rotate_left(29)
    })
}
