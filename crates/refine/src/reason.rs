//! The reasons why a record gives no row.

use crate::named_reason::NamedReason;
use crate::rejection_kind::RejectionKind;

macro_rules! reasons {
    ($($(#[doc = $doc:literal])* $variant:ident $name:literal $kind:ident;)*) => {
        /// The reason why a record gave no row. Statistics and the rejects file use the same names.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Reason {
            $($(#[doc = $doc])* $variant,)*
            /// A reason that a stage defines, or that another version of the program wrote to
            /// statistics.
            Named(NamedReason),
        }

        /// The built-in reasons as indexes of tables.
        enum ReasonIndex { $($variant),* }

        impl Reason {
            /// The built-in reasons, in the order of tables.
            pub const ALL: &[Reason] = &[$(Reason::$variant),*];

            /// Returns the index in [`Reason::ALL`]. `None` for a reason that is known by name.
            pub fn place(self) -> Option<usize> {
                match self {
                    $(Reason::$variant => Some(ReasonIndex::$variant as usize),)*
                    Reason::Named(_) => None,
                }
            }

            /// Returns the name that files use.
            pub fn name(self) -> &'static str {
                match self {
                    $(Reason::$variant => $name,)*
                    Reason::Named(named) => named.name(),
                }
            }

            /// Returns whether the reason counts as skipped or as failed.
            pub fn kind(self) -> RejectionKind {
                match self {
                    $(Reason::$variant => RejectionKind::$kind,)*
                    Reason::Named(named) => named.kind(),
                }
            }
        }
    };
}

reasons! {
    /// A `warcinfo` record.
    Warcinfo "warcinfo" Skipped;
    /// A `request` record.
    Request "request" Skipped;
    /// A `metadata` record.
    Metadata "metadata" Skipped;
    /// A `revisit` record: another record holds the page.
    Revisit "revisit" Skipped;
    /// A record that refers to an earlier one, which the given archives do not have.
    UnresolvedRevisit "unresolved_revisit" Skipped;
    /// A `conversion` record whose content is not plain text.
    Conversion "conversion" Skipped;
    /// A `continuation` record. If it directly follows the record that it continues, its bytes are
    /// read as part of that record.
    Continuation "continuation" Skipped;
    /// A record of an unknown type.
    OtherType "other_type" Skipped;
    /// A response without a block.
    EmptyBlock "empty_block" Skipped;
    /// A response whose status is not 2xx.
    Status "status" Skipped;
    /// Not an HTML page.
    NotHtml "not_html" Skipped;
    /// Labelled as HTML, but an image, a document, an archive or another binary file.
    Binary "binary" Skipped;
    /// An archive or compressed file in a ZIP or tar file, which is not opened.
    NestedArchive "nested_archive" Skipped;
    /// The extractor decides that the page has no main content.
    NoArticle "no_article" Skipped;
    /// Fewer characters of text than the run asks for.
    TooShort "too_short" Skipped;
    /// The record is over the limit.
    TooLarge "too_large" Skipped;
    /// The decoded HTTP body is over the limit.
    BodyTooLarge "body_too_large" Skipped;
    /// Decoding expands the HTTP body by more than the limit allows.
    DecodeRatio "decode_ratio" Skipped;
    /// More content encodings than the limit allows.
    TooManyEncodings "too_many_encodings" Skipped;
    /// A zstd window over the limit.
    WindowTooLarge "window_too_large" Skipped;
    /// Damaged or truncated compressed data.
    CorruptMember "corrupt_member" Failed;
    /// The file ends inside the record.
    Truncated "truncated" Failed;
    /// Bytes that do not form a record.
    Garbage "garbage" Failed;
    /// A long run of zeros: space that the program which wrote the file reserved and did not fill.
    Hole "hole" Failed;
    /// Content-Length is missing or invalid.
    BadContentLength "bad_content_length" Failed;
    /// A WARC header over the limit.
    HeaderTooLarge "header_too_large" Failed;
    /// An HTTP head that has no end or is over the limit.
    BadHttpHead "bad_http_head" Failed;
    /// Rows of a Parquet file that are damaged.
    CorruptRows "corrupt_rows" Failed;
    /// A row of a CSV file whose number of values differs from the number of names, or a quote that
    /// is not closed.
    BadRow "bad_row" Failed;
    /// An index places a record at an offset where no record begins, or a different one.
    NotWhereIndexed "not_where_indexed" Failed;
    /// A file of a ZIP or tar file that is encrypted, sparse, or compressed by an unsupported
    /// algorithm.
    UnsupportedMember "unsupported_member" Failed;
    /// A line that is not a JSON object.
    InvalidJson "invalid_json" Failed;
    /// A JSON object that holds no page.
    NoHtmlKey "no_html_key" Failed;
    /// A JSON object that holds no text, in a run that refines rows.
    NoTextKey "no_text_key" Failed;
    /// A record of an archive, or a page, in a run that refines rows.
    NotARow "not_a_row" Skipped;
    /// A file that could not be read.
    UnreadableFile "unreadable_file" Failed;
    /// The program panicked on the page; please report this bug.
    Panic "panic" Failed;
}

impl Reason {
    /// Returns the reason with this name: a built-in one, or one that is registered by this call or
    /// an earlier one. `kind` is used only for reasons that are not built in.
    ///
    /// `None` if thousands of other names are registered. Statistics of this program never have
    /// that many.
    ///
    /// ```
    /// use huller_refine::{RejectionKind, Reason};
    ///
    /// assert_eq!(Reason::named("status", RejectionKind::Skipped), Some(Reason::Status));
    /// let reason = Reason::named("stage:reason", RejectionKind::Skipped).unwrap();
    /// assert_eq!((reason.name(), reason.kind()), ("stage:reason", RejectionKind::Skipped));
    /// assert_eq!(Reason::named("stage:reason", RejectionKind::Skipped), Some(reason));
    /// ```
    pub fn named(name: &str, kind: RejectionKind) -> Option<Reason> {
        let built_in = Reason::ALL.iter().find(|reason| reason.name() == name);
        built_in.copied().or_else(|| NamedReason::new(name, kind).map(Reason::Named))
    }

    /// Registers each reason of a stage as `stage:reason` and returns them all.
    pub(crate) fn register_for_stage<const N: usize>(stage: &str, names: [&str; N]) -> [Reason; N] {
        names.map(|name| {
            Reason::named(&format!("{stage}:{name}"), RejectionKind::Skipped)
                .expect("stages are made before accounts bring thousands of names")
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn built_in_reasons_are_found_by_name_and_place() {
        for (place, reason) in Reason::ALL.iter().enumerate() {
            assert_eq!(reason.place(), Some(place));
            assert_eq!(Reason::named(reason.name(), RejectionKind::Failed), Some(*reason));
        }
    }

    #[test]
    fn one_name_may_stand_for_a_skipped_and_for_a_failed_record() {
        let skipped = Reason::named("a:b", RejectionKind::Skipped).unwrap();
        let failed = Reason::named("a:b", RejectionKind::Failed).unwrap();
        assert_ne!(skipped, failed);
        assert_eq!(
            (skipped.kind(), failed.kind()),
            (RejectionKind::Skipped, RejectionKind::Failed)
        );
        assert_eq!(format!("{failed:?}"), "Named(a:b)");
        assert_eq!(skipped.place(), None);
    }
}
