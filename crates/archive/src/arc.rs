//! ARC records (versions 1, 1.1 and 2): their header lines, where they begin and end in plain
//! bytes, and the WARC header that stands for each.
//!
//! An ARC record is one line, `URL IP-address date media-type length`, and so many bytes. Nothing
//! but that line tells where a record begins, so it is parsed as a whole before it is believed. The
//! functions of this folder have the shape of those for WARC; [`Dialect`](crate::dialect::Dialect)
//! chooses between the two.

pub(crate) mod bounds;
pub(crate) mod date;
pub(crate) mod line;
pub(crate) mod warc_header;
