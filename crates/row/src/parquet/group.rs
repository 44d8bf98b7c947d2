//! A group of rows, as it grows from piece to piece.

use super::bounds::Bounds;
use super::page::{PageFacts, PageRoom};
use super::piece::{PAGE_BYTES, PieceReader};
use super::values::Values;
use crate::columns::{Column, columns};
use crate::compress::Compressor;
use crate::frames::clear_and_shrink;
use crate::layout::Layout;
use std::io::{self, Write};

/// The rows of a group, by columns.
pub(super) struct Group {
    columns: Vec<Column>,
    chunks: Vec<Chunk>,
    rows: usize,
    /// Size of the pages without compression, and of the values that are in no page yet.
    plain_bytes: usize,
    room: PageRoom,
}

/// One column of a group.
#[derive(Default)]
struct Chunk {
    /// Pages, one after another: their headers name no place in the file.
    data: Vec<u8>,
    pages: Vec<PageFacts>,
    /// Values that are in no page yet.
    values: Values,
}

/// What the end of the file says of one column of a group.
pub(super) struct ChunkFacts {
    /// Where it begins in the file.
    pub(super) offset: u64,
    pub(super) bytes: u64,
    pub(super) plain_bytes: u64,
    pub(super) nulls: u64,
    pub(super) bounds: Bounds,
    pub(super) pages: Vec<PageFacts>,
}

/// What the end of the file says of a group.
pub(super) struct GroupFacts {
    pub(super) rows: u64,
    pub(super) chunks: Vec<ChunkFacts>,
}

impl Group {
    pub(super) fn new(layout: &Layout) -> Group {
        let columns = columns(layout);
        let chunks = columns.iter().map(|_| Chunk::default()).collect();
        Group { columns, chunks, rows: 0, plain_bytes: 0, room: PageRoom::default() }
    }

    pub(super) fn columns(&self) -> &[Column] {
        &self.columns
    }

    pub(super) fn rows(&self) -> usize {
        self.rows
    }

    pub(super) fn plain_bytes(&self) -> usize {
        self.plain_bytes
    }

    /// Adds the rows of a piece.
    pub(super) fn add(&mut self, piece: &[u8], compressor: &mut Compressor) {
        let mut piece = PieceReader(piece);
        while !piece.0.is_empty() {
            self.add_part(&mut piece, compressor);
        }
    }

    fn add_part(&mut self, piece: &mut PieceReader<'_>, compressor: &mut Compressor) {
        let Group { columns, chunks, room, .. } = self;
        let rows = piece.number();
        for (column, chunk) in columns.iter().zip(chunks) {
            if column.is_long() {
                for _ in 0..piece.number() {
                    let (facts, page) = piece.page();
                    self.plain_bytes += facts.plain_bytes as usize;
                    chunk.pages.push(facts);
                    chunk.data.extend_from_slice(page);
                }
                continue;
            }
            let bytes = piece.number();
            self.plain_bytes += bytes;
            chunk.values.plain.extend_from_slice(piece.bytes(bytes));
            chunk.values.present.extend(piece.bytes(rows).iter().map(|byte| *byte != 0));
            if chunk.values.plain.len() >= PAGE_BYTES {
                chunk.close_page(column, room, compressor);
            }
        }
        self.rows += rows;
    }

    /// Writes the columns one after another. `offset` is the length of the file, and grows.
    pub(super) fn write(
        &mut self,
        compressor: &mut Compressor,
        offset: &mut u64,
        out: &mut dyn Write,
    ) -> io::Result<GroupFacts> {
        let Group { columns, chunks, rows, plain_bytes, room } = self;
        let mut facts =
            GroupFacts { rows: *rows as u64, chunks: Vec::with_capacity(columns.len()) };
        for (column, chunk) in columns.iter().zip(chunks) {
            chunk.close_page(column, room, compressor);
            out.write_all(&chunk.data)?;
            let pages = std::mem::take(&mut chunk.pages);
            let sum =
                |of: fn(&PageFacts) -> u32| pages.iter().map(|page| u64::from(of(page))).sum();
            facts.chunks.push(ChunkFacts {
                offset: *offset,
                bytes: chunk.data.len() as u64,
                plain_bytes: sum(|page| page.plain_bytes),
                nulls: sum(|page| page.nulls),
                bounds: pages
                    .iter()
                    .fold(Bounds::default(), |all, page| all.with(column.kind, &page.bounds)),
                pages,
            });
            *offset += chunk.data.len() as u64;
            clear_and_shrink(&mut chunk.data);
        }
        (*rows, *plain_bytes) = (0, 0);
        Ok(facts)
    }
}

impl Chunk {
    /// Makes a page of the values that are in none.
    fn close_page(&mut self, column: &Column, room: &mut PageRoom, compressor: &mut Compressor) {
        let Chunk { data, pages, values } = self;
        for page in values.cut_after(column.kind, PAGE_BYTES) {
            pages.push(room.write(column, page, compressor, data));
        }
        values.clear();
    }
}
