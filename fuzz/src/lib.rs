//! Code shared by the fuzz targets.

/// `bytes` as UTF-8, each damaged stretch replaced by U+FFFD.
pub fn text(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        if !chunk.invalid().is_empty() {
            text.push(char::REPLACEMENT_CHARACTER);
        }
    }
    text
}
