//! Parses WARC records: their headers, their bounds in plain bytes, and the pages in them.
//!
//! [`bounds`] works on slices, [`reader`] on a window that moves over a whole input.

pub(crate) mod bounds;
pub(crate) mod digest;
pub(crate) mod header;
pub(crate) mod header_end;
pub(crate) mod page;
pub(crate) mod reader;
pub(crate) mod truncation;
pub(crate) mod version_line;
