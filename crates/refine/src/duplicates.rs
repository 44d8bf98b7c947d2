//! Lines and paragraphs that occurred before.

use crate::table::Table;
use memchr::memchr_iter;

/// Finds parts of a text that are repeated. Parts are compared byte by byte where their hashes
/// agree.
#[derive(Debug, Default)]
pub(crate) struct Duplicates {
    table: Table,
    /// Offset and length of each different part.
    parts: Vec<(u32, u32)>,
}

/// What [`Duplicates::find`] found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Repeated {
    /// Parts in all.
    pub(crate) all: usize,
    /// Parts that occurred before.
    pub(crate) again: usize,
    /// Unicode scalars of those.
    pub(crate) chars: usize,
}

impl Duplicates {
    /// Looks at parts of a text that no two have a line feed between them in common: lines,
    /// paragraphs, some of these.
    pub(crate) fn find<'a>(
        &mut self,
        text: &'a str,
        parts: impl Iterator<Item = &'a str>,
    ) -> Repeated {
        self.parts.clear();
        self.parts.shrink_to(1 << 16);
        self.table.begin(memchr_iter(b'\n', text.as_bytes()).count() + 1);
        let mut found = Repeated::default();
        let known = &mut self.parts;
        for part in parts {
            found.all += 1;
            let start = part.as_ptr().addr() - text.as_ptr().addr();
            let new = known.len() as u32;
            let hash = self.table.hash_bytes(part.as_bytes());
            let number = self.table.find_or_insert(hash, new, |number| {
                let (start, length) = known[number as usize];
                text.as_bytes()[start as usize..][..length as usize] == *part.as_bytes()
            });
            if number == new {
                known.push((start as u32, part.len() as u32));
            } else {
                found.again += 1;
                found.chars += part.chars().count();
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_counts_from_its_second_time_on() {
        let mut duplicates = Duplicates::default();
        let text = "é1\nb\né1\n\né1\nb1\n";
        let found = duplicates.find(text, text.split('\n'));
        assert_eq!(found, Repeated { all: 7, again: 3, chars: 4 });
        assert_eq!(duplicates.find("", "".split('\n')), Repeated { all: 1, ..Repeated::default() });
    }
}
