//! The programs that huller is compared with.
//!
//! `peer` runs one reader, parser or extractor over a record-gzipped WARC in a separate process,
//! and prints one JSON line ([`modes`], [`report`]). `huller bench --make-corpus` makes such a
//! file.
//!
//! Every mode that works on pages gets them from the `fastwarc` crate ([`pages`]), decoded by the
//! same rules ([`charset`]). All of them count text by the same rule ([`kept_text`]), so only the
//! peer differs between two lines. The modes of [`modes::huller`] are our own path, each with at
//! most one part replaced.

pub mod canonical;
pub mod charset;
pub mod exit;
pub mod header;
pub mod kept_text;
pub mod modes;
pub mod pages;
pub mod report;
pub mod rows;
pub mod usage;
pub mod versions;
