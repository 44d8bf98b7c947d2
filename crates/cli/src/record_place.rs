//! Finds a record in an archive, and its page, for `get`, `explain` and `serve`.

use crate::stores::{READ_AHEAD, stores};
use huller_archive::{
    ArchiveError, Batch, Entry, Fault, FaultReason, FileKind, Input, JsonlFault, JsonlKeys, Limits,
    NoPageReason, PageReader, Position, RawPage, WarcHeader, redact_url,
};
use std::io;
use std::path::Path;

/// The place of a record.
#[derive(Clone, Copy)]
pub(crate) struct RecordPlace<'a> {
    pub(crate) input: &'a Path,
    /// Offset in the file, or in its decompressed bytes if `in_stream`.
    pub(crate) offset: u64,
    pub(crate) in_stream: bool,
    /// Most bytes to read from the offset on, and most bytes of the record; `None` for no limit.
    /// It does not apply to `in_stream`.
    pub(crate) most_bytes: Option<usize>,
}

/// The reason why there is no record or no page.
#[derive(Debug, thiserror::Error)]
pub(crate) enum PlaceError {
    /// The archive cannot be read.
    #[error(transparent)]
    Archive(#[from] ArchiveError),
    /// No record begins at the place.
    #[error("{0}")]
    NoRecord(String),
    /// The record is longer than may be read.
    #[error("the record has more than {0} bytes")]
    TooLarge(usize),
    /// The record at the place is damaged.
    #[error("the record is damaged: {0}")]
    Damaged(String),
    /// The file at the place is not a page.
    #[error("the file that begins there is not an HTML page")]
    NotHtmlFile,
    /// The record has no header that can be parsed.
    #[error("the record has no header")]
    NoHeader,
    /// The record holds no page.
    #[error("the record has no page: {0}")]
    NoPage(NoPageReason),
    /// The line holds no page.
    #[error("{0}")]
    NoPageInLine(JsonlFault),
}

impl PlaceError {
    /// Returns whether no page is there. Otherwise there is data that cannot be read.
    pub(crate) fn is_missing(&self) -> bool {
        match self {
            PlaceError::Archive(ArchiveError::Io { source, .. }) => {
                source.kind() == io::ErrorKind::NotFound
            }
            PlaceError::NoPage(why) => !matches!(why, NoPageReason::Body(_)),
            PlaceError::NoRecord(_) | PlaceError::NotHtmlFile | PlaceError::NoPageInLine(_) => true,
            PlaceError::Archive(_)
            | PlaceError::TooLarge(_)
            | PlaceError::Damaged(_)
            | PlaceError::NoHeader => false,
        }
    }
}

/// The entry that begins at a place.
pub(crate) enum FoundEntry<'b> {
    /// A record of WARC or ARC, and the length of its header in bytes.
    Record(&'b mut [u8], usize),
    /// A file of a ZIP or tar file.
    File(&'b [u8]),
    /// A line of JSONL.
    Line(&'b [u8]),
}

impl FoundEntry<'_> {
    /// Returns its bytes, as in the archive.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        match self {
            FoundEntry::Record(bytes, _) => bytes.to_vec(),
            FoundEntry::File(bytes) => bytes.to_vec(),
            FoundEntry::Line(bytes) => [*bytes, b"\n"].concat(),
        }
    }

    /// Passes on its page, with any HTTP status.
    fn page<T>(self, visit: impl FnOnce(RawPage<'_>) -> T) -> Result<T, PlaceError> {
        let mut reader = PageReader::new(&Limits::default(), JsonlKeys::default(), true);
        let page = match self {
            FoundEntry::Record(bytes, header) => {
                let (head, block) = bytes.split_at_mut(header);
                let header = WarcHeader::parse(head).ok_or(PlaceError::NoHeader)?;
                reader.record(&header, block, &mut ()).map_err(PlaceError::NoPage)?
            }
            FoundEntry::File(bytes) => RawPage::from_file(bytes).map_err(PlaceError::NoPage)?,
            FoundEntry::Line(line) => reader.line(line).map_err(PlaceError::NoPageInLine)?,
        };
        Ok(visit(page))
    }
}

impl RecordPlace<'_> {
    /// Passes on the page of the record at the place.
    pub(crate) fn page<T>(self, visit: impl FnOnce(RawPage<'_>) -> T) -> Result<T, PlaceError> {
        self.entry(|entry| entry.page(visit))?
    }

    /// Passes on the entry at the place.
    pub(crate) fn entry<T>(self, visit: impl FnOnce(FoundEntry<'_>) -> T) -> Result<T, PlaceError> {
        let limits = Limits::default();
        let input = Input::open_in(&stores(READ_AHEAD), self.input, &limits)?;
        let mut stream = match self.most_bytes {
            _ if self.in_stream => input.into_stream()?,
            Some(max_bytes) => {
                let stop = self.offset.saturating_add(max_bytes as u64);
                input.repair_between(self.offset, stop, max_bytes)?
            }
            None => input.repair_at(self.offset)?,
        };
        let mut batch = Batch::default();
        while stream.next_batch(&mut batch)? {
            let is_cut = |entry: &Entry| matches!(entry, Entry::Fault(_));
            if let Some(max_bytes) = self.most_bytes
                && stream.is_stopped()
                && batch.entries.first().is_none_or(is_cut)
            {
                return Err(PlaceError::TooLarge(max_bytes));
            }
            for entry in &batch.entries {
                if self.of(position_of(entry)) == Some(self.offset) {
                    let found_entry = page_of_entry(entry, &mut batch.bytes)
                        .ok_or_else(|| self.error_for(entry))?;
                    return Ok(visit(found_entry));
                }
                if !self.in_stream {
                    return Err(self.nothing_found());
                }
            }
        }
        match self.most_bytes {
            Some(max_bytes) if stream.is_stopped() => Err(PlaceError::TooLarge(max_bytes)),
            _ => Err(self.nothing_found()),
        }
    }

    fn of(self, position: Position) -> Option<u64> {
        if self.in_stream {
            position.stream_offset
        } else {
            position.member.map(|(offset, _)| offset)
        }
    }

    /// Returns the error for an entry that cannot be passed on.
    fn error_for(self, entry: &Entry) -> PlaceError {
        match entry {
            Entry::Fault(Fault { reason: FaultReason::Garbage, .. }) => self.nothing_found(),
            Entry::Fault(fault) => PlaceError::Damaged(fault.detail.clone()),
            _ => PlaceError::NotHtmlFile,
        }
    }

    fn nothing_found(self) -> PlaceError {
        let (place_note, remedy) = if self.in_stream {
            (" of the decompressed stream", "leave out --stream to give a `warc_record_offset`")
        } else {
            (
                "",
                "use --stream to give a `stream_offset`, which it lists for records that share a \
                 compressed member",
            )
        };
        PlaceError::NoRecord(format!(
            "no record of '{}' begins at byte {}{place_note}; `huller records` lists the offsets; \
             {remedy}",
            redact_url(self.input).display(),
            self.offset
        ))
    }
}

fn position_of(entry: &Entry) -> Position {
    match entry {
        Entry::Record { position, .. }
        | Entry::Line { position, .. }
        | Entry::File { position, .. } => *position,
        Entry::Fault(fault) => fault.position,
    }
}

/// Returns an entry with its bytes. `None` for faults, and for files that are not pages.
fn page_of_entry<'b>(entry: &Entry, batch: &'b mut [u8]) -> Option<FoundEntry<'b>> {
    Some(match entry {
        Entry::Record { bytes, header, .. } => {
            FoundEntry::Record(&mut batch[bytes.clone()], *header)
        }
        // The header of a file is made for the batch, so it is cut off.
        Entry::File { kind: FileKind::Page, bytes, header, .. } => {
            FoundEntry::File(&batch[bytes.clone()][*header..])
        }
        Entry::Line { bytes, .. } => FoundEntry::Line(&batch[bytes.clone()]),
        Entry::File { .. } | Entry::Fault(_) => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_there_is_told_from_what_cannot_be_read() {
        let io = |kind: io::ErrorKind| {
            let source = io::Error::from(kind);
            PlaceError::from(ArchiveError::Io { name: "'a'".to_owned(), offset: 0, source })
        };
        assert!(io(io::ErrorKind::NotFound).is_missing());
        assert!(!io(io::ErrorKind::PermissionDenied).is_missing());
        let problem = "no bytes";
        let empty = ArchiveError::Empty { name: "'a'".to_owned(), problem };
        assert!(!PlaceError::from(empty).is_missing());
        assert!(PlaceError::NoPage(NoPageReason::NotHtml).is_missing());
        assert!(!PlaceError::Damaged("byte 7".to_owned()).is_missing());
    }
}
