//! Parses HTTP/1.x responses: the head, and the encodings of the body.
//!
//! A response block is a status line, header lines, a blank line and a body. [`Http::parse`] parses
//! the head. With [`Http::split`] the caller also gets the encoded body. Then [`Decoder::decode`]
//! decodes `Transfer-Encoding: chunked` (in place) and `Content-Encoding` (into buffers that the
//! decoder keeps).
//!
//! ```
//! use huller_archive::{Decoder, Http, Limits};
//!
//! let mut block = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=UTF-8\r\n\
//!                   Transfer-Encoding: chunked\r\n\r\n5\r\n<p>Hi\r\n0\r\n\r\n".to_vec();
//! let limits = Limits::default();
//! let mut decoder = Decoder::new();
//! let (head, body) = Http::split(&mut block, &limits);
//! assert_eq!(head.status, Some(200));
//! assert!(head.is_html());
//! assert_eq!(decoder.decode(&head, body, &limits)?.bytes, b"<p>Hi");
//! # Ok::<(), huller_archive::BodyFault>(())
//! ```

mod brotli;
mod chunked;
mod coding;
mod decode;
mod head;
mod inflate;
mod layer;
pub(crate) mod media;
pub(crate) mod sniff;
mod zstd;

pub use chunked::Chunking;
pub use coding::{ContentEncoding, ContentEncodings};
pub use decode::{DecodedBody, Decoder};
pub use head::{HeadFault, Http, HttpHead};
pub use layer::BodyFault;
pub use media::{charset_parameter, is_html_media_type};
