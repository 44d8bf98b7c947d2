//! Interprets names of files of rows. They decide whether a file in a folder has rows, and the name
//! of its output.

use huller_archive::{Container, InputKind};
use std::path::Path;

/// Returns the kind that a name states, and the name without the suffixes of format and
/// compression. Returns `None` if the name is not that of a file of rows. Case is ignored.
fn split_name(name: &str) -> Option<(InputKind, &str)> {
    let (kind, length) = InputKind::suffix_of(Path::new(name))?;
    let stem = &name[..name.len() - length];
    (kind.is_rows() && !stem.is_empty() && !stem.ends_with('/')).then_some((kind, stem))
}

/// Returns whether a file in a folder has rows, by its name.
pub fn is_row_file(name: &str) -> bool {
    split_name(name).is_some()
}

/// Returns the name without the suffixes of format and compression, if it is that of a file of
/// rows.
pub fn stem_of(name: &str) -> Option<&str> {
    split_name(name).map(|(_, stem)| stem)
}

/// Returns the name of an output that holds rows of this file as lines. Its suffix states how the
/// output is compressed. The output has the name of the input, with `.jsonl.zst` for tables and
/// `.zst` in place of `.lz4`.
///
/// ```
/// use huller_corpus::output_name;
///
/// let names = ["a.jsonl", "b/c.csv.gz", "d.ndjson.lz4", "part-0.json.gz"].map(output_name);
/// assert_eq!(names, ["a.jsonl", "b/c.jsonl.zst", "d.ndjson.zst", "part-0.json.gz"]);
/// ```
pub fn output_name(name: &str) -> String {
    match split_name(name) {
        Some((InputKind::Jsonl, _)) | None => {}
        Some((_, stem)) => return format!("{stem}.jsonl.zst"),
    }
    match name.len().checked_sub(".lz4".len()) {
        Some(suffix_start)
            if suffix_start > 0
                && name.as_bytes()[suffix_start..].eq_ignore_ascii_case(b".lz4") =>
        {
            format!("{}.zst", &name[..suffix_start])
        }
        _ => name.to_owned(),
    }
}

/// Returns whether a name says that the file is not compressed.
pub(crate) fn is_plain(name: &str) -> bool {
    split_name(name).is_some() && Container::from_name(Path::new(name)) == Container::Plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_say_what_files_are() {
        for name in ["a.jsonl", "A.JSONL.GZ", "b/c.ndjson.zst", "d.csv.lz4", "e.tab", "f.parquet"] {
            assert!(is_row_file(name), "{name}");
        }
        for name in [".jsonl", "a/.csv.gz", "a.json", "a.jsonl.bz2", "a.parquet.gz", "a.warc.gz"] {
            assert!(!is_row_file(name), "{name}");
        }
        assert_eq!((stem_of("x/a.b.CSV.gz"), stem_of("a.warc")), (Some("x/a.b"), None));
        assert!(is_plain("a.jsonl") && !is_plain("a.jsonl.gz") && !is_plain("rows"));
    }

    #[test]
    fn outputs_are_compressed_as_their_names_say() {
        for (name, output) in [
            ("a.jsonl.zst", "a.jsonl.zst"),
            ("a.TSV", "a.jsonl.zst"),
            ("a.parquet", "a.jsonl.zst"),
            ("rows.LZ4", "rows.zst"),
            ("é.lz4", "é.zst"),
            ("é", "é"),
            (".lz4", ".lz4"),
        ] {
            assert_eq!(output_name(name), output);
        }
    }
}
