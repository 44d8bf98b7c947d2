//! Splits the output of an input over several files.
//!
//! The names are numbered from 0 with five digits: `a-00000.jsonl.zst`, `a-00001.jsonl.zst`. Their
//! order by name is the order of the rows, up to 100,000 files for an input.

use std::ffi::OsString;
use std::num::NonZeroU64;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

/// Limits of a file. If both are set, the first one reached ends the file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Split {
    /// Most rows of a file.
    pub rows: Option<NonZeroU64>,
    /// Most bytes of a file, unless a single part of a batch is larger.
    pub bytes: Option<NonZeroU64>,
}

/// A part of a batch is at most this fraction of a file (1/16). The writer can end a file after any
/// part, so every file but an input's last is at least fifteen sixteenths full.
const PARTS_PER_FILE: u64 = 16;

/// Estimated bytes of a row besides its texts: URL, digest and the other fields.
const ROW_BYTES: usize = 512;

impl Split {
    /// Whether the output of an input is split.
    pub fn is_asked(&self) -> bool {
        self.rows.is_some() || self.bytes.is_some()
    }

    /// Whether a worker should end a part with `rows` rows, whose texts have `text_bytes` bytes.
    pub fn ends_part(&self, rows: u64, text_bytes: usize) -> bool {
        let part = |most: NonZeroU64| (most.get() / PARTS_PER_FILE).max(1);
        let bytes = text_bytes as u64 + rows * ROW_BYTES as u64;
        self.rows.is_some_and(|most| rows >= part(most))
            || self.bytes.is_some_and(|most| bytes >= part(most))
    }

    /// Whether this number of rows or bytes exceeds a limit of a file.
    pub fn is_over(&self, rows: u64, bytes: u64) -> bool {
        self.rows.is_some_and(|most| rows > most.get())
            || self.bytes.is_some_and(|most| bytes > most.get())
    }
}

/// Beginning of the ending of a first file's name.
const FIRST: &str = "-00000";

/// Returns the ending of a first file's name, if an unnumbered name would end in `suffix`.
pub fn first_ending(suffix: &str) -> String {
    format!("{FIRST}{suffix}")
}

/// Returns the name of the file with this `number`, from 0. `first` is the name of the first file,
/// and `ending` its end, as [`first_ending`] makes it.
pub fn sibling(first: &Path, number: usize, ending: &str) -> PathBuf {
    let stem = first.as_os_str().as_bytes().strip_suffix(ending.as_bytes());
    match (stem, ending.strip_prefix(FIRST)) {
        (Some(stem), Some(suffix)) => join_name(stem, &format!("-{number:05}{suffix}")),
        _ => first.to_owned(),
    }
}

/// Returns the name of the first file, if `name` is that of any file of a split output.
pub fn first_file_name(name: &Path, ending: &str) -> Option<PathBuf> {
    let suffix = ending.strip_prefix(FIRST)?;
    let stem = name.as_os_str().as_bytes().strip_suffix(suffix.as_bytes())?;
    let digits = stem.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
    let before = stem[..stem.len() - digits].strip_suffix(b"-")?;
    (digits >= 5).then(|| join_name(before, ending))
}

/// Returns the number of a file, from 0, whose first file is `first`. `None` for another file.
pub fn number_of(name: &Path, first: &Path, ending: &str) -> Option<usize> {
    let digits = ending.strip_prefix(FIRST).and_then(|suffix| {
        let stem = name.as_os_str().as_bytes().strip_suffix(suffix.as_bytes())?;
        let count = stem.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
        str::from_utf8(&stem[stem.len() - count..]).ok()
    });
    let number = digits.map_or(Some(0), |digits| digits.parse().ok())?;
    (sibling(first, number, ending) == name).then_some(number)
}

fn join_name(stem: &[u8], ending: &str) -> PathBuf {
    OsString::from_vec([stem, ending.as_bytes()].concat()).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_files_lead_to_one_another() {
        let first = Path::new("b/a-00000.csv.gz");
        assert_eq!(sibling(first, 12, "-00000.csv.gz"), Path::new("b/a-00012.csv.gz"));
        assert_eq!(sibling(first, 123_456, "-00000.csv.gz"), Path::new("b/a-123456.csv.gz"));
        assert_eq!(sibling(Path::new("a.csv"), 0, ".csv"), Path::new("a.csv"));
        assert_eq!(first_file_name(Path::new("a-00000.csv"), ".csv"), None);
        for (name, first, ending, expected) in [
            ("a-00012.csv", "a-00000.csv", "-00000.csv", Some(12)),
            ("a-123456.csv", "a-00000.csv", "-00000.csv", Some(123_456)),
            ("b-00012.csv", "a-00000.csv", "-00000.csv", None),
            ("a-x.csv", "a-00000.csv", "-00000.csv", None),
            ("a.csv", "a.csv", ".csv", Some(0)),
            ("b.csv", "a.csv", ".csv", None),
        ] {
            let found = number_of(Path::new(name), Path::new(first), ending);
            assert_eq!(found, expected, "{name}");
        }
        for (name, expected) in [
            ("b/a-00012.csv.gz", Some("b/a-00000.csv.gz")),
            ("b/a-123456.csv.gz", Some("b/a-00000.csv.gz")),
            ("b/a-0012.csv.gz", None),
            ("b/a00012.csv.gz", None),
            ("b/a.csv.gz", None),
            ("b/a-00012.csv", None),
        ] {
            assert_eq!(
                first_file_name(Path::new(name), "-00000.csv.gz").as_deref(),
                expected.map(Path::new)
            );
        }
    }

    #[test]
    fn a_part_is_a_sixteenth_of_a_file_or_a_row() {
        let rows = |rows| Split { rows: NonZeroU64::new(rows), bytes: None };
        assert!(rows(3).ends_part(1, 0) && rows(320).ends_part(20, 0));
        assert!(!rows(320).ends_part(19, usize::MAX / 2));
        let bytes = Split { rows: None, bytes: NonZeroU64::new(1 << 20) };
        assert!(bytes.ends_part(1, 1 << 16) && !bytes.ends_part(1, 1 << 15));
        assert!(bytes.ends_part(128, 0));
    }
}
