//! Finds the archives that rows name, in a folder of the user.

use std::io::{self, ErrorKind};
use std::path::{Component, Path, PathBuf};

/// A folder of archives. Rows may come from anyone, so only regular files below the folder are
/// opened, and no symbolic link is followed.
#[derive(Clone, Debug)]
pub struct ArchiveFolder(PathBuf);

impl ArchiveFolder {
    /// Returns the folder at a path.
    pub fn new(path: PathBuf) -> ArchiveFolder {
        ArchiveFolder(path)
    }

    /// Returns the path of the archive that a row names (`warc_filename`).
    ///
    /// # Errors
    ///
    /// * `InvalidInput`: the name leads out of the folder.
    /// * `InvalidData`: it is no regular file, or lies behind a symbolic link.
    /// * `NotFound`: the folder has no such file.
    pub fn path_of(&self, name: &str) -> io::Result<PathBuf> {
        let refuse =
            |kind, why: &str| io::Error::new(kind, format!("'{}' {why}", name.escape_debug()));
        let parts = Path::new(name);
        let is_inside =
            !name.is_empty() && parts.components().all(|part| matches!(part, Component::Normal(_)));
        if !is_inside {
            return Err(refuse(ErrorKind::InvalidInput, "is outside the folder of archives"));
        }
        let mut path = self.0.clone();
        let mut parts = parts.components().peekable();
        while let Some(part) = parts.next() {
            path.push(part);
            let found = path.symlink_metadata().map_err(|error| {
                let kind = match error.kind() {
                    ErrorKind::NotADirectory => ErrorKind::NotFound,
                    kind => kind,
                };
                io::Error::new(kind, format!("cannot read '{}': {error}", name.escape_debug()))
            })?;
            let is_right = if parts.peek().is_some() { found.is_dir() } else { found.is_file() };
            if !is_right {
                let why = "is not a regular file, or lies behind a symbolic link";
                return Err(refuse(ErrorKind::InvalidData, why));
            }
        }
        Ok(path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::os::unix::fs::symlink;

    #[test]
    fn only_regular_files_in_the_folder_are_found() {
        let root = tempfile::tempdir().unwrap();
        fs::create_dir(root.path().join("a")).unwrap();
        fs::write(root.path().join("a/b.warc.gz"), "x").unwrap();
        symlink(root.path().join("a"), root.path().join("link")).unwrap();
        let folder = ArchiveFolder::new(root.path().to_owned());
        assert!(folder.path_of("a/b.warc.gz").is_ok());
        for (name, kind) in [
            ("", ErrorKind::InvalidInput),
            ("../x", ErrorKind::InvalidInput),
            ("a/../../b", ErrorKind::InvalidInput),
            ("./a", ErrorKind::InvalidInput),
            ("/etc/passwd", ErrorKind::InvalidInput),
            ("a", ErrorKind::InvalidData),
            ("link/b.warc.gz", ErrorKind::InvalidData),
            ("a/c", ErrorKind::NotFound),
            ("a/b.warc.gz/c", ErrorKind::InvalidData),
        ] {
            assert_eq!(folder.path_of(name).unwrap_err().kind(), kind, "{name}");
        }
    }
}
