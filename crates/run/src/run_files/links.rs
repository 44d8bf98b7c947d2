//! Keeps a run from writing through symbolic links.
//!
//! A user who can create links in the output folder must not choose which file the run truncates
//! and fills. So the run checks every file that it will write, and the folders between it and the
//! output folder. The output folder itself may be reached by links. An output under its final name
//! may be a link: the run reads it, and replaces it by renaming, which does not follow links.

use crate::error::RunError;
use std::collections::HashSet;
use std::path::{Path, PathBuf};

/// Refuses `files` that are links, or that lie below a linked folder, at or below `root`. Missing
/// files pass.
///
/// # Errors
///
/// [`RunError::Link`], with the first link found.
pub fn refuse(root: &Path, files: impl Iterator<Item = PathBuf>) -> Result<(), RunError> {
    let mut folders = HashSet::new();
    for file in files {
        let above = file.ancestors().skip(1).take_while(|folder| *folder != root);
        for folder in above {
            if folders.contains(folder) {
                break;
            }
            refuse_link(folder)?;
            folders.insert(folder.to_owned());
        }
        refuse_link(&file)?;
    }
    Ok(())
}

fn refuse_link(path: &Path) -> Result<(), RunError> {
    let is_link = path.symlink_metadata().is_ok_and(|file| file.is_symlink());
    if is_link { Err(RunError::Link { path: path.to_owned() }) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::os::unix::fs::symlink;

    #[test]
    fn links_are_refused_wherever_they_stand_between() {
        let temp = tempfile::tempdir().unwrap();
        let root = temp.path().join("out");
        fs::create_dir_all(root.join("a/b")).unwrap();
        let refused = |file: &str| match refuse(&root, [root.join(file)].into_iter()) {
            Err(RunError::Link { path }) => Some(path.strip_prefix(&root).unwrap().to_owned()),
            other => other.map(|()| None).unwrap(),
        };
        assert_eq!(refused("a/b/x.part"), None);
        symlink("nowhere", root.join("a/b/x.part")).unwrap();
        assert_eq!(refused("a/b/x.part"), Some(PathBuf::from("a/b/x.part")));
        symlink(temp.path(), root.join("a/c")).unwrap();
        assert_eq!(refused("a/c/d/x.part"), Some(PathBuf::from("a/c")));
        // The output folder itself may be a link.
        symlink(&root, temp.path().join("link")).unwrap();
        let link = temp.path().join("link");
        assert!(refuse(&link, [link.join("a/x.part")].into_iter()).is_ok());
    }
}
