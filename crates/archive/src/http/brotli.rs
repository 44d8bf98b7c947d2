//! Decodes `br`.
//!
//! For every body the decoder requests its tables and its window from an allocator. [`Pool`] is an
//! allocator that reuses memory.

use super::layer::{BodyFault, DecodeLimits, Layer};
use super::sniff::looks_plain;
use brotli_decompressor::{
    Allocator, BrotliDecompressStream, BrotliResult, BrotliState, HuffmanCode, SliceWrapper,
    SliceWrapperMut,
};
use std::sync::{Arc, Mutex, PoisonError};

#[derive(Default)]
pub(super) struct Brotli {
    bytes: Pool<u8>,
    words: Pool<u32>,
    codes: Pool<HuffmanCode>,
}

impl Brotli {
    pub(super) fn decode(
        &mut self,
        input: &[u8],
        out: &mut Vec<u8>,
        limits: &DecodeLimits<'_>,
    ) -> Result<Layer, BodyFault> {
        // The input is fed in pieces. At the end of each piece the decoder outputs all data it has
        // decoded. If it fails, it keeps the data that are still in its window. Damage therefore
        // costs the data of one piece.
        const CHUNK_BYTES: usize = 4 << 10;
        // The strict mode refuses windows above 16 MiB, which HTTP does not allow.
        let mut state =
            BrotliState::new_strict(self.bytes.clone(), self.words.clone(), self.codes.clone());
        let mut consumed = 0;
        let mut written = 0;
        let layer = loop {
            let mut available = CHUNK_BYTES.min(input.len() - consumed);
            if written == out.len() {
                out.resize(limits.next_len(written), 0);
            }
            let mut budget = out.len() - written;
            let result = BrotliDecompressStream(
                &mut available,
                &mut consumed,
                input,
                &mut budget,
                &mut written,
                out,
                &mut 0,
                &mut state,
            );
            limits.check(consumed, written)?;
            match result {
                BrotliResult::ResultSuccess => break Layer::Whole,
                BrotliResult::NeedsMoreOutput => {}
                BrotliResult::NeedsMoreInput if consumed < input.len() => {}
                BrotliResult::NeedsMoreInput | BrotliResult::ResultFailure => break Layer::Cut,
            }
        };
        out.truncate(written);
        // A short text can begin with a whole brotli stream by chance, but hardly with one that
        // ends where the text does.
        if layer == Layer::Whole && consumed < input.len() && looks_plain(input) {
            return Ok(Layer::Other);
        }
        Ok(layer)
    }
}

/// Reused memory for items of one type. Clones share it. The lock is always free, since a decoder
/// has one owner.
struct Pool<T>(Arc<Mutex<Vec<Vec<T>>>>);

impl<T> Pool<T> {
    /// Most cells that are kept: a decoder holds fewer at a time.
    const CELLS: usize = 16;
    /// Largest cell that is kept, in bytes: larger ones are rare.
    const CELL_BYTES: usize = 4 << 20;
}

impl<T> Default for Pool<T> {
    fn default() -> Self {
        Pool(Arc::default())
    }
}

impl<T> Clone for Pool<T> {
    fn clone(&self) -> Self {
        Pool(Arc::clone(&self.0))
    }
}

/// Memory lent to the decoder.
struct Cell<T>(Vec<T>);

impl<T> Default for Cell<T> {
    fn default() -> Self {
        Cell(Vec::new())
    }
}

impl<T> SliceWrapper<T> for Cell<T> {
    fn slice(&self) -> &[T] {
        &self.0
    }
}

impl<T> SliceWrapperMut<T> for Cell<T> {
    fn slice_mut(&mut self) -> &mut [T] {
        &mut self.0
    }
}

impl<T: Clone + Default> Allocator<T> for Pool<T> {
    type AllocatedMemory = Cell<T>;

    fn alloc_cell(&mut self, len: usize) -> Cell<T> {
        let mut cells = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        // Uses the smallest cell that is large enough, or else lets the largest one grow. The cells
        // therefore soon stop growing.
        let best = (0..cells.len())
            .filter(|&index| cells[index].capacity() >= len)
            .min_by_key(|&index| cells[index].capacity())
            .or_else(|| (0..cells.len()).max_by_key(|&index| cells[index].capacity()));
        let mut cell = best.map(|index| cells.swap_remove(index)).unwrap_or_default();
        cell.clear();
        cell.resize(len, T::default());
        Cell(cell)
    }

    fn free_cell(&mut self, cell: Cell<T>) {
        let mut cells = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let Cell(cell) = cell;
        let bytes = cell.capacity() * size_of::<T>();
        if cells.len() < Self::CELLS && (1..=Self::CELL_BYTES).contains(&bytes) {
            cells.push(cell);
        }
    }
}
