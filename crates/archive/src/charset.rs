//! Detects the character encoding of a page in the order of the HTML standard, and decodes its
//! bytes to UTF-8.
//!
//! [`detect`] examines, in this order: the byte order mark, the HTTP `charset` parameter, the
//! `<meta>` elements in the first 1,024 bytes, and the text itself. Then [`decode_into`] returns
//! the page as `&str`: borrowed if it is already UTF-8, else decoded into a buffer of the caller.
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

mod decode;
mod detection;
mod guess;
mod label;
mod overrule;
mod page_text;
mod prescan;
mod zeros;

pub use decode::decode_into;
pub use detection::{Charset, CharsetSource, detect};
pub use encoding_rs::UTF_8;
pub use label::is_charset_label;
pub use page_text::{PageText, decode_page};

#[cfg(test)]
mod tests;
