//! Remembers which pages were withdrawn from a corpus, so that no later run brings them back.
//!
//! A [`Tombstone`](tombstone::Tombstone) is one withdrawn key: the digest of a URL, host or
//! identifier, or the signature of a text. The file `_huller/run.withdrawals` of a run has one per
//! line; an index has the file `huller.withdrawals`. [`Withdrawals`](keys::Withdrawals) are the
//! keys of such files, and a [`Finder`](finder::Finder) tells the rows that they name.
//!
//! Tombstones hold digests, since a list of withdrawn addresses would itself publish them. A digest
//! only confirms an address that its reader already knows.

pub mod finder;
pub mod keys;
pub mod tombstone;
