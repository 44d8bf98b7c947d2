//! Chooses the places at which a page is cut.
//!
//! A passage begins where the one before it ends, and takes pieces while the limit allows it. It
//! ends at the first of these places that exists:
//!
//! 1. the end of the page, if all that is left fits,
//! 2. the end of the section that it began in, or else the heading of the highest level in it, if
//!    the passage is not too short,
//! 3. the outermost and last boundary of blocks, items, rows or lines that leaves the passage long
//!    enough, in the second half of the space if possible,
//! 4. the last sentence that fits, then any of the boundaries above,
//! 5. the last word that fits, in the piece that no longer fits or else in a piece before it,
//! 6. between two headings that follow each other, then the last word of a heading,
//! 7. before the piece that does not fit,
//! 8. within a word that exceeds the space alone.
//!
//! Boundaries in units that stay whole, after headings and after heads of tables do not count. A
//! fence or an underline is cut only if it exceeds the space alone. If a choice leaves a section
//! with a rest that is too short, an earlier boundary of the same level is taken, if there is one.
//!
//! Cost: O(n) for n pieces. Each piece is measured once. A search reads at most what one passage
//! may hold, and the first rule ends it at the next section. So the same pieces are read again only
//! where the levels of headings or blocks descend, which they do a bounded number of times.

use crate::document::{NO_HEADING, RowFlag};
use crate::kinds::{Kind, Kinds};
use crate::level::Level;
use crate::piece_splitter::{Granularity, Piece, sentence_starts};
use crate::queue::{Page, Queue};

/// The limits of a passage.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// Space for pieces. The pieces before the first place for a cut may exceed it by
    /// [`TOLERANCE_BYTES`], since it is an estimate.
    pub(crate) room: u64,
    /// The passage ends before this offset.
    pub(crate) before: usize,
    /// Shorter passages are avoided.
    pub(crate) min: u64,
}

/// The places at which a passage may end: the number of pieces before each.
#[derive(Debug, Default)]
struct Places {
    /// The piece that no longer fits.
    crossing: usize,
    heading: Option<(Level, usize)>,
    late: Option<(Level, usize)>,
    early: Option<(Level, usize)>,
    sentence: Option<usize>,
    /// Boundaries before the least length.
    short: Option<(Level, usize)>,
    word: Option<usize>,
    /// Between two headings that follow each other, or two lines of one.
    between: Option<usize>,
}

/// The outcome of a search.
enum Search {
    /// A place was found that is best.
    Found(usize),
    /// The places, because not all pieces fit.
    Places(Places),
}

/// Chooses how many pieces the next passage has: at least one. Their estimated measure fits into
/// the room, except for a single scalar.
pub(crate) fn choose(queue: &mut Queue, page: &mut Page<'_>, limits: Limits) -> usize {
    loop {
        let places = match find_ends(queue, page, limits) {
            Search::Found(count) => return count,
            Search::Places(places) => places,
        };
        if let Some((_, count)) = places.heading {
            return count;
        }
        if let Some((level, count)) = places.late.or(places.early) {
            return avoid_short_rest(queue, page, limits, level, count);
        }
        let crossing = places.crossing;
        let piece = *queue.returned_piece(crossing);
        let row = &page.document.rows[piece.row];
        let (is_whole, is_heading) = (row.has(RowFlag::Whole), row.is_heading());
        // A fence or an underline is cut only if it exceeds the limit alone.
        let is_markup = row.has(RowFlag::Markup) && crossing > 0;
        let smaller = piece.granularity.smaller(row.kinds).filter(|_| !is_markup);
        if !is_whole && !is_heading && smaller == Some(Granularity::Sentence) {
            queue.split(crossing, Granularity::Sentence);
        } else if let Some(count) = places.sentence {
            return avoid_short_rest(queue, page, limits, Level::SENTENCE, count);
        } else if let Some((_, count)) = places.short {
            return count;
        } else if let Some(count) = places.between.filter(|_| is_heading) {
            return count;
        } else if let Some(smaller) =
            smaller.filter(|smaller| *smaller <= Granularity::Word && !is_whole)
        {
            queue.split(crossing, smaller);
        } else if let Some(count) = places.word {
            return count;
        } else if is_whole {
            queue.release(piece.row, page);
        } else if let Some(smaller) = smaller.filter(|smaller| *smaller == Granularity::Segment) {
            queue.split(crossing, smaller);
        } else if let Some((index, smaller)) = last_bound(queue, page, &places) {
            queue.split(index, smaller);
        } else if let Some(count) = places.between {
            return count;
        } else if let Some(smaller) = smaller.filter(|_| crossing == 0) {
            queue.split(crossing, smaller);
        } else {
            // A word that fits alone stays whole, even after a heading or before a fence.
            return crossing.max(1);
        }
    }
}

/// Returns the last piece before the crossing one that can be cut into words, and the size of
/// these. A heading is cut only if it follows no other heading. Assumes that the Markdown may be
/// cut before none of the pieces up to the crossing one.
fn last_bound(queue: &Queue, page: &Page<'_>, places: &Places) -> Option<(usize, Granularity)> {
    /// Pieces that are tried.
    const MAX_TRIED_PIECES: usize = 8;
    let index = (0..places.crossing).rev().take(MAX_TRIED_PIECES).find(|index| {
        let piece = queue.returned_piece(*index);
        piece.granularity < Granularity::Segment
            && !page.document.rows[piece.row].has(RowFlag::Markup)
    })?;
    let piece = queue.returned_piece(index);
    let is_heading = page.document.rows[piece.row].is_heading();
    let smaller = if piece.granularity < Granularity::Word {
        Granularity::Word
    } else {
        Granularity::Segment
    };
    (!is_heading || places.between.is_none()).then_some((index, smaller))
}

/// Finds the places at which a passage may end.
fn find_ends(queue: &mut Queue, page: &Page<'_>, limits: Limits) -> Search {
    let mut places = Places::default();
    let (mut size, mut index) = (0, 0);
    let mut room = limits.room + TOLERANCE_BYTES;
    let Some(first_piece) = queue.get(0, page) else { return Search::Found(0) };
    let section_end = section_level(page, &first_piece);
    let mut is_after_heading = false;
    while let Some(piece) = queue.get(index, page) {
        let row = &page.document.rows[piece.row];
        let is_heading = row.is_heading() && !row.has(RowFlag::Markup);
        if index > 0 && piece.may_cut_before {
            room = limits.room;
            let is_long = size >= limits.min;
            if piece.level.is_heading() && is_long {
                if piece.level <= section_end && !is_rest_short(page, &piece, size, limits) {
                    return Search::Found(index);
                }
                if places.heading.is_none_or(|(level, _)| piece.level < level) {
                    places.heading = Some((piece.level, index));
                }
            } else if piece.level < Level::SENTENCE {
                let cut_place = match (is_long, size >= limits.room / 2) {
                    (true, true) => &mut places.late,
                    (true, false) => &mut places.early,
                    (false, _) => &mut places.short,
                };
                if cut_place.is_none_or(|(level, _)| piece.level <= level) {
                    *cut_place = Some((piece.level, index));
                }
            } else if piece.level == Level::SENTENCE {
                if is_long {
                    places.sentence = Some(index);
                } else if places.short.is_none_or(|(level, _)| piece.level <= level) {
                    places.short = Some((piece.level, index));
                }
            } else {
                places.word = Some(index);
            }
        } else if is_after_heading && is_heading && piece.granularity == Granularity::Row {
            places.between = Some(index);
        }
        if size + piece.estimated_length > room || piece.end >= limits.before {
            places.crossing = index;
            return Search::Places(places);
        }
        // An underline or a rule may follow a heading.
        is_after_heading = is_heading || is_after_heading && row.has(RowFlag::Markup);
        size += piece.estimated_length;
        index += 1;
    }
    Search::Found(index)
}

/// A text that fits by its exact measure may exceed the limit by so much in the sum of its pieces.
pub(crate) const TOLERANCE_BYTES: u64 = 16;

/// Returns the level of headings that end the section in which a piece is.
fn section_level(page: &Page<'_>, piece: &Piece) -> Level {
    match page.document.rows[piece.row].section {
        NO_HEADING => Level::heading(6),
        section => Level::heading(page.document.headings[section as usize].level),
    }
}

/// Returns whether the rest of the page is too short for a passage, and fits into this one.
fn is_rest_short(page: &Page<'_>, piece: &Piece, size: u64, limits: Limits) -> bool {
    let rest = page.document.size - page.document.length_before(piece.row);
    rest < limits.min && size + rest <= limits.room
}

/// Returns the last boundary of a level, up to the place `count`, that leaves no rest of its
/// section that is too short. Returns `count` if all leave one.
fn avoid_short_rest(
    queue: &Queue,
    page: &Page<'_>,
    limits: Limits,
    level: Level,
    count: usize,
) -> usize {
    if limits.min == 0
        || rest_of_section(page, queue.returned_piece(count), limits.min) >= limits.min
    {
        return count;
    }
    let mut size: u64 = (0..count).map(|index| queue.returned_piece(index).estimated_length).sum();
    for index in (1..count).rev() {
        size -= queue.returned_piece(index).estimated_length;
        if size < limits.min {
            break;
        }
        let piece = queue.returned_piece(index);
        let is_boundary = piece.may_cut_before && piece.level == level;
        if is_boundary && rest_of_section(page, piece, limits.min) >= limits.min {
            return index;
        }
    }
    count
}

/// Estimates the measure from a piece to the end of its section, up to about `enough`.
fn rest_of_section(page: &Page<'_>, piece: &Piece, enough: u64) -> u64 {
    /// A token is rarely longer, in bytes.
    const MAX_TOKEN_BYTES: u64 = 16;
    let row_end = page.document.start(piece.row + 1);
    if (row_end - piece.start) as u64 > enough.saturating_mul(MAX_TOKEN_BYTES) {
        return enough;
    }
    let mut rest = page.meter.estimate(page.markdown, piece.start..row_end);
    let rows = page.document.rows.iter().enumerate().skip(piece.row + 1);
    for (index, _) in rows.take_while(|(_, row)| !row.level.is_heading()) {
        if rest >= enough {
            break;
        }
        rest += page.document.length_before(index + 1) - page.document.length_before(index);
    }
    rest
}

/// Decides which units stay whole. They fit into a passage with their prefix and with the headings
/// before them. `fits_exactly` measures the rows from the first to the one before the
/// last with their prefix.
pub(crate) fn keep_units_whole(
    page: &mut Page<'_>,
    max: u64,
    mut fits_exactly: impl FnMut(&mut Page<'_>, usize, usize) -> bool,
) {
    let mut index = 0;
    while let Some(unit) = page.document.units.get(index).copied() {
        index += 1;
        let first_row = page.document.first_bound(unit.first);
        let size = page.document.length_before(unit.end) - page.document.length_before(first_row);
        let is_short = size + max / 3 + TOLERANCE_BYTES <= max;
        let is_long = size > max + TOLERANCE_BYTES;
        if is_long || !is_short && !fits_exactly(page, first_row, unit.end) {
            continue;
        }
        let rows = &mut page.document.rows;
        for row in &mut rows[unit.first..unit.end] {
            row.set(RowFlag::Whole);
        }
        for row in &mut rows[unit.first + 1..unit.end] {
            row.set(RowFlag::Inside);
        }
        let units = &page.document.units;
        while units.get(index).is_some_and(|inner| inner.first < unit.end) {
            index += 1;
        }
    }
}

/// Returns the kinds of the rows that a part of the Markdown touches.
pub(crate) fn kinds(page: &Page<'_>, rows: std::ops::RangeInclusive<usize>) -> Kinds {
    page.document.rows[rows].iter().fold(Kinds::default(), |kinds, row| kinds.union(row.kinds))
}

/// Returns the offset from which a passage repeats sentences of the passage before it, which began
/// at `earliest` and ended at `end`. `end` if it repeats none.
pub(crate) fn repeat_from(
    page: &Page<'_>,
    earliest: usize,
    piece: &Piece,
    max_length: u64,
) -> usize {
    let end = piece.start;
    if max_length == 0 || piece.level.is_heading() {
        return end;
    }
    let (mut from, mut size, mut limit) = (end, 0, end);
    let mut row = piece.row + 1;
    let mut starts: Vec<usize> = Vec::new();
    while row > 0 && limit > earliest {
        row -= 1;
        let start = page.document.start(row);
        if start >= limit {
            continue;
        }
        let kinds = page.document.rows[row].kinds;
        if [Kind::Heading, Kind::Code, Kind::Table, Kind::Html].iter().any(|kind| kinds.has(*kind))
        {
            break;
        }
        let begin = start.max(earliest);
        starts.clear();
        let is_start = begin > start || crate::queue::level_of_row(page, row) <= Level::SENTENCE;
        starts.extend(is_start.then_some(begin));
        let starts_found = sentence_starts(&page.markdown[begin..limit]);
        starts.extend(starts_found.map(|offset| begin + offset));
        let mut until = limit;
        for start in starts.iter().rev() {
            size += page.meter.estimate(page.markdown, *start..until);
            if size > max_length {
                return from;
            }
            (from, until) = (*start, *start);
        }
        size += page.meter.estimate(page.markdown, begin..until);
        limit = begin;
    }
    from
}
