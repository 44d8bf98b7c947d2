//! A corpus to measure on: HTML responses of any WARC files, shuffled, one gzip member per record.
//!
//! [`source`] reads the records of the inputs, [`plan`] decides the order of pages, [`page`] gives
//! repeated pages names of their own, [`mod@write`] compresses, and [`manifest`] holds counts and digest
//! of the result; [`describe`] makes a manifest for other files. The same inputs and the same seed give
//! the same bytes on every machine.

pub mod describe;
pub mod manifest;
pub mod page;
pub mod plan;
pub mod source;
pub mod write;
