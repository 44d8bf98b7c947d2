//! A corpus to measure on: HTML responses of any WARC files, shuffled, one gzip member a record.
//!
//! [`source`] reads the records of the inputs, [`plan`] says which page comes when, [`page`] gives
//! repeated pages names of their own, [`mod@write`] compresses, and [`manifest`] is what is known of the
//! result; [`describe`] finds that out for a file from elsewhere. The same inputs and the same seed give the same bytes on every machine.

pub mod describe;
pub mod manifest;
pub mod page;
pub mod plan;
pub mod source;
pub mod write;
