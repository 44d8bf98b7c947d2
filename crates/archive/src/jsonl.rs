//! Reads a line of JSONL as a page.
//!
//! [`JsonlReader`] takes the few fields that a page needs from a line that is one JSON object. The
//! crate `serde_json` checks the grammar of RFC 8259 to the last byte, and finds the members.
//! Strings with escapes are decoded here, into buffers that the reader keeps, and lone surrogates
//! become U+FFFD. Objects and arrays may be nested 1,024 levels deep. Every fault has a reason and
//! a byte position.
//!
//! ```
//! use huller_archive::jsonl::{JsonlKeys, JsonlReader};
//!
//! let mut reader = JsonlReader::new(JsonlKeys::default());
//! let page = reader.read(br#"{"id": 7, "u": "http://a/", "raw_content": "<p>\u00e9", "score": [1e400]}"#)?;
//! assert_eq!((page.id, page.url, page.html), (Some("7"), Some("http://a/"), "<p>é"));
//! # Ok::<(), huller_archive::jsonl::JsonlFault>(())
//! ```

mod fault;
mod kept_values;
mod key_list;
mod keys;
pub(crate) mod lines;
mod reader;
mod scan;
mod unescape;
mod write;

pub(crate) use kept_values::{member as json_name, push_value};
pub(crate) use scan::{is_object, is_open, is_value as is_json};
pub(crate) use write::{name_of, push_text};

pub use fault::{JsonlFault, JsonlReason};
pub use key_list::list_keys;
pub use keys::JsonlKeys;
pub use reader::{JsonlPage, JsonlReader};
