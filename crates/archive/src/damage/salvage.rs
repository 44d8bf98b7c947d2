//! Moves to the next gzip member, zstd frame or LZ4 frame, after a damaged one or after bytes that
//! belong to none of them.

use super::finder::Finder;
use super::zeros::ZeroCounter;
use crate::container::event::{Damage, Event};
use crate::record::FaultReason;
use crate::store::raw_reader::RawReader;
use std::io;

/// Number of bytes, in addition to those read so far, that may be read again to search for members
/// within damaged ones. After that the search begins where the damage was found. Without this
/// budget a hostile file could force endless repeated reads.
const REREAD_BYTES: u64 = 64 << 20;

/// Skips damaged ranges of one input.
pub(crate) struct Salvage<F> {
    pub(crate) finder: F,
    /// Number of bytes read more than once.
    reread: u64,
}

impl<F: Finder> Salvage<F> {
    pub(crate) fn new(finder: F) -> Self {
        Salvage { finder, reread: 0 }
    }

    /// Reports the member that began at `start` as damaged and moves to the next sound one.
    pub(crate) fn report_damage(
        &mut self,
        raw: &mut RawReader,
        start: u64,
        problem: &str,
    ) -> io::Result<Event> {
        let hole = self.pass_from(raw, start)?.hole();
        let reason = if hole.is_some() { FaultReason::Hole } else { FaultReason::CorruptMember };
        let hole = hole.map_or_else(String::new, |hole| format!(", and {hole}"));
        let detail = format!("{problem}{hole} (byte {start})");
        Ok(Event::Broken(Damage { reason, start, end: raw.offset(), detail, at_end: false }))
    }

    /// Reports the member that began at `start`, within which the input seems to end. If a sound
    /// member is found after its start, only the bytes before that are damaged.
    pub(crate) fn cut_off(&mut self, raw: &mut RawReader, start: u64) -> io::Result<Event> {
        let mut event = self.report_damage(raw, start, &format!("{} ends early", F::NAME))?;
        if let Event::Broken(damage) = &mut event {
            damage.at_end = raw.bytes().is_empty();
        }
        Ok(event)
    }

    /// Skips bytes from `start` on that belong to no member. A few zeros up to the end of the input
    /// count as its end.
    pub(crate) fn junk(&mut self, raw: &mut RawReader, start: u64) -> io::Result<Event> {
        let zeros = self.pass(raw)?;
        let end = raw.offset();
        let hole = zeros.hole();
        if zeros.are_all_zero() && hole.is_none() && raw.bytes().is_empty() {
            return Ok(Event::Eof);
        }
        let reason = if hole.is_some() { FaultReason::Hole } else { FaultReason::Garbage };
        let problem = hole.unwrap_or_else(|| {
            format!("{} bytes that are not part of any {}", end - start, F::NAME)
        });
        let detail = format!("{problem} (byte {start})");
        Ok(Event::Junk(Damage { reason, start, end, detail, at_end: false }))
    }

    /// Moves to the first sound member after `start`, where a damaged one began.
    pub(crate) fn pass_from(&mut self, raw: &mut RawReader, start: u64) -> io::Result<ZeroCounter> {
        self.rewind_into(raw, start);
        self.pass(raw)
    }

    /// Moves back to the byte after `start`, where a damaged member began, if the budget allows.
    pub(crate) fn rewind_into(&mut self, raw: &mut RawReader, start: u64) {
        let distance = raw.offset().saturating_sub(start + 1);
        // The budget grows with the bytes read, so a long file has at least the budget of its
        // parts.
        if self.reread + distance <= REREAD_BYTES + raw.offset() {
            let from = raw.offset();
            raw.seek_back(start + 1);
            self.reread += from - raw.offset();
        }
    }

    /// Moves to the next sound member, or to the end of the input. Returns the zeros that were
    /// skipped.
    fn pass(&mut self, raw: &mut RawReader) -> io::Result<ZeroCounter> {
        let mut zeros = ZeroCounter::default();
        loop {
            raw.fill(2 * F::TRIAL_BYTES)?;
            let whole = raw.is_ended();
            let bytes = raw.bytes();
            let found = self.finder.find_member(bytes, 0, whole);
            let (Ok(passed) | Err(passed)) = found;
            zeros.pass(&bytes[..passed]);
            raw.consume(passed);
            raw.mark();
            if found.is_ok() || whole {
                return Ok(zeros);
            }
        }
    }
}
