//! Decodes zstd frames (RFC 8878), and the dictionary with which a WARC file may begin.

pub(crate) mod context;
pub(crate) mod decoder;
pub(crate) mod dictionary;
pub(crate) mod finder;
pub(crate) mod frame;
pub(crate) mod reader;
