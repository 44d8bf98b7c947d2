//! Writes the additional files of an input in runs with several formats, with the same rows in
//! each.

use crate::work::context::Context;
use huller_row::{Assembler, Compressor, each_piece, layouts};
use huller_run::error::RunError;
use huller_run::output_file::OutputFile;
use huller_run::part_file::{part_of, rename_part};
use huller_run::plan::name_of;
use huller_run::run_files::marks::OutputMark;
use std::fs;
use std::path::{Path, PathBuf};

/// The files of the additional formats, during writing. They get their names before the first file
/// does.
pub(crate) struct SecondaryOutputs {
    files: Vec<SecondaryFile>,
    /// Number of the formats, the first included.
    formats: usize,
    has_begun: bool,
    has_ended: bool,
    /// Whether a checkpoint has their marks.
    is_noted: bool,
}

struct SecondaryFile {
    file: OutputFile,
    path: PathBuf,
    name: PathBuf,
    assembler: Box<dyn Assembler>,
    compressor: Compressor,
}

impl SecondaryOutputs {
    /// Creates the files over the remains of earlier ones. Runs with one format have none.
    pub(crate) fn create(
        root: &Path,
        names: &[PathBuf],
        context: &Context<'_>,
    ) -> Result<SecondaryOutputs, RunError> {
        let formats = context.format.formats();
        let layouts = layouts(formats, context.layout);
        let mut files = Vec::new();
        for ((format, layout), name) in formats.iter().zip(&layouts).skip(1).zip(names) {
            let path = root.join(name);
            let mut file = OutputFile::create(&path)?;
            file.add_time_to(context.clocks);
            files.push(SecondaryFile {
                file,
                path,
                name: name.clone(),
                assembler: format.assembler(layout),
                compressor: Compressor::new(layout.compression),
            });
        }
        let (has_begun, has_ended, is_noted) = (false, false, false);
        Ok(SecondaryOutputs { files, formats: formats.len(), has_begun, has_ended, is_noted })
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    /// Returns the names of the files.
    pub(crate) fn names(&self) -> Vec<String> {
        self.files.iter().map(|file| name_of(&file.name)).collect()
    }

    /// Appends a worker's result for a batch: the pieces of all formats, joined.
    pub(crate) fn piece(&mut self, joined: &[u8]) -> Result<(), RunError> {
        if self.is_empty() {
            return Ok(());
        }
        self.begin()?;
        each_piece(joined, self.formats, |number, piece| {
            // The first format is written elsewhere.
            let Some(SecondaryFile { file, assembler, compressor, .. }) =
                number.checked_sub(1).and_then(|number| self.files.get_mut(number))
            else {
                return Ok(());
            };
            let written = assembler.piece(piece, compressor, file);
            file.check_write(written)
        })
    }

    fn begin(&mut self) -> Result<(), RunError> {
        if std::mem::replace(&mut self.has_begun, true) {
            return Ok(());
        }
        self.files.iter_mut().try_for_each(
            |SecondaryFile { file, assembler, compressor, .. }| {
                let written = assembler.begin(compressor, file);
                file.check_write(written)
            },
        )
    }

    /// Appends the end of each format, once.
    pub(crate) fn end(&mut self) -> Result<(), RunError> {
        if std::mem::replace(&mut self.has_ended, true) {
            return Ok(());
        }
        self.begin()?;
        self.files.iter_mut().try_for_each(
            |SecondaryFile { file, assembler, compressor, .. }| {
                let written = assembler.end(compressor, file);
                file.check_write(written)
            },
        )
    }

    /// Returns the marks of the files as they are now, with so many rows each.
    fn marks(&mut self, rows: u64) -> Result<Vec<OutputMark>, RunError> {
        let mark = |SecondaryFile { file, name, .. }: &mut SecondaryFile| {
            Ok(OutputMark {
                output: name_of(name),
                bytes: file.bytes_written(),
                digest: format!("sha256:{}", file.digest()?),
                rows,
            })
        };
        self.files.iter_mut().map(mark).collect()
    }

    /// Returns the marks of the files once they have ended, for the last checkpoint. By these a run
    /// after a kill knows the files that have their names.
    pub(crate) fn take_ended(&mut self) -> Result<Vec<OutputMark>, RunError> {
        if !self.has_ended || std::mem::replace(&mut self.is_noted, true) {
            return Ok(Vec::new());
        }
        self.marks(0)
    }

    /// Makes their bytes durable. The files keep the names of parts.
    pub(crate) fn set_aside(mut self, rows: u64) -> Result<Vec<(PathBuf, OutputMark)>, RunError> {
        let marks = self.marks(rows)?;
        let mut aside = Vec::new();
        for (SecondaryFile { file, path, .. }, mark) in self.files.into_iter().zip(marks) {
            file.set_aside()?;
            aside.push((path, mark));
        }
        Ok(aside)
    }

    /// Removes parts whose bytes could not be made durable.
    pub(crate) fn distrust(self) {
        self.files.into_iter().for_each(|file| file.file.distrust());
    }

    /// Removes files without rows, and files that an earlier run may have made of other bytes of
    /// the input.
    pub(crate) fn discard(self) -> Result<(), RunError> {
        self.files.into_iter().try_for_each(|file| file.file.discard())
    }

    /// Removes the parts of an aborted input.
    pub(crate) fn abandon(self) {
        for file in self.files {
            // A run that makes these files again starts them again, so a failure has no
            // consequence.
            let _ = fs::remove_file(part_of(&file.path));
        }
    }
}

/// Gives durable parts their final names, and returns their marks.
pub(crate) fn rename_all(aside: Vec<(PathBuf, OutputMark)>) -> Result<Vec<OutputMark>, RunError> {
    aside.into_iter().map(|(path, mark)| rename_part(&path).map(|()| mark)).collect()
}
