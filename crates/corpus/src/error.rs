//! Why a file of rows could not be read at all, or not to its end.

use huller_archive::{ArchiveError, Format};

/// Why a file of rows could not be read at all, or not to its end.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CorpusError {
    /// It cannot be read, or is nothing that can be.
    #[error(transparent)]
    Archive(#[from] ArchiveError),
    /// It holds records or pages in place of rows.
    #[error(
        "this is {}, not JSONL with texts: run `huller extract` on it first",
        archive_name(*.format)
    )]
    NoRows {
        /// What it holds.
        format: Format,
    },
}

fn archive_name(format: Format) -> &'static str {
    match format {
        Format::Tar => "a tar archive",
        Format::Zip => "a ZIP archive",
        _ => "an archive",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_name_the_remedy() {
        let no_rows = CorpusError::NoRows { format: Format::Warc }.to_string();
        assert!(no_rows.starts_with("this is an archive, not JSONL"), "{no_rows}");
    }
}
