//! The list of formats.

use crate::compress::Compression;
use crate::format::Format;
use crate::jsonl::Jsonl;
use std::path::Path;

/// One JSON object a line. The default.
pub static JSONL: &dyn Format = &Jsonl;

/// All formats.
pub static FORMATS: &[&dyn Format] = &[JSONL];

/// The suffixes of all outputs.
pub fn suffixes() -> impl Iterator<Item = &'static str> {
    FORMATS.iter().flat_map(|format| Compression::KINDS.map(|kind| format.suffix(kind)))
}

/// The format and compression that a file has by its name. Without a known suffix, the format is JSON Lines.
pub fn of_name(name: &str) -> (&'static dyn Format, Compression) {
    for format in FORMATS {
        for kind in Compression::KINDS {
            if name.ends_with(format.suffix(kind)) {
                return (*format, kind);
            }
        }
    }
    (JSONL, Compression::of_path(Path::new(name)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_tell_formats_and_no_two_formats_share_a_suffix() {
        let all: Vec<_> = suffixes().collect();
        assert_eq!(all, [".jsonl.zst", ".jsonl.gz", ".jsonl"]);
        for (name, expected) in [
            ("a.jsonl", Compression::None),
            ("a.jsonl.zst", Compression::DEFAULT_ZSTD),
            ("a.gz", Compression::DEFAULT_GZIP),
            ("a.txt", Compression::None),
        ] {
            let (format, compression) = of_name(name);
            assert_eq!((format.name(), compression), ("jsonl", expected), "{name}");
        }
        let longer = |a: &&str| all.iter().filter(|b| a.ends_with(**b)).count();
        assert!(all.iter().all(|suffix| longer(suffix) == 1));
    }
}
