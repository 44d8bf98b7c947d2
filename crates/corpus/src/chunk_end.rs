//! Decides where a chunk of lines ends.
//!
//! A chunk holds all whole lines that end within [`CHUNK`] bytes of its start. Line ends and blank
//! lines count. If the first line ends beyond that, the limit of the chunk is the next multiple of
//! [`CHUNK`] bytes that holds it. A last line without an end is a chunk of its own. Chunks become
//! compressed frames of outputs, so another rule would change their bytes.

use std::ops::Range;

/// Bytes of a chunk, unless a line is longer.
pub(crate) const CHUNK: u64 = 4 << 20;

/// Decides for one line after another whether the present chunk holds it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ChunkEnd {
    /// Bytes of a chunk: [`CHUNK`], or fewer in tests.
    step: u64,
    /// Most bytes of a chunk: the longest line and its line feed.
    most: u64,
    start: u64,
    /// The place before which lines must end, once there is a line.
    limit: Option<u64>,
}

impl ChunkEnd {
    /// Makes the rule for a chunk that begins at `start`. Lines have at most `longest` bytes.
    pub(crate) fn new(step: u64, longest: u64, start: u64) -> ChunkEnd {
        ChunkEnd { step, most: longest.saturating_add(1), start, limit: None }
    }

    /// Takes a line into the chunk and returns `None`. If the line does not fit, returns the place
    /// where the next chunk begins, and the caller passes the line to the rule of that chunk.
    pub(crate) fn take(&mut self, line: &Range<u64>, has_end: bool) -> Option<u64> {
        if let Some(limit) = self.limit {
            let is_in = line.end <= limit && has_end;
            return (!is_in).then(|| limit.min(line.start));
        }
        let first = self.start + self.step.min(self.most);
        if line.start > self.start && (line.end > first || !has_end) {
            // Blank lines before the line make a chunk without rows.
            return Some(first.min(line.start));
        }
        let steps = (line.end - self.start).div_ceil(self.step).max(1);
        let length = steps.saturating_mul(self.step).min(self.most);
        self.limit = Some(if has_end { self.start + length } else { self.start });
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The original form of the rule: bytes are read up to a limit and cut after the last line
    /// feed.
    fn chunks_by_reading(file: &[u8], longest: usize, step: usize) -> Vec<Range<usize>> {
        let (mut chunks, mut start) = (Vec::new(), 0);
        while start < file.len() {
            let mut wanted = step;
            let end = loop {
                let now = wanted.min(longest + 1);
                let bytes = &file[start..(start + now).min(file.len())];
                if let Some(last) = bytes.iter().rposition(|byte| *byte == b'\n') {
                    break start + last + 1;
                }
                if bytes.len() < now {
                    break file.len();
                }
                assert!(bytes.len() <= longest, "no line of these tests is too long");
                wanted = wanted.max(bytes.len()) + step;
            };
            chunks.push(start..end);
            start = end;
        }
        chunks
    }

    /// Returns, for each chunk with rows, the places of its lines that are not blank.
    fn rows_by_reading(file: &[u8], longest: usize, step: usize) -> Vec<Vec<u64>> {
        let mut chunks = Vec::new();
        for chunk in chunks_by_reading(file, longest, step) {
            let (mut at, mut rows) = (chunk.start, Vec::new());
            for line in file[chunk].split_inclusive(|byte| *byte == b'\n') {
                if !line.trim_ascii().is_empty() {
                    rows.push(at as u64);
                }
                at += line.len();
            }
            if !rows.is_empty() {
                chunks.push(rows);
            }
        }
        chunks
    }

    fn rows_by_lines(file: &[u8], longest: usize, step: usize) -> Vec<Vec<u64>> {
        let new = |start| ChunkEnd::new(step as u64, longest as u64, start);
        let (mut end, mut at) = (new(0), 0);
        let (mut chunks, mut rows) = (Vec::new(), Vec::new());
        for line in file.split_inclusive(|byte| *byte == b'\n') {
            let place = at..at + line.len() as u64;
            at = place.end;
            if line.trim_ascii().is_empty() {
                continue;
            }
            while let Some(next) = end.take(&place, line.ends_with(b"\n")) {
                end = new(next);
                chunks.push(std::mem::take(&mut rows));
            }
            rows.push(place.start);
        }
        chunks.push(rows);
        chunks.retain(|rows| !rows.is_empty());
        chunks
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]

        #[test]
        fn chunks_are_those_of_the_rule(
            lines in prop::collection::vec((0_usize..60, 0_usize..4, any::<bool>()), 0..30),
            (step, longest) in (1_usize..40, 62_usize..70),
            is_ended: bool,
        ) {
            let mut file = Vec::new();
            for (length, blank, has_cr) in lines {
                file.extend(std::iter::repeat_n(b'x', length));
                file.extend_from_slice(if has_cr && length > 0 { b"\r\n" } else { b"\n" });
                file.extend(std::iter::repeat_n(b'\n', if blank == 3 { length } else { 0 }));
            }
            if !is_ended {
                file.extend_from_slice(b"xx");
            }
            prop_assert_eq!(
                rows_by_lines(&file, longest, step),
                rows_by_reading(&file, longest, step)
            );
        }
    }

    #[test]
    fn lines_shorter_than_a_chunk_may_be_the_longest_allowed() {
        let file = b"xxxx\nxx\nxx\nxxx\n";
        assert_eq!(rows_by_lines(file, 4, 1000), [vec![0], vec![5], vec![8], vec![11]]);
        assert_eq!(rows_by_lines(file, 4, 1000), rows_by_reading(file, 4, 1000));
    }
}
