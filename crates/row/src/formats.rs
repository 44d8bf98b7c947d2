//! The list of formats.

use crate::arrow::Arrow;
use crate::combined_format::combine;
use crate::compress::Compression;
use crate::csv::{CSV, TSV};
use crate::format::Format;
use crate::jsonl::Jsonl;
use crate::parquet::{GROUP_BYTES, Parquet};
use crate::text::TextFormat;
use crate::warc::Warc;
use crate::wet::Wet;
use std::path::Path;

/// One JSON object a line. The default.
pub static JSONL: &dyn Format = &Jsonl;

/// All formats.
pub static FORMATS: &[&dyn Format] =
    &[JSONL, &Parquet { group_bytes: GROUP_BYTES }, &Arrow, &CSV, &TSV, &Wet, &Warc, &TextFormat];

/// Returns the format of this name. Several names separated by commas give one format that writes
/// each row in each of them.
///
/// ```
/// use huller_row::formats::find;
///
/// assert_eq!(find("jsonl,parquet").unwrap().formats().len(), 2);
/// assert!(find("jsonl").unwrap().formats().is_empty());
/// assert!(find("jsonl,jsonl").is_none());
/// ```
pub fn find(name: &str) -> Option<&'static dyn Format> {
    let one = |name: &str| FORMATS.iter().find(|format| format.name() == name).copied();
    let found = name.split(',').map(one).collect::<Option<Vec<_>>>()?;
    let is_twice =
        |(at, it): (usize, &&dyn Format)| found[..at].iter().any(|other| other.name() == it.name());
    (!found.iter().enumerate().any(is_twice)).then(|| combine(&found))
}

/// Returns the suffixes of all outputs.
pub fn suffixes() -> impl Iterator<Item = &'static str> {
    FORMATS.iter().flat_map(|format| suffixes_of(*format))
}

/// Returns the suffixes of the outputs of one format, or of several.
pub fn suffixes_of(format: &'static dyn Format) -> impl Iterator<Item = &'static str> {
    let alone = format.formats().is_empty().then_some(format);
    alone.into_iter().chain(format.formats().iter().copied()).flat_map(suffixes_of_one)
}

fn suffixes_of_one(format: &'static dyn Format) -> impl Iterator<Item = &'static str> {
    let kinds = if format.compresses_inside() {
        &format.compressions()[..1]
    } else {
        format.compressions()
    };
    kinds.iter().map(|kind| format.suffix(*kind))
}

/// Returns the format and compression of a file by its name. Without a known suffix, the format is
/// JSON Lines.
pub fn format_of_name(name: &str) -> (&'static dyn Format, Compression) {
    for format in FORMATS {
        for kind in format.compressions() {
            if name.ends_with(format.suffix(*kind)) {
                return (*format, *kind);
            }
        }
    }
    (JSONL, Compression::from_path(Path::new(name)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_tell_formats_and_no_two_formats_share_a_suffix() {
        let all: Vec<_> = suffixes().collect();
        assert!(all.starts_with(&[".jsonl.zst", ".jsonl.gz", ".jsonl", ".parquet", ".arrow"]));
        for (name, expected, compression) in [
            ("a.jsonl", "jsonl", Compression::None),
            ("a.jsonl.zst", "jsonl", Compression::DEFAULT_ZSTD),
            ("a.gz", "jsonl", Compression::DEFAULT_GZIP),
            ("a.txt", "text", Compression::None),
            ("a.csv.gz", "csv", Compression::DEFAULT_GZIP),
            ("a.warc.wet.gz", "wet", Compression::DEFAULT_GZIP),
            ("a.warc.wet", "wet", Compression::None),
            ("a.warc.gz", "warc", Compression::DEFAULT_GZIP),
            ("a.warc.zst", "warc", Compression::DEFAULT_ZSTD),
            ("a.parquet", "parquet", Compression::DEFAULT_ZSTD),
            ("a", "jsonl", Compression::None),
        ] {
            let (format, found) = format_of_name(name);
            assert_eq!((format.name(), found), (expected, compression), "{name}");
            assert_eq!(find(expected).map(Format::name), Some(expected));
        }
        for name in ["", ",", "jsonl,", "jsonl,jsonl", "jsonl,odt"] {
            assert!(find(name).is_none(), "{name}");
        }
        let longer = |a: &&str| all.iter().filter(|b| a.ends_with(**b)).count();
        assert!(all.iter().all(|suffix| longer(suffix) == 1));
    }
}
