//! What names of files of rows mean: whether a file found in a folder has rows, and what an output
//! of it is called.

/// How names of compressed files end, and of plain ones.
const PACKED: [&str; 4] = ["", ".gz", ".zst", ".lz4"];

/// How names of JSON Lines end, before the ending of the compression.
const LINES: [&str; 2] = [".jsonl", ".ndjson"];

/// How names of tables of text end, before the ending of the compression.
const TEXT_TABLES: [&str; 3] = [".csv", ".tsv", ".tab"];

const PARQUET: &str = ".parquet";

/// What a name says of a file of rows.
struct NamedFile<'a> {
    /// The name without the endings of format and compression.
    stem: &'a str,
    is_table: bool,
}

/// Reads a name. `None` if it is not that of a file of rows. Letters may be of any case.
fn read(name: &str) -> Option<NamedFile<'_>> {
    let lower = name.to_ascii_lowercase();
    let ends = |at: usize, is_table: bool| {
        let stem = &name[..at];
        let is_named = !stem.is_empty() && !stem.ends_with('/');
        is_named.then_some(NamedFile { stem, is_table })
    };
    if let Some(stem) = lower.strip_suffix(PARQUET) {
        return ends(stem.len(), true);
    }
    PACKED.iter().rev().find_map(|packed| {
        let plain = lower.strip_suffix(packed)?;
        let find = |among: &[&str]| among.iter().find_map(|end| plain.strip_suffix(end));
        if let Some(stem) = find(&LINES) {
            return ends(stem.len(), false);
        }
        find(&TEXT_TABLES).and_then(|stem| ends(stem.len(), true))
    })
}

/// Whether a file that is found in a folder has rows, by its name.
pub fn is_row_file(name: &str) -> bool {
    read(name).is_some()
}

/// The endings of files of rows as a list for messages.
pub fn row_file_endings() -> String {
    let kinds: Vec<_> = LINES.iter().chain(&TEXT_TABLES).copied().collect();
    let packed = PACKED[1..].join(", ");
    format!("{} with or without {packed}; {PARQUET}", kinds.join(", "))
}

/// The name without the endings of its format and its compression, if it is that of a file of rows.
pub fn stem_of(name: &str) -> Option<&str> {
    read(name).map(|file| file.stem)
}

/// The name of an output that holds rows of this file as lines, compressed as its ending says: that
/// of the input, but `.jsonl.zst` for tables and `.zst` in place of `.lz4`.
///
/// ```
/// use huller_corpus::output_name;
///
/// let names = ["a.jsonl", "b/c.csv.gz", "d.ndjson.lz4", "part-0.json.gz"].map(output_name);
/// assert_eq!(names, ["a.jsonl", "b/c.jsonl.zst", "d.ndjson.zst", "part-0.json.gz"]);
/// ```
pub fn output_name(name: &str) -> String {
    if let Some(NamedFile { stem, is_table: true, .. }) = read(name) {
        return format!("{stem}.jsonl.zst");
    }
    match name.len().checked_sub(".lz4".len()) {
        Some(at) if at > 0 && name.as_bytes()[at..].eq_ignore_ascii_case(b".lz4") => {
            format!("{}.zst", &name[..at])
        }
        _ => name.to_owned(),
    }
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
