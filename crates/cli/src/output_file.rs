//! A file that is there when it is whole, and not before.

use anyhow::{Context, Result};
use huller_archive::{Compression, Encoder};
use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// So much is compressed as one frame.
const FRAME_BYTES: usize = 1 << 20;

/// Where rows go, or any other bytes.
pub(crate) struct OutputFile {
    encoder: Encoder,
    plain: Vec<u8>,
    packed: Vec<u8>,
    to: To,
    is_empty: bool,
}

enum To {
    Stdout,
    File {
        path: PathBuf,
        part: PathBuf,
        file: File,
    },
    /// Renamed: nothing is left to be removed.
    Finished,
}

impl OutputFile {
    /// Opens a file, compressed by its name; `-` is standard output.
    pub(crate) fn create(path: &Path) -> Result<OutputFile> {
        let compression = match path.extension().and_then(|extension| extension.to_str()) {
            Some("zst") => Compression::Zstd { level: 1 },
            Some("gz") => Compression::Gzip { level: 6 },
            _ => Compression::None,
        };
        let to = if path.as_os_str() == "-" {
            To::Stdout
        } else {
            let mut part = path.as_os_str().to_owned();
            part.push(".part");
            let part = PathBuf::from(part);
            let file = File::create(&part)
                .with_context(|| format!("cannot write '{}'", part.display()))?;
            To::File { path: path.to_owned(), part, file }
        };
        let (plain, packed) = (Vec::new(), Vec::new());
        Ok(OutputFile { encoder: Encoder::new(compression), plain, packed, to, is_empty: true })
    }

    fn flush_frame(&mut self) -> io::Result<()> {
        self.packed.clear();
        self.encoder.frame(&self.plain, &mut self.packed);
        self.plain.clear();
        self.is_empty &= self.packed.is_empty();
        self.write_packed()
    }

    fn write_packed(&mut self) -> io::Result<()> {
        match &mut self.to {
            To::Stdout => io::stdout().write_all(&self.packed),
            To::File { file, .. } => file.write_all(&self.packed),
            To::Finished => Ok(()),
        }
    }

    /// Writes what is left, and gives the file its name.
    pub(crate) fn finish(mut self) -> Result<()> {
        self.flush_frame()?;
        if self.is_empty {
            self.encoder.empty_frame(&mut self.packed);
            self.write_packed()?;
        }
        if let To::File { path, part, file } = &self.to {
            file.sync_all()?;
            std::fs::rename(part, path)
                .with_context(|| format!("cannot write '{}'", path.display()))?;
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
        if let To::File { part, .. } = &self.to {
            // It was not finished; that it may be gone already is no reason to fail.
            let _ = std::fs::remove_file(part);
        }
    }
}
