//! Reads block lists from files.

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader};
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

/// Calls `add` for each entry of a file, or of all files `domains` and `urls` below a folder.
pub(super) fn read(path: &Path, add: &mut dyn FnMut(&str)) -> Result<(), ListError> {
    let is_folder = fs::metadata(path).map_err(|error| read_error(path, error))?.is_dir();
    if is_folder { read_folder(path, MAX_DEPTH, add) } else { read_file(path, add) }
}

fn read_error(path: &Path, error: io::Error) -> ListError {
    ListError { path: path.to_owned(), error }
}

fn read_folder(path: &Path, deepest: usize, add: &mut dyn FnMut(&str)) -> Result<(), ListError> {
    let entries = fs::read_dir(path).and_then(Iterator::collect::<io::Result<Vec<_>>>);
    let entries = entries.map_err(|error| read_error(path, error))?;
    for entry in entries {
        let path = entry.path();
        let kind = fs::metadata(&path).map_err(|error| read_error(&path, error))?;
        if kind.is_dir() {
            if deepest > 0 {
                read_folder(&path, deepest - 1, add)?;
            }
        } else if ["domains", "urls"].iter().any(|name| entry.file_name() == *name) {
            read_file(&path, add)?;
        }
    }
    Ok(())
}

fn read_file(path: &Path, add: &mut dyn FnMut(&str)) -> Result<(), ListError> {
    let file = File::open(path).map_err(|error| read_error(path, error))?;
    let mut file = BufReader::with_capacity(1 << 16, file);
    let mut line = Vec::new();
    loop {
        line.clear();
        if file.read_until(b'\n', &mut line).map_err(|error| read_error(path, error))? == 0 {
            return Ok(());
        }
        // URLs are ASCII; a line that is not UTF-8 is no entry.
        let Ok(entry) = std::str::from_utf8(&line) else { continue };
        let entry = entry.trim();
        if !entry.is_empty() && !entry.starts_with('#') {
            add(entry);
        }
    }
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
            read(path, &mut |entry| entries.push(entry.to_owned())).unwrap();
            entries.sort();
            entries
        };
        assert_eq!(entries(folder.path()), ["a.test", "b.test", "c.test/x"]);
        assert_eq!(entries(&category.join("usage")), ["black"]);
        let missing = read(&folder.path().join("none"), &mut |_| {}).unwrap_err();
        assert!(missing.to_string().contains("none"));
    }
}
