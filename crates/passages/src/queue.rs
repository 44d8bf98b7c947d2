//! The pieces that the next passage may be made of.

use crate::document::{Document, RowFlag};
use crate::length_meter::LengthMeter;
use crate::level::Level;
use crate::piece_splitter::{Granularity, Piece, PieceSplitter, sentence_starts};
use std::collections::VecDeque;

/// The page as the queue sees it.
pub(crate) struct Page<'a> {
    pub(crate) markdown: &'a str,
    pub(crate) document: &'a mut Document,
    pub(crate) meter: &'a mut LengthMeter,
}

/// A piece, or a splitter with the rest of one, that comes before the next row.
#[derive(Clone, Copy, Debug)]
enum Pending {
    /// A piece.
    Piece(Piece),
    /// A splitter that has more pieces of its text.
    Splitter(PieceSplitter),
}

/// The next pieces of the page. Rows are cut into smaller pieces on demand, one piece at a time, so
/// the memory is bounded by what one passage may hold.
#[derive(Debug, Default)]
pub(crate) struct Queue {
    pieces: VecDeque<Piece>,
    /// The pieces after `pieces`, the nearest last. The rows from `next_row` on follow them.
    pending: Vec<Pending>,
    /// Index of the first row that has not been cut into pieces.
    next_row: usize,
}

impl Queue {
    pub(crate) fn clear(&mut self) {
        self.pieces.clear();
        self.pieces.shrink_to(1 << 12);
        self.pending.clear();
        self.next_row = 0;
    }

    /// Returns the piece at an index, if the page has so many.
    pub(crate) fn get(&mut self, index: usize, page: &Page<'_>) -> Option<Piece> {
        while self.pieces.len() <= index {
            if !self.pull_row(page) {
                return None;
            }
        }
        self.pieces.get(index).copied()
    }

    /// Returns a piece that [`Queue::get`] has returned before.
    pub(crate) fn returned_piece(&self, index: usize) -> &Piece {
        &self.pieces[index]
    }

    /// Returns the estimated measure of the pieces up to the first place for a cut, among the first
    /// `count` pieces.
    pub(crate) fn size_before_a_cut(&self, count: usize) -> u64 {
        let rest = self.pieces.range(..count).enumerate();
        let group = rest.take_while(|(index, piece)| *index == 0 || !piece.may_cut_before);
        group.map(|(_, piece)| piece.estimated_length).sum()
    }

    /// Removes the first pieces.
    pub(crate) fn take(&mut self, count: usize) {
        self.pieces.drain(..count);
    }

    fn pull_row(&mut self, page: &Page<'_>) -> bool {
        while let Some(pending) = self.pending.last_mut() {
            let piece = match pending {
                Pending::Piece(piece) => {
                    let piece = *piece;
                    self.pending.pop();
                    Some(piece)
                }
                Pending::Splitter(splitter) => splitter.next(page.markdown, page.meter),
            };
            match piece {
                Some(piece) => {
                    self.pieces.push_back(piece);
                    return true;
                }
                None => {
                    self.pending.pop();
                }
            }
        }
        let index = self.next_row;
        let Some(row) = page.document.rows.get(index) else { return false };
        self.next_row += 1;
        self.pieces.push_back(Piece {
            start: row.start,
            end: page.document.start(index + 1),
            estimated_length: page.document.length_before(index + 1) - row.before,
            row: index,
            level: level_of_row(page, index),
            may_cut_before: page.document.is_legal(index),
            granularity: Granularity::Row,
        });
        true
    }

    /// Cuts a piece into pieces of a smaller size.
    pub(crate) fn split(&mut self, index: usize, granularity: Granularity) {
        while self.pieces.len() > index + 1
            && let Some(piece) = self.pieces.pop_back()
        {
            self.pending.push(Pending::Piece(piece));
        }
        if let Some(piece) = self.pieces.pop_back() {
            self.pending.push(Pending::Splitter(PieceSplitter::new(piece, granularity)));
        }
    }

    /// Lets the unit around a row be cut.
    pub(crate) fn release(&mut self, row: usize, page: &mut Page<'_>) {
        let rows = &mut page.document.rows;
        let first_row = rows[..=row].iter().rposition(|row| !row.has(RowFlag::Inside)).unwrap_or(0);
        let inner_rows =
            rows[first_row + 1..].iter().take_while(|row| row.has(RowFlag::Inside)).count();
        for row in &mut rows[first_row..=first_row + inner_rows] {
            row.unset(RowFlag::Inside);
            row.unset(RowFlag::Whole);
        }
        let pending = self.pending.iter_mut().filter_map(|pending| match pending {
            Pending::Piece(piece) => Some(piece),
            Pending::Splitter(_) => None,
        });
        for piece in self.pieces.iter_mut().chain(pending) {
            if piece.granularity == Granularity::Row
                && (first_row..=first_row + inner_rows).contains(&piece.row)
            {
                piece.may_cut_before = page.document.is_legal(piece.row);
            }
        }
    }
}

/// Returns the level of a cut before a row. A line of a paragraph may begin a sentence.
pub(crate) fn level_of_row(page: &Page<'_>, row: usize) -> Level {
    /// Bytes before the row that are read.
    const BYTES_BEFORE_ROW: usize = 48;
    /// Bytes of the row that are read: marks of containers and a word.
    const BYTES_OF_ROW: usize = 16;
    let level = page.document.rows[row].level;
    if level != Level::SOFT_BREAK {
        return level;
    }
    let start = page.document.rows[row].start;
    let window_start = page.markdown.floor_char_boundary(start.saturating_sub(BYTES_BEFORE_ROW));
    let window_end =
        page.markdown.ceil_char_boundary((start + BYTES_OF_ROW).min(page.markdown.len()));
    let begins = sentence_starts(&page.markdown[window_start..window_end]).any(|offset| {
        let marks = &page.markdown[start..(window_start + offset).max(start)];
        window_start + offset >= start && !marks.contains(char::is_alphanumeric)
    });
    if begins { Level::SENTENCE } else { level }
}
