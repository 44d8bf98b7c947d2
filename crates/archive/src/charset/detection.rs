//! Detects the encoding of a page, and records the evidence for it.

use super::guess::guess;
use super::label;
use super::prescan::prescan;
use super::zeros;
use encoding_rs::{Encoding, UTF_8};
use std::borrow::Cow;

/// An encoding and the evidence for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Charset {
    /// The encoding.
    pub encoding: &'static Encoding,
    /// The evidence for the encoding.
    pub source: CharsetSource,
}

/// The evidence for an encoding, strongest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum CharsetSource {
    /// A byte order mark (UTF-8, UTF-16LE or UTF-16BE).
    Bom,
    /// The `charset` parameter of the HTTP Content-Type.
    Http,
    /// The document: a `<meta>` element or an XML declaration.
    Meta,
    /// The text of the page.
    Detected,
    /// The page declares no encoding, and all its bytes are ASCII.
    Default,
    /// The text of the page, which contradicts the declaration.
    Overruled,
}

impl CharsetSource {
    /// Returns the name that is used in output rows.
    pub fn name(self) -> &'static str {
        match self {
            CharsetSource::Bom => "bom",
            CharsetSource::Http => "http",
            CharsetSource::Meta => "meta",
            CharsetSource::Detected => "detected",
            CharsetSource::Default => "default",
            CharsetSource::Overruled => "overruled",
        }
    }
}

impl Charset {
    /// Returns the name of the encoding in the Encoding Standard, in lower case.
    pub fn label(self) -> &'static str {
        label::lower_case_name(self.encoding)
    }

    /// Encodes a text as browsers encode queries of URLs. Scalars that the encoding lacks become
    /// decimal character references. UTF-16 gives UTF-8.
    pub fn encode(self, text: &str) -> Cow<'_, [u8]> {
        self.encoding.encode(text).0
    }
}

/// Detects the encoding of `page`.
///
/// `http` is the label in the HTTP `charset` parameter ([`HttpHead::charset`]). An unknown label,
/// there or in a `<meta>`, counts as absent. A declaration is accepted whatever the bytes are, as
/// in browsers. If the page declares no encoding, `url` helps to distinguish the encodings of
/// different countries; it must be absolute.
///
/// UTF-16 without a mark is detected by its zero bytes, whatever is declared: every declaration
/// that could name it is read as ASCII.
///
/// Without a declaration, UTF-8 with damage in few places (or cut off within a character) still
/// counts as UTF-8. A page of ASCII gives UTF-8 with [`CharsetSource::Default`].
///
/// [`HttpHead::charset`]: crate::HttpHead::charset
pub fn detect(page: &[u8], http: Option<&[u8]>, url: Option<&str>) -> Charset {
    let (encoding, source) = if let Some((encoding, _)) = Encoding::for_bom(page) {
        (encoding, CharsetSource::Bom)
    } else if let Some(encoding) = zeros::utf16(page) {
        (encoding, CharsetSource::Detected)
    } else if let Some(encoding) = http.and_then(Encoding::for_label) {
        (encoding, CharsetSource::Http)
    } else if let Some(encoding) = prescan(page) {
        (encoding, CharsetSource::Meta)
    } else {
        match guess(page, url) {
            Some(encoding) => (encoding, CharsetSource::Detected),
            None => (UTF_8, CharsetSource::Default),
        }
    };
    Charset { encoding, source }
}
