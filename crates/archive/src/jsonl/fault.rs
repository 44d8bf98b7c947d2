//! Faults of lines that hold no page.

/// The reason why a line holds no page, and the place of the fault in the line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{reason} at byte {position} of the line")]
pub struct JsonlFault {
    /// The kind of fault.
    pub reason: JsonlReason,
    /// Offset in the line, in bytes. For invalid JSON it is where the library stopped, which may be
    /// a few bytes from the fault.
    pub position: usize,
}

impl JsonlFault {
    /// Returns whether the line is valid JSON, but no field with a name for the page holds a
    /// string.
    pub fn is_missing_html(&self) -> bool {
        matches!(self.reason, JsonlReason::NoHtml | JsonlReason::HtmlNotAString)
    }
}

/// The kind of fault in a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, thiserror::Error)]
pub enum JsonlReason {
    /// Bytes that are not UTF-8.
    #[error("invalid UTF-8")]
    NotUtf8,
    /// The line is empty, or begins with a value other than an object.
    #[error("not a JSON object")]
    NotAnObject,
    /// A byte that the grammar does not allow in this place.
    #[error("invalid JSON")]
    Syntax,
    /// A control character in a string that is not escaped, such as NUL.
    #[error("control character in a JSON string")]
    ControlCharacter,
    /// An escape that JSON does not define.
    #[error("invalid escape in a JSON string")]
    Escape,
    /// The line ends inside the object.
    #[error("JSON ends early")]
    Truncated,
    /// Objects and arrays nested more than 1,024 levels deep.
    #[error("JSON nested too deeply")]
    TooDeep,
    /// The object is followed by bytes other than blanks.
    #[error("text after the JSON object")]
    TrailingText,
    /// No field has a name for the page.
    #[error("no HTML field")]
    NoHtml,
    /// The field that should hold the page is not a string.
    #[error("HTML field is not a string")]
    HtmlNotAString,
}

pub(super) fn fault(reason: JsonlReason, position: usize) -> JsonlFault {
    JsonlFault { reason, position }
}
