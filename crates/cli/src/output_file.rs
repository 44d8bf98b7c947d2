//! Writes an output file that gets its name only when it is complete.

use crate::usage_error::UsageError;
use anyhow::Result;
use huller_pipeline::{PartFile, RunError, part_of};
use huller_row::{Compression, Compressor};
use std::fs::File;
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

/// Uncompressed bytes of one frame.
const FRAME_BYTES: usize = 1 << 20;

/// The error of an output file that could not be written, of a command without `--resume`.
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
pub(crate) struct WriteError(#[from] RunError);

impl WriteError {
    /// Makes the error of this file from an error of the system.
    pub(crate) fn for_path(path: &Path) -> impl FnOnce(io::Error) -> WriteError {
        let failed = RunError::output("write", path);
        move |error| WriteError(failed(error))
    }

    /// Returns the error of an output file behind another error, if there is one.
    pub(crate) fn find_in(error: &anyhow::Error) -> Option<&WriteError> {
        let wrapped = || error.downcast_ref::<io::Error>()?.get_ref()?.downcast_ref();
        error.downcast_ref().or_else(wrapped)
    }

    /// Returns the kind of the system's error.
    pub(crate) fn kind(&self) -> ErrorKind {
        match &self.0 {
            RunError::Output { source, .. } => source.kind(),
            _ => ErrorKind::Other,
        }
    }
}

/// The error in the form that `Write` passes on.
impl From<WriteError> for io::Error {
    fn from(error: WriteError) -> io::Error {
        io::Error::new(error.kind(), error)
    }
}

/// An output: a file, or standard output.
pub(crate) struct OutputFile {
    compressor: Compressor,
    /// Bytes that wait for compression.
    plain: Vec<u8>,
    /// Compressed bytes that wait to be written.
    packed: Vec<u8>,
    to: Destination,
    is_empty: bool,
}

enum Destination {
    Stdout,
    /// A device or a pipe, which has its name already.
    Device(File, PathBuf),
    File(PartFile),
    /// The file has its final name, so dropping this removes nothing.
    Finished,
}

impl OutputFile {
    /// Opens a file, compressed by its name; `-` is standard output. `inputs` are the files and
    /// folders that the command reads.
    ///
    /// # Errors
    ///
    /// The file is an input or is in a folder of inputs, or it cannot be created.
    pub(crate) fn create<P: AsRef<Path>>(
        path: &Path,
        inputs: impl IntoIterator<Item = P>,
    ) -> Result<OutputFile> {
        let destination = if path.as_os_str() == "-" {
            Destination::Stdout
        } else {
            refuse_inputs(path, inputs)?;
            let failed = WriteError::for_path(path);
            if path.metadata().is_ok_and(|metadata| !metadata.is_file()) {
                let device = File::options().write(true).open(path).map_err(failed)?;
                Destination::Device(device, path.to_owned())
            } else {
                Destination::File(PartFile::create(path).map_err(failed)?)
            }
        };
        let (plain, packed) = (Vec::new(), Vec::new());
        let compressor = Compressor::new(Compression::from_path(path));
        Ok(OutputFile { compressor, plain, packed, to: destination, is_empty: true })
    }

    /// As [`OutputFile::create`], for bytes that are compressed already.
    pub(crate) fn create_packed<P: AsRef<Path>>(
        path: &Path,
        inputs: impl IntoIterator<Item = P>,
    ) -> Result<OutputFile> {
        let mut file = OutputFile::create(path, inputs)?;
        file.compressor = Compressor::new(Compression::None);
        Ok(file)
    }

    /// Writes a whole file.
    ///
    /// # Errors
    ///
    /// As [`OutputFile::create`], or the bytes cannot be written.
    pub(crate) fn write_whole<P: AsRef<Path>>(
        path: &Path,
        inputs: impl IntoIterator<Item = P>,
        bytes: &[u8],
    ) -> Result<()> {
        let mut file = OutputFile::create(path, inputs)?;
        file.write_all(bytes)?;
        file.finish()
    }

    fn flush_frame(&mut self) -> io::Result<()> {
        self.packed.clear();
        self.compressor.frame(&self.plain, &mut self.packed);
        self.plain.clear();
        self.is_empty &= self.packed.is_empty();
        self.write_packed()
    }

    fn write_packed(&mut self) -> io::Result<()> {
        match &mut self.to {
            Destination::Stdout => io::stdout().write_all(&self.packed)?,
            Destination::Device(device, path) => {
                device.write_all(&self.packed).map_err(WriteError::for_path(path))?;
            }
            Destination::File(file) => {
                let written = file.file().write_all(&self.packed);
                written.map_err(WriteError::for_path(file.path()))?;
            }
            Destination::Finished => {}
        }
        Ok(())
    }

    /// Writes the remaining bytes, and gives the file its name.
    pub(crate) fn finish(mut self) -> Result<()> {
        self.flush_frame()?;
        if self.is_empty {
            self.compressor.empty_frame(&mut self.packed);
            self.write_packed()?;
        }
        if let Destination::File(file) = &self.to {
            file.finish().map_err(WriteError)?;
            self.to = Destination::Finished;
        }
        Ok(())
    }
}

impl Write for OutputFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.plain.extend_from_slice(bytes);
        if self.plain.len() >= FRAME_BYTES {
            self.flush_frame()?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Drop for OutputFile {
    fn drop(&mut self) {
        if let Destination::File(file) = &self.to {
            // The file was not finished.
            file.remove();
        }
    }
}

/// Refuses an output that would replace a file that the command reads. Such a file is an input or
/// is in a folder of inputs. An HTML file in such a folder counts as an earlier report, which the
/// command may replace.
fn refuse_inputs<P: AsRef<Path>>(
    output: &Path,
    inputs: impl IntoIterator<Item = P>,
) -> Result<(), UsageError> {
    let existing: Vec<_> = [output.to_owned(), part_of(output)]
        .into_iter()
        .filter_map(|path| path.canonicalize().ok())
        .collect();
    if existing.is_empty() {
        return Ok(());
    }
    for input in inputs {
        let Ok(input) = input.as_ref().canonicalize() else { continue };
        let is_report = |file: &Path| file.extension().is_some_and(|suffix| suffix == "html");
        let replaces = |file: &Path| {
            let is_in = file.starts_with(&input) && !is_report(file);
            *file == input || is_in || is_same_file(file, &input)
        };
        if existing.iter().any(|file| replaces(file)) {
            let name = output.display();
            return Err(UsageError(format!(
                "'{name}' is a file that this command reads: write to another one (-o)"
            )));
        }
    }
    Ok(())
}

/// Returns whether two names are hard links to one file.
#[cfg(unix)]
fn is_same_file(left: &Path, right: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let device_and_inode =
        |path: &Path| path.metadata().ok().map(|metadata| (metadata.dev(), metadata.ino()));
    device_and_inode(left).is_some_and(|left| device_and_inode(right) == Some(left))
}

#[cfg(not(unix))]
fn is_same_file(_: &Path, _: &Path) -> bool {
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn an_output_replaces_no_input() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::create_dir(at("in")).unwrap();
        for name in ["in/page.html", "in/rows.jsonl", "in/report.html", "other.part"] {
            fs::write(at(name), "content").unwrap();
        }
        fs::hard_link(at("in/page.html"), at("linked.html")).unwrap();
        for (output, input, is_refused) in [
            ("in/page.html", "in/page.html", true),
            ("in/../in/page.html", "in/page.html", true),
            ("linked.html", "in/page.html", true),
            ("in/rows.jsonl", "in", true),
            ("in/report.html", "in", false),
            ("in/new.jsonl", "in", false),
            ("other", "other.part", true),
            ("report.html", "in/page.html", false),
        ] {
            let written = OutputFile::write_whole(&at(output), [at(input)], b"new");
            let is_usage = written.err().map(|error| error.is::<UsageError>());
            assert_eq!(is_usage, is_refused.then_some(true), "{output} of {input}");
        }
        assert_eq!(fs::read_to_string(at("in/page.html")).unwrap(), "content");
    }

    #[test]
    fn a_device_is_written_to_and_not_replaced() {
        let device = Path::new("/dev/null");
        OutputFile::write_whole(device, [Path::new(".")], b"new").unwrap();
        assert!(!device.metadata().unwrap().is_file());
        assert!(OutputFile::write_whole(&std::env::temp_dir(), [device], b"new").is_err());
    }
}
