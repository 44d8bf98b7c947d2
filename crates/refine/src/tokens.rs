//! Counts the tokens that a language model's tokenizer makes of a text.
//!
//! # Which tokenizers
//!
//! Byte-level BPE is supported: the tokenizers of GPT-2 and its successors, Llama 3, Qwen, `OLMo`
//! and many others. A regular expression cuts the text into pieces. The bytes of each piece are
//! joined pair by pair, the pair with the lowest rank first, until no pair has a rank. The
//! vocabulary is read from a file: the `tokenizer.json` of Hugging Face's `tokenizers`, or a list
//! of ranks in the format of `tiktoken`. GPT-2's vocabulary is built in. Other tokenizers
//! (`SentencePiece`, `WordPiece`, another normaliser, another expression) are refused, because an
//! approximate count would be of no use for a budget.
//!
//! # Why not those libraries
//!
//! They build strings and offsets that a count does not need, and match the expressions by
//! backtracking. On the gold texts `tokenizers` 0.23 processes 1.1 MB per CPU second and `tiktoken`
//! 0.14 processes 7 to 9 (`docs/stages.md` has ours). Few expressions are in use, so `pieces.rs`
//! implements them by hand. `tests/tokens.rs` compares the counts with both libraries.
//!
//! # Cost on hostile texts
//!
//! A piece of n bytes takes time n log n. Pieces over 64 KiB are cut, since no word is that long.
//! So time is linear, and memory is bounded by a few MiB per thread for any text.

mod classes;
mod merge_table;
mod merges;
mod piece_cache;
mod pieces;
mod rank_file;
mod token_set;
mod tokenizer_file;
mod vocabulary;

use crate::text::Text;
use aho_corasick::AhoCorasick;
use merges::Merger;
use piece_cache::PieceCache;
use pieces::Pattern;
use std::path::Path;
use std::sync::Arc;
use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick};
use vocabulary::Vocabulary;

/// The vocabulary of GPT-2 (Radford et al. 2019; MIT), the ranks of `tiktoken`, compressed.
static GPT2: &[u8] = include_bytes!("../models/gpt2.tiktoken.zst");

/// A tokenizer. Clones share the vocabulary.
#[derive(Clone, Debug)]
pub struct Tokenizer(Arc<SharedTokenizer>);

#[derive(Debug)]
struct SharedTokenizer {
    vocabulary: Vocabulary,
    pattern: Pattern,
    /// Whether texts are composed (NFC) first.
    composes: bool,
    /// Strings that are one token wherever they occur.
    added: Option<AhoCorasick>,
    digest: String,
}

impl Tokenizer {
    /// Opens the built-in tokenizer of this name, or the tokenizer in this file.
    ///
    /// `pattern` names the expression that cuts texts into pieces, for files that do not contain
    /// one (lists of ranks). If it is empty, the file's name decides.
    ///
    /// # Errors
    ///
    /// The problem with the file, or the reason why its tokenizer is not supported: a lower-case
    /// fragment.
    pub fn open(name: &str, pattern: &str) -> Result<Tokenizer, String> {
        let named_pattern = match pattern {
            "" => None,
            name => Some(Pattern::named(name).ok_or_else(|| {
                format!("unknown pattern `{name}`; the patterns are {}", Pattern::names())
            })?),
        };
        if name == "gpt2" {
            return Tokenizer::from_ranks(&gpt2()?, named_pattern.unwrap_or(Pattern::Gpt2));
        }
        let path = Path::new(name);
        let bytes = std::fs::read(path).map_err(|error| {
            format!("read `{name}`: {error} (name a tokenizer.json, a .tiktoken file, or `gpt2`, which is built in)")
        })?;
        let in_file = |problem| format!("`{name}`: {problem}");
        if bytes.first() == Some(&b'{') {
            return Tokenizer::from_json(&bytes, named_pattern).map_err(in_file);
        }
        let file = path.file_name().unwrap_or_default().to_string_lossy();
        let pattern = named_pattern.or_else(|| Pattern::for_rank_file(&file)).ok_or_else(|| {
            in_file(format!(
                "this rank file does not define how to split texts: set tokens.pattern to one of {}",
                Pattern::names()
            ))
        })?;
        Tokenizer::from_ranks(&bytes, pattern).map_err(in_file)
    }

    fn from_ranks(bytes: &[u8], pattern: Pattern) -> Result<Tokenizer, String> {
        let vocabulary = Vocabulary::from_ranks(rank_file::read(bytes)?)?;
        Ok(Tokenizer::new(vocabulary, pattern, false, None, bytes))
    }

    fn from_json(bytes: &[u8], named_pattern: Option<Pattern>) -> Result<Tokenizer, String> {
        let read = tokenizer_file::read(bytes)?;
        let added = match read.added.as_slice() {
            [] => None,
            added => Some(
                AhoCorasick::builder()
                    .match_kind(aho_corasick::MatchKind::LeftmostLongest)
                    .build(added)
                    .map_err(|error| error.to_string())?,
            ),
        };
        let pattern = named_pattern.unwrap_or(read.pattern);
        Ok(Tokenizer::new(read.vocabulary, pattern, read.composes, added, bytes))
    }

    fn new(
        vocabulary: Vocabulary,
        pattern: Pattern,
        composes: bool,
        added: Option<AhoCorasick>,
        bytes: &[u8],
    ) -> Tokenizer {
        let digest = format!("xxh128:{:032x}", twox_hash::XxHash3_128::oneshot(bytes));
        let digest = format!("{digest} {}", pattern.name());
        Tokenizer(Arc::new(SharedTokenizer { vocabulary, pattern, composes, added, digest }))
    }

    /// Returns everything that counts depend on: a digest of the file, and the pattern.
    pub fn digest(&self) -> &str {
        &self.0.digest
    }
}

fn gpt2() -> Result<Vec<u8>, String> {
    zstd::decode_all(GPT2).map_err(|error| format!("the built-in vocabulary: {error}"))
}

/// Counts tokens in one thread.
///
/// ```
/// use huller_refine::tokens::{Counter, Tokenizer};
///
/// let mut counter = Counter::new(Tokenizer::open("gpt2", "").unwrap());
/// assert_eq!(counter.count("Rain fell on the extraordinarily long river."), 8);
/// ```
#[derive(Debug)]
pub struct Counter {
    tokenizer: Tokenizer,
    merger: Merger,
    cache: PieceCache,
    composed: String,
}

impl Counter {
    /// Creates a counter for this tokenizer.
    pub fn new(tokenizer: Tokenizer) -> Counter {
        let (merger, cache) = (Merger::default(), PieceCache::default());
        Counter { tokenizer, merger, cache, composed: String::new() }
    }

    /// Counts the tokens of a text. No tokens are added for its beginning and end.
    pub fn count(&mut self, text: &str) -> u64 {
        let mut tokens = 0;
        self.count_pieces(text, |_, of_piece| {
            tokens += of_piece;
            true
        });
        tokens
    }

    /// Counts the tokens of each piece of a text. Calls `each` with the byte offset after the piece
    /// and the number of its tokens, until `each` returns false. The pieces have no gaps, and their
    /// tokens add up to those of the text.
    ///
    /// A piece depends only on the text from its start on. So the pieces of a part of the text are
    /// the same, if the part begins where a piece begins. Pieces in or directly before the white
    /// space at the end of the part may differ. The function returns false if this does not hold
    /// for the pieces so far: a string in them is always one token, or scalars had to be composed.
    pub fn count_pieces(&mut self, text: &str, mut each: impl FnMut(usize, u64) -> bool) -> bool {
        let Counter { tokenizer, merger, cache, composed } = self;
        let SharedTokenizer { vocabulary, pattern, composes, added, .. } = &*tokenizer.0;
        let mut count = |piece: &str| {
            let piece = piece.as_bytes();
            if vocabulary.is_token(piece) {
                1
            } else {
                cache.get(piece, || merger.count(&vocabulary.merges, piece))
            }
        };
        let mut are_independent = true;
        let mut offset = 0;
        let added_tokens = added.iter().flat_map(|added| added.find_iter(text));
        let added_tokens = added_tokens.map(|token| (token.start(), token.end()));
        for (start, end) in added_tokens.chain([(text.len(), text.len())]) {
            let stretch = &text[offset..start];
            if *composes && is_nfc_quick(stretch.chars()) != IsNormalized::Yes {
                composed.clear();
                composed.shrink_to(1 << 20);
                composed.extend(stretch.nfc());
                are_independent = false;
                if !each(start, pattern.pieces(composed).map(&mut count).sum()) {
                    return false;
                }
            } else {
                for piece in pattern.pieces(stretch) {
                    offset += piece.len();
                    if !each(offset, count(piece)) {
                        return are_independent;
                    }
                }
            }
            offset = end;
            if start < end {
                are_independent = false;
                if !each(end, 1) {
                    return false;
                }
            }
        }
        are_independent
    }

    /// Counts the tokens of a row's text, once until the text changes.
    pub(crate) fn count_once(&mut self, text: &mut Text) -> u64 {
        if let Some(tokens) = text.tokens() {
            return tokens;
        }
        let tokens = self.count(text.as_str());
        text.set_tokens(tokens);
        tokens
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_counted_is_refused_with_the_remedy() {
        let folder = tempfile::tempdir().unwrap();
        let file = |name: &str, content: &str| {
            let path = folder.path().join(name);
            std::fs::write(&path, content).unwrap();
            Tokenizer::open(path.to_str().unwrap(), "").unwrap_err()
        };
        assert!(Tokenizer::open("gpt3", "").unwrap_err().contains("`gpt2`, which is built in"));
        let unknown = Tokenizer::open("gpt2", "gpt9").unwrap_err();
        assert_eq!(
            unknown,
            "unknown pattern `gpt9`; the patterns are gpt2, cl100k, llama3, qwen2, o200k"
        );
        assert!(file("ranks", "IQ== 0\n").contains("set tokens.pattern to one of gpt2, "));
        assert!(file("gpt2.tiktoken", "IQ== 0\n").contains("the byte 0x00 has no token"));
        assert!(file("gpt2.tiktoken", "IQ=\n").contains("line 1 is not a token and a rank"));
        assert!(file("a.json", "{}").contains("not a tokenizer.json"));
        let word_piece = r#"{"model": {"type": "WordPiece", "vocab": {}}}"#;
        assert!(file("b.json", word_piece).contains("model WordPiece is not supported"));
    }

    #[test]
    fn the_same_file_has_the_same_digest() {
        let digest = |pattern| Tokenizer::open("gpt2", pattern).unwrap().digest().to_owned();
        assert_eq!(digest(""), digest("gpt2"));
        assert_ne!(digest(""), digest("cl100k"));
    }

    #[test]
    fn giant_pieces_are_counted_in_time_and_memory_that_grow_with_them() {
        let mut counter = Counter::new(Tokenizer::open("gpt2", "").unwrap());
        let one = counter.count(&"a".repeat(1 << 16));
        assert_eq!(counter.count(&"a".repeat(1 << 20)), one << 4);
    }
}
