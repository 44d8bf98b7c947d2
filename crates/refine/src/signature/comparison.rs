//! Exact data for comparing two texts, where signatures alone are not enough: the whole set of
//! shingles, and the digest of a text.

use super::datatrove::JoinedWords;
use super::settings::{Hash, SignatureSettings};
use super::shingles::Shingles;
use super::simplified_text::simplify;
use super::text_digest::normalised_digest;
use crate::invalid::InvalidSettings;
use crate::text::Text;

/// Returns the digest that a [`Signature`](super::Signature) holds for this text. `buffer` is a
/// scratch buffer, empty afterwards.
///
/// ```
/// use huller_refine::signature::text_digest;
///
/// let mut buffer = Vec::new();
/// assert_eq!(text_digest("one\ntwo ", &mut buffer), text_digest("one  two", &mut buffer));
/// ```
pub fn text_digest(text: &str, buffer: &mut Vec<u8>) -> u128 {
    normalised_digest(text, buffer)
}

/// Makes the sets of shingles behind signatures, in the memory of one thread.
///
/// ```
/// use huller_refine::Text;
/// use huller_refine::signature::{ShingleSets, SignatureSettings};
///
/// let mut sets = ShingleSets::new(SignatureSettings { shingle: 2, ..Default::default() })?;
/// let mut set = |content: &str| {
///     let (mut text, mut set) = (Text::default(), Vec::new());
///     text.begin().push_str(content);
///     sets.push(&mut text, &mut set);
///     set
/// };
/// assert_eq!(set("One two, one two three").len(), 3);
/// assert_eq!(set("one two one"), set("two one two"));
/// # Ok::<(), huller_refine::InvalidSettings>(())
/// ```
pub struct ShingleSets {
    /// Words of a shingle.
    length: usize,
    /// Seed of the hash function.
    seed: u32,
    hash: Hasher,
}

enum Hasher {
    /// The project's own hash function.
    Fast(Shingles),
    /// The hash function of datatrove.
    Datatrove { simplified: Box<Text>, words: JoinedWords },
}

impl ShingleSets {
    /// Creates a maker of the shingle sets that belong to these settings.
    ///
    /// # Errors
    ///
    /// A setting is invalid.
    pub fn new(settings: SignatureSettings) -> Result<ShingleSets, InvalidSettings> {
        settings.check()?;
        let hash = match settings.hash {
            Hash::Fast => Hasher::Fast(Shingles::default()),
            Hash::Datatrove => {
                Hasher::Datatrove { simplified: Box::default(), words: JoinedWords::default() }
            }
        };
        Ok(ShingleSets { length: settings.shingle as usize, seed: settings.seed, hash })
    }

    /// Appends the hashes of the text's shingles to `set`, ascending and without repetition. A hash
    /// has 32 bits. For two texts of a thousand words, a false shared shingle occurs in about one
    /// of four thousand pairs.
    pub fn push(&mut self, text: &mut Text, set: &mut Vec<u32>) {
        let start = set.len();
        match &mut self.hash {
            Hasher::Fast(shingles) => {
                set.extend_from_slice(shingles.hash_all(text.words(), self.length, self.seed));
            }
            Hasher::Datatrove { simplified, words } => {
                simplify(text.as_str(), simplified.begin());
                words.join(simplified.words().iter());
                set.extend(words.shingles(self.length).map(|shingle| (shingle >> 32) as u32));
            }
        }
        set[start..].sort_unstable();
        let mut kept_len = start;
        for index in start..set.len() {
            if index == start || set[index] != set[kept_len - 1] {
                set[kept_len] = set[index];
                kept_len += 1;
            }
        }
        set.truncate(kept_len);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    fn sets(settings: SignatureSettings, contents: &[&str]) -> Vec<u32> {
        let mut sets = ShingleSets::new(settings).unwrap();
        let mut all = Vec::new();
        for content in contents {
            let mut text = Text::default();
            text.begin().push_str(content);
            sets.push(&mut text, &mut all);
        }
        all
    }

    #[test]
    fn sets_are_those_of_all_shingles() {
        let content = "one two three one two three one two four FIVE, one two three";
        for hash in [Hash::Fast, Hash::Datatrove] {
            let settings = SignatureSettings { hash, shingle: 3, ..Default::default() };
            let words = ["one", "two", "three", "one", "two", "three", "one", "two", "four"];
            let words = [&words[..], &["five", "one", "two", "three"]].concat();
            // The expected set, from each three words alone.
            let naive: BTreeSet<u32> =
                words.windows(3).flat_map(|three| sets(settings, &[&three.join(" ")])).collect();
            assert_eq!(naive.len(), 7, "three one two, two three one and one two three recur");
            assert_eq!(sets(settings, &[content]), naive.iter().copied().collect::<Vec<_>>());
            // Sets are appended one after another.
            let mut twice = naive.iter().copied().collect::<Vec<_>>();
            twice.extend_from_within(..);
            assert_eq!(sets(settings, &[content, "too short", content]), twice);
        }
    }
}
