//! Writes files of tables, for tools outside a run.

use super::error::VERSION;
use super::script::Script;
use super::tables::{
    BUCKET, Bucket, DENSE, DIGEST, HEADER, LANES, LANGUAGES, MAGIC, PAIRS, bucket_and_fingerprint,
    digest, is_full, slot,
};

/// A language of the tables to write.
#[derive(Clone, Debug)]
pub struct TableLanguage {
    /// ISO 639-3.
    pub code: [u8; 3],
    /// Its script. Languages of one script must follow one another.
    pub script: Script,
    /// The weight before the first n-gram, in sixteenths of a natural logarithm.
    pub start: u16,
}

/// An n-gram and its weights.
#[derive(Clone, Debug)]
pub struct TableRow {
    /// The number of the n-gram, as `gram` returns it.
    pub gram: u64,
    /// Index of a language, and its weight. Each language occurs once.
    pub weights: Vec<(u8, u8)>,
}

/// Slots per hundred n-grams. With more, tables are larger; with fewer, searches take longer.
const SLOTS_PER_HUNDRED: usize = 160;

/// Returns a file of tables in the format of `tables.rs`. `score` is scale and growth of the score.
///
/// # Errors
///
/// A description, if there are too many languages or the rows do not fit into the format (4 MiB of
/// rows).
pub fn write_tables(
    languages: &[TableLanguage],
    rows: &[TableRow],
    score: (f32, f32),
) -> Result<Vec<u8>, String> {
    if languages.len() > LANGUAGES {
        return Err(format!("{} languages; {LANGUAGES} at most", languages.len()));
    }
    // The four bytes of row 0 are never used, since a slot of 0 is empty.
    let mut bytes_of_rows = vec![0u8; 4];
    let count =
        (rows.len() * SLOTS_PER_HUNDRED / 100).div_ceil(BUCKET) + usize::from(!rows.is_empty());
    let mut buckets: Vec<Bucket> = vec![[0; BUCKET]; count];
    for row in rows {
        let (mut bucket, fingerprint) = bucket_and_fingerprint(row.gram, count);
        while is_full(&buckets[bucket]) {
            bucket = (bucket + 1) % count;
        }
        let free = buckets[bucket]
            .iter_mut()
            .find(|slot| **slot == 0)
            .ok_or("a bucket marked as not full is full")?;
        *free = slot(bytes_of_rows.len(), fingerprint).ok_or("rows take more than 4 MiB")?;
        push_row(&mut bytes_of_rows, &row.weights);
    }
    let slots = buckets.as_flattened();
    let mut file = Vec::new();
    file.extend_from_slice(MAGIC);
    for number in [VERSION as usize, languages.len(), slots.len(), bytes_of_rows.len()] {
        file.extend_from_slice(
            &u32::try_from(number).map_err(|error| error.to_string())?.to_le_bytes(),
        );
    }
    file.extend_from_slice(&score.0.to_le_bytes());
    file.extend_from_slice(&score.1.to_le_bytes());
    file.extend_from_slice(&[0; HEADER - DIGEST]);
    for language in languages {
        file.extend_from_slice(&language.code);
        file.extend_from_slice(&language.script.tag());
        file.push(0);
        file.extend_from_slice(&language.start.to_le_bytes());
        file.extend_from_slice(&[0; 2]);
    }
    file.extend(slots.iter().flat_map(|slot| slot.to_le_bytes()));
    file.extend_from_slice(&bytes_of_rows);
    let digest = digest(&file).to_le_bytes();
    file[DIGEST..HEADER].copy_from_slice(&digest);
    Ok(file)
}

/// Rows with at least this many weights are dense. Dense rows are larger, but adding a group of
/// weights takes no longer than adding three pairs.
const MIN_DENSE_WEIGHTS: usize = 12;

/// Appends a row in one of its two forms.
fn push_row(rows: &mut Vec<u8>, weights: &[(u8, u8)]) {
    let first_language = usize::from(weights.iter().map(|pair| pair.0).min().unwrap_or(0));
    let last_language = usize::from(weights.iter().map(|pair| pair.0).max().unwrap_or(0));
    let groups = (last_language - first_language) / LANES + 1;
    if weights.len() >= MIN_DENSE_WEIGHTS {
        // The last group must not extend past the last possible language.
        let first_language = first_language.min(LANGUAGES - LANES * groups);
        rows.extend_from_slice(&[DENSE, first_language as u8, groups as u8]);
        let start = rows.len();
        rows.resize(start + LANES * groups, 0);
        for &(language, weight) in weights {
            rows[start + usize::from(language) - first_language] = weight;
        }
    } else {
        let groups = weights.len().div_ceil(PAIRS);
        rows.push(groups as u8);
        rows.extend(weights.iter().flat_map(|&(language, weight)| [language, weight]));
        rows.resize(rows.len() + 2 * (PAIRS * groups - weights.len()), 0);
    }
    rows.resize(rows.len().next_multiple_of(4), 0);
}
