//! Caches the forms of recent words, in tables of fixed size.
//!
//! A text of a million words has some ten thousand different ones, and a stem costs several times
//! as much as a lookup here. Most of the time of an index goes to cache misses. So a table has no
//! pointers. A set holds the two latest words, in one cache line for ASCII words and three for
//! others. A word that was evicted is computed again.

use foldhash::fast::FixedState;
use std::hash::{BuildHasher, Hasher};

/// Number of sets of a table. The tables take 0.5 MB for ASCII words, and 1.5 MB for others.
const SET_COUNT: usize = 1 << 13;

/// Bytes before the word: language and lengths.
const HEAD_BYTES: usize = 5;

/// Bytes of an entry: if the key is the folded form, and otherwise.
const FOLDED_ENTRY_BYTES: usize = 32;
const OTHER_ENTRY_BYTES: usize = 96;

/// A table of words and their forms.
#[derive(Clone, Default)]
pub(crate) struct WordCache {
    folded: Table<FOLDED_ENTRY_BYTES>,
    other: Table<OTHER_ENTRY_BYTES>,
}

impl WordCache {
    /// Appends the stem of a folded word to `stem`. Returns false if it is not cached.
    pub(crate) fn stem(&self, language: u8, folded: &str, stem: &mut String) -> bool {
        let known = self.folded.find(language, folded);
        known.is_some_and(|known| known.push_stem(folded, stem))
    }

    /// Appends the folded form of a word and its stem. Returns false if they are not cached.
    pub(crate) fn forms(
        &self,
        language: u8,
        word: &str,
        folded: &mut String,
        stem: &mut String,
    ) -> bool {
        let Some(known) = self.other.find(language, word) else { return false };
        let Ok(form) = std::str::from_utf8(known.form) else { return false };
        folded.push_str(form);
        known.push_stem(form, stem)
    }

    /// Caches the stem of a folded word. An empty stem means no stem.
    pub(crate) fn add_stem(&mut self, language: u8, folded: &str, stem: &str) {
        self.folded.add(language, folded, "", (folded, stem));
    }

    /// Caches the folded form of a word, and its stem.
    pub(crate) fn add_forms(&mut self, language: u8, word: &str, folded: &str, stem: &str) {
        self.other.add(language, word, folded, (folded, stem));
    }
}

/// The two latest words with one hash, newest first.
///
/// An entry has these bytes in order:
///
/// * one more than the language, or 0 in an empty entry;
/// * four lengths: of the word, of its folded form, of the prefix that the stem shares with that
///   form, and of the rest of the stem;
/// * the word, the form and the rest of the stem.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Set<const PLACE: usize>([[u8; PLACE]; 2]);

#[derive(Clone, Default)]
struct Table<const PLACE: usize> {
    /// Empty until the first word is added.
    sets: Vec<Set<PLACE>>,
}

/// The cached forms of a word.
struct CachedWord<'a> {
    form: &'a [u8],
    /// Bytes at the start of the folded word that its stem has too.
    shared: usize,
    ending: &'a [u8],
}

impl<const PLACE: usize> Table<PLACE> {
    fn find(&self, language: u8, key: &str) -> Option<CachedWord<'_>> {
        let set = self.sets.get(set(language, key))?;
        set.0.iter().find_map(|entry_bytes| find_entry(entry_bytes, language, key))
    }

    fn add(&mut self, language: u8, key: &str, form: &str, (folded, stem): (&str, &str)) {
        let shared = common_prefix(folded, stem);
        let ending = &stem[shared..];
        let parts = [key, form, ending].map(str::as_bytes);
        // A byte holds any length, since an entry has at most 96 bytes.
        if HEAD_BYTES + parts.iter().map(|part| part.len()).sum::<usize>() > PLACE {
            return;
        }
        if self.sets.is_empty() {
            self.sets = vec![Set([[0; PLACE]; 2]); SET_COUNT];
        }
        let [newer, older] = &mut self.sets[set(language, key)].0;
        *older = *newer;
        let lengths = [key.len(), form.len(), shared, ending.len()].map(|len| len as u8);
        newer[0] = language + 1;
        newer[1..HEAD_BYTES].copy_from_slice(&lengths);
        let mut start = HEAD_BYTES;
        for part in parts {
            newer[start..start + part.len()].copy_from_slice(part);
            start += part.len();
        }
    }
}

/// Returns the index of a word's set.
fn set(language: u8, key: &str) -> usize {
    let mut hasher = FixedState::with_seed(u64::from(language)).build_hasher();
    hasher.write(key.as_bytes());
    hasher.finish() as usize % SET_COUNT
}

/// Returns the forms in an entry, if it is the entry of this word.
fn find_entry<'a>(entry_bytes: &'a [u8], language: u8, key: &str) -> Option<CachedWord<'a>> {
    let (&[code, len, form, shared, ending], rest) =
        entry_bytes.split_first_chunk::<HEAD_BYTES>()?;
    if code != language + 1 || usize::from(len) != key.len() {
        return None;
    }
    let (word, rest) = rest.split_at(key.len());
    if word != key.as_bytes() {
        return None;
    }
    let (form, rest) = rest.split_at(usize::from(form));
    Some(CachedWord { form, shared: usize::from(shared), ending: &rest[..usize::from(ending)] })
}

/// Returns the length in bytes of the common prefix of two words, in whole scalars.
fn common_prefix(left: &str, right: &str) -> usize {
    let equal_chars = left.chars().zip(right.chars()).take_while(|(left, right)| left == right);
    equal_chars.map(|(c, _)| c.len_utf8()).sum()
}

impl CachedWord<'_> {
    /// Appends the stem of a folded word. Returns false if the bytes are invalid.
    fn push_stem(&self, folded: &str, stem: &mut String) -> bool {
        let (Some(start), Ok(ending)) =
            (folded.get(..self.shared), std::str::from_utf8(self.ending))
        else {
            return false;
        };
        stem.push_str(start);
        stem.push_str(ending);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_known_until_two_others_take_their_place_and_never_mistaken() {
        let mut cache = WordCache::default();
        let mut found = 0;
        for round in 0..2 {
            for n in 0..3 * SET_COUNT {
                let (word, language) = (format!("wörd{n}"), (n % 19) as u8);
                let (folded, stem) = (format!("word{n}"), format!("wor{n}x"));
                let (mut has_folded, mut has_stem) = (String::new(), String::new());
                if cache.forms(language, &word, &mut has_folded, &mut has_stem) {
                    assert_eq!((&has_folded, &has_stem), (&folded, &stem));
                    found += 1;
                } else {
                    cache.add_forms(language, &word, &folded, &stem);
                    assert!(cache.forms(language, &word, &mut has_folded, &mut has_stem));
                    assert_eq!((&has_folded, &has_stem), (&folded, &stem));
                }
                assert!(!cache.forms(language + 1, &word, &mut has_folded, &mut has_stem));
            }
            assert!(round == 1 || found == 0);
        }
        assert!(found > SET_COUNT / 4, "{found}");
    }

    #[test]
    fn a_word_without_room_is_not_kept_and_one_that_just_fits_is() {
        let mut cache = WordCache::default();
        for (len, fits) in [
            (FOLDED_ENTRY_BYTES - HEAD_BYTES, true),
            (FOLDED_ENTRY_BYTES - HEAD_BYTES + 1, false),
            (300, false),
        ] {
            let word = "a".repeat(len);
            cache.add_stem(3, &word, &word[..len - 1]);
            let mut stem = String::new();
            assert_eq!(cache.stem(3, &word, &mut stem), fits);
            assert_eq!(stem.len(), if fits { len - 1 } else { 0 });
        }
    }

    #[test]
    fn a_word_without_a_stem_has_none() {
        let mut cache = WordCache::default();
        cache.add_stem(0, "run", "");
        let mut stem = String::new();
        assert!(cache.stem(0, "run", &mut stem));
        assert_eq!(stem, "");
    }
}
