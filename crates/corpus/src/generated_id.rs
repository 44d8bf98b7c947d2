//! Identifiers of pages whose records have none.

use uuid::Uuid;

/// Makes an identifier for a page that has none, the same in every run over the same input.
/// `position` is the offset of its record in bytes, or its number.
///
/// ```
/// let mut buffer = String::new();
/// let id = huller_corpus::generate_id("a.warc", 7, &mut buffer);
/// assert_eq!(id, "d6a6d28d-1e8a-50d4-a8bb-30bd78a00199");
/// ```
pub fn generate_id<'a>(input: &str, position: u64, buffer: &'a mut String) -> &'a str {
    use std::fmt::Write;
    buffer.clear();
    // Writing to a string cannot fail.
    let _ = write!(buffer, "huller:{input}#{position}");
    let id = Uuid::new_v5(&Uuid::NAMESPACE_URL, buffer.as_bytes());
    buffer.clear();
    let _ = write!(buffer, "{id}");
    buffer
}
