//! Computes MinHash values equal to those of datatrove 0.10.1 (`pipeline/dedup/minhash.py`).

use super::mt19937::Mt19937;
use twox_hash::XxHash64;

/// The Mersenne prime 2^61 − 1.
const PRIME: u64 = (1 << 61) - 1;

/// Computes the MinHash values of datatrove. It takes the XXH64 of shingles of words joined by
/// spaces, and for each function the least `(a * x + b) mod (2^61 − 1)`. The product is first
/// computed modulo 2^64, as in numpy.
///
/// ```
/// use huller_refine::signature::DatatroveMinHash;
///
/// let mut minhash = DatatroveMinHash::new(112, 5, 1);
/// let words = ["the", "river", "rose", "in", "the", "night"];
/// assert_eq!(minhash.values(words.into_iter()).unwrap().len(), 112);
/// assert_eq!(minhash.values(words.into_iter().take(4)), None);
/// ```
pub struct DatatroveMinHash {
    /// Words of a shingle.
    shingle: usize,
    /// `a` and `b` of each function.
    functions: Box<[(u64, u64)]>,
    words: JoinedWords,
    /// The least value of each function so far.
    values: Vec<u64>,
}

/// The words of a simplified text. Each run of them is a shingle.
#[derive(Debug, Default)]
pub(crate) struct JoinedWords {
    /// The words, a space after each.
    joined: String,
    /// The offset after each word, before its space.
    ends: Vec<usize>,
}

impl JoinedWords {
    /// Replaces the words by these.
    pub(crate) fn join<'a>(&mut self, words: impl Iterator<Item = &'a str>) {
        self.begin();
        words.for_each(|word| self.push(word));
    }

    /// Removes all words.
    pub(crate) fn begin(&mut self) {
        const MAX_KEPT_BYTES: usize = 1 << 20;
        self.joined.clear();
        self.joined.shrink_to(MAX_KEPT_BYTES);
        self.ends.clear();
        self.ends.shrink_to(MAX_KEPT_BYTES / size_of::<usize>());
    }

    /// Adds a word.
    pub(crate) fn push(&mut self, word: &str) {
        self.joined.push_str(word);
        self.ends.push(self.joined.len());
        self.joined.push(' ');
    }

    /// Returns the words from `first_word` to before `end_word`, joined by spaces.
    pub(crate) fn words(&self, first_word: usize, end_word: usize) -> &str {
        let start = first_word.checked_sub(1).map_or(0, |word_before| self.ends[word_before] + 1);
        &self.joined[start..self.ends[end_word - 1]]
    }

    /// Returns the number of words.
    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    /// Returns the XXH64 of every run of `length` words, in order. It is empty if there are fewer
    /// words.
    pub(crate) fn shingles(&self, length: usize) -> impl Iterator<Item = u64> {
        let last_words = self.ends.get(length - 1..).unwrap_or_default();
        let mut start = 0;
        self.ends.iter().zip(last_words).map(move |(first_end, end)| {
            let shingle = XxHash64::oneshot(0, &self.joined.as_bytes()[start..*end]);
            start = first_end + 1;
            shingle
        })
    }
}

impl DatatroveMinHash {
    /// Creates a maker of `values` values over shingles of `shingle` words.
    pub fn new(values: usize, shingle: usize, seed: u32) -> DatatroveMinHash {
        let mut random = Mt19937::new(seed);
        let multipliers: Vec<_> = (0..values).map(|_| random.uniform(1, PRIME)).collect();
        let functions = multipliers.into_iter().map(|a| (a, random.uniform(0, PRIME))).collect();
        DatatroveMinHash { shingle, functions, words: JoinedWords::default(), values: Vec::new() }
    }

    /// Returns the values for these words, which must come from a simplified text
    /// ([`simplify`](super::simplify)). `None` if there are fewer words than a shingle has.
    pub fn values<'a>(&mut self, words: impl Iterator<Item = &'a str>) -> Option<&[u64]> {
        self.words.join(words);
        self.values.clear();
        self.values.resize(self.functions.len(), u64::MAX);
        let mut has_shingles = false;
        for shingle in self.words.shingles(self.shingle) {
            has_shingles = true;
            for (minimum, (a, b)) in self.values.iter_mut().zip(&self.functions) {
                *minimum = modulo(shingle.wrapping_mul(*a).wrapping_add(*b)).min(*minimum);
            }
        }
        has_shingles.then_some(&*self.values)
    }
}

/// Returns `value` modulo [`PRIME`].
#[inline]
fn modulo(value: u64) -> u64 {
    let folded = (value & PRIME) + (value >> 61);
    if folded >= PRIME { folded - PRIME } else { folded }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_remainder_is_right_at_the_bounds() {
        for value in [0, 1, PRIME - 1, PRIME, PRIME + 1, 8 * PRIME - 1, 7 * PRIME, u64::MAX] {
            assert_eq!(modulo(value), value % PRIME);
        }
    }

    #[test]
    fn functions_are_those_of_numpy() {
        // np.random.RandomState(1).randint(1, 2**61 - 1, dtype=np.uint64, size=(1, 2)), then
        // with 0.
        let minhash = DatatroveMinHash::new(2, 5, 1);
        assert_eq!(*minhash.functions, NUMPY);
    }

    const NUMPY: [(u64, u64); 2] = [
        (775_169_054_918_279_404, 2_109_959_069_025_161),
        (1_758_426_461_858_698_313, 965_365_488_286_768_773),
    ];
}
