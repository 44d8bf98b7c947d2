//! Decodes bytes as text, for tests. The product counts its replacements instead.

/// Returns `bytes` as UTF-8, with each invalid sequence replaced by U+FFFD.
pub fn lossy(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        if !chunk.invalid().is_empty() {
            text.push(char::REPLACEMENT_CHARACTER);
        }
    }
    text
}
