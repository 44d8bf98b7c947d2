//! Finds the most frequent n-gram of words.
//!
//! Words are numbers. An (n+1)-gram is the number of an n-gram and the number of a word, and gets a
//! number of its own. It can only be repeated where its n-gram is, so the step to n+1 only visits
//! positions with a repeated n-gram: few, in most texts. Keys are pairs of numbers that are
//! compared whole, so results do not depend on hashes. Each n takes two passes over the remaining
//! positions: the first finds the pairs that may occur twice, the second counts them.

use super::duplicate_candidates::DuplicateCandidates;
use crate::table::Table;
use crate::words::NumberedWords;

/// Counts n-grams of one text, for ascending n.
#[derive(Debug, Default)]
pub(super) struct Grams {
    table: Table,
    candidates: DuplicateCandidates,
    /// Words of the n-grams that were counted last.
    n: usize,
    /// The position of each repeated n-gram, and its number.
    positions: Vec<(u32, u32)>,
    /// The different n-grams. Numbers ascend with the first occurrence.
    different: Vec<Gram>,
}

#[derive(Clone, Copy, Debug)]
struct Gram {
    /// The number of its first n-1 words.
    head: u32,
    /// The number of its last word.
    last: u32,
    /// Number of occurrences.
    count: u32,
    /// Position of its first occurrence.
    first: u32,
}

impl Grams {
    /// Begins with the single words of a text.
    pub(super) fn begin(&mut self, words: NumberedWords<'_>) {
        self.n = 1;
        self.different.clear();
        self.positions.clear();
        self.positions.shrink_to(1 << 16);
        self.different.shrink_to(1 << 16);
        self.different.extend(words.counts.iter().map(|count| Gram {
            head: 0,
            last: 0,
            count: *count,
            first: u32::MAX,
        }));
        for (position, number) in words.numbers.iter().enumerate() {
            let gram = &mut self.different[*number as usize];
            gram.first = gram.first.min(position as u32);
            if gram.count > 1 {
                self.positions.push((position as u32, *number));
            }
        }
    }

    /// Returns the Unicode scalars of all occurrences of the most frequent n-gram, with a space
    /// between words. Among equally frequent n-grams the first counts. `None` if there are fewer
    /// than n words.
    pub(super) fn top(&mut self, words: NumberedWords<'_>, n: usize) -> Option<usize> {
        let spans = words.words.spans;
        if spans.len() < n {
            return None;
        }
        if self.n > n {
            self.begin(words);
        }
        while self.n < n {
            self.lengthen(words);
        }
        // If all occur once, the first counts.
        let mut top = (1, 0);
        for gram in &self.different {
            if gram.count > top.0 {
                top = (gram.count, gram.first);
            }
        }
        let (count, first_position) = (top.0 as usize, top.1 as usize);
        let chars: usize =
            spans[first_position..first_position + n].iter().map(|word| word.chars as usize).sum();
        Some((chars + n - 1) * count)
    }

    /// Continues from n to n+1.
    fn lengthen(&mut self, words: NumberedWords<'_>) {
        let (n, numbers) = (self.n, words.numbers);
        self.n += 1;
        let Grams { table, candidates, positions, different: grams, .. } = self;
        candidates.begin(positions.len());
        for (position, head) in &*positions {
            // The position after the last word gets a number that no word has.
            let last = numbers.get(*position as usize + n).unwrap_or(&u32::MAX);
            candidates.push(table.hash_number(gram_key(*head, *last)));
        }
        table.begin(positions.len());
        grams.clear();
        let mut checked = 0;
        positions.retain_mut(|(position, number)| {
            checked += 1;
            if !candidates.may_be_twice(checked - 1) {
                return false;
            }
            let Some(last) = numbers.get(*position as usize + n) else { return false };
            let (head, last) = (*number, *last);
            let new_number = grams.len() as u32;
            let hash = table.hash_number(gram_key(head, last));
            let gram_number = table.find_or_insert(hash, new_number, |known| {
                let gram = &grams[known as usize];
                (gram.head, gram.last) == (head, last)
            });
            if gram_number == new_number {
                grams.push(Gram { head, last, count: 0, first: *position });
            }
            grams[gram_number as usize].count += 1;
            *number = gram_number;
            true
        });
        positions.retain(|(_, number)| grams[*number as usize].count > 1);
    }
}

/// Joins the two numbers of a gram into one key.
#[inline]
fn gram_key(head: u32, last_word: u32) -> u64 {
    u64::from(head) << 32 | u64::from(last_word)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::Text;
    use proptest::prelude::*;

    /// The result by datatrove's algorithm.
    fn expected(words: &[&str], n: usize) -> Option<usize> {
        let grams: Vec<String> = words.windows(n).map(|gram| gram.join(" ")).collect();
        let count = |gram: &String| grams.iter().filter(|other| *other == gram).count();
        let most = grams.iter().map(count).max()?;
        let top = grams.iter().find(|gram| count(gram) == most)?;
        Some(top.chars().count() * most)
    }

    proptest! {
        #[test]
        fn the_top_is_that_of_counting_them_all(text in "([abé] ?|hi |[.] ){0,40}") {
            let mut row = Text::default();
            row.begin().push_str(&text);
            let mut grams = Grams::default();
            let words: Vec<String> = row.words().iter().map(str::to_owned).collect();
            let words: Vec<&str> = words.iter().map(String::as_str).collect();
            let numbered = row.numbered_words();
            grams.begin(numbered);
            for n in [1, 2, 3, 4, 2, 7] {
                prop_assert_eq!(grams.top(numbered, n), expected(&words, n), "{}", n);
            }
        }
    }
}
