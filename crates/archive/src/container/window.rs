//! A window on the plain bytes of a container, divided where members show that a record ends.
//!
//! The window shows one *run* at a time. A run is the data of one member, or of several if a record
//! spans them. The run of a plain file is the whole file. Every run ends at an [`Edge`], which
//! describes the bytes after it.

use super::container_reader::ContainerReader;
use super::event::{Damage, Event};
use super::expected_start::ExpectedStart;
use std::io;

/// Size in bytes of the memory that the window keeps after a large record.
const MAX_KEPT_BYTES: usize = 4 << 20;

/// The end of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Edge {
    /// The end of a member. [`Window::join`] finds out whether the run continues in the next
    /// member.
    Member {
        /// Whether its checksum is right.
        intact: bool,
    },
    /// The end of a member; the next member begins with a record.
    Border,
    /// The last member is damaged. The part of it in the run is unreliable.
    Broken(Damage),
    /// The end of a whole member, followed by bytes that belong to no member.
    Junk(Damage),
    /// The end of the input.
    Eof,
}

/// The position of a run in a container.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Run {
    /// Offset of its first member.
    pub(crate) start: u64,
    /// Offset of the first byte after its last member, if that has been read to its end.
    pub(crate) end: u64,
    /// Number of its members that hold data.
    pub(crate) members: u32,
    /// Number of records found in it.
    pub(crate) records: u32,
}

/// The plain bytes of a container that have been read but not yet skipped.
pub(crate) struct Window {
    reader: ContainerReader,
    /// The opening of a member that begins with a record.
    opening: ExpectedStart,
    bytes: Vec<u8>,
    at: usize,
    /// Offset in the plain stream of the start of `bytes`.
    base: u64,
    edge: Option<Edge>,
    run: Run,
    /// The first data of the next run, if the edge is a border.
    ahead: Vec<u8>,
    ahead_start: u64,
    /// An event that was read during a look ahead.
    queued: Option<Event>,
}

impl Window {
    pub(crate) fn new(reader: ContainerReader, opening: ExpectedStart) -> Self {
        let base = if reader.is_plain() { reader.raw().offset() } else { 0 };
        Window {
            reader,
            opening,
            bytes: Vec::new(),
            at: 0,
            base,
            edge: None,
            run: Run::default(),
            ahead: Vec::new(),
            ahead_start: 0,
            queued: None,
        }
    }

    pub(crate) fn reader(&self) -> &ContainerReader {
        &self.reader
    }

    /// Returns whether the bytes after the run have this opening: the member at the border, or the
    /// one that was found after damage.
    pub(crate) fn next_begins_with(&mut self, opening: ExpectedStart) -> bool {
        match self.edge {
            Some(Edge::Border) => opening.matches(&self.ahead),
            _ => self.reader.begins_with(opening),
        }
    }

    /// Sets the opening of a member that begins with a record.
    pub(crate) fn set_opening(&mut self, opening: ExpectedStart) {
        self.opening = opening;
        self.reader.set_opening(opening);
    }

    /// Returns the bytes of the run from the current position on that have already been read.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes[self.at..]
    }

    /// Returns the offset in the plain stream of the current position.
    pub(crate) fn offset(&self) -> u64 {
        self.base + self.at as u64
    }

    /// Returns the end of the run, if it has been read.
    pub(crate) fn edge(&self) -> Option<&Edge> {
        self.edge.as_ref()
    }

    pub(crate) fn run(&self) -> &Run {
        &self.run
    }

    pub(crate) fn run_mut(&mut self) -> &mut Run {
        &mut self.run
    }

    /// Skips `count` bytes of the run.
    pub(crate) fn consume(&mut self, count: usize) {
        debug_assert!(count <= self.bytes().len(), "only what was read can be passed over");
        self.at += count;
    }

    /// Reads more bytes of the run. Returns false if all of them have been read.
    pub(crate) fn fill(&mut self) -> io::Result<bool> {
        if self.edge.is_some() {
            return Ok(false);
        }
        self.compact();
        let event = match self.queued.take() {
            Some(event) => event,
            None => self.reader.next_event(&mut self.bytes)?,
        };
        match event {
            Event::Start(start) => {
                if self.run.members == 0 {
                    self.run.start = start;
                }
                self.run.members += 1;
            }
            Event::Data => {}
            end => self.set_edge(end),
        }
        Ok(self.edge.is_none())
    }

    /// Reads more bytes of the run. If its member ends and the next one does not begin with a
    /// record, the run continues in that one. Returns false at any other edge.
    pub(crate) fn fill_across(&mut self) -> io::Result<bool> {
        if self.fill()? {
            return Ok(true);
        }
        if self.edge != Some(Edge::Member { intact: true }) {
            return Ok(false);
        }
        if self.run.members > 1 {
            // A record spans members, so members are cut anywhere in this file. A member that
            // begins like a record therefore proves nothing.
            return self.fill_lines();
        }
        self.join()
    }

    /// As [`Window::fill_across`], for any beginning of the next member.
    pub(crate) fn fill_lines(&mut self) -> io::Result<bool> {
        if self.edge == Some(Edge::Border) {
            // A reader of records would see the start of a record there; other readers ignore it.
            self.edge = None;
            self.bytes.append(&mut self.ahead);
            self.run.members += 1;
            return Ok(true);
        }
        if self.edge == Some(Edge::Member { intact: true }) {
            self.edge = None;
        }
        while !self.fill()? {
            if self.edge != Some(Edge::Member { intact: true }) {
                return Ok(false);
            }
            self.edge = None;
        }
        Ok(true)
    }

    fn set_edge(&mut self, event: Event) {
        self.edge = match event {
            Event::End { end, intact } => {
                self.run.end = end;
                Some(Edge::Member { intact })
            }
            Event::Broken(damage) => Some(Edge::Broken(damage)),
            Event::Junk(damage) => Some(Edge::Junk(damage)),
            Event::Eof => Some(Edge::Eof),
            Event::Start(_) | Event::Data => None,
        };
    }

    /// Examines the bytes after a whole member while a record is open. Returns true if the run
    /// continues in the next member.
    fn join(&mut self) -> io::Result<bool> {
        debug_assert!(self.ahead.is_empty(), "a border is not looked across twice");
        self.edge = None;
        let mut start = None;
        loop {
            match self.reader.next_event(&mut self.ahead)? {
                Event::Start(offset) => start = Some(offset),
                Event::Data => {}
                event if start.is_none() => {
                    self.set_edge(event);
                    return Ok(false);
                }
                // A member this short holds no record.
                event => {
                    self.queued = Some(event);
                    break;
                }
            }
            if self.opening.matches(&self.ahead) {
                self.ahead_start = start.unwrap_or_default();
                self.edge = Some(Edge::Border);
                return Ok(false);
            }
            if self.ahead.len() >= self.opening.bytes() {
                break;
            }
        }
        self.bytes.append(&mut self.ahead);
        self.run.members += 1;
        Ok(true)
    }

    /// Drops the run and begins the next one.
    pub(crate) fn cross(&mut self) {
        self.base += self.bytes.len() as u64;
        self.bytes.clear();
        self.at = 0;
        self.run = Run::default();
        match self.edge.take() {
            Some(Edge::Border) => {
                std::mem::swap(&mut self.bytes, &mut self.ahead);
                self.run.start = self.ahead_start;
                self.run.members = 1;
            }
            Some(Edge::Eof) => self.edge = Some(Edge::Eof),
            _ => {}
        }
    }

    /// Marks the damage at the edge as reported.
    pub(crate) fn settle(&mut self) {
        if matches!(
            self.edge,
            Some(Edge::Broken(_) | Edge::Junk(_) | Edge::Member { intact: false })
        ) {
            self.edge = Some(Edge::Member { intact: true });
        }
    }

    /// Moves to an offset of a plain file.
    pub(crate) fn seek(&mut self, offset: u64) -> io::Result<()> {
        let end = self.base + self.bytes.len() as u64;
        if (self.offset()..=end).contains(&offset) {
            self.at = (offset - self.base) as usize;
            return Ok(());
        }
        self.reader.seek(offset)?;
        self.bytes.clear();
        self.at = 0;
        self.base = offset;
        self.edge = None;
        Ok(())
    }

    /// Discards the bytes that were skipped. Amortised: each byte is moved about once.
    fn compact(&mut self) {
        if self.at > 0 && self.at >= self.bytes.len() / 2 {
            self.bytes.drain(..self.at);
            self.base += self.at as u64;
            self.at = 0;
            if self.bytes.len() < MAX_KEPT_BYTES / 2 {
                self.bytes.shrink_to(MAX_KEPT_BYTES);
            }
        }
    }
}
