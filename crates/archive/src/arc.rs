//! Parses ARC records (versions 1, 1.1 and 2): their header lines, their bounds in plain bytes, and
//! the WARC header that replaces each.
//!
//! An ARC record is one line, `URL IP-address date media-type length`, and a block of that length.
//! Only that line marks the start of a record, so the parser checks all its fields before it
//! accepts one. The functions of this module have the same signatures as those for WARC;
//! [`Dialect`](crate::dialect::Dialect) chooses between the two.

pub(crate) mod bounds;
pub(crate) mod date;
pub(crate) mod line;
pub(crate) mod warc_header;
