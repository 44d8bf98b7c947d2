//! WARC records: their headers, where they begin and end in plain bytes, and which of them hold
//! pages.
//!
//! [`bounds`] looks at slices, [`reader`] at a window that moves over a whole input.

pub(crate) mod bounds;
pub(crate) mod digest;
pub(crate) mod header;
pub(crate) mod header_end;
pub(crate) mod page;
pub(crate) mod reader;
pub(crate) mod truncation;
pub(crate) mod version_line;
