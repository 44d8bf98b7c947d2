//! Collects what a page states about the use of it, for the field `rights` and the stage `rights`.

use huller_archive::{Http, Position, RawPage, utf8_or_latin1};
use huller_metadata::Metadata;
use huller_page::Page;
use huller_rights::{EvidenceLocation, PageRights};

/// The statements of one page, as a JSON list. A run that does not ask for them has none.
pub(crate) struct PageStatements {
    rights: Option<PageRights>,
}

impl PageStatements {
    /// Makes a reader, which reads nothing unless `is_asked`.
    pub(crate) fn new(is_asked: bool) -> PageStatements {
        PageStatements { rights: is_asked.then(PageRights::default) }
    }

    /// Reads the headers of a page, its elements and its JSON-LD, and returns the list in runs that
    /// ask for it. `file` names its archive.
    pub(crate) fn read(
        &mut self,
        raw: &RawPage<'_>,
        page: &Page<'_>,
        metadata: &Metadata,
        (file, position): (&str, Position),
    ) -> Option<&str> {
        let rights = self.rights.as_mut()?;
        let Position { member, stream_offset } = position;
        rights.begin(EvidenceLocation {
            file,
            offset: member.map(|(offset, _)| offset).or(stream_offset),
        });
        for (name, value) in Http::fields(raw.http_head) {
            if PageRights::is_wanted(name) {
                rights.header(&utf8_or_latin1(name), &utf8_or_latin1(value));
            }
        }
        rights.page(page);
        rights.json_ld(&metadata.license, &metadata.usage_info);
        rights.finish();
        Some(rights.json())
    }

    /// Returns the bytes of the list.
    pub(crate) fn bytes(&self) -> usize {
        self.rights.as_ref().map_or(0, |rights| rights.json().len())
    }
}
