//! Writes the output of one input: its files, and the assembler of their format.

use crate::work::context::Context;
use crate::work_item::{BatchOutput, FileSplit};
use crate::write::secondary_outputs::{SecondaryOutputs, rename_all};
use crate::write::side_file::{SideFiles, name_side_files};
use data_encoding::HEXLOWER;
use huller_row::{Assembler, Compressor};
use huller_run::digest::RequestedDigest;
use huller_run::durable::sync_folder;
use huller_run::error::RunError;
use huller_run::output_file::OutputFile;
use huller_run::part_file::{part_of, rename_part};
use huller_run::plan::{Job, name_of};
use huller_run::run_files::links;
use huller_run::run_files::marks::OutputMark;
use huller_run::run_files::side_tables::SideTables;
use huller_run::split::sibling;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// An output being written. All of its files are durable before any gets its name.
pub(crate) struct Output {
    file: OutputFile,
    assembler: Box<dyn Assembler>,
    /// Whether the file has its beginning.
    has_begun: bool,
    /// Whether it has its end.
    has_ended: bool,
    /// Rows of the file.
    rows: u64,
    /// Its bytes, and the bytes that the assembler holds.
    bytes: u64,
    place: OutputPaths,
    /// The full files, in their order.
    full: Vec<OutputMark>,
    /// Number of full files that checkpoints have.
    noted: usize,
    /// The same rows in other formats.
    secondary: SecondaryOutputs,
    /// The files in side tables.
    side_files: SideFiles,
}

/// The paths of the files of an input.
pub(crate) struct OutputPaths {
    root: PathBuf,
    /// The first file, relative to the root.
    first: PathBuf,
    /// The ending of its name.
    ending: String,
    /// The files in other formats, relative to the root.
    secondary: Vec<PathBuf>,
    /// The path of each file in a side table, and its name in run files.
    side_files: SideTables<(PathBuf, String)>,
}

impl OutputPaths {
    pub(crate) fn new(root: &Path, job: &Job, context: &Context<'_>) -> OutputPaths {
        let ending = context.output_suffix();
        let first = job.output_path(Path::new(""), &ending);
        let suffixes = context.settings.output_suffixes();
        let secondary =
            suffixes.iter().skip(1).map(|suffix| job.output_path(Path::new(""), suffix));
        let side_files = context.names.side_files(root, job);
        OutputPaths {
            root: root.to_owned(),
            first,
            ending,
            secondary: secondary.collect(),
            side_files,
        }
    }

    /// Returns the names of the first file and of the files in other formats.
    pub(crate) fn names(&self) -> (String, Vec<String>) {
        (name_of(&self.first), self.secondary.iter().map(|name| name_of(name)).collect())
    }

    /// Returns the names of the files in side tables.
    pub(crate) fn side_names(&self) -> SideTables<String> {
        self.side_files.map(|_, (_, name)| name.clone())
    }

    /// Removes the current part and those of the full files before it.
    pub(crate) fn remove_parts(&self, full: usize) {
        for number in 0..=full {
            // A later run removes any part that is left, so a failure does no harm.
            let _ = fs::remove_file(part_of(&self.path(number)));
        }
    }

    fn path(&self, number: usize) -> PathBuf {
        self.root.join(self.name(number))
    }

    fn name(&self, number: usize) -> PathBuf {
        sibling(&self.first, number, &self.ending)
    }
}

impl Output {
    /// Begins an output over the remains of an earlier one. The first piece is the first to be
    /// written. So a checkpoint at the length 0 means that the file has to be written from the
    /// start.
    pub(crate) fn create(paths: OutputPaths, context: &Context<'_>) -> Result<Output, RunError> {
        let file = OutputFile::create(&paths.path(0))?;
        Output::new(file, paths, context, Vec::new())
    }

    /// Continues an output at a checkpoint. `state` is the result of [`Output::state`] there, and
    /// `full` are the files before this one.
    pub(crate) fn resume(
        file: OutputFile,
        paths: OutputPaths,
        context: &Context<'_>,
        state: &str,
        rows: u64,
        full: Vec<OutputMark>,
    ) -> Result<Output, RunError> {
        let state = HEXLOWER.decode(state.as_bytes()).map_err(|error| RunError::CannotResume {
            reason: format!("the state of an output in the checkpoint cannot be read: {error}"),
        })?;
        let noted = full.len();
        let mut output = Output::new(file, paths, context, full)?;
        output.has_begun = output.file.bytes_written() > 0;
        if output.has_begun {
            output.assembler.resume(output.file.bytes_written(), &state);
        }
        Ok(Output { rows, noted, bytes: output.file.bytes_written(), ..output })
    }

    /// Makes an output at this file. Removes parts of later files that a killed run left, since
    /// this run may make fewer.
    fn new(
        mut file: OutputFile,
        paths: OutputPaths,
        context: &Context<'_>,
        full: Vec<OutputMark>,
    ) -> Result<Output, RunError> {
        file.add_time_to(context.clocks);
        let assembler = context.format.assembler(context.layout);
        if context.settings.split.is_asked() {
            for part in (full.len() + 1..).map(|number| part_of(&paths.path(number))) {
                match fs::remove_file(&part) {
                    Ok(()) => {}
                    Err(error) if error.kind() == ErrorKind::NotFound => break,
                    Err(error) => return Err(RunError::output("remove", &part)(error)),
                }
            }
        }
        let secondary = SecondaryOutputs::create(&paths.root, &paths.secondary, context)?;
        let side_files = SideFiles::create(&paths.side_files, context)?;
        let (rows, bytes, noted) = (0, 0, 0);
        let (has_begun, has_ended) = (false, false);
        Ok(Output {
            file,
            assembler,
            has_begun,
            has_ended,
            rows,
            bytes,
            place: paths,
            full,
            noted,
            secondary,
            side_files,
        })
    }

    /// Appends a worker's result for a batch. Returns whether another file has begun.
    pub(crate) fn append(
        &mut self,
        batch_output: &BatchOutput,
        context: &Context<'_>,
        compressor: &mut Compressor,
    ) -> Result<bool, RunError> {
        let split = context.settings.split;
        if !split.is_asked() {
            self.write_piece(&batch_output.piece, compressor)?;
            return Ok(false);
        }
        let (length_before, mut start) = (self.full.len(), 0);
        for FileSplit { rows, end } in batch_output.parts.iter().copied() {
            let piece = &batch_output.piece[start..end];
            if self.rows > 0 && split.is_over(self.rows + rows, self.bytes + piece.len() as u64) {
                self.next_file(context, compressor)?;
            }
            self.write_piece(piece, compressor)?;
            self.rows += rows;
            start = end;
        }
        Ok(self.full.len() > length_before)
    }

    /// Appends a piece of a worker: its rows, and those of the side tables.
    fn write_piece(&mut self, piece: &[u8], compressor: &mut Compressor) -> Result<(), RunError> {
        if self.side_files.is_empty() {
            return self.rows(piece, compressor);
        }
        let mut side_files = std::mem::take(&mut self.side_files);
        let written = side_files.write_piece(piece, |rows| self.rows(rows, compressor));
        self.side_files = side_files;
        written
    }

    fn rows(&mut self, piece: &[u8], compressor: &mut Compressor) -> Result<(), RunError> {
        self.begin(compressor)?;
        let written = self.assembler.write_piece(piece, compressor, &mut self.file);
        self.bytes += piece.len() as u64;
        self.file.check_write(written)?;
        self.secondary.write_piece(piece)
    }

    fn begin(&mut self, compressor: &mut Compressor) -> Result<(), RunError> {
        if std::mem::replace(&mut self.has_begun, true) {
            return Ok(());
        }
        let written = self.assembler.begin(compressor, &mut self.file);
        self.bytes = self.file.bytes_written();
        self.file.check_write(written)
    }

    /// Ends the file and begins the next one.
    fn next_file(
        &mut self,
        context: &Context<'_>,
        compressor: &mut Compressor,
    ) -> Result<(), RunError> {
        self.end(compressor)?;
        let path = self.place.path(self.full.len() + 1);
        links::refuse(&self.place.root, [part_of(&path)].into_iter())?;
        let mark = self.mark()?;
        let mut file = OutputFile::create(&path)?;
        file.add_time_to(context.clocks);
        std::mem::replace(&mut self.file, file).sync_as_part()?;
        self.full.push(mark);
        self.assembler = context.format.assembler(context.layout);
        (self.has_begun, self.has_ended, self.rows, self.bytes) = (false, false, 0, 0);
        Ok(())
    }

    /// Returns the name of the current file, relative to the output folder.
    pub(crate) fn name(&self) -> String {
        name_of(&self.place.name(self.full.len()))
    }

    /// Returns its length and rows, and its digest, which may be computed later.
    pub(crate) fn measure(&mut self) -> Result<(u64, u64, RequestedDigest), RunError> {
        Ok((self.file.bytes_written(), self.rows, self.file.ask_digest()?))
    }

    /// Returns the mark of the file as it is now.
    fn mark(&mut self) -> Result<OutputMark, RunError> {
        let (bytes, rows, digest) = self.measure()?;
        let digest = format!("sha256:{}", digest.hex()?);
        Ok(OutputMark { output: self.name(), bytes, digest, rows })
    }

    /// Returns the files that have become full since the last call. Checkpoints keep them.
    pub(crate) fn take_full(&mut self) -> Result<Vec<OutputMark>, RunError> {
        let mut full = self.full[self.noted..].to_vec();
        self.noted = self.full.len();
        full.extend(self.secondary.take_ended()?);
        full.extend(self.side_files.take_ended()?);
        Ok(full)
    }

    /// Returns the names of the files with the same rows in other formats.
    pub(crate) fn secondary_names(&self) -> Vec<String> {
        self.secondary.names()
    }

    /// Returns the names of the files in side tables.
    pub(crate) fn side_names(&self) -> SideTables<String> {
        self.side_files.names()
    }

    /// Returns the state of the assembler for a checkpoint, hexadecimal.
    pub(crate) fn state(&self) -> String {
        HEXLOWER.encode(&self.assembler.state())
    }

    /// Appends the end of the format, once.
    pub(crate) fn end(&mut self, compressor: &mut Compressor) -> Result<(), RunError> {
        if std::mem::replace(&mut self.has_ended, true) {
            return Ok(());
        }
        self.begin(compressor)?;
        let written = self.assembler.end(compressor, &mut self.file);
        self.file.check_write(written)?;
        self.side_files.end()?;
        self.secondary.end()
    }

    /// Removes a part whose bytes could not be made durable ([`OutputFile::discard_unsynced`]).
    pub(crate) fn discard_unsynced(self) {
        self.secondary.discard_unsynced();
        self.side_files.discard_unsynced();
        self.file.discard_unsynced();
    }

    /// Removes an output without rows, and the output that an earlier run may have made of other
    /// bytes of the input.
    pub(crate) fn discard(self) -> Result<(), RunError> {
        self.secondary.discard()?;
        self.side_files.discard()?;
        self.file.discard()
    }

    /// Removes the parts of an aborted input.
    pub(crate) fn abandon(self) {
        self.secondary.abandon();
        self.side_files.abandon();
        self.place.remove_parts(self.full.len());
    }

    /// Makes the files durable under their names, the last one first. So after a kill between two
    /// of them the remaining parts are numbered without a gap.
    pub(crate) fn finish(mut self, rows: u64) -> Result<FinishedFiles, RunError> {
        let mark = self.mark()?;
        let Output { file, place, mut full, secondary, side_files, .. } = self;
        if !secondary.is_empty() || !side_files.is_empty() {
            let path = place.path(0);
            file.sync_as_part()?;
            let secondary = secondary.sync_as_part(rows)?;
            let side_files = name_side_files(&side_files.sync_as_part()?)?;
            let secondary = rename_all(secondary)?;
            rename_part(&path)?;
            sync_folder(&path)?;
            return Ok(FinishedFiles { rows: vec![mark], secondary, side_files });
        }
        file.finish()?;
        for number in (0..full.len()).rev() {
            rename_part(&place.path(number))?;
        }
        if !full.is_empty() {
            sync_folder(&place.path(0))?;
        }
        full.push(mark);
        Ok(FinishedFiles { rows: full, ..FinishedFiles::default() })
    }
}

/// The files of an input that have their names.
#[derive(Default)]
pub(crate) struct FinishedFiles {
    /// The files of its rows, each row in exactly one.
    pub(crate) rows: Vec<OutputMark>,
    /// The same rows in other formats.
    pub(crate) secondary: Vec<OutputMark>,
    /// The files in side tables.
    pub(crate) side_files: SideTables<OutputMark>,
}
