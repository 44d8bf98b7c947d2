//! What a worker makes of a batch: pages of the columns with long values, and the values of the others.
//!
//! A batch has a few dozen rows. The texts of so many fill a page, and compressing them is most of the work, so workers do it. The
//! values of short columns would make thousands of tiny pages: they go to the writer as they are, which joins those of many batches.

use super::page::{PageFacts, PageRoom};
use super::values::Values;
use crate::columns::{Column, columns};
use crate::compress::Compressor;
use crate::format::BatchEncoder;
use crate::layout::Layout;
use crate::row::{Row, RowSink};

/// A page ends as soon as its values have so many bytes.
pub(super) const PAGE_BYTES: usize = 1 << 20;

/// The rows of a batch, by columns.
pub(super) struct Batch {
    columns: Vec<Column>,
    values: Vec<Values>,
    rows: usize,
    room: PageRoom,
    pages: Vec<u8>,
}

impl Batch {
    pub(super) fn new(layout: &Layout) -> Batch {
        let columns = columns(layout);
        let values = columns.iter().map(|_| Values::default()).collect();
        Batch { columns, values, rows: 0, room: PageRoom::default(), pages: Vec::new() }
    }
}

impl RowSink for Batch {
    fn row(&mut self, row: &Row<'_>) {
        for (column, values) in self.columns.iter().zip(&mut self.values) {
            values.push(column.value(row));
        }
        self.rows += 1;
    }

    fn mark(&self) -> usize {
        self.rows
    }

    fn cut(&mut self, mark: usize) {
        // A row that a panic cut short may stand in some of the columns.
        for (column, values) in self.columns.iter().zip(&mut self.values) {
            values.truncate(column.kind, mark);
        }
        self.rows = self.rows.min(mark);
    }
}

impl BatchEncoder for Batch {
    fn finish(&mut self, compressor: &mut Compressor, piece: &mut Vec<u8>) {
        let Batch { columns, values, rows, room, pages } = self;
        if *rows > 0 {
            push(*rows, piece);
            for (column, values) in columns.iter().zip(values) {
                if column.is_long() {
                    let cut = values.cut_after(column.kind, PAGE_BYTES);
                    push(cut.len(), piece);
                    pages.clear();
                    for page in cut {
                        let facts = room.write(column, page, compressor, pages);
                        let PageFacts { rows, nulls, bytes, plain_bytes, bounds: _ } = facts;
                        for number in [rows, nulls, bytes, plain_bytes] {
                            piece.extend_from_slice(&number.to_le_bytes());
                        }
                        piece.append(pages);
                    }
                } else {
                    push(values.plain.len(), piece);
                    piece.extend_from_slice(&values.plain);
                    piece.extend(values.present.iter().map(|is_present| u8::from(*is_present)));
                }
            }
        }
        self.clear();
    }

    fn clear(&mut self) {
        self.values.iter_mut().for_each(Values::clear);
        self.rows = 0;
    }
}

fn push(number: usize, piece: &mut Vec<u8>) {
    piece.extend_from_slice(&(number as u64).to_le_bytes());
}

/// Takes a piece apart.
pub(super) struct PieceReader<'a>(pub(super) &'a [u8]);

impl<'a> PieceReader<'a> {
    /// A number of rows, pages or bytes.
    pub(super) fn number(&mut self) -> usize {
        let bytes = self.bytes(8).first_chunk().copied().unwrap_or_default();
        u64::from_le_bytes(bytes) as usize
    }

    /// A page and what is known of it.
    pub(super) fn page(&mut self) -> (PageFacts, &'a [u8]) {
        let mut next =
            || u32::from_le_bytes(self.bytes(4).first_chunk().copied().unwrap_or_default());
        let [rows, nulls, bytes, plain_bytes] = [(); 4].map(|()| next());
        let facts = PageFacts { rows, nulls, bytes, plain_bytes, ..PageFacts::default() };
        let page = self.bytes(bytes as usize);
        (facts, page)
    }

    /// The next bytes. Pieces come from [`Batch`] alone, so they are there.
    pub(super) fn bytes(&mut self, count: usize) -> &'a [u8] {
        let (bytes, rest) = self.0.split_at(count);
        self.0 = rest;
        bytes
    }
}
