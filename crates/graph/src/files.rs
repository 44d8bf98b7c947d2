//! The three files of a graph. They get their names when all of them are complete.

use crate::error::GraphError;
use huller_row::{Compression, Compressor};
use huller_run::durable::{create_folder, remove, sync_folder};
use huller_run::error::RunError;
use huller_run::part_file::{PartFile, part_of, rename_part};
use huller_run::run_files::{links, lock};
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Names of the files of a graph: its hosts, its edges, and the roles of their links.
pub const NAMES: [&str; 3] = ["vertices.txt.gz", "edges.txt.gz", "roles.csv.gz"];

/// Uncompressed bytes of one gzip member.
const MEMBER: usize = 1 << 20;

/// The folder of a graph, locked while the run writes there.
pub(crate) struct GraphFolder {
    root: PathBuf,
    /// Whether files of an earlier graph may be replaced.
    overwrite: bool,
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
        if let Some(path) = paths.into_iter().find(|path| path.exists() && !overwrite) {
            return Err(GraphError::Exists { path });
        }
        Ok(GraphFolder { root: root.to_owned(), overwrite, _lock: folder })
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

    /// Gives the files their names, and removes those of an earlier graph first. So a kill leaves
    /// no mixture of two graphs.
    pub(crate) fn finish(self, mut files: [GraphFile; 3]) -> Result<(), GraphError> {
        for file in &mut files {
            file.end()?;
        }
        for file in files.iter().filter(|_| self.overwrite) {
            remove(file.file.path())?;
        }
        for mut file in files {
            rename_part(file.file.path())?;
            file.is_whole = true;
        }
        Ok(sync_folder(&self.root.join(NAMES[0]))?)
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
}

impl Drop for GraphFile {
    fn drop(&mut self) {
        if !self.is_whole {
            self.file.remove();
        }
    }
}
