//! A record of a file of signatures: the signature of one row, and the values by which
//! deduplication chooses the row to keep.

use crate::signature::row_signature::Signature;

/// Bytes of a record before its bands.
pub(super) const FIXED_BYTES: usize = 80;

/// Flag of a row that has bands.
const HAS_BANDS: u64 = 1;

/// The values of a row in a file of signatures.
#[derive(Clone, Copy, Debug)]
pub struct Record<'a> {
    /// Offset of the row in bytes of the uncompressed lines of its file, or the row's number in
    /// files of other formats.
    pub row_position: u64,
    /// The row's identifier, if it is a UUID.
    pub id: Option<[u8; 16]>,
    /// Time of the fetch of the page, in seconds since 1970.
    pub fetch_time: Option<i64>,
    /// The quality that the extractor expects of its text.
    pub score: Option<f32>,
    /// The signature.
    pub signature: &'a Signature,
}

impl<'a> Record<'a> {
    /// Creates the record of a row at place 0, without the other values.
    pub fn from_signature(signature: &'a Signature) -> Record<'a> {
        Record { row_position: 0, id: None, fetch_time: None, score: None, signature }
    }

    /// Appends the record with `bands` bands to `out`. A signature with another number of bands is
    /// written without bands.
    pub(super) fn push_to(&self, out: &mut Vec<u8>, bands: usize) {
        let end = out.len() + FIXED_BYTES + bands * size_of::<u64>();
        let signature = self.signature;
        let bands = if signature.bands.len() == bands { &*signature.bands } else { &[] };
        let flags = if bands.is_empty() { 0 } else { HAS_BANDS };
        out.extend_from_slice(&self.row_position.to_le_bytes());
        out.extend_from_slice(&self.id.unwrap_or_default());
        out.extend_from_slice(&signature.text.to_le_bytes());
        out.extend_from_slice(&signature.url.unwrap_or_default().to_le_bytes());
        out.extend_from_slice(&self.fetch_time.unwrap_or(i64::MIN).to_le_bytes());
        out.extend_from_slice(&self.score.unwrap_or(f32::NAN).to_le_bytes());
        out.extend_from_slice(&signature.chars.to_le_bytes());
        out.extend_from_slice(&flags.to_le_bytes());
        out.extend(bands.iter().flat_map(|band| band.to_le_bytes()));
        out.resize(end, 0);
    }
}

/// The records of a file, or of part of it.
#[derive(Clone, Debug)]
pub struct Records<'a> {
    records: std::slice::ChunksExact<'a, u8>,
}

impl<'a> Records<'a> {
    pub(super) fn new(bytes: &'a [u8], record: usize) -> Records<'a> {
        Records { records: bytes.chunks_exact(record) }
    }
}

impl<'a> Iterator for Records<'a> {
    type Item = RecordView<'a>;

    fn next(&mut self) -> Option<RecordView<'a>> {
        self.records.next().map(RecordView)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.records.size_hint()
    }

    fn nth(&mut self, n: usize) -> Option<RecordView<'a>> {
        self.records.nth(n).map(RecordView)
    }
}

impl ExactSizeIterator for Records<'_> {}

/// A view of one record in the bytes of its file.
#[derive(Clone, Copy, Debug)]
pub struct RecordView<'a>(&'a [u8]);

impl<'a> RecordView<'a> {
    /// Returns the bytes from an offset on. Records have all bytes up to [`FIXED_BYTES`].
    #[inline]
    fn bytes_at<const N: usize>(self, offset: usize) -> [u8; N] {
        self.0[offset..offset + N].try_into().expect("a slice of N bytes")
    }

    /// Returns the offset of the row in bytes of the uncompressed lines of its file, or the row's
    /// number in files of other formats.
    pub fn row_position(self) -> u64 {
        u64::from_le_bytes(self.bytes_at(0))
    }

    /// Returns the row's identifier, if it is a UUID.
    pub fn id(self) -> Option<[u8; 16]> {
        Some(self.bytes_at(8)).filter(|id| *id != [0; 16])
    }

    /// Returns the digest of the text.
    pub fn text(self) -> u128 {
        u128::from_le_bytes(self.bytes_at(24))
    }

    /// Returns the digest of the URL. `None` if the row has no URL.
    pub fn url(self) -> Option<u128> {
        Some(u128::from_le_bytes(self.bytes_at(40))).filter(|url| *url != 0)
    }

    /// Returns the time of the fetch of the page, in seconds since 1970.
    pub fn fetch_time(self) -> Option<i64> {
        Some(i64::from_le_bytes(self.bytes_at(56))).filter(|fetched| *fetched != i64::MIN)
    }

    /// Returns the quality that the extractor expects of the text.
    pub fn score(self) -> Option<f32> {
        Some(f32::from_le_bytes(self.bytes_at(64))).filter(|score| !score.is_nan())
    }

    /// Returns the number of Unicode scalars of the text.
    pub fn chars(self) -> u32 {
        u32::from_le_bytes(self.bytes_at(68))
    }

    /// Returns the hash of each band. It is empty if the text has fewer words than a shingle.
    #[inline]
    pub fn bands(self) -> impl ExactSizeIterator<Item = u64> + use<'a> {
        let has_bands = u64::from_le_bytes(self.bytes_at(72)) & HAS_BANDS != 0;
        let bands = if has_bands { &self.0[FIXED_BYTES..] } else { &[] };
        bands.as_chunks().0.iter().map(|band| u64::from_le_bytes(*band))
    }

    /// Returns the bytes of the record.
    pub fn bytes(self) -> &'a [u8] {
        self.0
    }
}
