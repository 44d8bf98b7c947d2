//! Keeps rows that stages dropped, for inspection: the row as it would have been written, the
//! reason, and the figures of all stages.

use crate::work::signed_rows::{RowFacts, SignedRows};
use huller_page::memory::clear_and_shrink;
use huller_refine::Reason;
use huller_refine::signature::Signature;
use huller_refine::signature::signature_file::Header;
use huller_row::{JsonObject, Row, RowSink, push_row};

/// Lines of dropped rows, in the order of their records.
#[derive(Clone, Debug, Default)]
pub(crate) struct DroppedRows {
    /// The lines, each with its line feed.
    lines: Vec<u8>,
    /// The reason and the end of each line.
    ends: Vec<(Reason, usize)>,
    tally: Tally,
}

/// Counts rows by reason. Runs know a few dozen reasons.
#[derive(Clone, Debug, Default)]
struct Tally(Vec<(Reason, u64)>);

impl Tally {
    fn count(&self, reason: Reason) -> u64 {
        self.0
            .iter()
            .find(|(known_reason, _)| *known_reason == reason)
            .map_or(0, |(_, count)| *count)
    }

    fn add(&mut self, reason: Reason) {
        match self.0.iter_mut().find(|(known_reason, _)| *known_reason == reason) {
            Some((_, count)) => *count += 1,
            None => self.0.push((reason, 1)),
        }
    }
}

/// The sinks for the rows of records: written rows, dropped rows with the limit per reason, and
/// signatures.
pub(crate) struct RowSinks<'a> {
    pub(crate) rows: &'a mut dyn RowSink,
    pub(crate) dropped: Option<(&'a mut DroppedRows, u64)>,
    /// Takes the signatures of written rows.
    pub(crate) signed: Option<(&'a mut SignedRows, Header)>,
}

impl RowSinks<'_> {
    /// Returns whether a row that stages dropped for this reason is kept for inspection.
    pub(crate) fn keeps(&self, reason: Reason) -> bool {
        self.dropped
            .as_ref()
            .is_some_and(|(dropped, max_per_reason)| dropped.tally.count(reason) < *max_per_reason)
    }

    /// Notes the signature of the row that is written next.
    pub(crate) fn sign(&mut self, facts: RowFacts<'_>, signature: Option<&Signature>) {
        if let (Some((signed, header)), Some(signature)) = (&mut self.signed, signature) {
            signed.push(*header, self.rows.mark(), facts, signature);
        }
    }
}

/// The reason for which a stage dropped a row that is still made, because it is kept for
/// inspection.
#[derive(Default)]
pub(crate) struct DropDecision {
    pub(crate) reason: Option<Reason>,
}

impl DropDecision {
    /// Returns whether a stage has dropped the row.
    pub(crate) fn is_dropped(&self) -> bool {
        self.reason.is_some()
    }

    /// Lets `stages` decide, unless a stage has dropped the row already.
    ///
    /// # Errors
    ///
    /// The row is dropped and not kept.
    pub(crate) fn decide(
        &mut self,
        sinks: &RowSinks<'_>,
        stages: impl FnOnce() -> Result<(), Reason>,
    ) -> Result<(), Reason> {
        if self.reason.is_some() {
            return Ok(());
        }
        let Err(reason) = stages() else { return Ok(()) };
        if sinks.keeps(reason) {
            self.reason = Some(reason);
            Ok(())
        } else {
            Err(reason)
        }
    }
}

/// Most bytes of lines whose buffer is kept from batch to batch.
const MAX_KEPT_BYTES: usize = 1 << 20;

impl DroppedRows {
    /// Adds a row, given as a line of JSON.
    pub(crate) fn push(&mut self, reason: Reason, signals: &str, line: &str) {
        let mut object = JsonObject::new(&mut self.lines);
        object.untrusted("dropped", reason.name());
        object.raw("signals", signals);
        object.end();
        // The members of the row follow these two.
        let brace = self.lines.pop();
        debug_assert_eq!(brace, Some(b'}'));
        let members = line.trim().trim_start_matches('{');
        if !members.trim_start().starts_with('}') {
            self.lines.push(b',');
        }
        self.lines.extend_from_slice(members.as_bytes());
        self.lines.push(b'\n');
        self.ends.push((reason, self.lines.len()));
        self.tally.add(reason);
    }

    /// Adds the row of a page.
    pub(crate) fn push_row(&mut self, reason: Reason, signals: &str, row: &Row<'_>) {
        let mut line = Vec::new();
        // The figures are already before the row.
        let mut row = *row;
        row.extras.signals = false;
        push_row(&row, &mut line);
        self.push(reason, signals, std::str::from_utf8(&line).expect("JSON made of strings"));
    }

    /// Adds the lines of another batch.
    pub(crate) fn append(&mut self, other: &DroppedRows) {
        let base = self.lines.len();
        self.lines.extend_from_slice(&other.lines);
        for (reason, end) in &other.ends {
            self.ends.push((*reason, base + end));
            self.tally.add(*reason);
        }
    }

    /// Returns the number of lines.
    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    /// Returns the bytes of the lines.
    pub(crate) fn bytes(&self) -> usize {
        self.lines.len()
    }

    /// Discards all lines after the first `len`.
    pub(crate) fn truncate(&mut self, len: usize) {
        self.ends.truncate(len);
        self.lines.truncate(self.ends.last().map_or(0, |(_, end)| *end));
        self.tally = Tally::default();
        self.ends.iter().for_each(|(reason, _)| self.tally.add(*reason));
    }

    /// Keeps the lines that are among the first `max_per_reason` of their reason in the run.
    /// `before` returns how many lines of a reason came before these.
    pub(crate) fn keep_first(
        &mut self,
        max_per_reason: u64,
        before: impl Fn(Reason) -> u64,
    ) -> &[u8] {
        let (mut start, mut written) = (0, 0);
        self.tally = Tally::default();
        let (lines, tally) = (&mut self.lines, &mut self.tally);
        self.ends.retain_mut(|(reason, end)| {
            let line = std::mem::replace(&mut start, *end)..*end;
            let is_wanted = before(*reason).saturating_add(tally.count(*reason)) < max_per_reason;
            if is_wanted {
                tally.add(*reason);
                written += line.len();
                lines.copy_within(line.clone(), written - line.len());
                *end = written;
            }
            is_wanted
        });
        lines.truncate(written);
        &self.lines
    }

    pub(crate) fn clear(&mut self) {
        clear_and_shrink(&mut self.lines, MAX_KEPT_BYTES);
        self.ends.clear();
        self.tally = Tally::default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_rows_of_each_reason_are_kept() {
        let mut rows = DroppedRows::default();
        for (number, reason) in
            [Reason::TooShort, Reason::NoArticle, Reason::TooShort].into_iter().enumerate()
        {
            rows.push(reason, "{\"a.b\":1}", &format!("{{\"id\":\"{number}\"}}\n"));
        }
        rows.push(Reason::NoArticle, "{}", "{}");
        assert_eq!((rows.tally.count(Reason::TooShort), rows.tally.count(Reason::Status)), (2, 0));
        let mut all = DroppedRows::default();
        all.append(&rows);
        all.append(&rows);
        assert_eq!((all.len(), all.bytes()), (8, 2 * rows.bytes()));
        all.truncate(4);
        assert_eq!(all.lines, rows.lines);
        let before = |reason| u64::from(reason == Reason::TooShort);
        let kept = String::from_utf8(all.keep_first(2, before).to_vec()).unwrap();
        let expected = "{\"dropped\":\"too_short\",\"signals\":{\"a.b\":1},\"id\":\"0\"}\n\
            {\"dropped\":\"no_article\",\"signals\":{\"a.b\":1},\"id\":\"1\"}\n\
            {\"dropped\":\"no_article\",\"signals\":{}}\n";
        assert_eq!(kept, expected);
        assert!(all.keep_first(0, |_| 0).is_empty());
    }
}
