//! Reads tables of n-grams from their file, and looks n-grams up.
//!
//! # The file, version 1
//!
//! All numbers are little-endian.
//!
//! | bytes | what |
//! |---|---|
//! | 8 | `HULLLANG` |
//! | 4 | version of the format, 1 |
//! | 4 | `n`, number of languages, at most 256 |
//! | 4 | `s`, number of slots, a multiple of four |
//! | 4 | `r`, bytes of rows, a multiple of four |
//! | 4 + 4 | scale and growth of the score (`confidence.rs`), two `f32` |
//! | 8 | digest of all bytes but these eight (`digest`) |
//! | 12 `n` | languages: ISO 639-3 (3), ISO 15924 of its script (4), 0 (1), weight to begin with (2), 0 (2). Languages of one script follow one another |
//! | 4 `s` | slots: the row's place in units of four bytes (upper 20 bits) and a fingerprint of the n-gram (lower 12); 0 if empty |
//! | `r` | rows: a number `k` of 1 to 254, then 3 `k` pairs of language and weight, of which the last may have weight 0; or 255, first language, a number `k`, 16 `k` weights |
//!
//! Four slots are a bucket, filled in order. The search for an n-gram begins at the bucket of its
//! hash and ends at the first bucket that is not full. Row 0 is never used. Weights are sixteenths
//! of a natural logarithm; see `research/language`.

use super::error::{LanguageModelError, VERSION};
use super::grams::WordTail;
use super::identified_language::Tag;
use super::script::{SCRIPTS, Script};

/// The most languages that tables may have.
pub(super) const LANGUAGES: usize = 256;

pub(super) const MAGIC: &[u8; 8] = b"HULLLANG";
pub(super) const HEADER: usize = 40;
/// Offset of the digest.
pub(super) const DIGEST: usize = 32;
pub(super) const LANGUAGE: usize = 12;
/// Marks a row with weights of consecutive languages.
pub(super) const DENSE: u8 = 255;

/// Weights of a dense row come in groups of this size, which the processor adds at once.
pub(super) const LANES: usize = 16;

/// Pairs of a sparse row come in groups of this size. Most rows have one group, so the processor
/// predicts the end of the loop; it could not predict a varying number of pairs.
pub(super) const PAIRS: usize = 3;

/// One language of the tables.
#[derive(Clone, Copy, Debug)]
pub(super) struct Language {
    pub(super) code: Tag<3>,
    pub(super) script: Script,
    pub(super) start: u32,
}

/// Tables of n-grams.
#[derive(Debug)]
pub(super) struct Tables {
    pub(super) languages: Vec<Language>,
    /// For each script, its first language and the one after its last.
    pub(super) of_script: [(usize, usize); SCRIPTS],
    pub(super) scale: f32,
    pub(super) growth: f32,
    buckets: Vec<Bucket>,
    rows: Vec<u8>,
}

impl Tables {
    /// Reads and checks a file of tables.
    pub(super) fn read(bytes: &[u8]) -> Result<Tables, LanguageModelError> {
        if bytes.get(..MAGIC.len()) != Some(MAGIC) {
            return Err(LanguageModelError::NotAModel);
        }
        let header =
            bytes.get(..HEADER).ok_or(LanguageModelError::Damaged("its header is cut off"))?;
        let number = |offset: usize| {
            u32::from_le_bytes([
                header[offset],
                header[offset + 1],
                header[offset + 2],
                header[offset + 3],
            ])
        };
        if number(8) != VERSION {
            return Err(LanguageModelError::Version(number(8)));
        }
        let (languages, slots, rows) =
            (number(12) as usize, number(16) as usize, number(20) as usize);
        if languages > LANGUAGES {
            return Err(LanguageModelError::Invalid("more than 256 languages"));
        }
        if !slots.is_multiple_of(BUCKET) {
            return Err(LanguageModelError::Invalid("the slots do not form whole buckets"));
        }
        // Fits in 64 bits for any header.
        let size =
            HEADER as u64 + LANGUAGE as u64 * languages as u64 + 4 * slots as u64 + rows as u64;
        if size != bytes.len() as u64 {
            return Err(LanguageModelError::Damaged("its size differs from its header"));
        }
        if header[DIGEST..] != digest(bytes).to_le_bytes() {
            return Err(LanguageModelError::Damaged("its digest differs"));
        }
        let (scale, growth) = (f32::from_bits(number(24)), f32::from_bits(number(28)));
        let (languages, rest) = bytes[HEADER..].split_at(LANGUAGE * languages);
        let (slots, rows) = rest.split_at(4 * slots);
        let (languages, of_script) = read_languages(languages)?;
        let tables = Tables {
            languages,
            of_script,
            scale,
            growth,
            buckets: slots.as_chunks::<16>().0.iter().map(read_bucket).collect(),
            rows: rows.to_vec(),
        };
        tables.check()?;
        Ok(tables)
    }

    fn check(&self) -> Result<(), LanguageModelError> {
        if !(self.scale > 0.0 && self.scale.is_finite() && (0.0..=1.0).contains(&self.growth)) {
            return Err(LanguageModelError::Invalid(
                "scale or growth of the score is out of range",
            ));
        }
        // Otherwise the search for an n-gram would not end.
        if !self.buckets.is_empty() && self.buckets.iter().all(is_full) {
            return Err(LanguageModelError::Invalid("all buckets are full"));
        }
        if !self.rows.len().is_multiple_of(4) {
            return Err(LanguageModelError::Invalid("rows are not a multiple of four bytes"));
        }
        let sound = |&slot: &u32| {
            slot == 0
                || self.row(slot).is_some_and(|row| match row {
                    Row::Pairs(pairs) => !pairs.is_empty(),
                    Row::Dense(first, weights) => first + LANES * weights.len() <= LANGUAGES,
                })
        };
        if !self.buckets.as_flattened().iter().all(sound) {
            return Err(LanguageModelError::Invalid("a row is out of bounds"));
        }
        Ok(())
    }

    /// Adds the weights of a word: for each of its letters after the first boundary, the weights of
    /// the longest known n-gram that ends there. Returns the number of known n-grams. Each adds at
    /// most 255 to each language.
    #[inline]
    pub(super) fn add(&self, word: &[u16], weights: &mut [u16; LANGUAGES]) -> u32 {
        let mut tail = WordTail::new();
        let mut known = 0;
        for &letter in word.iter().skip(1) {
            tail.push(letter);
            if let Some(slot) = tail.grams().find_map(|gram| self.find(gram)) {
                known += 1;
                self.add_row(slot, weights);
            }
        }
        known
    }

    #[inline]
    fn add_row(&self, slot: u32, weights: &mut [u16; LANGUAGES]) {
        match self.row(slot) {
            Some(Row::Pairs(pairs)) => {
                for pair in pairs.as_flattened() {
                    let weight = &mut weights[pair[0] as usize];
                    *weight = weight.wrapping_add(u16::from(pair[1]));
                }
            }
            Some(Row::Dense(first, row)) => {
                let weights = weights[first..].as_chunks_mut::<LANES>().0;
                for (weights, more) in weights.iter_mut().zip(row) {
                    for (weight, &more) in weights.iter_mut().zip(more) {
                        *weight = weight.wrapping_add(u16::from(more));
                    }
                }
            }
            None => {}
        }
    }

    #[inline]
    fn find(&self, gram: u64) -> Option<u32> {
        let (mut place, fingerprint) = bucket_and_fingerprint(gram, self.buckets.len());
        loop {
            // The loop ends, as at least one bucket is not full. Without buckets it ends here.
            let bucket = self.buckets.get(place)?;
            // All four are compared without a branch, because the processor cannot predict which
            // one matches.
            let mut found = 0;
            for &slot in bucket {
                found = if slot & FINGERPRINT == fingerprint { slot } else { found };
            }
            if found != 0 {
                return Some(found);
            }
            if !is_full(bucket) {
                return None;
            }
            place = if place + 1 == self.buckets.len() { 0 } else { place + 1 };
        }
    }

    #[inline]
    fn row(&self, slot: u32) -> Option<Row<'_>> {
        let row = self.rows.get(row_place(slot)..)?;
        match *row {
            [DENSE, first, count, ref rest @ ..] => {
                Some(Row::Dense(first as usize, rest.get(..LANES * count as usize)?.as_chunks().0))
            }
            [count, ref rest @ ..] => {
                let pairs = rest.get(..2 * PAIRS * count as usize)?;
                Some(Row::Pairs(pairs.as_chunks().0.as_chunks().0))
            }
            [] => None,
        }
    }
}

enum Row<'a> {
    Pairs(&'a [[[u8; 2]; PAIRS]]),
    Dense(usize, &'a [[u8; LANES]]),
}

/// Slots of a bucket.
pub(super) const BUCKET: usize = 4;

pub(super) type Bucket = [u32; BUCKET];

/// Returns whether a search continues after the bucket.
pub(super) fn is_full(bucket: &Bucket) -> bool {
    bucket[BUCKET - 1] != 0
}

fn read_bucket(bytes: &[u8; 16]) -> Bucket {
    let mut bucket = [0; BUCKET];
    for (slot, bytes) in bucket.iter_mut().zip(bytes.as_chunks().0) {
        *slot = u32::from_le_bytes(*bytes);
    }
    bucket
}

type OfScript = [(usize, usize); SCRIPTS];

fn read_languages(bytes: &[u8]) -> Result<(Vec<Language>, OfScript), LanguageModelError> {
    let mut languages = Vec::with_capacity(bytes.len() / LANGUAGE);
    let mut of_script = [(0, 0); SCRIPTS];
    for (number, entry) in bytes.as_chunks::<LANGUAGE>().0.iter().enumerate() {
        let [a, b, c, script @ .., zero, start, start_high, zero_too, zero_three] = *entry;
        let code = Tag::new([a, b, c])
            .ok_or(LanguageModelError::Invalid("a code is not three letters"))?;
        let script =
            Script::from_tag(script).ok_or(LanguageModelError::Invalid("unknown script"))?;
        if [zero, zero_too, zero_three] != [0; 3] {
            return Err(LanguageModelError::Invalid("an unused byte is not 0"));
        }
        let (first, end) = &mut of_script[script as usize];
        if *end == 0 {
            *first = number;
        } else if *end != number {
            return Err(LanguageModelError::Invalid(
                "the languages of a script are not contiguous",
            ));
        }
        *end = number + 1;
        languages.push(Language {
            code,
            script,
            start: u32::from(u16::from_le_bytes([start, start_high])),
        });
    }
    Ok((languages, of_script))
}

const FINGERPRINT_BITS: u32 = 12;
pub(super) const FINGERPRINT: u32 = (1 << FINGERPRINT_BITS) - 1;

/// Returns the bucket where the search for an n-gram begins, and its fingerprint. The fingerprint
/// is never 0, which marks an empty slot.
#[inline]
pub(super) fn bucket_and_fingerprint(gram: u64, buckets: usize) -> (usize, u32) {
    let mixed = gram.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let mixed = (mixed ^ mixed >> 29).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let bucket = ((mixed >> 32) * buckets as u64) >> 32;
    (bucket as usize, (mixed as u32 >> (32 - FINGERPRINT_BITS)).max(1))
}

/// Returns the offset of the row that a slot refers to.
#[inline]
fn row_place(slot: u32) -> usize {
    4 * (slot >> FINGERPRINT_BITS) as usize
}

/// Returns a slot, or `None` if the row's offset does not fit.
pub(super) fn slot(row: usize, fingerprint: u32) -> Option<u32> {
    let bucket_start = u32::try_from(row / 4)
        .ok()
        .filter(|bucket_start| *bucket_start < 1 << (32 - FINGERPRINT_BITS))?;
    Some(bucket_start << FINGERPRINT_BITS | fingerprint)
}

/// Returns a digest of all bytes of a file except the digest itself. It detects damage, not
/// forgery. It takes eight bytes at a time, as in FNV-1a.
pub(super) fn digest(bytes: &[u8]) -> u64 {
    let mix = |digest: u64, word: u64| {
        let digest = (digest ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        digest ^ digest >> 32
    };
    let digest_of_part = |digest: u64, part: &[u8]| {
        let (words, rest) = part.as_chunks::<8>();
        let digest =
            words.iter().fold(digest, |digest, word| mix(digest, u64::from_le_bytes(*word)));
        rest.iter().fold(digest, |digest, &byte| mix(digest, u64::from(byte)))
    };
    let header_digest = digest_of_part(bytes.len() as u64, bytes.get(..DIGEST).unwrap_or_default());
    digest_of_part(header_digest, bytes.get(HEADER..).unwrap_or_default())
}
