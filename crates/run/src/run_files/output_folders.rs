//! The folders of a run's outputs: that of the rows, and those of the tables beside them.

use crate::error::RunError;
use crate::plan::{name_of, path_of};
use crate::run_files::paths::RUN_FILES;
use crate::run_files::run_config::{self, RunConfig};
use crate::run_files::side_tables::{SideTable, SideTables};
use std::fs;
use std::path::{Component, Path, PathBuf};

/// The folders below which a run writes outputs. Run files name outputs relative to the folder of
/// the rows. Names of side-table files therefore begin with a relative path, as in
/// `../passages/a.jsonl.zst`.
#[derive(Clone, Debug)]
pub struct OutputFolders {
    root: PathBuf,
    side_tables: SideTables<PathBuf>,
}

impl OutputFolders {
    /// Returns the folders of a run. `side_tables` are relative to the folder of the rows.
    pub fn new(root: &Path, side_tables: SideTables<PathBuf>) -> OutputFolders {
        OutputFolders { root: root.to_owned(), side_tables }
    }

    /// Reads the folders of the run in `root` from its configuration. Without a configuration, or
    /// with a damaged one, there are no side tables that the run files could name.
    ///
    /// # Errors
    ///
    /// [`RunError::Output`]: the configuration cannot be read.
    pub fn read(root: &Path) -> Result<OutputFolders, RunError> {
        let config = match RunConfig::read(&root.join(RUN_FILES).join(run_config::NAME)) {
            Err(RunError::DamagedRun { .. }) => None,
            read => read?,
        };
        let side_tables = config.map_or_else(SideTables::default, |config| config.side_tables());
        Ok(OutputFolders::new(root, side_tables))
    }

    /// Returns the folder of the rows.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Returns the folders of the side tables, relative to the folder of the rows.
    pub fn side_tables(&self) -> &SideTables<PathBuf> {
        &self.side_tables
    }

    /// Returns the table that the output of this name belongs to. `None` for a file of rows.
    pub fn side_table_of(&self, name: &str) -> Option<SideTable> {
        let path = path_of(name);
        let mut tables = self.side_tables.iter();
        tables.find(|(_, folder)| path.starts_with(folder)).map(|(table, _)| table)
    }

    /// Returns the path of an output that a run file names. `None` for a name outside of these
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
        self.side_tables.values().find_map(|folder| {
            let rest = path.strip_prefix(folder).ok().filter(|path| is_below(path))?;
            Some(resolve_relative(&self.root, folder).join(rest))
        })
    }
}

/// Returns the absolute path of a folder that is given relative to `root`, the folder of the rows.
/// Neither needs to exist yet.
pub fn resolve_relative(root: &Path, relative: &Path) -> PathBuf {
    let mut folder = resolved(root);
    for part in relative.components() {
        match part {
            Component::ParentDir => _ = folder.pop(),
            part => folder.push(part),
        }
    }
    folder
}

/// Returns the paths of side-table folders relative to the folder of the rows, as run files name
/// them.
///
/// # Errors
///
/// [`RunError::NestedFolders`]: one of the folders lies in another, so that readers of all files of
/// one would read those of the other too.
pub fn relative_folders(
    root: &Path,
    folders: &SideTables<&Path>,
) -> Result<SideTables<String>, RunError> {
    let root = resolved(root);
    let mut known = vec![root.clone()];
    SideTables::try_from_fn(|table| {
        let Some(path) = folders.get(table) else { return Ok(None) };
        let folder = resolved(path);
        if known.iter().any(|known| known.starts_with(&folder) || folder.starts_with(known)) {
            return Err(RunError::NestedFolders { path: (*path).to_owned(), table });
        }
        let shared = root.components().zip(folder.components()).take_while(|(a, b)| a == b).count();
        let up = root.components().skip(shared).map(|_| Component::ParentDir);
        let relative = name_of(&up.chain(folder.components().skip(shared)).collect::<PathBuf>());
        known.push(folder);
        Ok(Some(relative))
    })
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

    fn relative(root: &Path, passages: &Path) -> Result<String, RunError> {
        let mut folders = SideTables::default();
        folders.set(SideTable::Passages, Some(passages));
        relative_folders(root, &folders)
            .map(|folders| folders.get(SideTable::Passages).unwrap().clone())
    }

    #[test]
    fn tables_are_named_from_the_folder_of_the_rows() {
        let temp = tempfile::tempdir().unwrap();
        let path = |name: &str| temp.path().join(name);
        let relative = |rows: &str, passages: &str| relative(&path(rows), &path(passages));
        assert_eq!(relative("rows", "passages").unwrap(), "../passages");
        assert_eq!(relative("a/rows", "b/c").unwrap(), "../../b/c");
        for (rows, passages) in [("rows", "rows"), ("rows", "rows/p"), ("a/rows", "a")] {
            let refused = relative(rows, passages).unwrap_err();
            assert!(matches!(refused, RunError::NestedFolders { .. }), "{rows} {passages}");
        }
        fs::create_dir_all(path("deep/er")).unwrap();
        symlink(path("deep/er"), path("link")).unwrap();
        assert_eq!(relative("link", "deep/p").unwrap(), "../p");
        assert!(relative("link", "deep/er/p").is_err(), "the link leads there");
    }

    #[test]
    fn side_tables_share_no_folder() {
        let temp = tempfile::tempdir().unwrap();
        let path = |name: &str| temp.path().join(name);
        let (passages, links) = (path("p"), path("p/links"));
        let mut folders = SideTables::default();
        folders.set(SideTable::Passages, Some(passages.as_path()));
        for other in [&passages, &links] {
            folders.set(SideTable::Links, Some(other.as_path()));
            let refused = relative_folders(&path("rows"), &folders).unwrap_err();
            assert!(refused.to_string().contains("links"), "{refused}");
        }
        let apart = path("l");
        folders.set(SideTable::Links, Some(apart.as_path()));
        let folders = relative_folders(&path("rows"), &folders).unwrap();
        assert_eq!(folders.values().collect::<Vec<_>>(), ["../p", "../l"]);
    }

    #[test]
    fn only_names_below_these_folders_have_a_path() {
        let mut side_tables = SideTables::default();
        side_tables.set(SideTable::Passages, Some(PathBuf::from("../p")));
        let folders = OutputFolders::new(Path::new("/nowhere/rows"), side_tables);
        for (name, expected) in [
            ("a.jsonl", "/nowhere/rows/a.jsonl"),
            ("a/b.jsonl", "/nowhere/rows/a/b.jsonl"),
            ("../p/a.jsonl", "/nowhere/p/a.jsonl"),
            ("../p/a/b.jsonl", "/nowhere/p/a/b.jsonl"),
        ] {
            assert_eq!(folders.path(name), Some(PathBuf::from(expected)));
            let table = name.starts_with("..").then_some(SideTable::Passages);
            assert_eq!(folders.side_table_of(name), table, "{name}");
        }
        let outside =
            ["", "../a", "../p", "../p/../a", "../pp/a", "/a", "_huller/lock", "../p/_huller/a"];
        for name in outside {
            assert_eq!(folders.path(name), None, "{name}");
        }
        let without = OutputFolders::new(folders.root(), SideTables::default());
        assert_eq!(without.path("../p/a.jsonl"), None);
    }
}
