//! Reads WACZ: a ZIP file with archives in its folder `archive/`. It also has indexes, lists of
//! pages and digests, which this crate does not need for reading.
//!
//! The format requires stored archives. Each is therefore a range of the file (`members.rs`) that
//! is cut and read like a separate file; offsets are those in the WACZ. Deflated archives are read
//! as streams, and their records have no offsets.
//!
//! The directory (`directory.rs`) is checked. The file is refused if ranges overlap or are outside
//! of it, if deflate cannot reach a size, or if a name leads out of a folder.

pub(crate) mod contents;
pub(crate) mod digests;
pub(crate) mod directory;
mod inflated;
pub(crate) mod members;
pub(crate) mod watched;
