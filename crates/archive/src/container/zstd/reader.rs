//! Reads zstd from start to end, frame by frame. Reports damaged frames and skips them.

use super::context::{self, CHECKSUM_WRONG};
use super::dictionary::{self, ZstdStart};
use super::finder::FrameFinder;
use super::frame::{FrameHeader, HEADER_BYTES, MAGIC, block_header, skippable};
use crate::container::event::{Damage, Event, OUTPUT_BYTES};
use crate::container::expected_start::ExpectedStart;
use crate::damage::finder::Finder;
use crate::damage::salvage::Salvage;
use crate::error::ArchiveError;
use crate::limits::Limits;
use crate::record::FaultReason;
use crate::store::raw_reader::RawReader;
use std::io;
use std::sync::Arc;
use zstd_safe::{DCtx, InBuffer, OutBuffer, ResetDirective};

/// A reader of zstd frames.
pub(crate) struct ZstdReader {
    raw: RawReader,
    context: DCtx<'static>,
    dictionary: Option<Arc<[u8]>>,
    limits: Limits,
    salvage: Salvage<FrameFinder>,
    frame: Option<Frame>,
}

/// The frame that is being read.
#[derive(Clone, Copy)]
struct Frame {
    start: u64,
    /// Whether its first data were returned, with [`Event::Start`].
    started: bool,
    /// Number of bytes that the decoder requests next: the rest of a header or of one block; 0 at
    /// the end of the frame. The decoder gets exactly that many. An error therefore costs the data
    /// of one block, the same block for any size of reads.
    wanted: usize,
}

impl ZstdReader {
    /// Starts at the beginning of a frame. `name` is the name of the input in errors.
    ///
    /// # Errors
    ///
    /// zstd refuses the dictionary.
    pub(crate) fn new(
        name: &str,
        raw: RawReader,
        limits: &Limits,
        opening: ExpectedStart,
        dictionary: Option<Arc<[u8]>>,
    ) -> Result<Self, ArchiveError> {
        let context = || {
            context::context(limits, dictionary.as_deref())
                .map_err(|problem| ArchiveError::Dictionary { name: name.to_owned(), problem })
        };
        Ok(ZstdReader {
            raw,
            context: context()?,
            salvage: Salvage::new(FrameFinder::new(context()?, limits, opening)),
            dictionary,
            limits: limits.clone(),
            frame: None,
        })
    }

    /// Starts at the beginning of an input and reads its dictionary, if it has one.
    ///
    /// # Errors
    ///
    /// The input cannot be read, its dictionary is damaged, or its first frame needs another one.
    pub(crate) fn open(
        name: &str,
        mut raw: RawReader,
        limits: &Limits,
        opening: ExpectedStart,
    ) -> Result<Self, ArchiveError> {
        let io_error = |error| ArchiveError::io(name, 0, error);
        let len = raw.remaining();
        let head = raw.fill(HEADER_BYTES).map_err(io_error)?;
        let mut found = None;
        if let ZstdStart::Dictionary(size) = dictionary::leading(name, head, len)? {
            let frame = raw.fill(size).map_err(io_error)?;
            let frame = frame.get(..size).ok_or_else(|| ArchiveError::Dictionary {
                name: name.to_owned(),
                problem: "it ends within its zstd dictionary".to_owned(),
            })?;
            found = Some(dictionary::dictionary(name, frame)?);
            raw.consume(size);
        }
        let mut reader = Self::new(name, raw, limits, opening, found)?;
        reader.pass_skippable().map_err(io_error)?;
        let head = reader.raw.fill(HEADER_BYTES).map_err(io_error)?;
        dictionary::check_dictionary(name, head, reader.dictionary.as_deref())?;
        Ok(reader)
    }

    pub(crate) fn raw(&self) -> &RawReader {
        &self.raw
    }

    pub(crate) fn dictionary(&self) -> Option<&Arc<[u8]>> {
        self.dictionary.as_ref()
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
            let event = match self.frame {
                None => self.begin()?,
                Some(frame) if frame.wanted == 0 => {
                    self.frame = None;
                    frame.started.then(|| Event::End { end: self.raw.offset(), intact: true })
                }
                Some(frame) => self.decode_block(frame, output)?,
            };
            if let Some(event) = event {
                return Ok(event);
            }
        }
    }

    /// Skips whole skippable frames.
    fn pass_skippable(&mut self) -> io::Result<()> {
        while let Some(size) = skippable(self.raw.fill(HEADER_BYTES)?) {
            let len = 8 + u64::from(size);
            if self.raw.remaining().is_some_and(|remaining| len > remaining) {
                return Ok(());
            }
            if !self.skip(len)? {
                return Ok(());
            }
        }
        Ok(())
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

    /// Reads the header of a frame, or detects the end of the input or damage.
    fn begin(&mut self) -> io::Result<Option<Event>> {
        self.raw.mark();
        self.pass_skippable()?;
        let start = self.raw.offset();
        self.raw.mark();
        let bytes = self.raw.fill(HEADER_BYTES)?;
        if bytes.is_empty() {
            return Ok(Some(Event::Eof));
        }
        let magic = bytes.len().min(MAGIC.len());
        match FrameHeader::parse(bytes) {
            Some(header) if !header.is_within_limits(&self.limits) => {
                self.pass_window(start, &header).map(Some)
            }
            Some(_) => {
                self.frame = Some(Frame { start, started: false, wanted: MAGIC.len() + 1 });
                Ok(None)
            }
            None if skippable(bytes).is_some() || bytes[..magic] == MAGIC[..magic] => {
                self.cut_off(start)
            }
            None => self.salvage.junk(&mut self.raw, start).map(Some),
        }
    }

    /// Decodes the next block of data.
    fn decode_block(
        &mut self,
        mut frame: Frame,
        output: &mut Vec<u8>,
    ) -> io::Result<Option<Event>> {
        let bytes = self.raw.fill(frame.wanted)?;
        let out_of_input = bytes.is_empty();
        let mut input = InBuffer::around(&bytes[..bytes.len().min(frame.wanted)]);
        // One call decodes at most one block. With this space for it, no bytes wait in the decoder.
        output.reserve(OUTPUT_BYTES);
        let before = output.len();
        let mut piece = OutBuffer::around_pos(output, before);
        let state = self.context.decompress_stream(&mut piece, &mut input);
        let (used, gained) = (input.pos(), piece.pos() - before);
        self.raw.consume(used);
        let first = gained > 0 && !frame.started;
        frame.started |= first;
        frame.wanted = state.unwrap_or(0);
        self.frame = Some(frame);
        match state {
            // Only the checksum is named: the other causes depend on how far decoding came.
            Err(CHECKSUM_WRONG) => {
                self.report_damage(frame.start, "zstd frame has a wrong checksum")
            }
            Err(_) => self.report_damage(frame.start, "zstd frame cannot be decompressed"),
            Ok(_) if first => Ok(Some(Event::Start(frame.start))),
            Ok(_) if gained > 0 => Ok(Some(Event::Data)),
            Ok(hint) if hint > 0 && used == 0 && out_of_input => self.cut_off(frame.start),
            Ok(_) => Ok(None),
        }
    }

    /// Skips a frame whose window is over the limit, block by block.
    fn pass_window(&mut self, start: u64, header: &FrameHeader) -> io::Result<Event> {
        let mut whole = self.skip(header.len as u64)?;
        while whole {
            let Some(block) = self.raw.fill(3)?.first_chunk::<3>() else { break };
            let Some((last, len)) = block_header(*block) else { break };
            whole = self.skip(3 + len as u64)?;
            if last {
                self.skip(if header.checksum { 4 } else { 0 })?;
                break;
            }
        }
        let next = self.raw.fill(MAGIC.len())?;
        if !next.is_empty() && !next.starts_with(&MAGIC) && skippable(self.raw.bytes()).is_none() {
            self.salvage.pass_from(&mut self.raw, start)?;
        }
        let detail =
            format!("zstd frame asks for a window of {} bytes (byte {start})", header.window);
        let reason = FaultReason::WindowTooLarge;
        Ok(Event::Broken(Damage { reason, start, end: self.raw.offset(), detail, at_end: false }))
    }

    /// Reports the frame that began at `start` and is cut off by the end of the input.
    fn cut_off(&mut self, start: u64) -> io::Result<Option<Event>> {
        self.frame = None;
        // After an error a context is unusable until it is reset. Resetting a session can't fail.
        let _ = self.context.reset(ResetDirective::SessionOnly);
        self.salvage.cut_off(&mut self.raw, start).map(Some)
    }

    /// Reports the frame that began at `start` as damaged and moves to the next sound one.
    fn report_damage(&mut self, start: u64, problem: &str) -> io::Result<Option<Event>> {
        self.frame = None;
        // After an error a context is unusable until it is reset. Resetting a session can't fail.
        let _ = self.context.reset(ResetDirective::SessionOnly);
        self.salvage.report_damage(&mut self.raw, start, problem).map(Some)
    }
}
