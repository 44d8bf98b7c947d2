//! Joins the bytes of a piece into tokens.

use super::merge_table::{MergeTable, PairMerge};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Longer pieces are cut into parts of this many bytes, so that memory is bounded. Words are
/// shorter.
const MAX_PIECE_BYTES: usize = 1 << 16;

/// Pieces up to this many bytes are joined by scanning all pairs repeatedly, which is faster than a
/// heap for few pairs.
const MAX_SCANNED_BYTES: usize = 64;

/// The place of a token that was joined with the token before it.
const JOINED: u32 = u32::MAX;

/// Scratch buffers for the tokens of a piece.
#[derive(Debug, Default)]
pub(super) struct Merger {
    /// Numbers of the tokens of the piece.
    tokens: Vec<u32>,
    /// Short pieces: the result of joining each token with the next.
    ranks: Vec<PairMerge>,
    /// Long pieces: the places of the tokens before and after each.
    links: Vec<(u32, u32)>,
    /// Long pieces: the rank of a pair, its place, and its tokens.
    heap: BinaryHeap<Reverse<(u32, u32, u32, u32)>>,
}

impl Merger {
    /// Counts the tokens of a piece that is not a token itself.
    pub(super) fn count(&mut self, merges: &MergeTable, piece: &[u8]) -> u64 {
        piece.chunks(MAX_PIECE_BYTES).map(|chunk| self.join(merges, chunk)).sum()
    }

    /// Joins pairs until no pair can be joined, and returns the number of tokens.
    pub(super) fn join(&mut self, merges: &MergeTable, piece: &[u8]) -> u64 {
        self.tokens.clear();
        self.tokens.extend(piece.iter().map(|byte| merges.token_of_byte(*byte)));
        if piece.len() <= MAX_SCANNED_BYTES {
            self.join_few(merges)
        } else {
            self.join_many(merges)
        }
    }

    fn join_few(&mut self, merges: &MergeTable) -> u64 {
        let Merger { tokens, ranks, .. } = self;
        ranks.clear();
        ranks.extend(tokens.windows(2).map(|pair| merges.merge_of(pair[0], pair[1])));
        loop {
            let lowest = ranks.iter().enumerate().min_by_key(|(_, joined)| joined.rank);
            let Some((index, joined)) =
                lowest.filter(|(_, joined)| joined.rank != PairMerge::NEVER.rank)
            else {
                return tokens.len() as u64;
            };
            tokens[index] = joined.token;
            tokens.remove(index + 1);
            ranks.remove(index);
            if index > 0 {
                ranks[index - 1] = merges.merge_of(tokens[index - 1], tokens[index]);
            }
            if index < ranks.len() {
                ranks[index] = merges.merge_of(tokens[index], tokens[index + 1]);
            }
        }
    }

    fn join_many(&mut self, merges: &MergeTable) -> u64 {
        let Merger { tokens, links, heap, .. } = self;
        let count = tokens.len() as u32;
        links.clear();
        links.extend((0..count).map(|index| (index.wrapping_sub(1), index + 1)));
        heap.clear();
        let pair = |left: u32, right: u32, index: u32| {
            let rank = merges.merge_of(left, right).rank;
            (rank != PairMerge::NEVER.rank).then_some(Reverse((rank, index, left, right)))
        };
        heap.extend(
            (0..count - 1).filter_map(|index| {
                pair(tokens[index as usize], tokens[index as usize + 1], index)
            }),
        );
        let mut left_over = u64::from(count);
        while let Some(Reverse((_, index, left, right))) = heap.pop() {
            let index_here = index as usize;
            let (before, next) = links[index_here];
            // One of the two may have been joined with another token in the meantime.
            if next >= count || tokens[index_here] != left || tokens[next as usize] != right {
                continue;
            }
            let joined = merges.merge_of(left, right).token;
            tokens[index_here] = joined;
            tokens[next as usize] = JOINED;
            let after = links[next as usize].1;
            links[index_here].1 = after;
            left_over -= 1;
            if after < count {
                links[after as usize].0 = index;
                heap.extend(pair(joined, tokens[after as usize], index));
            }
            if before < count {
                heap.extend(pair(tokens[before as usize], joined, before));
            }
        }
        left_over
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tokens::vocabulary::Vocabulary;
    use crate::tokens::{gpt2, rank_file};
    use proptest::prelude::*;
    use std::sync::OnceLock;

    proptest! {
        #[test]
        fn both_ways_of_joining_leave_as_many_tokens(piece in "[ab]{2,40}|.{1,20}|(the|er| |1){2,14}") {
            static VOCABULARY: OnceLock<Vocabulary> = OnceLock::new();
            let merges = &VOCABULARY.get_or_init(|| {
                Vocabulary::from_ranks(rank_file::read(&gpt2().unwrap()).unwrap()).unwrap()
            }).merges;
            let mut merger = Merger::default();
            let few = merger.join(merges, piece.as_bytes());
            merger.tokens.clear();
            merger.tokens.extend(piece.bytes().map(|byte| merges.token_of_byte(byte)));
            prop_assume!(merger.tokens.len() > 1);
            prop_assert_eq!(merger.join_many(merges), few);
        }
    }
}
