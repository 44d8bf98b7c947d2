//! A page, its place, and the settings that all pages of one input share.

use crate::settings::Settings;
use huller_archive::{Position, RawPage};
use huller_refine::signature::signature_file::Header;
use huller_row::PageRecord;
use huller_run::slowest_pages::SlowestPages;
use std::time::Duration;

/// Settings that all pages of one input share.
#[derive(Clone, Copy)]
pub(crate) struct PageContext<'a> {
    pub(crate) settings: &'a Settings,
    /// Name of the input.
    pub(crate) input: &'a str,
    /// Whether the run writes a rejects file.
    pub(crate) writes_rejects: bool,
    /// Most dropped rows that the run keeps for each reason, if it keeps any.
    pub(crate) max_dropped_rows: Option<u64>,
    /// Header that all signatures of the run share, if the run writes them to files.
    pub(crate) signatures: Option<Header>,
    /// Receives the time of each page, if the run keeps the slowest.
    pub(crate) slowest: Option<&'a SlowestPages>,
}

impl<'a> PageContext<'a> {
    /// Makes the context of an input of which only the rows are wanted.
    pub(crate) fn for_rows(settings: &'a Settings, input: &'a str) -> PageContext<'a> {
        let (max_dropped_rows, signatures, slowest) = (None, None, None);
        PageContext {
            settings,
            input,
            writes_rejects: false,
            max_dropped_rows,
            signatures,
            slowest,
        }
    }

    /// Notes how long a record took, if the run keeps the slowest.
    pub(crate) fn note_time(&self, took: Duration, url: Option<&[u8]>, position: Position) {
        if let Some(slowest) = self.slowest {
            slowest.note_page(took, self.input, url, position);
        }
    }
}

/// A page and its place.
pub(crate) struct PlacedPage<'a> {
    pub(crate) page: RawPage<'a>,
    pub(crate) position: Position,
    /// Name of the input, if it is an archive that rows refer to.
    pub(crate) archive: Option<&'a str>,
    /// The record of the page, if the run writes records.
    pub(crate) record: Option<PageRecord<'a>>,
}

impl<'a> PlacedPage<'a> {
    /// Makes a page at this position of an archive.
    pub(crate) fn at_position(
        page: RawPage<'a>,
        archive: &'a str,
        position: Position,
    ) -> PlacedPage<'a> {
        PlacedPage { page, position, archive: Some(archive), record: None }
    }

    /// Makes a page that is the whole input.
    pub(crate) fn from_whole_input(page: RawPage<'a>) -> PlacedPage<'a> {
        PlacedPage { page, position: Position::default(), archive: None, record: None }
    }

    /// Returns the page with its record, which a run that writes records needs.
    pub(crate) fn with_record(self, record: Option<PageRecord<'a>>) -> PlacedPage<'a> {
        PlacedPage { record, ..self }
    }

    /// Returns the number that, with the input, identifies a page without an identifier.
    pub(crate) fn row_position(&self) -> u64 {
        let Position { member, stream_offset } = self.position;
        member.map(|(offset, _)| offset).or(stream_offset).unwrap_or_default()
    }
}
