//! Outputs of several files for each input.
//!
//! The names are numbered from 0 with five digits: `a-00000.jsonl.zst`, `a-00001.jsonl.zst`. Their
//! order by name is the order of the rows, up to 100,000 files for an input.

use std::ffi::OsString;
use std::num::NonZeroU64;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

/// When a file is full. With both a file ends where the first of them is reached.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Split {
    /// Most rows of a file.
    pub rows: Option<NonZeroU64>,
    /// Most bytes of a file, unless one part of a batch has more.
    pub bytes: Option<NonZeroU64>,
}

/// Workers divide batches into parts of at most this share of a file. The writer can end a file
/// after any part, so every file but an input's last is at least fifteen sixteenths full.
const PARTS_PER_FILE: u64 = 16;

/// What a row takes besides its texts, in bytes, as a rule of thumb: address, digest and what else
/// stands in it.
const ROW_BYTES: usize = 512;

impl Split {
    /// Whether an input has files of its own.
    pub fn is_asked(&self) -> bool {
        self.rows.is_some() || self.bytes.is_some()
    }

    /// Whether a worker is to end a part that has so many rows, whose texts have so many bytes.
    pub fn ends_part(&self, rows: u64, text_bytes: usize) -> bool {
        let part = |most: NonZeroU64| (most.get() / PARTS_PER_FILE).max(1);
        let bytes = text_bytes as u64 + rows * ROW_BYTES as u64;
        self.rows.is_some_and(|most| rows >= part(most))
            || self.bytes.is_some_and(|most| bytes >= part(most))
    }

    /// Whether a file of so many rows and bytes is full. Without rows it never is.
    pub fn is_over(&self, rows: u64, bytes: u64) -> bool {
        self.rows.is_some_and(|most| rows > most.get())
            || self.bytes.is_some_and(|most| bytes > most.get())
    }
}

/// What the names of the first files begin their ending with.
const FIRST: &str = "-00000";

/// What the name of a first file ends in, where names without a number would end in `suffix`.
pub fn first_ending(suffix: &str) -> String {
    format!("{FIRST}{suffix}")
}

/// The name of the file with this `number`, from 0, where `first` is the name of the first file.
/// `ending` is the end of that name, as [`first_ending`] makes it.
pub fn sibling(first: &Path, number: usize, ending: &str) -> PathBuf {
    let stem = first.as_os_str().as_bytes().strip_suffix(ending.as_bytes());
    match (stem, ending.strip_prefix(FIRST)) {
        (Some(stem), Some(suffix)) => joined(stem, &format!("-{number:05}{suffix}")),
        _ => first.to_owned(),
    }
}

/// The name of the first file, where `name` is that of any of an input; `None` if it is that of
/// none.
pub fn first_of(name: &Path, ending: &str) -> Option<PathBuf> {
    let suffix = ending.strip_prefix(FIRST)?;
    let stem = name.as_os_str().as_bytes().strip_suffix(suffix.as_bytes())?;
    let digits = stem.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
    let before = stem[..stem.len() - digits].strip_suffix(b"-")?;
    (digits >= 5).then(|| joined(before, ending))
}

fn joined(stem: &[u8], ending: &str) -> PathBuf {
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
        assert_eq!(first_of(Path::new("a-00000.csv"), ".csv"), None);
        for (name, expected) in [
            ("b/a-00012.csv.gz", Some("b/a-00000.csv.gz")),
            ("b/a-123456.csv.gz", Some("b/a-00000.csv.gz")),
            ("b/a-0012.csv.gz", None),
            ("b/a00012.csv.gz", None),
            ("b/a.csv.gz", None),
            ("b/a-00012.csv", None),
        ] {
            assert_eq!(
                first_of(Path::new(name), "-00000.csv.gz").as_deref(),
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
