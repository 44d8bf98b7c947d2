//! Counts each n-gram of a language per million letters.

use fst::Streamer;
use huller_refine::language::{
    BOUNDARY, MAX_NGRAM_LEN, MIN_NGRAM_LEN, Script, Words, for_each_word, ngram_code,
};
use std::collections::BTreeMap;
use std::path::Path;

/// Occurrences per million letters of each n-gram, whose letters include word boundaries.
pub type Counts = BTreeMap<u64, f32>;

/// The least count that is kept; rarer n-grams are noise.
const RAREST: f32 = 0.03;

/// Returns the counts of a crate `lingua-NAME-language-model`.
///
/// Its file gives the logarithm of how often the last letter of each run of one to five letters
/// follows the others. The products are the frequencies of runs. The file lacks word boundaries,
/// but they follow from it. A run of up to four letters ends a word where no letter follows. The
/// number of such ends is the frequency of the run less the sum of its continuations. The same
/// holds at the beginning.
pub fn of_crate(
    file: &Path,
    script: Script,
    words: &Words,
) -> Result<Counts, Box<dyn std::error::Error>> {
    let map = fst::Map::new(std::fs::read(file)?)?;
    let mut of_length: Vec<Vec<(Vec<u16>, f64)>> = vec![Vec::new(); MAX_NGRAM_LEN + 1];
    let mut runs = map.stream();
    while let Some((run, value)) = runs.next() {
        let run = std::str::from_utf8(run)?;
        let Some(letters) = letters_of(run, script, words) else { continue };
        of_length[letters.len()].push((letters, f64::from_bits(value)));
    }
    let mut frequency: BTreeMap<Vec<u16>, f64> = BTreeMap::new();
    for (letters, logarithm) in of_length.into_iter().flatten() {
        let others = &letters[..letters.len() - 1];
        let of_others =
            if others.is_empty() { 1e6 } else { frequency.get(others).copied().unwrap_or(0.0) };
        frequency.insert(letters, of_others * logarithm.exp());
    }
    let (mut followed, mut preceded, mut both) =
        (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
    for (letters, occurs) in &frequency {
        let last = letters.len() - 1;
        *followed.entry(&letters[..last]).or_insert(0.0) += occurs;
        *preceded.entry(&letters[1..]).or_insert(0.0) += occurs;
        if last > 0 {
            *both.entry(&letters[1..last]).or_insert(0.0) += occurs;
        }
    }
    let mut counts = Counts::new();
    let mut add = |parts: [&[u16]; 3], occurs: f64| {
        let letters = parts.concat();
        if occurs as f32 >= RAREST && (MIN_NGRAM_LEN..=MAX_NGRAM_LEN).contains(&letters.len()) {
            counts.insert(ngram_code(&letters), occurs as f32);
        }
    };
    for (letters, occurs) in &frequency {
        let letters = &letters[..];
        let of = |map: &BTreeMap<&[u16], f64>| map.get(letters).copied().unwrap_or(0.0);
        let (after, before, around) = (of(&followed), of(&preceded), of(&both));
        add([&[], letters, &[]], *occurs);
        // The file does not say what follows five letters.
        if letters.len() < MAX_NGRAM_LEN {
            add([&[], letters, &[BOUNDARY]], occurs - after);
            add([&[BOUNDARY], letters, &[]], occurs - before);
        }
        if letters.len() + 2 <= MAX_NGRAM_LEN {
            add([&[BOUNDARY], letters, &[BOUNDARY]], occurs - after - before + around);
        }
    }
    Ok(counts)
}

/// Returns the codes of a run of letters, if all are of this script.
fn letters_of(run: &str, script: Script, words: &Words) -> Option<Vec<u16>> {
    let mut found = None;
    for_each_word(words, run, |of, letters| {
        found = (of == script && found.is_none()).then(|| letters[1..letters.len() - 1].to_vec());
    });
    found.filter(|letters| letters.len() == run.chars().count())
}

/// Returns the counts of texts and their number of letters. Each text counts by its weight.
pub fn of_texts<'a>(
    texts: impl Iterator<Item = (&'a str, f32)>,
    script: Script,
    words: &Words,
) -> (Counts, f32) {
    let mut counts = Counts::new();
    let mut letters_read = 0.0;
    for (text, weight) in texts {
        for_each_word(words, text, |of, letters| {
            if of != script {
                return;
            }
            letters_read += weight * (letters.len() - 2) as f32;
            for length in MIN_NGRAM_LEN..=MAX_NGRAM_LEN {
                for run in letters.windows(length) {
                    *counts.entry(ngram_code(run)).or_insert(0.0) += weight;
                }
            }
        });
    }
    counts.values_mut().for_each(|count| *count *= 1e6 / letters_read.max(1.0));
    (counts, letters_read)
}

/// Adds a fraction of one table of counts to another.
pub fn add(to: &mut Counts, from: &Counts, share: f32) {
    for (&gram, count) in from {
        *to.entry(gram).or_insert(0.0) += count * share;
    }
}
