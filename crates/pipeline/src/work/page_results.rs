//! The fields that a row takes from its record, and the results of the steps of its page.

use crate::work::digest;
use crate::work::header_text::header_text;
use crate::work::page_context::{PageContext, PlacedPage};
use huller_archive::charset::PageText;
use huller_corpus::generate_id;
use huller_metadata::Metadata;
use huller_refine::Language;
use huller_row::{HeadingAnchor, Link};
use huller_select::Verdict;

/// Results of the steps of a page, besides its forms.
pub(crate) struct PageResults<'p> {
    pub(crate) url: Option<&'p str>,
    pub(crate) record: RecordFields<'p>,
    pub(crate) metadata: &'p Metadata,
    pub(crate) decoded: PageText<'p>,
    pub(crate) verdict: Verdict,
    pub(crate) language: Option<Language>,
    /// The user's own keys, as JSON.
    pub(crate) kept: Option<&'p str>,
    /// The identifiers of headings, in runs that write passages.
    pub(crate) anchors: Vec<HeadingAnchor<'p>>,
    /// The statements of the page about its use, as JSON, in runs that ask for them.
    pub(crate) rights: Option<&'p str>,
    /// The links of the page, in runs that write them.
    pub(crate) links: Vec<Link<'p>>,
}

/// Buffers for header values that are not UTF-8, and for generated identifiers and digests.
#[derive(Default)]
pub(crate) struct RecordTexts {
    id: String,
    date: String,
    content_type: String,
    digest: String,
}

/// The fields that a row takes from its record, as text.
pub(crate) struct RecordFields<'t> {
    pub(crate) id: &'t str,
    pub(crate) date: Option<&'t str>,
    pub(crate) content_type: Option<&'t str>,
    pub(crate) digest: Option<&'t str>,
}

impl RecordTexts {
    /// Reads the fields of the record. Makes an identifier if the record has none and, if the run
    /// asks for it, a digest.
    pub(crate) fn read<'t>(
        &'t mut self,
        context: &PageContext<'_>,
        facts: &PlacedPage<'t>,
    ) -> RecordFields<'t> {
        let RecordTexts { id, date, content_type, digest } = self;
        let page = &facts.page;
        let payload = page.stored_bytes().filter(|_| context.settings.digest);
        RecordFields {
            id: match page.id {
                Some(stated) if !stated.is_empty() => header_text(stated, id),
                _ => generate_id(context.input, facts.row_position(), id),
            },
            date: page.date.map(|bytes| header_text(bytes, date)),
            content_type: page.content_type.map(|bytes| header_text(bytes, content_type)),
            digest: digest::write(page.digest, payload, digest),
        }
    }
}

/// Returns a field of the metadata, or `None` if it is empty.
pub(crate) fn non_empty(field: &str) -> Option<&str> {
    (!field.is_empty()).then_some(field)
}
