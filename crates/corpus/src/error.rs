//! Errors of a file of rows that could not be read at all, or not to its end.

use huller_archive::{ArchiveError, Container, Format};
use std::path::Path;

/// The reason why a file of rows could not be read at all, or not to its end.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CorpusError {
    /// The file cannot be read, or has no known format.
    #[error(transparent)]
    Archive(#[from] ArchiveError),
    /// The file holds records or pages in place of rows.
    #[error(
        "this is {}, not JSONL with texts: run `huller extract` on it first",
        archive_name(*.format)
    )]
    NoRows {
        /// The format of the file.
        format: Format,
    },
    /// The input is a folder of pages, or a URL or index of archives.
    #[error("it contains pages, not rows: run `huller extract` on it first")]
    Pages,
    /// The file is compressed, and its name says that it is not.
    #[error("it is {}, but its name does not end so: rename it to '{name}{}'", data(*.container), container.suffix())]
    Misnamed {
        /// The name of the file.
        name: String,
        /// The compression of the file.
        container: Container,
    },
}

impl CorpusError {
    /// Returns a message that names the file.
    pub fn of_file(&self, path: &Path) -> String {
        match self {
            CorpusError::Archive(error) => error.to_string(),
            _ => format!("cannot read '{}': {self}", path.display()),
        }
    }

    /// Refuses a format of archives.
    ///
    /// # Errors
    ///
    /// Files of this format hold records or pages in place of rows.
    pub fn refuse_archives(format: Format) -> Result<(), CorpusError> {
        match format {
            Format::Jsonl | Format::Csv(_) | Format::Parquet => Ok(()),
            Format::Warc | Format::Arc | Format::Tar | Format::Zip => {
                Err(CorpusError::NoRows { format })
            }
        }
    }
}

fn archive_name(format: Format) -> &'static str {
    match format {
        Format::Tar => "a tar archive",
        Format::Zip => "a ZIP archive",
        _ => "an archive",
    }
}

fn data(container: Container) -> &'static str {
    match container {
        Container::Gzip => "gzip data",
        Container::Zstd => "zstd data",
        Container::Lz4 => "LZ4 data",
        Container::Plain => "plain data",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_name_the_remedy() {
        let misnamed = CorpusError::Misnamed { name: "a.jsonl".into(), container: Container::Gzip };
        assert_eq!(
            misnamed.to_string(),
            "it is gzip data, but its name does not end so: rename it to 'a.jsonl.gz'"
        );
        let no_rows = CorpusError::NoRows { format: Format::Warc }.to_string();
        assert!(no_rows.starts_with("this is an archive, not JSONL"), "{no_rows}");
    }
}
