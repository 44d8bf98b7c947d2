//! Reads WACZ: a ZIP file with archives in its folder `archive/`. It also has indexes, lists of
//! pages and digests, which this crate does not need for reading.
//!
//! The format requires stored archives. Each is therefore a range of the file (`members.rs`) that
//! is cut and read like a separate file; offsets are those in the WACZ. Deflated archives are read
//! as streams, and their records have no offsets.
//!
//! The directory (`directory.rs`) is checked. A file is refused for overlapping ranges, ranges
//! outside of it, sizes that deflate cannot reach, and names that lead out of a folder.

pub(crate) mod contents;
pub(crate) mod digests;
pub(crate) mod directory;
mod inflated_entry;
pub(crate) mod members;
pub(crate) mod watched_reader;
