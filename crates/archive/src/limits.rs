//! Limits on memory and time.

/// Limits that bound memory and time for every input. All sizes are in bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Longest WARC or HTTP header block.
    pub header_bytes: usize,
    /// Longest single WARC header line, folds included.
    pub header_line_bytes: usize,
    /// Longest record (header and block, uncompressed). The reader skips a longer one without
    /// holding it in memory.
    pub record_bytes: usize,
    /// Longest HTTP body after content decoding.
    pub body_bytes: usize,
    /// Highest ratio of decoded to encoded size of an HTTP body. It applies once more than 1 MiB
    /// has been decoded.
    pub decode_ratio: usize,
    /// Most content encodings of one HTTP body. A value above 8 acts as 8.
    pub content_encodings: usize,
    /// Largest zstd window, as its logarithm to base 2.
    pub zstd_window_log: u32,
    /// Target size of a batch of compressed input. A batch ends at a border between members near
    /// it.
    pub batch_bytes: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            header_bytes: 16 << 20,
            header_line_bytes: 1 << 20,
            record_bytes: 128 << 20,
            body_bytes: 128 << 20,
            decode_ratio: 1000,
            content_encodings: 4,
            zstd_window_log: 27,
            batch_bytes: 1 << 20,
        }
    }
}
