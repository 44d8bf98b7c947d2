//! Why a record gave no row.

use crate::named::Named;
use crate::outcome::Outcome;

macro_rules! reasons {
    ($($(#[doc = $doc:literal])* $variant:ident $name:literal $outcome:ident;)*) => {
        /// Why a record gave no row. The names are those in accounts and in the rejects file.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Reason {
            $($(#[doc = $doc])* $variant,)*
            /// A reason that a stage brings, or that stands in an account which another version
            /// wrote.
            Named(Named),
        }

        /// The places of the built-in reasons in tables.
        enum Place { $($variant),* }

        impl Reason {
            /// The built-in reasons, in the order of tables.
            pub const ALL: &[Reason] = &[$(Reason::$variant),*];

            /// The place in [`Reason::ALL`]. `None` for a reason that is known by name.
            pub fn place(self) -> Option<usize> {
                match self {
                    $(Reason::$variant => Some(Place::$variant as usize),)*
                    Reason::Named(_) => None,
                }
            }

            /// The name in files.
            pub fn name(self) -> &'static str {
                match self {
                    $(Reason::$variant => $name,)*
                    Reason::Named(named) => named.name(),
                }
            }

            /// Whether it counts as skipped or as failed.
            pub fn outcome(self) -> Outcome {
                match self {
                    $(Reason::$variant => Outcome::$outcome,)*
                    Reason::Named(named) => named.outcome(),
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
    /// A `revisit` record: the page is elsewhere.
    Revisit "revisit" Skipped;
    /// A `conversion` record that holds no plain text.
    Conversion "conversion" Skipped;
    /// A `continuation` record. Its bytes are part of the record that it continues, where that
    /// comes directly before it.
    Continuation "continuation" Skipped;
    /// A record of no known type.
    OtherType "other_type" Skipped;
    /// A response without a block.
    EmptyBlock "empty_block" Skipped;
    /// A response whose status is not 2xx.
    Status "status" Skipped;
    /// Not an HTML page.
    NotHtml "not_html" Skipped;
    /// Labelled as HTML, but an image, a document, an archive or the like.
    Binary "binary" Skipped;
    /// An archive or compressed file in a ZIP or tar file, which is not opened.
    NestedArchive "nested_archive" Skipped;
    /// The method judges that the page has no main content.
    NoArticle "no_article" Skipped;
    /// Fewer characters of text than asked for.
    TooShort "too_short" Skipped;
    /// The record is over the limit.
    TooLarge "too_large" Skipped;
    /// The decoded HTTP body is over the limit.
    BodyTooLarge "body_too_large" Skipped;
    /// The HTTP body grows by decoding more than the limit allows.
    DecodeRatio "decode_ratio" Skipped;
    /// More content encodings than the limit allows.
    TooManyEncodings "too_many_encodings" Skipped;
    /// A zstd window over the limit.
    WindowTooLarge "window_too_large" Skipped;
    /// Broken or cut compressed data.
    CorruptMember "corrupt_member" Failed;
    /// The file ends inside the record.
    Truncated "truncated" Failed;
    /// Bytes that are no record.
    Garbage "garbage" Failed;
    /// A long run of zeros: what wrote the file reserved the space and did not fill it.
    Hole "hole" Failed;
    /// Content-Length is missing or cannot be.
    BadContentLength "bad_content_length" Failed;
    /// A WARC header over the limit.
    HeaderTooLarge "header_too_large" Failed;
    /// An HTTP head without end, or over the limit.
    BadHttpHead "bad_http_head" Failed;
    /// Rows of a Parquet file that are damaged.
    CorruptRows "corrupt_rows" Failed;
    /// A row of a CSV file that has not as many values as there are names, or a quote without its
    /// end.
    BadRow "bad_row" Failed;
    /// An index says that a record lies where none begins, or another one.
    NotWhereIndexed "not_where_indexed" Failed;
    /// A file of a ZIP or tar file that is encrypted, sparse, or compressed by a method that is not
    /// read.
    UnsupportedMember "unsupported_member" Failed;
    /// A line that is no JSON object.
    InvalidJson "invalid_json" Failed;
    /// A JSON object without a page in it.
    NoHtmlKey "no_html_key" Failed;
    /// A JSON object without a text in it, where rows are refined.
    NoTextKey "no_text_key" Failed;
    /// A record of an archive, or a page, where rows are refined.
    NotARow "not_a_row" Skipped;
    /// A file that could not be read.
    UnreadableFile "unreadable_file" Failed;
    /// The page made us fail; a bug to report.
    Panic "panic" Failed;
}

impl Reason {
    /// The reason with this name: a built-in one, else one that is registered here if it is new.
    /// `outcome` is that of a reason which is not built in.
    ///
    /// `None` if thousands of other names are registered, which no account of this program has.
    ///
    /// ```
    /// use huller_refine::{Outcome, Reason};
    ///
    /// assert_eq!(Reason::named("status", Outcome::Skipped), Some(Reason::Status));
    /// let reason = Reason::named("stage:reason", Outcome::Skipped).unwrap();
    /// assert_eq!((reason.name(), reason.outcome()), ("stage:reason", Outcome::Skipped));
    /// assert_eq!(Reason::named("stage:reason", Outcome::Skipped), Some(reason));
    /// ```
    pub fn named(name: &str, outcome: Outcome) -> Option<Reason> {
        let built_in = Reason::ALL.iter().find(|reason| reason.name() == name);
        built_in.copied().or_else(|| Named::new(name, outcome).map(Reason::Named))
    }

    /// The reasons of a stage, each registered as `stage:reason`.
    pub(crate) fn of_stage<const N: usize>(stage: &str, names: [&str; N]) -> [Reason; N] {
        names.map(|name| {
            Reason::named(&format!("{stage}:{name}"), Outcome::Skipped)
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
            assert_eq!(Reason::named(reason.name(), Outcome::Failed), Some(*reason));
        }
    }

    #[test]
    fn one_name_may_stand_for_a_skipped_and_for_a_failed_record() {
        let skipped = Reason::named("a:b", Outcome::Skipped).unwrap();
        let failed = Reason::named("a:b", Outcome::Failed).unwrap();
        assert_ne!(skipped, failed);
        assert_eq!((skipped.outcome(), failed.outcome()), (Outcome::Skipped, Outcome::Failed));
        assert_eq!(format!("{failed:?}"), "Named(a:b)");
        assert_eq!(skipped.place(), None);
    }
}
