//! Writes ARC records for tests.

/// Returns the version block, the first record of an ARC file.
pub fn version_block() -> Vec<u8> {
    let block = b"1 0 InternetArchive\nURL IP-address Archive-date Content-type Archive-length\n\n";
    record("filedesc://made.arc", "text/plain", block)
}

/// Returns an ARC 1 record with the line end after it.
pub fn record(url: &str, media_type: &str, block: &[u8]) -> Vec<u8> {
    record_with(url, media_type, &block.len().to_string(), block)
}

/// Like [`record`], with a header line that claims `length`.
pub fn record_with(url: &str, media_type: &str, length: &str, block: &[u8]) -> Vec<u8> {
    let line = format!("{url} 192.0.2.1 20240229120000 {media_type} {length}\n");
    [line.as_bytes(), block, b"\n"].concat()
}
