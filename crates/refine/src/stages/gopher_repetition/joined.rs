//! The n words in a row that occurred before.
//!
//! datatrove compares n-grams with nothing between their words (`"".join(words)`), so two equal n-grams may even have different words:
//! `an` `other` and `another`. Here the words of the text are copied one after another without white space, and an n-gram is a
//! stretch of that copy; stretches are compared byte by byte where their hashes agree.
//!
//! Most positions can be passed over: equal stretches of at least 15 bytes begin with the same 15 bytes, so it is found out once at
//! which positions 15 bytes begin that begin at another position too. The others, unless their n-gram is shorter, begin nothing that is
//! repeated. In ordinary text that leaves a tenth. Each n-gram is hashed once, so with every word in at most n of them the work for n is
//! at most n times the text.

use crate::table::Table;
use crate::words::Words;

/// So many bytes decide whether a position is looked at.
const WINDOW: usize = 15;

/// Finds repeated n-grams of one text.
#[derive(Debug, Default)]
pub(super) struct Joined {
    table: Table,
    bytes: Vec<u8>,
    /// Where each word begins in `bytes`, and how many scalars stand before it; one entry more than words.
    starts: Vec<(u32, u32)>,
    /// Which positions have a window that another position has.
    is_repeated: Vec<bool>,
    /// The positions that may begin a repeated n-gram, ascending.
    candidates: Vec<u32>,
}

impl Joined {
    /// Begins with a text. No n below `least` will be asked for.
    pub(super) fn begin(&mut self, words: Words<'_>, least: usize) {
        self.clear();
        let mut chars = 0;
        for word in words.spans {
            self.starts.push((self.bytes.len() as u32, chars));
            self.bytes.extend_from_slice(&words.text.as_bytes()[word.range()]);
            chars += word.chars;
        }
        self.starts.push((self.bytes.len() as u32, chars));
        self.find_windows();

        let starts = &self.starts;
        let is_repeated = &self.is_repeated;
        let grams = starts.len().saturating_sub(least);
        self.candidates.extend((0..grams).filter_map(|place| {
            let length = starts[place + least].0 - starts[place].0;
            (is_repeated[place] || (length as usize) < WINDOW).then_some(place as u32)
        }));
    }

    fn clear(&mut self) {
        const KEPT: usize = 1 << 18;
        self.bytes.clear();
        self.bytes.shrink_to(KEPT);
        self.starts.clear();
        self.starts.shrink_to(KEPT / 4);
        self.is_repeated.clear();
        self.is_repeated.shrink_to(KEPT / 4);
        self.candidates.clear();
        self.candidates.shrink_to(KEPT / 4);
    }

    /// Finds which positions have the same next bytes as another.
    fn find_windows(&mut self) {
        let Joined { table, bytes, starts, is_repeated, .. } = self;
        table.begin(starts.len());
        is_repeated.resize(starts.len(), false);
        let window = |place: usize| {
            let start = starts[place].0 as usize;
            let bytes = bytes.get(start..start + WINDOW)?.first_chunk::<WINDOW>()?;
            let mut wide = [0; 16];
            wide[..WINDOW].copy_from_slice(bytes);
            Some(u128::from_le_bytes(wide))
        };
        for place in 0..starts.len() {
            let Some(this) = window(place) else { break };
            let hash = table.hash_wide(this);
            let known = table
                .find_or_insert(hash, place as u32, |known| window(known as usize) == Some(this));
            if known as usize != place {
                is_repeated[known as usize] = true;
                is_repeated[place] = true;
            }
        }
    }

    /// Unicode scalars in n-grams that occurred before. After such a one the search goes on behind it.
    pub(super) fn repeated_chars(&mut self, n: usize) -> usize {
        let Joined { table, bytes, starts, is_repeated, candidates } = self;
        table.begin(candidates.len());
        let gram = |place: usize| &bytes[starts[place].0 as usize..starts[place + n].0 as usize];
        let mut repeated = 0;
        let mut next = 0;
        for place in candidates.iter().map(|place| *place as usize) {
            if place < next {
                continue;
            }
            if place + n >= starts.len() {
                break;
            }
            let this = gram(place);
            if !is_repeated[place] && this.len() >= WINDOW {
                continue;
            }
            let hash = table.hash_bytes(this);
            let known =
                table.find_or_insert(hash, place as u32, |known| gram(known as usize) == this);
            if known as usize != place {
                repeated += starts[place + n].1 - starts[place].1;
                next = place + n;
            }
        }
        repeated as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::Text;
    use proptest::prelude::*;
    use std::collections::HashSet;

    /// As datatrove does it.
    fn expected(words: &[&str], n: usize) -> usize {
        let mut unique = HashSet::new();
        let (mut chars, mut place) = (0, 0);
        while place + n <= words.len() {
            let gram = words[place..place + n].concat();
            if unique.contains(&gram) {
                chars += gram.chars().count();
                place += n;
            } else {
                unique.insert(gram);
                place += 1;
            }
        }
        chars
    }

    proptest! {
        #[test]
        fn repeated_characters_are_those_of_looking_at_all(text in "([abé] ?|hi |aa |another |an other |[.] ){0,60}") {
            let mut row = Text::default();
            row.begin().push_str(&text);
            let words: Vec<String> = row.words().iter().map(str::to_owned).collect();
            let words: Vec<&str> = words.iter().map(String::as_str).collect();
            let mut joined = Joined::default();
            for least in [1, 3, 5] {
                joined.begin(row.words(), least);
                for n in least..11 {
                    prop_assert_eq!(joined.repeated_chars(n), expected(&words, n), "{}", n);
                }
            }
        }
    }
}
