//! The three files of a graph. They get their names when all of them are complete.
//!
//! The hosts get their name last, and lose it first when a graph is replaced. So a folder with
//! `vertices.txt.gz` holds a whole graph, and a folder without it holds none. A kill between the
//! names leaves the part of the hosts. It shows that the other files belong to no graph.

use crate::error::GraphError;
use huller_row::{Compression, Compressor};
use huller_run::durable::{create_folder, remove, sync_folder};
use huller_run::error::RunError;
use huller_run::part_file::{PartFile, part_of, rename_part};
use huller_run::run_files::{links, lock};
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Names of the files of a graph: its hosts, its edges, and the roles of their links. The first one
/// is there only if all three are whole.
pub const NAMES: [&str; 3] = ["vertices.txt.gz", "edges.txt.gz", "roles.csv.gz"];

/// Uncompressed bytes of one gzip member.
const MEMBER: usize = 1 << 20;

/// The folder of a graph, locked while the run writes there.
pub(crate) struct GraphFolder {
    root: PathBuf,
    /// The folder itself. It has no file for the lock.
    _lock: File,
}

impl GraphFolder {
    /// Creates and locks a folder.
    ///
    /// # Errors
    ///
    /// It holds a graph and `overwrite` is not set, one of its files is a link, another run works
    /// there, or it cannot be created.
    pub(crate) fn open(root: &Path, overwrite: bool) -> Result<GraphFolder, GraphError> {
        create_folder(root)?;
        let folder = File::open(root).map_err(RunError::output("open", root))?;
        lock::lock(&folder, root)?;
        let paths = NAMES.map(|name| root.join(name));
        links::refuse(root, paths.iter().flat_map(|path| [path.clone(), part_of(path)]))?;
        // A killed run left its part of the hosts beside files that it had named already.
        let is_remnant = !paths[0].exists() && part_of(&paths[0]).exists();
        let refused = |path: &PathBuf| path.exists() && !overwrite && !is_remnant;
        if let Some(path) = paths.into_iter().find(refused) {
            return Err(GraphError::Exists { path });
        }
        if is_remnant {
            NAMES.iter().skip(1).try_for_each(|name| remove(&root.join(name)))?;
        }
        Ok(GraphFolder { root: root.to_owned(), _lock: folder })
    }

    /// Returns the path of the folder.
    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    /// Begins one of the files.
    pub(crate) fn create(&self, name: &str) -> Result<GraphFile, GraphError> {
        let path = self.root.join(name);
        let file = PartFile::create(&path).map_err(RunError::output("create", &part_of(&path)))?;
        let compressor = Compressor::new(Compression::DEFAULT_GZIP);
        let (plain, packed) = (Vec::new(), Vec::new());
        Ok(GraphFile { file, compressor, plain, packed, is_empty: true, is_whole: false })
    }

    /// Gives the files their names. The hosts of an earlier graph lose theirs first.
    pub(crate) fn finish(self, mut files: [GraphFile; 3]) -> Result<(), GraphError> {
        for file in &mut files {
            file.end()?;
        }
        remove(&self.root.join(NAMES[0]))?;
        let named = self.name(&mut files);
        if !files[0].is_whole {
            // Without hosts the other files are no graph, neither the earlier nor the new one.
            files[1..].iter().for_each(|file| _ = remove(file.file.path()));
        }
        named
    }

    fn name(&self, [hosts, edges, roles]: &mut [GraphFile; 3]) -> Result<(), GraphError> {
        let sync = || sync_folder(&self.root.join(NAMES[0]));
        sync()?;
        edges.rename()?;
        roles.rename()?;
        sync()?;
        hosts.rename()?;
        Ok(sync()?)
    }
}

/// A file of a graph, compressed. Dropping it removes its part.
pub(crate) struct GraphFile {
    file: PartFile,
    compressor: Compressor,
    plain: Vec<u8>,
    packed: Vec<u8>,
    is_empty: bool,
    /// Whether the file has its name.
    is_whole: bool,
}

impl GraphFile {
    /// Appends a line, given in parts, and its line feed.
    pub(crate) fn line(&mut self, parts: &[&[u8]]) -> Result<(), GraphError> {
        for part in parts {
            self.plain.extend_from_slice(part);
        }
        self.plain.push(b'\n');
        if self.plain.len() >= MEMBER { self.flush() } else { Ok(()) }
    }

    fn flush(&mut self) -> Result<(), GraphError> {
        self.compressor.frame(&self.plain, &mut self.packed);
        self.plain.clear();
        self.is_empty &= self.packed.is_empty();
        self.write_packed()
    }

    fn write_packed(&mut self) -> Result<(), GraphError> {
        let written = self.file.file().write_all(&self.packed);
        self.packed.clear();
        Ok(written.map_err(RunError::output("write", self.file.part()))?)
    }

    /// Writes the rest, and makes the bytes durable.
    fn end(&mut self) -> Result<(), GraphError> {
        self.flush()?;
        if self.is_empty {
            self.compressor.empty_frame(&mut self.packed);
            self.write_packed()?;
        }
        Ok(self.file.sync().map_err(RunError::output("write", self.file.part()))?)
    }

    /// Gives the file its name.
    fn rename(&mut self) -> Result<(), GraphError> {
        rename_part(self.file.path())?;
        self.is_whole = true;
        Ok(())
    }
}

impl Drop for GraphFile {
    fn drop(&mut self) {
        if !self.is_whole {
            self.file.remove();
        }
    }
}
