//! The way on behind a gzip member or zstd frame that is damaged, or behind bytes that are neither.

use crate::event::{Damage, Event};
use crate::finder::Finder;
use crate::raw::Raw;
use crate::record::FaultReason;
use std::io;

/// How much may be read again, in all, to look for members within broken ones. Where more breaks than this the search
/// goes on from where it broke, or else a file made for it could have every part of it read again and again.
const REREAD_BYTES: u64 = 64 << 20;

/// Passes over the damage of one input.
pub(crate) struct Salvage<F> {
    pub(crate) finder: F,
    /// How much has been read more than once.
    reread: u64,
}

impl<F: Finder> Salvage<F> {
    pub(crate) fn new(finder: F) -> Self {
        Salvage { finder, reread: 0 }
    }

    /// Gives up what began at `start` and goes to the next that matters.
    pub(crate) fn broken(&mut self, raw: &mut Raw, start: u64, what: &str) -> io::Result<Event> {
        self.pass_from(raw, start)?;
        let reason = FaultReason::CorruptMember;
        let detail = format!("{what} (byte {start})");
        Ok(Event::Broken(Damage { reason, start, end: raw.offset(), detail }))
    }

    /// Passes over bytes at `start` that begin nothing. Zeros up to the end of the input are its end.
    pub(crate) fn junk(&mut self, raw: &mut Raw, start: u64) -> io::Result<Event> {
        let zero = self.pass(raw)?;
        let end = raw.offset();
        if zero && raw.bytes().is_empty() {
            return Ok(Event::Eof);
        }
        let name = F::NAME;
        let detail = format!("{} bytes between {name}s that are none (byte {start})", end - start);
        Ok(Event::Junk(Damage { reason: FaultReason::Garbage, start, end, detail }))
    }

    /// Goes to the next that matters behind the start of what began at `start` and broke.
    pub(crate) fn pass_from(&mut self, raw: &mut Raw, start: u64) -> io::Result<()> {
        self.back_into(raw, start);
        self.pass(raw).map(drop)
    }

    /// Goes back to just behind the start of what broke, as far as the budget allows.
    pub(crate) fn back_into(&mut self, raw: &mut Raw, start: u64) {
        let distance = raw.offset().saturating_sub(start + 1);
        // What was read once is a budget of its own, so that a long file isn't worse off than its parts.
        if self.reread + distance <= REREAD_BYTES + raw.offset() {
            let from = raw.offset();
            raw.back_to(start + 1);
            self.reread += from - raw.offset();
        }
    }

    /// Goes to the next that matters, or to the end. Tells whether all that was passed over is zero.
    fn pass(&mut self, raw: &mut Raw) -> io::Result<bool> {
        let mut zero = true;
        loop {
            raw.fill(2 * F::TRIAL_BYTES)?;
            let whole = raw.is_ended();
            let bytes = raw.bytes();
            let found = self.finder.find(bytes, 0, whole);
            let (Ok(passed) | Err(passed)) = found;
            zero &= bytes[..passed].iter().all(|byte| *byte == 0);
            raw.consume(passed);
            raw.mark();
            if found.is_ok() || whole {
                return Ok(zero);
            }
        }
    }
}
