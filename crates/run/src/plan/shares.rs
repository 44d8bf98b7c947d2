//! Which inputs are whose.

use super::job::Job;
use super::listing::{Found, Listing};
use crate::run_files::input_list::Shares;
use sha2::{Digest, Sha256};

/// What decides whose share an input is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ShardBy {
    /// Its position in the list: shares of one size. The list must stay as it is for as long as the
    /// run lasts.
    #[default]
    Position,
    /// Its name, as listed: a list may grow, and what it had stays where it was.
    Name,
}

/// The inputs of one share, or all, with the unusable paths that are in it.
pub(crate) struct Taken {
    pub(crate) jobs: Vec<Job>,
    pub(crate) unusable: Vec<(String, String)>,
    pub(crate) shares: Option<Shares>,
}

/// Takes share `i` of `n` of a list, or all of it.
pub(crate) fn take(mut listing: Listing, shard: Option<(usize, usize)>, by: ShardBy) -> Taken {
    let (mut jobs, mut unusable) = (Vec::new(), Vec::new());
    for item in std::mem::take(&mut listing.items) {
        let is_mine = match (shard, by) {
            (None, _) => true,
            (Some((i, of)), ShardBy::Position) => item.place % of == i,
            (Some((i, of)), ShardBy::Name) => share_of(listing.name(item.place), of) == i,
        };
        match item.found {
            _ if !is_mine => {}
            Found::Input(job) => jobs.push(job),
            Found::Unusable(path, error) => unusable.push((path, error)),
        }
    }
    let shares = shard.map(|_| match by {
        ShardBy::Position => Shares::Position(listing.into_list()),
        ShardBy::Name => Shares::Name,
    });
    Taken { jobs, unusable, shares }
}

/// The share of a name: the first eight bytes of its SHA-256 as a number, modulo the number of
/// shares.
fn share_of(name: &str, of: usize) -> usize {
    let digest = Sha256::digest(name.as_bytes());
    let (first, _) = digest.split_first_chunk().expect("a digest has 32 bytes");
    // A remainder is less than the number of shares.
    (u64::from_be_bytes(*first) % of as u64) as usize
}
