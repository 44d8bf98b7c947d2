//! Decodes gzip members (RFC 1952).

pub(crate) mod finder;
pub(crate) mod header;
pub(crate) mod inflate;
pub(crate) mod reader;
pub(crate) mod trailer;
