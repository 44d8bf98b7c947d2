//! The tokens of a tokenizer.

use super::merge_table::{MergeTable, PairMerge};
use super::merges::Merger;
use super::token_set::TokenSet;
use std::collections::HashMap;

/// The tokens of a tokenizer.
#[derive(Debug)]
pub(super) struct Vocabulary {
    pub(super) merges: MergeTable,
    /// Pieces that are one token.
    single_tokens: TokenSet,
}

impl Vocabulary {
    /// Creates the vocabulary of these tokens and their ranks. Two tokens can be joined if their
    /// bytes together are a token, in the order of its rank, as in `tiktoken`.
    pub(super) fn from_ranks(ranks: HashMap<Vec<u8>, u32>) -> Result<Vocabulary, String> {
        let mut merges = MergeTable::new(&ranks)?;
        #[expect(
            clippy::iter_over_hash_type,
            reason = "no two tokens join to pairs that are the same"
        )]
        for (token, rank) in &ranks {
            for split in 1..token.len() {
                if let (Some(left), Some(right)) =
                    (ranks.get(&token[..split]), ranks.get(&token[split..]))
                {
                    merges.insert(*left, *right, PairMerge { rank: *rank, token: *rank });
                }
            }
        }
        Ok(Vocabulary { merges, single_tokens: ranks.into_keys().collect() })
    }

    /// Creates the vocabulary of these tokens. The pairs can be joined, in their order. If
    /// `ignores_merges`, a piece that is a token is never split, even if no sequence of joins
    /// produces it.
    pub(super) fn from_merges(
        tokens: HashMap<Vec<u8>, u32>,
        merges: impl Iterator<Item = Result<(Vec<u8>, Vec<u8>), String>>,
        ignores_merges: bool,
    ) -> Result<Vocabulary, String> {
        let mut table = MergeTable::new(&tokens)?;
        for (rank, merge) in merges.enumerate() {
            let (left, right) = merge?;
            let both = [left.as_slice(), &right].concat();
            let rank_of = |token: &Vec<u8>| {
                tokens.get(token).copied().ok_or_else(|| {
                    format!("merge {rank} names `{}`, which is not a token", token.escape_ascii())
                })
            };
            let joined = PairMerge { rank: rank as u32, token: rank_of(&both)? };
            table.insert(rank_of(&left)?, rank_of(&right)?, joined);
        }
        let mut joining = Merger::default();
        let single_tokens = tokens
            .into_keys()
            .filter(|token| ignores_merges || joining.join(&table, token) == 1)
            .collect();
        Ok(Vocabulary { merges: table, single_tokens })
    }

    /// Returns whether the piece is one token.
    #[inline]
    pub(super) fn is_token(&self, piece: &[u8]) -> bool {
        self.single_tokens.contains(piece)
    }
}
