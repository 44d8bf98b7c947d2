//! The three files of a graph. They get their names when all of them are complete.
//!
//! The hosts get their name last, and lose it first when a graph is replaced. So a folder with
//! `vertices.txt.gz` holds a whole graph, and a folder without it holds none. A journal among the
//! run files names the files of the graph with their lengths and digests. A run replaces these
//! files alone.

use crate::error::GraphError;
use huller_row::{Compression, Compressor, push_line};
use huller_run::durable::{create_folder, remove, replace, sync_folder};
use huller_run::error::RunError;
use huller_run::line_log::digests;
use huller_run::part_file::{PartFile, part_of, rename_part};
use huller_run::run_files::marks::{OutputMark, digits};
use huller_run::run_files::overwrite::is_unchanged;
use huller_run::run_files::paths::{GRAPH_JOURNAL, RUN_FILES};
use huller_run::run_files::{journal, links, lock};
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Names of the files of a graph: its hosts, its edges, and the roles of their links. The first one
/// is there only if all three are whole.
pub const GRAPH_FILE_NAMES: [&str; 3] = ["vertices.txt.gz", "edges.txt.gz", "roles.csv.gz"];

/// Uncompressed bytes of one gzip member.
const MEMBER_BYTES: usize = 1 << 20;

/// The folder of a graph, locked while the run writes there.
pub(crate) struct GraphFolder {
    root: PathBuf,
    /// The files that an earlier run wrote, and that are unchanged.
    earlier: Vec<OutputMark>,
    /// The folder itself. It has no file for the lock.
    _lock: File,
}

impl GraphFolder {
    /// Creates and locks a folder.
    ///
    /// # Errors
    ///
    /// It holds a graph and `overwrite` is not set, one of its files is a link or belongs to
    /// another program, another run works there, or it cannot be created.
    pub(crate) fn open(root: &Path, overwrite: bool) -> Result<GraphFolder, GraphError> {
        create_folder(root)?;
        let folder = File::open(root).map_err(RunError::output("open", root))?;
        lock::lock(&folder, root)?;
        let paths = GRAPH_FILE_NAMES.map(|name| root.join(name));
        let parts = paths.iter().map(|path| part_of(path));
        links::refuse(root, paths.iter().cloned().chain(parts.clone()).chain([journal_of(root)]))?;
        let is_ours = journal_of(root).exists();
        let mut earlier = unchanged_files(root)?;
        earlier.retain(|mark| root.join(&mark.output).exists());
        // A run that was killed between the names left files of its graph without the hosts.
        let is_whole = paths[0].exists();
        for (name, path) in GRAPH_FILE_NAMES.iter().zip(&paths).filter(|(_, path)| path.exists()) {
            let is_known = earlier.iter().any(|mark| mark.output == *name);
            if !overwrite && (is_whole || !is_known) {
                return Err(GraphError::Exists { path: path.clone() });
            }
            if !is_known {
                let (changed, other) = (path.clone(), root.to_owned());
                return Err(GraphError::Run(if is_ours {
                    RunError::Changed { path: changed }
                } else {
                    RunError::NoRunOfOurs { path: other }
                }));
            }
        }
        if !is_ours && parts.clone().any(|part| part.exists()) {
            return Err(GraphError::Run(RunError::NoRunOfOurs { path: root.to_owned() }));
        }
        create_folder(&root.join(RUN_FILES))?;
        let folder = GraphFolder { root: root.to_owned(), earlier, _lock: folder };
        folder.write_journal(&[])?;
        Ok(folder)
    }

    /// Returns the path of the folder.
    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    /// Writes the files of the earlier graph and these to the journal.
    fn write_journal(&self, marks: &[OutputMark]) -> Result<(), RunError> {
        let mut lines = Vec::new();
        self.earlier.iter().chain(marks).for_each(|mark| push_line(&mut lines, mark));
        replace(&journal_of(&self.root), &lines)
    }

    /// Begins one of the files.
    pub(crate) fn create(&self, name: &'static str) -> Result<GraphFile, GraphError> {
        let path = self.root.join(name);
        let file = PartFile::create(&path).map_err(RunError::output("create", &part_of(&path)))?;
        let compressor = Compressor::new(Compression::DEFAULT_GZIP);
        let (plain, packed) = (Vec::new(), Vec::new());
        Ok(GraphFile {
            name,
            file,
            compressor,
            plain,
            packed,
            lines: 0,
            bytes: 0,
            is_complete: false,
        })
    }

    /// Gives the files their names. The hosts of an earlier graph lose theirs first.
    pub(crate) fn finish(mut self, mut files: [GraphFile; 3]) -> Result<(), GraphError> {
        let marks = files.iter_mut().map(GraphFile::finish_file).collect::<Result<Vec<_>, _>>()?;
        self.write_journal(&marks)?;
        remove(&self.root.join(GRAPH_FILE_NAMES[0]))?;
        let name_result = self.name(&mut files);
        if !files[0].is_complete {
            // Without hosts the other files are no graph, neither the earlier nor the new one.
            files[1..].iter().for_each(|file| _ = remove(file.file.path()));
        }
        name_result?;
        self.earlier.clear();
        Ok(self.write_journal(&marks)?)
    }

    fn name(&self, [hosts, edges, roles]: &mut [GraphFile; 3]) -> Result<(), GraphError> {
        let sync = || sync_folder(&self.root.join(GRAPH_FILE_NAMES[0]));
        sync()?;
        edges.rename_to_final()?;
        roles.rename_to_final()?;
        sync()?;
        hosts.rename_to_final()?;
        Ok(sync()?)
    }
}

/// Returns the place of the journal of a folder.
fn journal_of(root: &Path) -> PathBuf {
    root.join(RUN_FILES).join(GRAPH_JOURNAL)
}

/// Returns the files that the journal names and that have the bytes of their mark.
fn unchanged_files(root: &Path) -> Result<Vec<OutputMark>, RunError> {
    let marks: Vec<OutputMark> = journal::read_sound(&journal_of(root))?;
    let mut unchanged = Vec::new();
    for mark in marks.into_iter().filter(|mark| GRAPH_FILE_NAMES.contains(&mark.output.as_str())) {
        if is_unchanged(&root.join(&mark.output), mark.bytes, digits(&mark.digest))? {
            unchanged.push(mark);
        }
    }
    Ok(unchanged)
}

/// A file of a graph, compressed. Dropping it removes its part.
pub(crate) struct GraphFile {
    name: &'static str,
    file: PartFile,
    compressor: Compressor,
    /// Bytes that wait for compression.
    plain: Vec<u8>,
    /// Compressed bytes that wait to be written.
    packed: Vec<u8>,
    /// Lines so far.
    lines: u64,
    /// Compressed bytes written so far.
    bytes: u64,
    /// Whether the file has its name.
    is_complete: bool,
}

impl GraphFile {
    /// Appends a line, given in parts, and its line feed.
    pub(crate) fn line(&mut self, parts: &[&[u8]]) -> Result<(), GraphError> {
        for part in parts {
            self.plain.extend_from_slice(part);
        }
        self.plain.push(b'\n');
        self.lines += 1;
        if self.plain.len() >= MEMBER_BYTES { self.flush() } else { Ok(()) }
    }

    fn flush(&mut self) -> Result<(), GraphError> {
        self.compressor.frame(&self.plain, &mut self.packed);
        self.plain.clear();
        self.write_packed()
    }

    fn write_packed(&mut self) -> Result<(), GraphError> {
        let written = self.file.file().write_all(&self.packed);
        self.bytes += self.packed.len() as u64;
        self.packed.clear();
        Ok(written.map_err(RunError::output("write", self.file.part()))?)
    }

    /// Writes the rest, makes the bytes durable, and returns the mark of the file.
    fn finish_file(&mut self) -> Result<OutputMark, GraphError> {
        self.flush()?;
        if self.bytes == 0 {
            self.compressor.empty_frame(&mut self.packed);
            self.write_packed()?;
        }
        self.file.sync().map_err(RunError::output("write", self.file.part()))?;
        let digests = digests(self.file.part(), 0, &[self.bytes])?.unwrap_or_default();
        let digest = digests.first().map(|digest| format!("sha256:{digest}")).unwrap_or_default();
        let (output, bytes, rows) = (self.name.to_owned(), self.bytes, self.lines);
        Ok(OutputMark { output, bytes, digest, rows })
    }

    /// Gives the file its name.
    fn rename_to_final(&mut self) -> Result<(), GraphError> {
        rename_part(self.file.path())?;
        self.is_complete = true;
        Ok(())
    }
}

impl Drop for GraphFile {
    fn drop(&mut self) {
        if !self.is_complete {
            self.file.remove();
        }
    }
}
