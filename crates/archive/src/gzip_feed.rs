//! gzip read from start to end, member by member, with damage passed over.

use crate::event::{Event, OUTPUT_BYTES};
use crate::finder::{Finder, Opening};
use crate::gzip::{
    MemberFinder, MemberHeader, NAME_BYTES, TRAILER_BYTES, TRIAL_BYTES, Trailer, member_header,
};
use crate::raw::Raw;
use crate::salvage::Salvage;
use flate2::{Decompress, FlushDecompress, Status};
use std::io;

/// A gzip stream taken apart.
pub(crate) struct GzipFeed {
    raw: Raw,
    inflate: Decompress,
    salvage: Salvage<MemberFinder>,
    member: Option<Member>,
    output: Box<[u8]>,
}

/// The member that is being read.
#[derive(Clone, Copy)]
struct Member {
    start: u64,
    /// Whether its first data, and with them its start, have been given.
    told: bool,
    /// Whether the deflate stream has ended.
    inflated: bool,
    trailer: Trailer,
}

impl GzipFeed {
    pub(crate) fn new(raw: Raw, opening: Opening) -> Self {
        GzipFeed {
            raw,
            inflate: Decompress::new(false),
            salvage: Salvage::new(MemberFinder::new(opening)),
            member: None,
            output: vec![0; OUTPUT_BYTES].into(),
        }
    }

    pub(crate) fn raw(&self) -> &Raw {
        &self.raw
    }

    pub(crate) fn set_opening(&mut self, opening: Opening) {
        self.salvage.finder = MemberFinder::new(opening);
    }

    pub(crate) fn pull(&mut self, output: &mut Vec<u8>) -> io::Result<Event> {
        loop {
            let event = match self.member {
                None => self.begin()?,
                Some(member) if member.inflated => self.end(member)?,
                Some(member) => self.go_on(member, output)?,
            };
            if let Some(event) = event {
                return Ok(event);
            }
        }
    }

    /// Reads the header of a member, or finds out why there is none.
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
                        told: false,
                        inflated: false,
                        trailer: Trailer::default(),
                    });
                    return Ok(None);
                }
                // A header has at most four parts without a fixed size, so this ends soon.
                MemberHeader::Cut if !self.raw.is_ended() => wanted = available.max(wanted) * 2,
                MemberHeader::Cut => {
                    self.raw.mark();
                    return self.broken(start, "gzip member ends early");
                }
                MemberHeader::Bad => {
                    return self.salvage.junk(&mut self.raw, start).map(Some);
                }
            }
        }
    }

    /// Inflates the next piece.
    fn go_on(&mut self, mut member: Member, output: &mut Vec<u8>) -> io::Result<Option<Event>> {
        let input = self.raw.fill(1)?;
        let out_of_input = input.is_empty();
        let (total_in, total_out) = (self.inflate.total_in(), self.inflate.total_out());
        let status = self.inflate.decompress(input, &mut self.output, FlushDecompress::None);
        let used = (self.inflate.total_in() - total_in) as usize;
        let data = &self.output[..(self.inflate.total_out() - total_out) as usize];
        self.raw.consume(used);
        member.trailer.update(data);
        output.extend_from_slice(data);
        let first = !data.is_empty() && !member.told;
        member.told |= first;
        member.inflated = matches!(status, Ok(Status::StreamEnd));
        self.member = Some(member);
        match status {
            _ if first => Ok(Some(Event::Start(member.start))),
            // An error comes again with the next call.
            _ if !data.is_empty() => Ok(Some(Event::Data)),
            Ok(Status::StreamEnd) => Ok(None),
            Ok(_) if used > 0 => Ok(None),
            Ok(_) if out_of_input => self.broken(member.start, "gzip member ends early"),
            _ => self.broken(member.start, "gzip member does not inflate"),
        }
    }

    /// Compares the checksum.
    fn end(&mut self, member: Member) -> io::Result<Option<Event>> {
        let Some(&trailer) = self.raw.fill(TRAILER_BYTES)?.first_chunk() else {
            return self.broken(member.start, "gzip member ends early");
        };
        let intact = Trailer::read(trailer) == member.trailer;
        self.raw.consume(TRAILER_BYTES);
        if !intact {
            // Where another member hides in this one, or none follows it, this was not where it ends.
            let hidden = self.hidden_member(member.start)?;
            let next = self.raw.fill(4)?;
            let followed = next.is_empty() || member_header(next, 1) != MemberHeader::Bad;
            if hidden || !member.told || !followed {
                return self.broken(member.start, "gzip member has a wrong checksum");
            }
        }
        self.member = None;
        Ok(member.told.then(|| Event::End { end: self.raw.offset(), intact }))
    }

    /// Whether a true member begins within the one that began at `start` and has just been read: if that was cut short, its
    /// last block may have swallowed others.
    fn hidden_member(&mut self, start: u64) -> io::Result<bool> {
        let end = self.raw.offset();
        self.salvage.back_into(&mut self.raw, start);
        let span = (end - self.raw.offset()) as usize;
        let bytes = self.raw.fill(span + TRIAL_BYTES)?;
        let bytes = &bytes[..bytes.len().min(span + TRIAL_BYTES)];
        let hidden = self.salvage.finder.find(bytes, 0, true).is_ok_and(|at| at < span);
        self.raw.consume(span);
        Ok(hidden)
    }

    /// Gives up the member that began at `start`.
    fn broken(&mut self, start: u64, what: &str) -> io::Result<Option<Event>> {
        self.member = None;
        self.salvage.broken(&mut self.raw, start, what).map(Some)
    }
}
