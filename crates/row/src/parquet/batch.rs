//! Encodes the rows of a batch in a worker.

use super::pages::ColumnEncoder;
use super::split::SplitColumns;
use super::writer_properties::long_properties;
use crate::arrow_message::MessageWriter;
use crate::columns::Columns;
use crate::compress::{Compression, Compressor};
use crate::format::BatchEncoder;
use crate::layout::Layout;
use crate::row::{Row, RowSink};
use ::parquet::errors::ParquetError;
use ::parquet::file::writer::SerializedFileWriter;
use arrow_array::cast::AsArray;
use arrow_array::{ArrayRef, RecordBatch};
use std::sync::Arc;

/// The rows of a batch, as columns.
pub(super) struct Batch {
    columns: Columns,
    split: SplitColumns,
    messages: MessageWriter,
    compression: Compression,
}

impl Batch {
    pub(super) fn new(layout: &Layout) -> Batch {
        let split = SplitColumns::new(layout);
        Batch {
            columns: Columns::new(split.layout.clone()),
            split,
            messages: MessageWriter::new(Compression::None),
            compression: layout.compression,
        }
    }

    /// Appends the short values of a batch as a message of Arrow, and the long ones as a small
    /// Parquet file after its length.
    pub(super) fn push_batch(
        &mut self,
        batch: &RecordBatch,
        compressor: &mut Compressor,
        piece: &mut Vec<u8>,
    ) {
        let of = |places| batch.project(places).expect("the places are those of columns");
        self.messages.push_batch(&of(&self.split.short), piece);
        let start = piece.len();
        piece.extend_from_slice(&[0; 8]);
        if self.split.long.is_empty() {
            return;
        }
        self.push_long(&of(&self.split.long), compressor, piece)
            .expect("columns of these types can be encoded, and memory takes their pages");
        let length = (piece.len() - start - 8) as u64;
        piece[start..start + 8].copy_from_slice(&length.to_le_bytes());
    }

    /// Appends the long values of a batch as a small Parquet file.
    fn push_long(
        &self,
        batch: &RecordBatch,
        compressor: &mut Compressor,
        piece: &mut Vec<u8>,
    ) -> Result<(), ParquetError> {
        let properties = Arc::new(long_properties());
        let schema = self.split.layout.parquet_schema(&self.split.long)?;
        let mut file = SerializedFileWriter::new(piece, schema, Arc::clone(&properties))?;
        let leaves = file.schema_descr().columns().to_vec();
        let mut encoder = ColumnEncoder { properties, compression: self.compression, compressor };
        let mut group = file.next_row_group()?;
        for (leaf, array) in leaves.iter().zip(batch.columns().iter().flat_map(leaves_of)) {
            let (pages, close) = encoder.encode(leaf, [array])?;
            group.append_column(&pages, close)?;
        }
        group.close()?;
        file.close()?;
        Ok(())
    }
}

impl RowSink for Batch {
    fn row(&mut self, row: &Row<'_>) {
        self.columns.row(row);
    }

    fn mark(&self) -> usize {
        self.columns.mark()
    }

    fn cut(&mut self, mark: usize) {
        self.columns.cut(mark);
    }
}

impl BatchEncoder for Batch {
    fn finish(&mut self, compressor: &mut Compressor, piece: &mut Vec<u8>) {
        for batch in self.columns.finish_batches() {
            self.push_batch(&batch, compressor, piece);
        }
    }

    fn clear(&mut self) {
        self.columns.cut(0);
    }
}

/// Returns the arrays of values in a column: `texts` has one for each extractor.
fn leaves_of(array: &ArrayRef) -> &[ArrayRef] {
    match array.as_struct_opt() {
        Some(texts) => texts.columns(),
        None => std::slice::from_ref(array),
    }
}
