//! The character encoding of a page, by the order of the WHATWG, and its bytes as UTF-8.
//!
//! [`detect`] asks, in this order: the byte order mark, the HTTP `charset` parameter, the `<meta>` elements of the first
//! 1,024 bytes, and then the bytes themselves. [`decode_into`] gives the page as `&str`: bytes that are UTF-8 already
//! are borrowed, all others are decoded into a buffer that the caller keeps.
//!
//! ```
//! use huller_archive::charset;
//!
//! let page = b"<meta charset=koi8-r><p>\xF0\xD2\xC9\xD7\xC5\xD4";
//! let found = charset::detect(page, None, None);
//! assert_eq!((found.label(), found.source.name()), ("koi8-r", "meta"));
//! let mut buffer = String::new();
//! assert_eq!(charset::decode_into(page, found, &mut buffer), "<meta charset=koi8-r><p>Привет");
//! ```

mod guess;
mod label;
mod page;
mod prescan;

pub use encoding_rs::UTF_8;
pub use page::{PageText, decode_page};

use encoding_rs::{CoderResult, Encoding};

/// An encoding and how it was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Charset {
    /// The encoding.
    pub encoding: &'static Encoding,
    /// What said so.
    pub source: CharsetSource,
}

/// What said which encoding a page is in, strongest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum CharsetSource {
    /// A byte order mark (UTF-8, UTF-16LE or UTF-16BE).
    Bom,
    /// The `charset` parameter of the HTTP Content-Type.
    Http,
    /// The document: a `<meta>` element or an XML declaration.
    Meta,
    /// Its bytes.
    Detected,
    /// Nothing: all bytes are ASCII.
    Default,
}

impl CharsetSource {
    /// The name used in output rows.
    pub fn name(self) -> &'static str {
        match self {
            CharsetSource::Bom => "bom",
            CharsetSource::Http => "http",
            CharsetSource::Meta => "meta",
            CharsetSource::Detected => "detected",
            CharsetSource::Default => "default",
        }
    }
}

impl Charset {
    /// The name of the encoding in the Encoding Standard, in lower case.
    pub fn label(self) -> &'static str {
        label::of(self.encoding)
    }
}

/// Finds the encoding of `page`.
///
/// `http` is the label in the HTTP `charset` parameter ([`HttpHead::charset`]); one that names no encoding counts as
/// absent, as does one in a `<meta>`. A declaration is believed whatever the bytes are, as browsers do. `url`, absolute,
/// helps to tell encodings of different countries from one another where nothing is declared.
///
/// Without declaration, UTF-8 that is damaged in few places (or cut in a character) is still taken for UTF-8, and bytes
/// that are ASCII throughout give UTF-8 from [`CharsetSource::Default`].
///
/// [`HttpHead::charset`]: crate::HttpHead::charset
pub fn detect(page: &[u8], http: Option<&[u8]>, url: Option<&str>) -> Charset {
    let (encoding, source) = if let Some((encoding, _)) = Encoding::for_bom(page) {
        (encoding, CharsetSource::Bom)
    } else if let Some(encoding) = http.and_then(Encoding::for_label) {
        (encoding, CharsetSource::Http)
    } else if let Some(encoding) = prescan::prescan(page) {
        (encoding, CharsetSource::Meta)
    } else {
        match guess::guess(page, url) {
            Some(encoding) => (encoding, CharsetSource::Detected),
            None => (UTF_8, CharsetSource::Default),
        }
    };
    Charset { encoding, source }
}

/// The text of `page`, without its byte order mark.
///
/// What is not valid in the encoding becomes U+FFFD. The text is a part of `page` if that is valid UTF-8 and meant as
/// such (or ASCII in an encoding that agrees with it); else it is written to `buffer`, whose old contents are dropped.
/// The buffer grows to what the encoding may need, and gives memory beyond 8 MiB back at the next call.
pub fn decode_into<'a>(page: &'a [u8], charset: Charset, buffer: &'a mut String) -> &'a str {
    const KEEP: usize = 2 << 20;
    let page = match Encoding::for_bom(page) {
        Some((encoding, length)) if encoding == charset.encoding => &page[length..],
        _ => page,
    };
    let borrowed = charset.encoding == UTF_8
        || charset.encoding.is_ascii_compatible()
            && Encoding::ascii_valid_up_to(page) == page.len();
    if borrowed && let Ok(text) = simdutf8::basic::from_utf8(page) {
        return text;
    }

    buffer.clear();
    buffer.shrink_to(KEEP);
    let mut decoder = charset.encoding.new_decoder_without_bom_handling();
    // The worst case is three bytes for one, so asking for all of it at once would triple the memory of a giant.
    let mut rest = page;
    loop {
        let piece = rest.len().min(1 << 20);
        let last = piece == rest.len();
        if let Some(room) = decoder.max_utf8_buffer_length(piece) {
            buffer.reserve(room);
        }
        let (result, read, _) = decoder.decode_to_string(&rest[..piece], buffer, last);
        rest = &rest[read..];
        if last && result == CoderResult::InputEmpty {
            return buffer;
        }
    }
}

#[cfg(test)]
mod tests;
