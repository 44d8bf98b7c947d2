//! WACZ: a ZIP file with archives in its folder `archive/`, besides indexes, lists of pages and
//! digests, which are not needed.
//!
//! Archives are stored, as the format says, so each is a stretch of the file (`members.rs`) that is
//! cut and read as a file of its own; offsets are those in the WACZ. Archives that are deflated are
//! read as streams, and their records have no offsets.
//!
//! The directory (`directory.rs`) is not trusted: stretches that overlap or lie outside, sizes that
//! deflate cannot reach, and names that lead out of a folder make the file one that is refused.

pub(crate) mod contents;
pub(crate) mod digests;
pub(crate) mod directory;
mod inflated;
pub(crate) mod members;
pub(crate) mod watched;
