//! A window on the plain bytes of a container, divided where members show that a record ends.
//!
//! The window shows one *run* at a time: the data of one member, or of several if a record goes on
//! from one to the next, or all of a plain file. Every run ends at an [`Edge`], which says what
//! comes after it.

use super::event::{Damage, Event};
use super::feed::Feed;
use super::opening::Opening;
use std::io;

/// Memory in bytes that the window keeps after a large record.
const KEPT_BYTES: usize = 4 << 20;

/// What ends a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Edge {
    /// The end of a member. Whether the run goes on in the next member is not known yet:
    /// [`Window::join`] finds out.
    Member {
        /// Whether its checksum is right.
        intact: bool,
    },
    /// The end of a member, and the next one begins a record.
    Border,
    /// The last member is damaged. The part of it in the run can't be trusted.
    Broken(Damage),
    /// The end of a whole member, and after it bytes that belong to no member.
    Junk(Damage),
    /// The end of the input.
    Eof,
}

/// Where a run lies in a container.
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

/// The plain bytes of a container, as far as they have been read and not yet passed over.
pub(crate) struct Window {
    feed: Feed,
    /// What the data of a member begin with that begins a record.
    opening: Opening,
    bytes: Vec<u8>,
    at: usize,
    /// Offset in the plain stream of the start of `bytes`.
    base: u64,
    edge: Option<Edge>,
    run: Run,
    /// The first data of the next run, when the edge is a border.
    ahead: Vec<u8>,
    ahead_start: u64,
    /// An event that was met while looking ahead.
    queued: Option<Event>,
}

impl Window {
    pub(crate) fn new(feed: Feed, opening: Opening) -> Self {
        let base = if feed.is_plain() { feed.raw().offset() } else { 0 };
        Window {
            feed,
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

    pub(crate) fn feed(&self) -> &Feed {
        &self.feed
    }

    /// Whether what comes after the run has this opening: the member at the border, or the one that
    /// was found after damage.
    pub(crate) fn next_begins_with(&mut self, opening: Opening) -> bool {
        match self.edge {
            Some(Edge::Border) => opening.fits(&self.ahead),
            _ => self.feed.begins_with(opening),
        }
    }

    /// Sets what the data of a member begin with that begins a record.
    pub(crate) fn set_opening(&mut self, opening: Opening) {
        self.opening = opening;
        self.feed.set_opening(opening);
    }

    /// The bytes of the run from the current place on, as far as they have been read.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes[self.at..]
    }

    /// Offset in the plain stream of the current place.
    pub(crate) fn offset(&self) -> u64 {
        self.base + self.at as u64
    }

    /// What ends the run, if its end has been read.
    pub(crate) fn edge(&self) -> Option<&Edge> {
        self.edge.as_ref()
    }

    pub(crate) fn run(&self) -> &Run {
        &self.run
    }

    pub(crate) fn run_mut(&mut self) -> &mut Run {
        &mut self.run
    }

    /// Passes over `count` bytes of the run.
    pub(crate) fn consume(&mut self, count: usize) {
        debug_assert!(count <= self.bytes().len(), "only what was read can be passed over");
        self.at += count;
    }

    /// Reads more bytes of the run. False if all of them have been read.
    pub(crate) fn fill(&mut self) -> io::Result<bool> {
        if self.edge.is_some() {
            return Ok(false);
        }
        self.compact();
        let event = match self.queued.take() {
            Some(event) => event,
            None => self.feed.pull(&mut self.bytes)?,
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

    /// Reads more bytes of the run. If its member ends and the next one doesn't begin a record, the
    /// run goes on in that one. False at any other edge.
    pub(crate) fn fill_across(&mut self) -> io::Result<bool> {
        if self.fill()? {
            return Ok(true);
        }
        if self.edge != Some(Edge::Member { intact: true }) {
            return Ok(false);
        }
        if self.run.members > 1 {
            // A record has gone on from one member to the next, so members are cut anywhere in this
            // file, and one that begins like a record proves nothing.
            return self.fill_lines();
        }
        self.join()
    }

    /// As [`Window::fill_across`], whatever the next member begins with.
    pub(crate) fn fill_lines(&mut self) -> io::Result<bool> {
        if self.edge == Some(Edge::Border) {
            // A record begins there, as it seems to whoever looks for records.
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

    /// Looks at what follows a whole member while a record is open. True if the run goes on in the
    /// next member.
    fn join(&mut self) -> io::Result<bool> {
        debug_assert!(self.ahead.is_empty(), "a border is not looked across twice");
        self.edge = None;
        let mut start = None;
        loop {
            match self.feed.pull(&mut self.ahead)? {
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
            if self.opening.fits(&self.ahead) {
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
        self.feed.seek(offset)?;
        self.bytes.clear();
        self.at = 0;
        self.base = offset;
        self.edge = None;
        Ok(())
    }

    /// Discards the bytes that were passed over. Amortised: each byte is moved about once.
    fn compact(&mut self) {
        if self.at > 0 && self.at >= self.bytes.len() / 2 {
            self.bytes.drain(..self.at);
            self.base += self.at as u64;
            self.at = 0;
            if self.bytes.len() < KEPT_BYTES / 2 {
                self.bytes.shrink_to(KEPT_BYTES);
            }
        }
    }
}
