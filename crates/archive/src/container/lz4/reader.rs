//! Reads LZ4 from start to end, frame by frame. Reports damaged frames and skips them.

use super::block::{HISTORY_BYTES, decode};
use super::finder::FrameFinder;
use super::frame::{BlockHeader, FrameHeader, HEADER_BYTES, MAGIC};
use crate::container::event::Event;
use crate::container::expected_start::ExpectedStart;
use crate::container::zstd::frame::{SKIPPABLE_HEADER_BYTES, skippable};
use crate::damage::finder::Finder;
use crate::damage::salvage::Salvage;
use crate::store::raw_reader::RawReader;
use std::hash::Hasher;
use std::io;
use twox_hash::XxHash32;

/// A reader of LZ4 frames. In addition to the bytes that [`RawReader`] reads ahead it holds one
/// block, encoded and decoded.
pub(crate) struct Lz4Reader {
    raw: RawReader,
    salvage: Salvage<FrameFinder>,
    frame: Option<Frame>,
    /// The data of the last block.
    block: Vec<u8>,
    /// The last data of the frame, to which its next block may refer.
    history: Vec<u8>,
}

/// The frame that is being read.
#[derive(Clone)]
struct Frame {
    start: u64,
    header: FrameHeader,
    /// Number of bytes of data so far.
    data: u64,
    checksum: XxHash32,
}

impl Lz4Reader {
    pub(crate) fn new(raw: RawReader, opening: ExpectedStart) -> Self {
        Lz4Reader {
            raw,
            salvage: Salvage::new(FrameFinder::new(opening)),
            frame: None,
            block: Vec::new(),
            history: Vec::new(),
        }
    }

    pub(crate) fn raw(&self) -> &RawReader {
        &self.raw
    }

    pub(crate) fn set_opening(&mut self, opening: ExpectedStart) {
        self.salvage.finder.set_opening(opening);
    }

    /// Returns whether the next bytes begin a member with this opening. The reader must be at a
    /// member that was found by a search.
    pub(crate) fn begins_with(&mut self, opening: ExpectedStart) -> bool {
        self.set_opening(opening);
        self.salvage.finder.begins_here(self.raw.bytes())
    }

    pub(crate) fn next_event(&mut self, output: &mut Vec<u8>) -> io::Result<Event> {
        loop {
            let event = match self.frame.take() {
                None => self.begin()?,
                Some(frame) => self.decode_block(frame, output)?,
            };
            if let Some(event) = event {
                return Ok(event);
            }
        }
    }

    /// Reads the header of a frame, or detects the end of the input or damage.
    fn begin(&mut self) -> io::Result<Option<Event>> {
        self.raw.mark();
        while let Some(size) = skippable(self.raw.fill(SKIPPABLE_HEADER_BYTES)?) {
            let len = SKIPPABLE_HEADER_BYTES as u64 + u64::from(size);
            if self.raw.remaining().is_some_and(|remaining| len > remaining) || !self.skip(len)? {
                break;
            }
        }
        let start = self.raw.offset();
        self.raw.mark();
        let bytes = self.raw.fill(HEADER_BYTES)?;
        if bytes.is_empty() {
            return Ok(Some(Event::Eof));
        }
        let magic = bytes.len().min(MAGIC.len());
        match FrameHeader::parse(bytes) {
            Some(header) if header.dictionary => {
                self.raw.consume(header.len);
                self.report_damage(start, "LZ4 frame needs a dictionary")
            }
            Some(header) => {
                self.raw.consume(header.len);
                self.history.clear();
                let checksum = XxHash32::with_seed(0);
                self.frame = Some(Frame { start, header, data: 0, checksum });
                Ok(None)
            }
            None if skippable(bytes).is_some()
                || bytes.len() < HEADER_BYTES && bytes[..magic] == MAGIC[..magic] =>
            {
                self.cut_off(start)
            }
            None => self.salvage.junk(&mut self.raw, start).map(Some),
        }
    }

    /// Skips `len` bytes. Returns false if the input ends before.
    fn skip(&mut self, mut len: u64) -> io::Result<bool> {
        while len > 0 {
            let available = self.raw.fill(1)?.len();
            if available == 0 {
                return Ok(false);
            }
            let step = len.min(available as u64);
            self.raw.consume(step as usize);
            len -= step;
        }
        Ok(true)
    }

    /// Decodes the next block, or ends the frame.
    fn decode_block(
        &mut self,
        mut frame: Frame,
        output: &mut Vec<u8>,
    ) -> io::Result<Option<Event>> {
        let (start, header) = (frame.start, frame.header);
        let Some(block) = self.raw.fill(BlockHeader::BYTES)?.first_chunk() else {
            return self.cut_off(start);
        };
        let Some(block) = BlockHeader::parse(*block, &header) else {
            return self.report_damage(start, "LZ4 frame has a block that is too long");
        };
        if block.len == 0 {
            return self.end(&frame);
        }
        let len = block.len + header.block_trailer();
        let bytes = self.raw.fill(BlockHeader::BYTES + len)?;
        let Some(bytes) = bytes.get(BlockHeader::BYTES..BlockHeader::BYTES + len) else {
            return self.cut_off(start);
        };
        if self.block.len() < header.block_bytes {
            self.block.resize(header.block_bytes, 0);
        }
        let Some(gained) = decode(bytes, block, &header, &self.history, &mut self.block) else {
            return self.report_damage(start, "LZ4 frame cannot be decompressed");
        };
        self.raw.consume(BlockHeader::BYTES + len);
        let data = &self.block[..gained];
        output.extend_from_slice(data);
        if header.linked {
            let keep = HISTORY_BYTES.saturating_sub(gained).min(self.history.len());
            self.history.drain(..self.history.len() - keep);
            self.history.extend_from_slice(&data[gained.saturating_sub(HISTORY_BYTES)..]);
        }
        if header.checksum {
            frame.checksum.write(data);
        }
        let first = frame.data == 0;
        frame.data += gained as u64;
        self.frame = Some(frame);
        Ok(match gained {
            0 => None,
            _ if first => Some(Event::Start(start)),
            _ => Some(Event::Data),
        })
    }

    /// Reads the bytes after the blocks, and compares size and checksum.
    fn end(&mut self, frame: &Frame) -> io::Result<Option<Event>> {
        let len = BlockHeader::BYTES + frame.header.frame_trailer();
        let Some(trailer) = self.raw.fill(len)?.get(BlockHeader::BYTES..len) else {
            return self.cut_off(frame.start);
        };
        if frame.header.content.is_some_and(|size| size != frame.data) {
            return self
                .report_damage(frame.start, "LZ4 frame does not have the size that it states");
        }
        // The hash has 32 bits.
        if frame.header.checksum && trailer != (frame.checksum.finish() as u32).to_le_bytes() {
            return self.report_damage(frame.start, "LZ4 frame has a wrong checksum");
        }
        self.raw.consume(len);
        Ok((frame.data > 0).then(|| Event::End { end: self.raw.offset(), intact: true }))
    }

    /// Reports the frame that began at `start` and is cut off by the end of the input.
    fn cut_off(&mut self, start: u64) -> io::Result<Option<Event>> {
        self.salvage.cut_off(&mut self.raw, start).map(Some)
    }

    /// Reports the frame that began at `start` as damaged and moves to the next sound one.
    fn report_damage(&mut self, start: u64, problem: &str) -> io::Result<Option<Event>> {
        self.salvage.report_damage(&mut self.raw, start, problem).map(Some)
    }
}
