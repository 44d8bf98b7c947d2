//! ROUGE-LSum, as the Python package `rouge-score` computes it with its default tokenizer and
//! without stemming.
//!
//! Lin, "ROUGE: A Package for Automatic Evaluation of Summaries" (2004), section 3.2. A sentence is
//! a line that is not empty. A token is a maximal run of `a-z0-9` in the lower-cased line, so a
//! text without Latin letters and digits has no tokens. For a gold sentence r, a longest common
//! subsequence with each sentence of the text is computed. Tokens of r on any of these are hits
//! (the union LCS). Each token of r counts once, and at most as often as it occurs in the text and
//! in the gold:
//!
//! ```text
//! P = hits / tokens of the text,  R = hits / tokens of the gold,  F1 = 2PR / (P + R);  all 0 where one side has no sentence
//! ```
//!
//! Of several longest common subsequences, the package uses the one found by tracing the table
//! back. Each step goes back in r unless going back in the text gives a strictly larger cell. The
//! union depends on that choice, so this module makes the same.
//!
//! Cost: O(|gold|·|text|) in tokens for time, and O(longest sentence squared) for memory: two texts
//! of one line with 20,000 tokens each need 1.6 GB. Two texts that need a table of more than 2^28
//! cells get no score.

use crate::evaluation::PrecisionRecall;
use std::collections::HashMap;

/// Largest number of cells in the table of two sentences (1 GiB).
const MAX_CELLS: usize = 1 << 28;

/// Computes ROUGE-LSum of a text against the gold; `None` if a pair of lines is too long for the
/// table.
pub fn rouge_lsum(gold: &str, text: &str) -> Option<PrecisionRecall> {
    let mut token_ids = HashMap::new();
    let gold = numbered_sentences(gold, &mut token_ids);
    let text = numbered_sentences(text, &mut token_ids);
    let [gold_tokens, text_tokens] =
        [&gold, &text].map(|side| side.iter().map(Vec::len).sum::<usize>());
    if gold_tokens == 0 || text_tokens == 0 {
        return Some(PrecisionRecall::default());
    }
    let [mut left_in_gold, mut left_in_text] =
        [&gold, &text].map(|side| token_counts(side, token_ids.len()));
    let mut table = Vec::new();
    let mut hits = 0_usize;
    for sentence in &gold {
        let mut union = vec![false; sentence.len()];
        for other in &text {
            mark_lcs(sentence, other, &mut table, &mut union)?;
        }
        for (&token, _) in sentence.iter().zip(&union).filter(|(_, on_lcs)| **on_lcs) {
            let token = token as usize;
            if left_in_gold[token] > 0 && left_in_text[token] > 0 {
                left_in_gold[token] -= 1;
                left_in_text[token] -= 1;
                hits += 1;
            }
        }
    }
    let (precision, recall) = (hits as f64 / text_tokens as f64, hits as f64 / gold_tokens as f64);
    let sum = precision + recall;
    let f1 = if sum > 0.0 { 2.0 * precision * recall / sum } else { 0.0 };
    Some(PrecisionRecall { precision, recall, f1 })
}

/// Returns the sentences of a text, as numbers of their tokens.
fn numbered_sentences(text: &str, token_ids: &mut HashMap<String, u32>) -> Vec<Vec<u32>> {
    let lines = text.split('\n').filter(|line| !line.is_empty());
    lines
        .map(|line| {
            // Lower-casing turns two scalars beyond ASCII into ASCII letters: U+212A into `k`,
            // U+0130 into `i` and a mark.
            let line = line.to_lowercase();
            let words = line.split(|c: char| !c.is_ascii_lowercase() && !c.is_ascii_digit());
            words
                .filter(|word| !word.is_empty())
                .map(|word| {
                    if let Some(&id) = token_ids.get(word) {
                        return id;
                    }
                    let id = token_ids.len() as u32;
                    token_ids.insert(word.to_owned(), id);
                    id
                })
                .collect()
        })
        .collect()
}

fn token_counts(sentences: &[Vec<u32>], vocabulary: usize) -> Vec<u32> {
    let mut counts = vec![0; vocabulary];
    sentences.iter().flatten().for_each(|&token| counts[token as usize] += 1);
    counts
}

/// Marks the tokens of `a` that lie on the longest common subsequence with `b`; `None` if the table
/// would be too large.
fn mark_lcs(a: &[u32], b: &[u32], table: &mut Vec<u32>, marks: &mut [bool]) -> Option<()> {
    let width = b.len() + 1;
    let cells = width.checked_mul(a.len() + 1).filter(|cells| *cells <= MAX_CELLS)?;
    table.clear();
    table.resize(cells, 0);
    for (i, x) in a.iter().enumerate() {
        let (row_above, row) = table[i * width..(i + 2) * width].split_at_mut(width);
        for (j, y) in b.iter().enumerate() {
            row[j + 1] = if x == y { row_above[j] + 1 } else { row_above[j + 1].max(row[j]) };
        }
    }
    let (mut i, mut j) = (a.len(), b.len());
    while i > 0 && j > 0 {
        if a[i - 1] == b[j - 1] {
            marks[i - 1] = true;
            i -= 1;
            j -= 1;
        } else if table[i * width + j - 1] > table[(i - 1) * width + j] {
            j -= 1;
        } else {
            i -= 1;
        }
    }
    Some(())
}

#[cfg(test)]
mod tests;
