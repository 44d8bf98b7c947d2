//! Reads block lists from files.

use huller_archive::{plain_list, without_mark};
use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, ErrorKind};
use std::path::{Path, PathBuf};

/// The error of a list that cannot be read.
#[derive(Debug)]
pub struct ListError {
    /// The file or folder.
    pub path: PathBuf,
    /// The error of the file system.
    pub error: io::Error,
}

impl std::fmt::Display for ListError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "read `{}`: {}", self.path.display(), self.error)
    }
}

impl std::error::Error for ListError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.error)
    }
}

/// Most levels of nested folders that are read.
const MAX_DEPTH: usize = 8;

/// Names of the files of a folder that are read, with or without the suffix of a compression.
const FOLDER_FILES: [&str; 2] = ["domains", "urls"];

/// Calls `add` for each line of a file, or of all files `domains` and `urls` below a folder. `add`
/// returns whether the line is an entry. A list whose lines are no entries is an error.
pub(super) fn read(path: &Path, add: &mut dyn FnMut(&str) -> bool) -> Result<(), ListError> {
    let is_folder = fs::metadata(path).map_err(|error| read_error(path, error))?.is_dir();
    if is_folder { read_folder(path, MAX_DEPTH, add) } else { read_file(path, add) }
}

fn read_error(path: &Path, error: io::Error) -> ListError {
    ListError { path: path.to_owned(), error }
}

fn read_folder(
    path: &Path,
    deepest: usize,
    add: &mut dyn FnMut(&str) -> bool,
) -> Result<(), ListError> {
    let entries = fs::read_dir(path).and_then(Iterator::collect::<io::Result<Vec<_>>>);
    let entries = entries.map_err(|error| read_error(path, error))?;
    for entry in entries {
        let path = entry.path();
        let metadata = fs::metadata(&path).map_err(|error| read_error(&path, error))?;
        if metadata.is_dir() {
            if deepest > 0 {
                read_folder(&path, deepest - 1, add)?;
            }
        } else if is_list(&entry.file_name()) {
            read_file(&path, add)?;
        }
    }
    Ok(())
}

fn is_list(name: &OsStr) -> bool {
    let Some(name) = name.to_str() else { return false };
    let stem = [".gz", ".zst"].iter().find_map(|suffix| name.strip_suffix(suffix));
    FOLDER_FILES.contains(&stem.unwrap_or(name))
}

fn read_file(path: &Path, add: &mut dyn FnMut(&str) -> bool) -> Result<(), ListError> {
    let file = File::open(path).map_err(|error| read_error(path, error))?;
    let file = BufReader::with_capacity(1 << 16, file);
    let mut file = plain_list(file).map_err(|error| read_error(path, error))?;
    let (mut line, mut entries, mut others) = (Vec::new(), 0_u64, 0_u64);
    loop {
        line.clear();
        if file.read_until(b'\n', &mut line).map_err(|error| read_error(path, error))? == 0 {
            break;
        }
        // URLs are ASCII; a line that is not UTF-8 is no entry.
        let text = std::str::from_utf8(without_mark(&line)).map(str::trim);
        match text {
            Ok(text) if is_comment(text) => {}
            Ok(text) if add(text) => entries += 1,
            _ => others += 1,
        }
    }
    if entries == 0 && others > 0 {
        let problem = "no line is a host or a URL: write one per line, in UTF-8";
        return Err(read_error(path, io::Error::new(ErrorKind::InvalidData, problem)));
    }
    Ok(())
}

/// Returns whether a line is blank or a comment, also in lists of Adblock.
fn is_comment(line: &str) -> bool {
    line.is_empty() || line.starts_with(['#', '!']) || line.starts_with("[Adblock")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_and_folders_of_categories_are_read() {
        let folder = tempfile::tempdir().unwrap();
        let category = folder.path().join("blacklists/ads");
        fs::create_dir_all(&category).unwrap();
        fs::write(category.join("domains"), "# hosts\na.test\r\n\nb.test").unwrap();
        fs::write(category.join("urls"), b"c.test/x\n\xFF\n").unwrap();
        fs::write(category.join("usage"), "black").unwrap();
        let entries = |path: &Path| {
            let mut entries = Vec::new();
            let mut add = |entry: &str| {
                entries.push(entry.to_owned());
                true
            };
            read(path, &mut add).unwrap();
            entries.sort();
            entries
        };
        assert_eq!(entries(folder.path()), ["a.test", "b.test", "c.test/x"]);
        assert_eq!(entries(&category.join("usage")), ["black"]);
        let missing = read(&folder.path().join("none"), &mut |_| true).unwrap_err();
        assert!(missing.to_string().contains("none"));
    }

    #[test]
    fn compressed_lists_are_read_and_lists_without_entries_refused() {
        let folder = tempfile::tempdir().unwrap();
        let packed = zstd::encode_all(&b"\xEF\xBB\xBFa.test\n! x\n"[..], 1).unwrap();
        for name in ["list.zst", "domains.zst"] {
            fs::write(folder.path().join(name), &packed).unwrap();
        }
        for path in [folder.path().join("list.zst"), folder.path().to_owned()] {
            let mut entries = Vec::new();
            let mut add = |entry: &str| {
                entries.push(entry.to_owned());
                true
            };
            read(&path, &mut add).unwrap();
            assert_eq!(entries, ["a.test"]);
        }
        let none = read(&folder.path().join("list.zst"), &mut |_| false).unwrap_err();
        assert!(none.to_string().contains("no line is a host"), "{none}");
        fs::write(folder.path().join("empty"), "# nothing\n\n").unwrap();
        read(&folder.path().join("empty"), &mut |_| false).unwrap();
    }
}
