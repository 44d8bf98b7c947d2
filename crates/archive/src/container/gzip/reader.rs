//! Reads gzip from start to end, member by member. Reports damaged members and skips them.

use super::finder::{MemberFinder, TRIAL_BYTES};
use super::header::{MemberHeader, NAME_BYTES, member_header};
use super::trailer::{TRAILER_BYTES, Trailer};
use crate::container::event::{Event, OUTPUT_BYTES};
use crate::container::expected_start::ExpectedStart;
use crate::damage::finder::Finder;
use crate::damage::salvage::Salvage;
use crate::damage::zeros::hole_in;
use crate::store::raw_reader::RawReader;
use flate2::{Decompress, FlushDecompress, Status};
use std::io;

/// A reader of gzip members.
pub(crate) struct GzipReader {
    raw: RawReader,
    inflate: Decompress,
    salvage: Salvage<MemberFinder>,
    member: Option<Member>,
    output: Box<[u8]>,
}

/// The member that is being read.
#[derive(Clone, Copy)]
struct Member {
    start: u64,
    /// Whether its first data were returned, with [`Event::Start`].
    started: bool,
    /// Whether the deflate stream has ended.
    inflated: bool,
    trailer: Trailer,
}

impl GzipReader {
    pub(crate) fn new(raw: RawReader, opening: ExpectedStart) -> Self {
        GzipReader {
            raw,
            inflate: Decompress::new(false),
            salvage: Salvage::new(MemberFinder::new(opening)),
            member: None,
            output: vec![0; OUTPUT_BYTES].into(),
        }
    }

    pub(crate) fn raw(&self) -> &RawReader {
        &self.raw
    }

    pub(crate) fn set_opening(&mut self, opening: ExpectedStart) {
        self.salvage.finder = MemberFinder::new(opening);
    }

    /// Returns whether the next bytes begin a member with this opening. The reader must be at a
    /// member that was found by a search.
    pub(crate) fn begins_with(&mut self, opening: ExpectedStart) -> bool {
        self.set_opening(opening);
        self.salvage.finder.begins_here(self.raw.bytes())
    }

    pub(crate) fn next_event(&mut self, output: &mut Vec<u8>) -> io::Result<Event> {
        loop {
            let event = match self.member {
                None => self.begin()?,
                Some(member) if member.inflated => self.end(member)?,
                Some(member) => self.inflate_block(member, output)?,
            };
            if let Some(event) = event {
                return Ok(event);
            }
        }
    }

    /// Reads the header of a member, or detects the end of the input or damage.
    fn begin(&mut self) -> io::Result<Option<Event>> {
        let start = self.raw.offset();
        let mut wanted = TRIAL_BYTES;
        loop {
            let bytes = self.raw.fill(wanted)?;
            let available = bytes.len();
            if available == 0 {
                return Ok(Some(Event::Eof));
            }
            match member_header(bytes, NAME_BYTES) {
                MemberHeader::Whole(len) => {
                    self.raw.mark();
                    self.raw.consume(len);
                    self.inflate.reset(false);
                    self.member = Some(Member {
                        start,
                        started: false,
                        inflated: false,
                        trailer: Trailer::default(),
                    });
                    return Ok(None);
                }
                // Extra field, name and comment are of bounded length, so this loop ends.
                MemberHeader::Cut if !self.raw.is_ended() => wanted = available.max(wanted) * 2,
                MemberHeader::Cut => {
                    self.raw.mark();
                    return self.cut_off(start);
                }
                MemberHeader::Bad => {
                    return self.salvage.junk(&mut self.raw, start).map(Some);
                }
            }
        }
    }

    /// Inflates the next block of data.
    fn inflate_block(
        &mut self,
        mut member: Member,
        output: &mut Vec<u8>,
    ) -> io::Result<Option<Event>> {
        let input = self.raw.fill(1)?;
        let out_of_input = input.is_empty();
        let (total_in, total_out) = (self.inflate.total_in(), self.inflate.total_out());
        let status = self.inflate.decompress(input, &mut self.output, FlushDecompress::None);
        let used = (self.inflate.total_in() - total_in) as usize;
        let data = &self.output[..(self.inflate.total_out() - total_out) as usize];
        self.raw.consume(used);
        member.trailer.update(data);
        output.extend_from_slice(data);
        let first = !data.is_empty() && !member.started;
        member.started |= first;
        member.inflated = matches!(status, Ok(Status::StreamEnd));
        self.member = Some(member);
        match status {
            _ if first => Ok(Some(Event::Start(member.start))),
            // If there was an error too, the next call returns it again.
            _ if !data.is_empty() => Ok(Some(Event::Data)),
            Ok(Status::StreamEnd) => Ok(None),
            Ok(_) if used > 0 => Ok(None),
            Ok(_) if out_of_input => self.cut_off(member.start),
            _ => self.report_damage(member.start, "gzip member cannot be decompressed"),
        }
    }

    /// Reads the trailer of the member and compares checksum and size.
    fn end(&mut self, member: Member) -> io::Result<Option<Event>> {
        let Some(&trailer) = self.raw.fill(TRAILER_BYTES)?.first_chunk() else {
            return self.cut_off(member.start);
        };
        let intact = Trailer::read(trailer) == member.trailer;
        self.raw.consume(TRAILER_BYTES);
        if !intact {
            // The member does not end here if another member begins within it, or if bytes other
            // than a member follow.
            let hidden = self.hidden_member(member.start)?;
            let next = self.raw.fill(4)?;
            let followed = next.is_empty() || member_header(next, 1) != MemberHeader::Bad;
            if hidden || !member.started || !followed {
                return self.report_damage(member.start, "gzip member has a wrong checksum");
            }
        }
        self.member = None;
        Ok(member.started.then(|| Event::End { end: self.raw.offset(), intact }))
    }

    /// Returns whether a sound member or a hole begins within the member that began at `start` and
    /// ends here. If that member was cut short, its last block may include the members after it.
    fn hidden_member(&mut self, start: u64) -> io::Result<bool> {
        let end = self.raw.offset();
        self.salvage.rewind_into(&mut self.raw, start);
        let span = (end - self.raw.offset()) as usize;
        let bytes = self.raw.fill(span + TRIAL_BYTES)?;
        let bytes = &bytes[..bytes.len().min(span + TRIAL_BYTES)];
        let hidden = self.salvage.finder.find_member(bytes, 0, true).is_ok_and(|at| at < span)
            || hole_in(&bytes[..span.min(bytes.len())]).is_some();
        self.raw.consume(span);
        Ok(hidden)
    }

    /// Reports the member that began at `start` and is cut off by the end of the input.
    fn cut_off(&mut self, start: u64) -> io::Result<Option<Event>> {
        self.member = None;
        self.salvage.cut_off(&mut self.raw, start).map(Some)
    }

    /// Reports the member that began at `start` as damaged and moves to the next sound one.
    fn report_damage(&mut self, start: u64, problem: &str) -> io::Result<Option<Event>> {
        self.member = None;
        self.salvage.report_damage(&mut self.raw, start, problem).map(Some)
    }
}
