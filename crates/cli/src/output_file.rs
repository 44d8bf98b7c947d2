//! An output file that gets its name when it is complete, and not before.

use anyhow::{Context, Result};
use huller_pipeline::PartFile;
use huller_row::{Compression, Compressor};
use std::io::{self, Write};
use std::path::Path;

/// Uncompressed bytes of one frame.
const FRAME_BYTES: usize = 1 << 20;

/// An output: a file, or standard output.
pub(crate) struct OutputFile {
    compressor: Compressor,
    plain: Vec<u8>,
    packed: Vec<u8>,
    to: To,
    is_empty: bool,
}

enum To {
    Stdout,
    File(PartFile),
    /// The file has its final name, so dropping this removes nothing.
    Finished,
}

impl OutputFile {
    /// Opens a file, compressed by its name; `-` is standard output.
    pub(crate) fn create(path: &Path) -> Result<OutputFile> {
        let to = if path.as_os_str() == "-" {
            To::Stdout
        } else {
            let failed = || format!("cannot write '{}.part'", path.display());
            To::File(PartFile::create(path).with_context(failed)?)
        };
        let (plain, packed) = (Vec::new(), Vec::new());
        let compressor = Compressor::new(Compression::of_path(path));
        Ok(OutputFile { compressor, plain, packed, to, is_empty: true })
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
            To::Stdout => io::stdout().write_all(&self.packed),
            To::File(file) => file.file().write_all(&self.packed),
            To::Finished => Ok(()),
        }
    }

    /// Writes what is left, and gives the file its name.
    pub(crate) fn finish(mut self) -> Result<()> {
        self.flush_frame()?;
        if self.is_empty {
            self.compressor.empty_frame(&mut self.packed);
            self.write_packed()?;
        }
        if let To::File(file) = &self.to {
            file.sync()?;
            let failed = || format!("cannot write '{}'", file.path().display());
            file.rename().with_context(failed)?;
            self.to = To::Finished;
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
        if let To::File(file) = &self.to {
            // The file was not finished.
            file.remove();
        }
    }
}
