//! Divides the inputs into shards.

use super::job::Job;
use super::listing::{ListedInput, Listing};
use crate::run_files::input_list::ShardRule;
use sha2::{Digest, Sha256};

/// The rule that assigns inputs to shards.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ShardBy {
    /// By the position of an input in the list. The shards have equal sizes. The list must not
    /// change during the run.
    #[default]
    Position,
    /// By the name of an input in the list. The list may grow, and its old inputs keep their
    /// shards.
    Name,
}

/// The inputs of one shard, or all inputs, with the unusable paths among them.
pub(crate) struct ShardInputs {
    pub(crate) jobs: Vec<Job>,
    pub(crate) unusable: Vec<(String, String)>,
    pub(crate) shard_rule: Option<ShardRule>,
}

/// Selects shard `i` of `n` of a list, or the whole list.
pub(crate) fn select_shard(
    mut listing: Listing,
    shard: Option<(usize, usize)>,
    by: ShardBy,
) -> ShardInputs {
    let (mut jobs, mut unusable) = (Vec::new(), Vec::new());
    for item in std::mem::take(&mut listing.items) {
        let is_mine = match (shard, by) {
            (None, _) => true,
            (Some((i, of)), ShardBy::Position) => item.position % of == i,
            (Some((i, of)), ShardBy::Name) => shard_of_name(listing.name(item.position), of) == i,
        };
        match item.input {
            _ if !is_mine => {}
            ListedInput::Input(job) => jobs.push(job),
            ListedInput::Unusable(path, error) => unusable.push((path, error)),
        }
    }
    let shard_rule = shard.map(|_| match by {
        ShardBy::Position => ShardRule::Position(listing.into_input_list()),
        ShardBy::Name => ShardRule::Name,
    });
    ShardInputs { jobs, unusable, shard_rule }
}

/// Returns the shard of a name: the first eight bytes of its SHA-256 as a number, modulo the number
/// of shards.
fn shard_of_name(name: &str, of: usize) -> usize {
    let digest = Sha256::digest(name.as_bytes());
    let (first, _) = digest.split_first_chunk().expect("a digest has 32 bytes");
    // The remainder is less than the number of shards, a `usize`.
    (u64::from_be_bytes(*first) % of as u64) as usize
}
