//! The dictionary of a model: the rows of its words, n-grams and labels.

use super::END;
use super::line::{Line, Token};
use super::{HASH_START, hash_byte};
use crate::bytes::{Reader, fetch};
use crate::error::ModelError;
use crate::seeded_hash::{hash_bytes, hash_number};

/// The most letters of an n-gram that a model may ask for, so that time stays linear. Models in use
/// have up to 6.
const MAX_GRAM_LETTERS: u32 = 32;

/// The most words of an n-gram that a model may ask for. Models in use have up to 5.
const MAX_GRAM_WORDS: u32 = 32;

/// The tokens that are sought together.
const TOKENS_PER_LOOKUP: usize = 32;

/// The settings of the model that decide the rows of a token.
#[derive(Clone, Copy, Debug)]
pub(super) struct GramSettings {
    /// The most words of an n-gram.
    words: u32,
    /// The number of rows that n-grams share.
    buckets: u32,
    /// 2^64 divided by that number, rounded up.
    reciprocal: u64,
    /// The fewest and the most letters of an n-gram.
    letters: (u32, u32),
}

impl GramSettings {
    /// Checks the settings. `letters` and `words` are as the file has them.
    pub(super) fn new(words: u32, buckets: u32, letters: (u32, u32)) -> Result<Self, ModelError> {
        let unsupported = |feature: String| Err(ModelError::Unsupported { feature });
        if letters.1 > MAX_GRAM_LETTERS {
            return unsupported(format!("an n-gram of {} letters", letters.1));
        }
        if words > MAX_GRAM_WORDS {
            return unsupported(format!("an n-gram of {words} words"));
        }
        let reciprocal = (u64::MAX / u64::from(buckets.max(1))).wrapping_add(1);
        Ok(GramSettings { words, buckets, reciprocal, letters })
    }

    /// Returns a hash modulo the number of buckets, by two products in place of a division (Lemire,
    /// Kaser and Kurz, "Faster remainder by direct computation", 2019).
    #[inline]
    fn bucket_of(&self, hash: u32) -> u32 {
        let fraction = self.reciprocal.wrapping_mul(hash.into());
        ((u128::from(fraction) * u128::from(self.buckets)) >> 64) as u32
    }

    /// Returns the number of rows that n-grams use.
    pub(super) fn rows(&self) -> Option<u32> {
        let has_grams = self.words > 1 || self.letters.1 > 0;
        if has_grams { (self.buckets > 0).then_some(self.buckets) } else { Some(0) }
    }
}

/// The dictionary of a model. The strings stay in the file.
#[derive(Debug)]
pub(super) struct Dictionary {
    settings: GramSettings,
    /// The offset of the first entry in the file.
    start: usize,
    /// The offset of each entry after `start`, and that of their end.
    offsets: Vec<u32>,
    /// Entries plus one by their hash; 0 is free. Open addressing; the length is a power of two.
    slots: Vec<u32>,
    /// Number of words. Their entries come first.
    words: u32,
    /// Number of labels.
    labels: u32,
    /// The occurrences of each label in the training data.
    label_counts: Vec<u64>,
    buckets: Buckets,
}

/// The rows of n-grams.
#[derive(Debug)]
enum Buckets {
    /// Each bucket has its row.
    All,
    /// These buckets have rows; the others were pruned. Bucket and row, by the hash of the bucket.
    Some(PrunedBuckets),
}

/// Bytes of an entry besides its string: a NUL, a count and a type.
const BYTES_BESIDES_STRING: u32 = 10;

impl Dictionary {
    /// Reads a dictionary.
    pub(super) fn read(
        reader: &mut Reader<'_>,
        bytes: &[u8],
        settings: GramSettings,
    ) -> Result<Dictionary, ModelError> {
        let (size, words, labels) = (reader.count()?, reader.count()?, reader.count()?);
        let _tokens = reader.i64()?;
        let pruned = reader.i64()?;
        if words.checked_add(labels) != Some(size) {
            return Err(reader.damaged("words and labels do not add up"));
        }
        if labels == 0 {
            return Err(ModelError::Unsupported { feature: "a model without labels".to_owned() });
        }
        if u64::from(size) * u64::from(BYTES_BESIDES_STRING) > reader.remaining() as u64 {
            return Err(reader.damaged("more words than the file has room for"));
        }
        let start = reader.offset();
        let mut offsets = Vec::with_capacity(size as usize + 1);
        let mut label_counts = Vec::with_capacity(labels as usize);
        let too_long = |reader: &Reader<'_>| reader.damaged("the words take more than 4 GiB");
        let offset = |reader: &Reader<'_>| {
            u32::try_from(reader.offset() - start).map_err(|_| too_long(reader))
        };
        for entry in 0..size {
            offsets.push(offset(reader)?);
            let string = reader.string()?;
            let count = reader.i64()?;
            let is_label = reader.flag()?;
            if is_label != (entry >= words) {
                return Err(reader.damaged("a label among the words or a word among the labels"));
            }
            if is_label {
                let count = u64::try_from(count);
                label_counts.push(count.map_err(|_| reader.damaged("a count is negative"))?);
                if str::from_utf8(&bytes[string]).is_err() {
                    return Err(reader.damaged("a label is not UTF-8"));
                }
            }
        }
        offsets.push(offset(reader)?);
        let buckets = Buckets::read(reader, pruned)?;
        let mut dictionary = Dictionary {
            settings,
            start,
            offsets,
            slots: vec![0; slots_for(size as usize)],
            words,
            labels,
            label_counts,
            buckets,
        };
        for entry in 0..size {
            let word = dictionary.string(bytes, entry);
            let slot = dictionary.slot(bytes, word, hash_bytes(word));
            dictionary.slots[slot] = entry + 1;
        }
        Ok(dictionary)
    }

    pub(super) fn label_counts(&self) -> &[u64] {
        &self.label_counts
    }

    pub(super) fn labels(&self) -> u32 {
        self.labels
    }

    /// Returns whether n-grams were pruned.
    pub(super) fn is_pruned(&self) -> bool {
        matches!(self.buckets, Buckets::Some(_))
    }

    /// Returns the string of a label.
    pub(super) fn label<'f>(&self, bytes: &'f [u8], label: u32) -> &'f [u8] {
        self.string(bytes, self.words + label)
    }

    /// Returns the number of rows that words and n-grams use. `None` if n-grams have no buckets.
    pub(super) fn rows(&self) -> Option<u64> {
        let grams = match &self.buckets {
            Buckets::All => self.settings.rows()?,
            Buckets::Some(pruned) => {
                self.settings.rows()?;
                pruned.rows()
            }
        };
        Some(u64::from(self.words) + u64::from(grams))
    }

    /// Calls `add` with the row of each word and n-gram of a line, in fastText's order. `hashes`
    /// and `word` are buffers.
    pub(super) fn for_each_row(
        &self,
        bytes: &[u8],
        line: &Line,
        buffers: &mut Buffers,
        mut add: impl FnMut(u32),
    ) {
        let Buffers { hashes, word } = buffers;
        hashes.clear();
        hashes.shrink_to(1 << 18);
        for tokens in line.tokens().chunks(TOKENS_PER_LOOKUP) {
            self.fetch_strings(bytes, tokens);
            for token in tokens {
                let string = line.bytes(*token);
                let entry = self.find(bytes, string, *token);
                match entry {
                    Some(entry) if entry >= self.words => continue,
                    Some(entry) => add(entry),
                    None if string.starts_with(b"__label__") => continue,
                    None => {}
                }
                if self.settings.letters.1 > 0 && string != END {
                    self.for_each_letters(string, word, &mut add);
                }
                // fastText keeps hashes as signed 32-bit numbers and extends them by their sign.
                hashes.push(i64::from(token.hash.cast_signed()).cast_unsigned());
            }
        }
        if self.settings.words > 1 {
            self.for_each_words(hashes, &mut add);
        }
    }

    /// Calls `add` with the row of each n-gram of letters of a word.
    fn for_each_letters(&self, string: &[u8], word: &mut Vec<u8>, add: &mut impl FnMut(u32)) {
        let (shortest, longest) = self.settings.letters;
        word.clear();
        word.shrink_to(1 << 16);
        word.push(b'<');
        word.extend_from_slice(string);
        word.push(b'>');
        let is_inner = |byte: u8| byte & 0xC0 == 0x80;
        for start in 0..word.len() {
            if is_inner(word[start]) {
                continue;
            }
            let (mut hash, mut end, mut letters) = (HASH_START, start, 0);
            while end < word.len() && letters < longest {
                hash = hash_byte(hash, word[end]);
                end += 1;
                while end < word.len() && is_inner(word[end]) {
                    hash = hash_byte(hash, word[end]);
                    end += 1;
                }
                letters += 1;
                let is_bracket = letters == 1 && (start == 0 || end == word.len());
                if letters >= shortest && !is_bracket {
                    self.bucket(self.settings.bucket_of(hash), add);
                }
            }
        }
    }

    /// Calls `add` with the row of each n-gram of words.
    fn for_each_words(&self, hashes: &[u64], add: &mut impl FnMut(u32)) {
        let buckets = u64::from(self.settings.buckets);
        for (index, hash) in hashes.iter().enumerate() {
            let mut hash = *hash;
            let end = hashes.len().min(index + self.settings.words as usize);
            for next_hash in &hashes[index + 1..end] {
                hash = hash.wrapping_mul(116_049_371).wrapping_add(*next_hash);
                self.bucket((hash % buckets) as u32, add);
            }
        }
    }

    #[inline]
    fn bucket(&self, bucket: u32, add: &mut impl FnMut(u32)) {
        match &self.buckets {
            Buckets::All => add(self.words + bucket),
            Buckets::Some(pruned) => {
                if let Some(row) = pruned.row(bucket) {
                    add(self.words + row);
                }
            }
        }
    }

    /// Fetches the strings with which these tokens are compared first.
    fn fetch_strings(&self, bytes: &[u8], tokens: &[Token]) {
        let slots = tokens.iter().map(|token| self.slots[self.home_slot(token.key)]);
        let entries = slots.filter_map(|slot| slot.checked_sub(1));
        fetch(entries.map(|entry| self.string(bytes, entry)));
    }

    #[inline]
    fn find(&self, bytes: &[u8], string: &[u8], token: Token) -> Option<u32> {
        self.slots[self.slot(bytes, string, token.key)].checked_sub(1)
    }

    /// Returns the slot of a string, or the free slot where it would be.
    fn slot(&self, bytes: &[u8], string: &[u8], key: u64) -> usize {
        let mask = self.slots.len() - 1;
        let mut slot = self.home_slot(key);
        loop {
            match self.slots[slot].checked_sub(1) {
                Some(entry) if self.string(bytes, entry) != string => slot = (slot + 1) & mask,
                _ => return slot,
            }
        }
    }

    /// Returns the slot where the search for a key begins.
    #[inline]
    fn home_slot(&self, key: u64) -> usize {
        key as usize & (self.slots.len() - 1)
    }

    fn string<'f>(&self, bytes: &'f [u8], entry: u32) -> &'f [u8] {
        let entry = entry as usize;
        let [start, end] = [self.offsets[entry], self.offsets[entry + 1] - BYTES_BESIDES_STRING];
        &bytes[self.start + start as usize..self.start + end as usize]
    }
}

/// Buffers for the rows of a line.
#[derive(Clone, Debug, Default)]
pub(super) struct Buffers {
    /// Hashes of the line's words.
    hashes: Vec<u64>,
    /// The bytes of a word with its brackets.
    word: Vec<u8>,
}

impl Buckets {
    fn read(reader: &mut Reader<'_>, pruned: i64) -> Result<Buckets, ModelError> {
        if pruned == -1 {
            return Ok(Buckets::All);
        }
        let count = u64::try_from(pruned).map_err(|_| reader.damaged("a count is negative"))?;
        let count = usize::try_from(count).ok().filter(|count| *count <= reader.remaining() / 8);
        let count = count.ok_or_else(|| reader.damaged("the file ends too early"))?;
        let mut buckets = PrunedBuckets {
            factor: hash_number(0) | 1,
            present: vec![0; slots_for(count).div_ceil(8)],
            slots: vec![FREE; slots_for(count)],
            rows: 0,
        };
        for _ in 0..count {
            let (bucket, row) = (reader.i32()?, reader.count()?);
            // No hash has a negative bucket.
            if let Ok(bucket) = u32::try_from(bucket) {
                let slot = buckets.slot(bucket);
                buckets.slots[slot] = (bucket, row);
                let (word, bit) = buckets.bit(bucket);
                buckets.present[word] |= bit;
            }
            buckets.rows = buckets.rows.max(row + 1);
        }
        Ok(Buckets::Some(buckets))
    }
}

/// The rows of the n-grams that pruning left.
#[derive(Debug)]
struct PrunedBuckets {
    /// An odd number that differs between processes. The high bits of its product with a bucket are
    /// the bucket's slot.
    factor: u64,
    /// A bit for each bucket that has a row, at a place that other buckets share. There are eight
    /// bits a slot. Most buckets without a row are known by their bit, without a search.
    present: Vec<u64>,
    /// Buckets and their rows by the hash of the bucket. Open addressing; the length is a power of
    /// two.
    slots: Vec<(u32, u32)>,
    /// The highest row plus one.
    rows: u32,
}

/// A free slot. No bucket has this number, because buckets are signed in fastText.
const FREE: (u32, u32) = (u32::MAX, 0);

impl PrunedBuckets {
    fn rows(&self) -> u32 {
        self.rows
    }

    #[inline]
    fn row(&self, bucket: u32) -> Option<u32> {
        let (word, bit) = self.bit(bucket);
        if self.present[word] & bit == 0 {
            return None;
        }
        let (known_bucket, row) = self.slots[self.slot(bucket)];
        (known_bucket == bucket).then_some(row)
    }

    /// Returns the word of `present` for a bucket, and its bit in it.
    #[inline]
    fn bit(&self, bucket: u32) -> (usize, u64) {
        let hash = u64::from(bucket).wrapping_mul(self.factor) >> 26;
        ((hash >> 6) as usize & (self.present.len() - 1), 1 << (hash & 63))
    }

    /// Returns the slot of a bucket, or the free slot where it would be.
    #[inline]
    fn slot(&self, bucket: u32) -> usize {
        let mask = self.slots.len() - 1;
        let mut slot = (u64::from(bucket).wrapping_mul(self.factor) >> 32) as usize & mask;
        while self.slots[slot].0 != bucket && self.slots[slot] != FREE {
            slot = (slot + 1) & mask;
        }
        slot
    }
}

/// Returns the slots of a table: a power of two of which at most four fifths are used.
fn slots_for(entries: usize) -> usize {
    (entries + entries / 4 + 1).next_power_of_two()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buckets_are_remainders() {
        for buckets in [1, 2, 3, 64, 65_537, 2_000_000, i32::MAX.cast_unsigned()] {
            let settings = GramSettings::new(2, buckets, (2, 4)).unwrap();
            for hash in [0, 1, 63, 64, 2_000_001, 0x8000_0000, u32::MAX - 1, u32::MAX] {
                assert_eq!(settings.bucket_of(hash), hash % buckets, "{hash} modulo {buckets}");
            }
        }
    }
}
