//! Bytes as text, for tests: the product decodes with counted replacements.

/// `bytes` as UTF-8, each damaged stretch replaced by U+FFFD.
pub(crate) fn to_utf8(bytes: &[u8]) -> String {
    let mut out = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        out.push_str(chunk.valid());
        if !chunk.invalid().is_empty() {
            out.push(char::REPLACEMENT_CHARACTER);
        }
    }
    out
}
