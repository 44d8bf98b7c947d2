//! The reason why a record gives no row, and its line in the rejects file.

use crate::settings::Settings;
use huller_archive::jsonl::list_keys;
use huller_archive::{BodyFault, HeadFault, JsonlFault, NoPageReason, RecordType, hole_in};
use huller_corpus::{CorpusRow, RowFault};
use huller_refine::Reason;
use huller_row::JsonMembers;
use serde::Serialize;
use std::borrow::Cow;
use std::fmt::Write;

/// The reason why a record gives no row.
pub(crate) struct Rejection {
    pub(crate) reason: Reason,
    pub(crate) detail: String,
}

impl From<Reason> for Rejection {
    fn from(reason: Reason) -> Rejection {
        Rejection { reason, detail: String::new() }
    }
}

impl From<RowFault> for Rejection {
    fn from(RowFault { reason, detail }: RowFault) -> Rejection {
        Rejection { reason, detail }
    }
}

impl From<BodyFault> for Rejection {
    fn from(fault: BodyFault) -> Rejection {
        let reason = match fault {
            BodyFault::Head(HeadFault::Unterminated | HeadFault::TooLarge) => Reason::BadHttpHead,
            BodyFault::TooLarge => Reason::BodyTooLarge,
            BodyFault::Ratio => Reason::DecodeRatio,
            BodyFault::TooManyEncodings => Reason::TooManyEncodings,
        };
        Rejection { reason, detail: fault.to_string() }
    }
}

impl From<NoPageReason> for Rejection {
    fn from(no_page: NoPageReason) -> Rejection {
        let reason = match no_page {
            NoPageReason::EmptyBlock => Reason::EmptyBlock,
            NoPageReason::Status => Reason::Status,
            NoPageReason::NotHtml => Reason::NotHtml,
            NoPageReason::Binary => Reason::Binary,
            NoPageReason::Body(fault) => return fault.into(),
            NoPageReason::Type(RecordType::Warcinfo) => Reason::Warcinfo,
            NoPageReason::Type(RecordType::Request) => Reason::Request,
            NoPageReason::Type(RecordType::Metadata) => Reason::Metadata,
            NoPageReason::Type(RecordType::Revisit) => Reason::Revisit,
            NoPageReason::Type(RecordType::Conversion) => Reason::Conversion,
            NoPageReason::Type(RecordType::Continuation) => Reason::Continuation,
            // Responses and resources are never refused for their type.
            NoPageReason::Type(RecordType::Other | RecordType::Response | RecordType::Resource) => {
                Reason::OtherType
            }
        };
        reason.into()
    }
}

impl From<JsonlFault> for Rejection {
    fn from(fault: JsonlFault) -> Rejection {
        let reason = if fault.is_missing_html() { Reason::NoHtmlKey } else { Reason::InvalidJson };
        Rejection { reason, detail: fault.to_string() }
    }
}

impl Rejection {
    /// Names the flag that would let the record pass, if its reason is a limit.
    pub(crate) fn with_flag(mut self) -> Rejection {
        if let Some(flag) = limit_flag(self.reason)
            && !self.detail.contains(flag)
        {
            let separator = if self.detail.is_empty() { "" } else { "; " };
            // Writing into a String cannot fail.
            let _ = write!(self.detail, "{separator}{flag} sets the limit");
        }
        self
    }

    /// Changes the reason to [`Reason::Hole`] if a line that is not JSON has a hole.
    pub(crate) fn with_hole(self, line: &[u8]) -> Rejection {
        match (self.reason, hole_in(line)) {
            (Reason::InvalidJson, Some(detail)) => Rejection { reason: Reason::Hole, detail },
            _ => self,
        }
    }

    /// Lists the keys of a line that has no key for the page.
    pub(crate) fn with_keys(mut self, line: &[u8]) -> Rejection {
        if self.reason == Reason::NoHtmlKey {
            let keys = list_keys(line);
            let keys = if keys.is_empty() { "none" } else { &keys };
            // Writing into a String cannot fail.
            let _ = write!(self.detail, "; its keys: {keys}; --html-key names the key of the page");
        }
        self
    }
}

/// Returns the flag of the limit that a record exceeds.
fn limit_flag(reason: Reason) -> Option<&'static str> {
    Some(match reason {
        Reason::TooLarge => "--max-record-bytes",
        Reason::BodyTooLarge => "--max-body-bytes",
        Reason::HeaderTooLarge => "--max-header-bytes",
        Reason::WindowTooLarge => "--max-zstd-window",
        Reason::DecodeRatio => "--max-decode-ratio",
        Reason::TooManyEncodings => "--max-encodings",
        _ => return None,
    })
}

/// A line of the rejects file.
#[derive(Serialize)]
pub(crate) struct Reject<'a> {
    pub(crate) url: Option<&'a str>,
    pub(crate) reason: &'a str,
    pub(crate) input: &'a str,
    pub(crate) offset: Option<u64>,
    pub(crate) detail: &'a str,
}

/// Returns the URL in a line that gave no row, for the rejects. Only rejected lines are parsed this
/// second time.
pub(crate) fn rejected_url<'a>(settings: &Settings, line: &'a [u8]) -> Option<Cow<'a, str>> {
    if let Some(keys) = &settings.refines {
        return CorpusRow::parse(line).ok()?.url(keys);
    }
    let members: JsonMembers<'a> = serde_json::from_slice(line).ok()?;
    settings.keys.url.iter().find_map(|name| members.text(name))
}

/// Returns whether a record rejected for this reason was, or may have been, a page.
pub(crate) fn is_page(reason: Reason) -> bool {
    use Reason as R;
    !matches!(
        reason,
        R::Warcinfo
            | R::Request
            | R::Metadata
            | R::Revisit
            | R::Conversion
            | R::Continuation
            | R::OtherType
            | R::NotHtml
    )
}
