//! Encodes rows in parts, between which output files can end.

use crate::work::context::Context;
use crate::work_item::{BatchOutput, FileSplit};
use huller_row::{BatchEncoder, Compressor, Row, RowSink};
use std::mem::{replace, take};

/// Encodes the rows of batches, in a worker. If inputs have one file, a batch is one part.
pub(crate) struct PartedRows<'a> {
    context: Context<'a>,
    rows: Box<dyn BatchEncoder>,
    compressor: Compressor,
    /// Rows of the current part.
    grown: u64,
    /// Bytes of its texts, as far as they came as lines.
    line_bytes: usize,
    /// Bytes of the texts of pages when the part began.
    text_bytes: usize,
    /// The finished parts, encoded.
    piece: Vec<u8>,
    parts: Vec<FileSplit>,
    /// The finished parts, if the writer is to encode the rows, since it alone knows how many are
    /// still wanted.
    held: Vec<Box<dyn BatchEncoder>>,
    /// Encoders for later parts.
    spare: Vec<Box<dyn BatchEncoder>>,
}

impl<'a> PartedRows<'a> {
    pub(crate) fn new(context: &Context<'a>) -> PartedRows<'a> {
        PartedRows {
            context: *context,
            rows: context.encoder(),
            compressor: Compressor::new(context.settings.compression),
            grown: 0,
            line_bytes: 0,
            text_bytes: 0,
            piece: Vec::new(),
            parts: Vec::new(),
            held: Vec::new(),
            spare: Vec::new(),
        }
    }

    /// Takes the encoders that the output of an earlier batch held.
    pub(crate) fn begin(&mut self, batch_output: &mut BatchOutput) {
        self.spare.append(&mut batch_output.held);
    }

    /// Puts the rows since [`PartedRows::begin`] into the output.
    pub(crate) fn finish(&mut self, batch_output: &mut BatchOutput) {
        if !self.context.settings.split.is_asked() {
            if self.is_held() {
                self.hold();
                batch_output.held.append(&mut self.held);
            } else {
                self.rows.finish(&mut self.compressor, &mut batch_output.piece);
            }
            return;
        }
        if self.grown > 0 {
            self.end_part();
        }
        self.text_bytes = 0;
        batch_output.piece.append(&mut self.piece);
        batch_output.parts.append(&mut self.parts);
        batch_output.held.append(&mut self.held);
    }

    /// Frees the memory that large pages took.
    pub(crate) fn renew(&mut self) {
        self.rows = self.context.encoder();
        self.piece = Vec::new();
        self.spare.clear();
    }

    fn is_held(&self) -> bool {
        self.context.settings.limit.is_some()
    }

    fn hold(&mut self) {
        let fresh = self.spare.pop().unwrap_or_else(|| self.context.encoder());
        self.held.push(replace(&mut self.rows, fresh));
    }

    fn end_part(&mut self) {
        if self.is_held() {
            self.hold();
        } else {
            self.rows.finish(&mut self.compressor, &mut self.piece);
        }
        self.parts.push(FileSplit { rows: take(&mut self.grown), end: self.piece.len() });
        self.line_bytes = 0;
    }
}

impl RowSink for PartedRows<'_> {
    fn row(&mut self, row: &Row<'_>) {
        self.rows.row(row);
    }

    fn existing_row(&mut self, json: &str, row: &Row<'_>) {
        self.line_bytes += json.len();
        self.rows.existing_row(json, row);
    }

    fn needs_only_line(&self) -> bool {
        self.rows.needs_only_line()
    }

    fn mark(&self) -> usize {
        self.rows.mark()
    }

    fn cut(&mut self, mark: usize) {
        self.rows.cut(mark);
    }

    fn end_row(&mut self, text_bytes: usize) -> usize {
        self.grown += 1;
        let bytes = self.line_bytes + (text_bytes - self.text_bytes);
        if self.context.settings.split.ends_part(self.grown, bytes) {
            self.end_part();
            self.text_bytes = text_bytes;
        }
        self.parts.len()
    }
}
