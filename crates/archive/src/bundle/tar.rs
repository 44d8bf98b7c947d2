//! Reads tar archives, in any container.

use super::kind::{FileKind, HEAD_BYTES};
use super::member::{begin, fault, tidy};
use super::tar_header::{BLOCK, ExtendedAttributes, Header, find_header, padded_size, until_nul};
use crate::batch::{Batch, Entry};
use crate::container::window::{Edge, Window};
use crate::latin1::utf8_or_latin1;
use crate::record::{FaultReason, Position};
use std::io;

/// Longest extended header in bytes. It holds a path and a few attributes.
const EXTENDED_BYTES: u64 = 1 << 16;

/// Number of bytes that are searched for a header at once.
const SEARCHED_BYTES: usize = 64 << 10;

/// Most zeros that fill the last record of an archive. A record has 20 blocks, or a number that the
/// user chose.
const FILLED_BYTES: u64 = 1 << 20;

/// Reads the files of a tar archive from a window, and continues after damage.
pub(crate) struct TarReader {
    pub(crate) window: Window,
    /// Longest page in bytes.
    page_bytes: usize,
    /// Whether offsets in the window are offsets in the whole plain stream.
    known_origin: bool,
    /// Whether the next header must be searched for. The bytes before it have been counted.
    is_lost: bool,
    /// Number of zeros since the last file.
    zeros: u64,
    /// The headers before that of the next file.
    before: PrecedingHeaders,
}

/// The headers before that of a file, which extend it.
#[derive(Default)]
struct PrecedingHeaders {
    /// Offset of the first of them.
    start: Option<u64>,
    extended: ExtendedAttributes,
    /// The reason why they cannot be used.
    problem: Option<(FaultReason, &'static str)>,
}

/// The bytes ended too early.
struct UnexpectedEnd;

impl TarReader {
    pub(crate) fn new(window: Window, page_bytes: usize, known_origin: bool) -> TarReader {
        let (is_lost, zeros, before) = (false, 0, PrecedingHeaders::default());
        TarReader { window, page_bytes, known_origin, is_lost, zeros, before }
    }

    /// Reads the next file or fault into the batch. Returns false at the end of the input.
    pub(crate) fn read_next(&mut self, batch: &mut Batch) -> io::Result<bool> {
        loop {
            if self.is_lost && !self.search()? || !self.fill(BLOCK)? {
                match self.edge(batch) {
                    Some(more) => return Ok(more),
                    None => continue,
                }
            }
            self.is_lost = false;
            if self.window.bytes()[..BLOCK].iter().all(|byte| *byte == 0) {
                // Two such blocks end an archive, but other archives may follow.
                self.zeros += BLOCK as u64;
                self.window.consume(BLOCK);
                continue;
            }
            if self.hole(batch) {
                return Ok(true);
            }
            let Some(header) = Header::parse(self.window.bytes()) else {
                let position = self.position(self.window.offset());
                let problem = "is not a header of a tar archive";
                let fault = fault(FaultReason::Garbage, "the next header", problem, position);
                batch.entries.push(Entry::Fault(fault));
                self.before = PrecedingHeaders::default();
                self.is_lost = true;
                return Ok(true);
            };
            let start = *self.before.start.get_or_insert(self.window.offset());
            self.window.consume(BLOCK);
            if matches!(header.type_flag, b'L' | b'K' | b'x' | b'X' | b'g') {
                if self.extend(&header, batch)?.is_err() {
                    self.cut(batch, start, "an extended header");
                    return Ok(true);
                }
                continue;
            }
            self.file(&header, start, batch)?;
            return Ok(true);
        }
    }

    /// Reads a header that extends the file after it, or all files after it. If its bytes do not
    /// fit its type, they may be a file whose type is damaged, and the batch gets a fault.
    fn extend(
        &mut self,
        header: &Header,
        batch: &mut Batch,
    ) -> io::Result<Result<(), UnexpectedEnd>> {
        let position = self.position(self.before.start.unwrap_or_default());
        let name = utf8_or_latin1(&header.name).into_owned();
        let mut report = |reason, problem| {
            batch.entries.push(Entry::Fault(fault(reason, tidy(&name), problem, position)));
        };
        let is_for_next_file = matches!(header.type_flag, b'L' | b'x' | b'X');
        if header.size > EXTENDED_BYTES {
            if is_for_next_file {
                let problem = "has an extended header that is too long";
                self.before.problem = Some((FaultReason::HeaderTooLarge, problem));
            } else {
                report(FaultReason::HeaderTooLarge, "is an extended header that is too long");
            }
            return self.pass(padded_size(header.size));
        }
        let mut bytes = Vec::new();
        if self.read(header.size, &mut bytes)?.is_err() {
            return Ok(Err(UnexpectedEnd));
        }
        let extended = &mut self.before.extended;
        match header.type_flag {
            b'L' | b'K' if !header.is_long_name(&bytes) => {
                report(FaultReason::CorruptMember, "is a long name that is damaged");
            }
            b'L' => extended.path = Some(until_nul(&bytes).to_vec()),
            b'g' if ExtendedAttributes::default().add_pax(&bytes).is_none() => {
                report(FaultReason::CorruptMember, "is a global header that is damaged");
            }
            // The target of a link and values for all files have no use here.
            b'K' | b'g' => {}
            _ if extended.add_pax(&bytes).is_none() => {
                let problem = "has an extended header that is damaged";
                self.before.problem = Some((FaultReason::CorruptMember, problem));
            }
            _ => {}
        }
        self.pass(padded_size(header.size) - header.size)
    }

    /// Reads a file, or skips it if it is not a page.
    fn file(&mut self, header: &Header, start: u64, batch: &mut Batch) -> io::Result<()> {
        let PrecedingHeaders { extended, mut problem, .. } = std::mem::take(&mut self.before);
        let path = extended.path.as_ref().unwrap_or(&header.name);
        let name = utf8_or_latin1(path).into_owned();
        let name = tidy(&name);
        let has_bytes = header.size > 0 || header.is_file();
        let size = extended.size.filter(|_| has_bytes).unwrap_or(header.size);
        let is_sparse = header.type_flag == b'S' || extended.is_sparse;
        if is_sparse || header.type_flag == b'M' {
            let detail = "is a sparse file or one of several volumes, which are not read";
            problem = Some((FaultReason::Unsupported, detail));
        }
        let mut is_map = header.has_sparse_map;
        while is_map {
            if !self.fill(BLOCK)? {
                self.cut(batch, start, name);
                return Ok(());
            }
            is_map = self.window.bytes()[504] != 0;
            self.window.consume(BLOCK);
        }
        let kind = if header.is_file() && problem.is_none() {
            let wanted = HEAD_BYTES.min(usize::try_from(size).unwrap_or(HEAD_BYTES));
            self.fill(wanted)?;
            let head = self.window.bytes();
            FileKind::detect(name, &head[..head.len().min(wanted)])
        } else {
            FileKind::NoFile
        };
        if kind == FileKind::Page && size > self.page_bytes as u64 {
            problem = Some((FaultReason::TooLarge, "is longer than the limit for a page"));
        }
        let begun = begin(batch, name, kind);
        let read = if kind == FileKind::Page && problem.is_none() {
            self.read(size, &mut batch.bytes)?
        } else {
            self.pass(size)?
        };
        if read.is_err() {
            begun.discard(batch);
            self.cut(batch, start, name);
            return Ok(());
        }
        // A file whose padding is cut off has lost no data.
        let _ = self.pass(padded_size(size) - size)?;
        let position = self.position(start);
        match problem {
            Some((reason, problem)) => {
                begun.discard(batch);
                batch.entries.push(Entry::Fault(fault(reason, name, problem, position)));
            }
            None => begun.finish(batch, position),
        }
        Ok(())
    }

    /// Adds a fault for a file that ends before its bytes do.
    fn cut(&mut self, batch: &mut Batch, start: u64, name: &str) {
        let (mut reason, mut problem) =
            (FaultReason::Truncated, "ends before all its bytes".to_owned());
        match self.window.edge() {
            Some(Edge::Broken(damage) | Edge::Junk(damage)) => {
                (reason, problem) = (damage.reason, format!("is damaged: {}", damage.detail));
                self.is_lost = true;
            }
            Some(Edge::Member { .. }) => {
                (reason, problem) = (FaultReason::CorruptMember, "has a wrong checksum".to_owned());
                self.is_lost = true;
            }
            _ => {}
        }
        let position = self.position(start);
        batch.entries.push(Entry::Fault(fault(reason, name, &problem, position)));
        self.before = PrecedingHeaders::default();
        self.cross();
    }

    /// Adds a fault for a run of zeros that is too long for the end of an archive. Returns true if
    /// there is one.
    fn hole(&mut self, batch: &mut Batch) -> bool {
        let zeros = std::mem::take(&mut self.zeros);
        if zeros <= FILLED_BYTES {
            return false;
        }
        let position = self.position(self.window.offset() - zeros);
        let problem =
            format!("is followed by {zeros} zeros: the archive was not written completely");
        let fault = fault(FaultReason::Hole, "the last file", &problem, position);
        batch.entries.push(Entry::Fault(fault));
        true
    }

    /// Handles bytes that end where a header should come. Returns `Some` with the result of the
    /// step, or `None` if the step continues.
    fn edge(&mut self, batch: &mut Batch) -> Option<bool> {
        if self.hole(batch) {
            return Some(true);
        }
        let rest = self.window.bytes();
        let is_blank = rest.iter().all(|byte| *byte == 0);
        let (reason, detail) = match self.window.edge()? {
            // The lost bytes have been counted.
            Edge::Eof if self.is_lost || is_blank && self.before.start.is_none() => {
                return Some(false);
            }
            Edge::Eof => (FaultReason::Truncated, "ends within a header".to_owned()),
            Edge::Broken(damage) | Edge::Junk(damage) => (damage.reason, damage.detail.clone()),
            // The lost header and the wrong checksum are the same damage.
            Edge::Member { intact: false } if self.is_lost => {
                self.window.settle();
                return None;
            }
            Edge::Member { intact: false } => {
                (FaultReason::CorruptMember, "has a wrong checksum".to_owned())
            }
            Edge::Member { intact: true } => return None,
            // The next member begins as a WARC record does.
            Edge::Border => {
                self.is_lost = true;
                self.cross();
                return None;
            }
        };
        let is_checksum = matches!(self.window.edge(), Some(Edge::Member { .. }));
        let position = self.position(self.window.offset());
        batch.entries.push(Entry::Fault(fault(reason, "the archive", &detail, position)));
        if is_checksum {
            // All bytes are present.
            self.window.settle();
        } else {
            self.is_lost = true;
            self.before = PrecedingHeaders::default();
            self.cross();
        }
        Some(true)
    }

    /// Skips the rest of the bytes that were read, and the edge after them.
    fn cross(&mut self) {
        let is_checksum = matches!(self.window.edge(), Some(Edge::Member { .. }));
        self.window.consume(self.window.bytes().len());
        self.window.settle();
        if !is_checksum {
            self.window.cross();
        }
    }

    /// Moves to the next header. Returns false if the bytes end before one.
    fn search(&mut self) -> io::Result<bool> {
        loop {
            let is_whole = !self.fill(SEARCHED_BYTES)?;
            let bytes = self.window.bytes();
            if let Some(at) = find_header(bytes) {
                self.window.consume(at);
                return Ok(true);
            }
            // A header may begin in the kept bytes. Multiples of blocks stay aligned.
            let passed = if is_whole { bytes.len() } else { (bytes.len() - BLOCK) / BLOCK * BLOCK };
            self.window.consume(passed);
            if is_whole {
                return Ok(false);
            }
        }
    }

    /// Reads until the window has `wanted` bytes. Returns false if they end before.
    fn fill(&mut self, wanted: usize) -> io::Result<bool> {
        while self.window.bytes().len() < wanted {
            if !self.window.fill_lines()? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Skips `bytes` bytes.
    fn pass(&mut self, bytes: u64) -> io::Result<Result<(), UnexpectedEnd>> {
        self.read_pieces(bytes, |_| ())
    }

    /// Appends `bytes` bytes to `out`.
    fn read(&mut self, bytes: u64, out: &mut Vec<u8>) -> io::Result<Result<(), UnexpectedEnd>> {
        self.read_pieces(bytes, |bytes| out.extend_from_slice(bytes))
    }

    fn read_pieces(
        &mut self,
        bytes: u64,
        mut take: impl FnMut(&[u8]),
    ) -> io::Result<Result<(), UnexpectedEnd>> {
        let mut left = bytes;
        while left > 0 {
            if !self.fill(1)? {
                return Ok(Err(UnexpectedEnd));
            }
            let there = self.window.bytes();
            let count = there.len().min(usize::try_from(left).unwrap_or(usize::MAX));
            take(&there[..count]);
            self.window.consume(count);
            left -= count as u64;
        }
        Ok(Ok(()))
    }

    /// Returns the position of a file that begins at `start` and ends here.
    fn position(&self, start: u64) -> Position {
        let len = self.window.offset() - start;
        Position {
            member: self.window.reader().is_plain().then_some((start, len)),
            stream_offset: self.known_origin.then_some(start),
        }
    }
}
