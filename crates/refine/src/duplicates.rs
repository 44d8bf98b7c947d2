//! Lines and paragraphs that occur a second time in a text.

use crate::table::Table;
use memchr::memchr_iter;

/// Finds the repeated parts of a text. Parts whose hashes agree are compared byte by byte.
#[derive(Debug, Default)]
pub(crate) struct Duplicates {
    table: Table,
    /// Offset and length of each different part.
    parts: Vec<(u32, u32)>,
}

/// The counts that [`Duplicates::count_repeats`] returns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct RepeatCounts {
    /// Number of parts.
    pub(crate) all: usize,
    /// Number of parts that occurred earlier in the text.
    pub(crate) repeated: usize,
    /// Unicode scalars of the parts that occurred earlier.
    pub(crate) chars: usize,
}

impl Duplicates {
    /// Counts the repeated parts of a text. The parts are lines or paragraphs, or a selection of
    /// them; a line feed lies between any two.
    pub(crate) fn count_repeats<'a>(
        &mut self,
        text: &'a str,
        parts: impl Iterator<Item = &'a str>,
    ) -> RepeatCounts {
        self.parts.clear();
        self.parts.shrink_to(1 << 16);
        self.table.begin(memchr_iter(b'\n', text.as_bytes()).count() + 1);
        let mut repeat_counts = RepeatCounts::default();
        let known = &mut self.parts;
        for part in parts {
            repeat_counts.all += 1;
            let start = part.as_ptr().addr() - text.as_ptr().addr();
            let new_number = known.len() as u32;
            let hash = self.table.hash_bytes(part.as_bytes());
            let number = self.table.find_or_insert(hash, new_number, |number| {
                let (start, length) = known[number as usize];
                text.as_bytes()[start as usize..][..length as usize] == *part.as_bytes()
            });
            if number == new_number {
                known.push((start as u32, part.len() as u32));
            } else {
                repeat_counts.repeated += 1;
                repeat_counts.chars += part.chars().count();
            }
        }
        repeat_counts
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_counts_from_its_second_time_on() {
        let mut duplicates = Duplicates::default();
        let text = "é1\nb\né1\n\né1\nb1\n";
        let found = duplicates.count_repeats(text, text.split('\n'));
        assert_eq!(found, RepeatCounts { all: 7, repeated: 3, chars: 4 });
        assert_eq!(
            duplicates.count_repeats("", "".split('\n')),
            RepeatCounts { all: 1, ..RepeatCounts::default() }
        );
    }
}
