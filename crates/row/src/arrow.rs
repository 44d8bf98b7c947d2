//! Arrow's file format: batches of columns as they lie in memory, which many programs can use without decoding them.
//!
//! Each batch of the input is a batch of rows of the file; workers make the whole message, and the writer puts the messages one after
//! another and their places at the end. With `--compress none` a program can map the file into its memory.

#![expect(
    clippy::cast_possible_wrap,
    reason = "lengths of files have 63 bits; messages end after 256 MiB and one row, whose texts have 31"
)]

mod batch;
mod flatbuffer;
mod inspect;
mod messages;

use crate::columns::{Column, LONGEST_PAGE, columns};
use crate::compress::{Compression, Compressor};
use crate::format::{Assembler, BatchEncoder, Format, Inspected, Inspection};
use crate::layout::Layout;
use messages::{BEGINNING, Block, MAGIC};
use std::io::{self, Write};

/// The format.
pub(crate) struct Arrow;

impl Format for Arrow {
    fn name(&self) -> &'static str {
        "arrow"
    }

    fn suffix(&self, _: Compression) -> &'static str {
        ".arrow"
    }

    fn compressions(&self) -> &'static [Compression] {
        &[Compression::DEFAULT_ZSTD, Compression::None]
    }

    fn compresses_inside(&self) -> bool {
        true
    }

    fn encoder(&self, layout: &Layout) -> Box<dyn BatchEncoder> {
        Box::new(batch::Batch::new(layout))
    }

    fn assembler(&self, layout: &Layout) -> Box<dyn Assembler> {
        let configuration = layout.configuration.clone();
        Box::new(File { columns: columns(layout), configuration, offset: 0, blocks: Vec::new() })
    }

    /// The places of the batches stand at the end alone.
    fn can_continue(&self) -> bool {
        false
    }

    fn longest_page(&self) -> Option<usize> {
        Some(LONGEST_PAGE)
    }

    fn inspect(
        &self,
        _: &Layout,
        file: &mut dyn Inspected,
        id: &mut dyn FnMut(&str),
    ) -> Inspection {
        inspect::inspect(file, id)
    }
}

/// A file of messages.
struct File {
    columns: Vec<Column>,
    configuration: String,
    /// Length of the file.
    offset: u64,
    blocks: Vec<Block>,
}

impl Assembler for File {
    fn begin(&mut self, _: &mut Compressor, out: &mut dyn Write) -> io::Result<()> {
        let schema = messages::schema(&self.columns, &self.configuration);
        self.offset = (BEGINNING.len() + schema.len()) as u64;
        out.write_all(BEGINNING)?;
        out.write_all(&schema)
    }

    /// Not called: the format cannot continue a file.
    fn resume(&mut self, length: u64, _: &[u8]) {
        self.offset = length;
    }

    fn piece(&mut self, piece: &[u8], _: &mut Compressor, out: &mut dyn Write) -> io::Result<()> {
        let mut rest = piece;
        while let Some((metadata, body, after)) = batch::split(rest) {
            self.blocks.push([self.offset as i64, metadata.len() as i64, body.len() as i64]);
            out.write_all(metadata)?;
            out.write_all(body)?;
            self.offset += (metadata.len() + body.len()) as u64;
            rest = after;
        }
        Ok(())
    }

    fn state(&self) -> Vec<u8> {
        Vec::new()
    }

    fn end(&mut self, _: &mut Compressor, out: &mut dyn Write) -> io::Result<()> {
        out.write_all(&messages::footer(&self.columns, &self.configuration, &self.blocks))?;
        out.write_all(MAGIC)
    }
}

#[cfg(test)]
mod tests;
