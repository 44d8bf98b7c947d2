//! The folders of a run's outputs: that of the rows, and that of the passages.

use crate::error::RunError;
use crate::plan::{name_of, path_of};
use crate::run_files::paths::RUN_FILES;
use crate::run_files::run_config::{self, RunConfig};
use std::fs;
use std::path::{Component, Path, PathBuf};

/// The folders below which a run writes outputs. Run files name outputs relative to the folder of
/// the rows. So the names of passages begin with the way from it to their own folder:
/// `../passages/a.jsonl.zst`.
#[derive(Clone, Debug)]
pub struct RunPlaces {
    root: PathBuf,
    passages: Option<PathBuf>,
}

impl RunPlaces {
    /// Returns the places of a run whose passages are at the end of this way.
    pub fn new(root: &Path, passages: Option<&Path>) -> RunPlaces {
        RunPlaces { root: root.to_owned(), passages: passages.map(Path::to_owned) }
    }

    /// Returns the places of the run in a folder, by its configuration. A folder without one, or
    /// with a damaged one, has no passages that the run files could name.
    ///
    /// # Errors
    ///
    /// [`RunError::Output`]: the configuration cannot be read.
    pub fn read(root: &Path) -> Result<RunPlaces, RunError> {
        let config = match RunConfig::read(&root.join(RUN_FILES).join(run_config::NAME)) {
            Err(RunError::DamagedRun { .. }) => None,
            read => read?,
        };
        let passages = config.and_then(|config| config.passages().map(path_of));
        Ok(RunPlaces { root: root.to_owned(), passages })
    }

    /// Returns the folder of the rows.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Returns the way to the folder of the passages, in runs that write them.
    pub fn passages(&self) -> Option<&Path> {
        self.passages.as_deref()
    }

    /// Returns whether the name of an output is that of a file of rows.
    pub fn has_rows(&self, name: &str) -> bool {
        let path = path_of(name);
        self.passages.as_ref().is_none_or(|folder| !path.starts_with(folder))
    }

    /// Returns the path of an output that a run file names. `None` for a name outside of both
    /// folders, and for a run file.
    pub fn path(&self, name: &str) -> Option<PathBuf> {
        let path = path_of(name);
        let is_below = |path: &Path| {
            let first = path.components().next();
            let is_named = path.components().all(|part| matches!(part, Component::Normal(_)));
            is_named && first.is_some_and(|first| first.as_os_str() != RUN_FILES)
        };
        if is_below(&path) {
            return Some(self.root.join(path));
        }
        let way = self.passages.as_deref()?;
        let passages = path.strip_prefix(way).ok().filter(|path| is_below(path))?;
        Some(passages_folder(&self.root, way).join(passages))
    }
}

/// Returns the folder to which a way leads from the folder of the rows, which may not exist yet.
pub fn passages_folder(root: &Path, way: &Path) -> PathBuf {
    let mut folder = resolved(root);
    for part in way.components() {
        match part {
            Component::ParentDir => _ = folder.pop(),
            part => folder.push(part),
        }
    }
    folder
}

/// Returns the way from the folder of the rows to the folder of the passages, as run files name it.
///
/// # Errors
///
/// [`RunError::NestedPassages`]: one of the folders lies in the other, so that readers of all rows
/// would read passages too.
pub fn way_to_passages(root: &Path, passages: &Path) -> Result<String, RunError> {
    let (root, folder) = (resolved(root), resolved(passages));
    if root.starts_with(&folder) || folder.starts_with(&root) {
        return Err(RunError::NestedPassages { path: passages.to_owned() });
    }
    let shared = root.components().zip(folder.components()).take_while(|(a, b)| a == b).count();
    let up = root.components().skip(shared).map(|_| Component::ParentDir);
    Ok(name_of(&up.chain(folder.components().skip(shared)).collect::<PathBuf>()))
}

/// Returns the absolute path of a folder that may not exist yet, without links.
fn resolved(folder: &Path) -> PathBuf {
    let absolute = std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned());
    let mut rest = Vec::new();
    for above in absolute.ancestors() {
        if let Ok(known) = fs::canonicalize(above) {
            return known.join(rest.iter().rev().collect::<PathBuf>());
        }
        rest.extend(above.file_name());
    }
    absolute
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    #[test]
    fn passages_are_named_from_the_folder_of_the_rows() {
        let temp = tempfile::tempdir().unwrap();
        let place = |name: &str| temp.path().join(name);
        let way = |rows: &str, passages: &str| way_to_passages(&place(rows), &place(passages));
        assert_eq!(way("rows", "passages").unwrap(), "../passages");
        assert_eq!(way("a/rows", "b/c").unwrap(), "../../b/c");
        for (rows, passages) in [("rows", "rows"), ("rows", "rows/p"), ("a/rows", "a")] {
            let refused = way(rows, passages).unwrap_err();
            assert!(matches!(refused, RunError::NestedPassages { .. }), "{rows} {passages}");
        }
        fs::create_dir_all(place("deep/er")).unwrap();
        symlink(place("deep/er"), place("link")).unwrap();
        assert_eq!(way("link", "deep/p").unwrap(), "../p");
        assert!(way("link", "deep/er/p").is_err(), "the link leads there");
    }

    #[test]
    fn only_names_below_the_two_folders_have_a_path() {
        let root = PathBuf::from("/nowhere/rows");
        let places = RunPlaces { root, passages: Some(PathBuf::from("../p")) };
        for (name, expected) in [
            ("a.jsonl", "/nowhere/rows/a.jsonl"),
            ("a/b.jsonl", "/nowhere/rows/a/b.jsonl"),
            ("../p/a.jsonl", "/nowhere/p/a.jsonl"),
            ("../p/a/b.jsonl", "/nowhere/p/a/b.jsonl"),
        ] {
            assert_eq!(places.path(name), Some(PathBuf::from(expected)));
            assert_eq!(places.has_rows(name), !name.starts_with(".."), "{name}");
        }
        let outside =
            ["", "../a", "../p", "../p/../a", "../pp/a", "/a", "_huller/lock", "../p/_huller/a"];
        for name in outside {
            assert_eq!(places.path(name), None, "{name}");
        }
        assert_eq!(RunPlaces { passages: None, ..places }.path("../p/a.jsonl"), None);
    }
}
