//! Holds the signatures of the rows of a batch.

use huller_provenance::seconds;
use huller_refine::signature::Signature;
use huller_refine::signature::signature_file::{Header, Record};
use huller_row::Row;
use uuid::Uuid;

/// Records of signatures, in the order of the rows. A row's place is its offset among the rows of
/// the batch. The writer adds the bytes that came before.
#[derive(Clone, Debug, Default)]
pub(crate) struct SignedRows {
    /// The records, one after another.
    records: Vec<u8>,
    /// Bytes of the rows of the batch, before compression.
    row_bytes: u64,
}

impl SignedRows {
    /// Adds the signature of a row that begins at `position`.
    pub(crate) fn push(
        &mut self,
        header: Header,
        position: usize,
        facts: RowFacts<'_>,
        signature: &Signature,
    ) {
        let RowFacts { id, date, score } = facts;
        let position = self.row_bytes + position as u64;
        let (id, fetched) = (id.and_then(parse_uuid), date.and_then(seconds));
        let score = score.map(|score| score as f32);
        header.push_record(
            &mut self.records,
            &Record { row_position: position, id, fetch_time: fetched, score, signature },
        );
    }

    /// Ends a part of the batch, whose rows have so many bytes.
    pub(crate) fn end_part(&mut self, row_bytes: usize) {
        self.row_bytes += row_bytes as u64;
    }

    /// Adds the signatures of a part of the batch that was read apart.
    pub(crate) fn append(&mut self, part: &SignedRows, header: Option<Header>) {
        let start = self.records.len();
        self.records.extend_from_slice(&part.records);
        if let Some(header) = header {
            header.move_places(&mut self.records[start..], self.row_bytes);
        }
        self.row_bytes += part.row_bytes;
    }

    /// Returns the bytes of the records.
    pub(crate) fn bytes(&self) -> usize {
        self.records.len()
    }

    /// Returns its present size.
    pub(crate) fn mark(&self) -> (usize, u64) {
        (self.records.len(), self.row_bytes)
    }

    /// Discards everything that was added since [`SignedRows::mark`].
    pub(crate) fn cut(&mut self, (records, row_bytes): (usize, u64)) {
        self.records.truncate(records);
        self.row_bytes = row_bytes;
    }

    /// Discards all signatures after those of the first `rows` rows.
    pub(crate) fn cut_after(&mut self, header: Header, rows: u64) {
        self.records.truncate(header.record_bytes().saturating_mul(rows as usize));
    }

    /// Returns the records, whose places begin after `rows_before` bytes of rows, and the number of
    /// bytes of these rows.
    pub(crate) fn place_records(&mut self, header: Header, rows_before: u64) -> (&[u8], u64) {
        header.move_places(&mut self.records, rows_before);
        (&self.records, self.row_bytes)
    }

    pub(crate) fn clear(&mut self) {
        const MAX_KEPT_BYTES: usize = 1 << 20;
        huller_page::memory::clear_and_shrink(&mut self.records, MAX_KEPT_BYTES);
        self.row_bytes = 0;
    }
}

/// The fields that a record takes from its row besides the signature.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct RowFacts<'a> {
    pub(crate) id: Option<&'a str>,
    pub(crate) date: Option<&'a str>,
    pub(crate) score: Option<f64>,
}

impl<'a> RowFacts<'a> {
    pub(crate) fn from_row(row: &Row<'a>) -> RowFacts<'a> {
        RowFacts { id: Some(row.id), date: row.date, score: row.score }
    }
}

/// Parses an identifier that is a UUID in its usual form, so that it can be restored exactly.
fn parse_uuid(id: &str) -> Option<[u8; 16]> {
    let uuid = Uuid::try_parse(id).ok()?;
    let mut usual = Uuid::encode_buffer();
    (uuid.hyphenated().encode_lower(&mut usual) == id).then(|| uuid.into_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;
    use huller_refine::signature::SignatureSettings;
    use huller_refine::signature::signature_file::RecordView;

    #[test]
    fn places_go_on_from_part_to_part() {
        let header = Header::new(SignatureSettings::default());
        let mut batch = SignedRows::default();
        let push = |rows: &mut SignedRows, place| {
            let facts = RowFacts { date: Some("1970-01-02"), ..RowFacts::default() };
            rows.push(header, place, facts, &Signature::default());
        };
        push(&mut batch, 0);
        push(&mut batch, 10);
        batch.end_part(30);
        let mark = batch.mark();
        let mut part = SignedRows::default();
        push(&mut part, 5);
        part.end_part(9);
        batch.append(&part, Some(header));
        push(&mut batch, 1);
        batch.end_part(4);
        let places = |records: &[u8]| -> Vec<u64> {
            header.records(records).unwrap().map(RecordView::row_position).collect()
        };
        let (records, row_bytes) = batch.place_records(header, 100);
        assert_eq!((places(records), row_bytes), (vec![100, 110, 135, 140], 43));
        assert_eq!(header.records(records).unwrap().next().unwrap().fetch_time(), Some(86_400));
        batch.cut(mark);
        assert_eq!((batch.bytes(), batch.row_bytes), (2 * header.record_bytes(), 30));
        batch.cut_after(header, 1);
        assert_eq!(batch.bytes(), header.record_bytes());
    }

    #[test]
    fn only_usual_uuids_stand_for_their_text() {
        assert!(parse_uuid("0b9c2f0c-6a0e-4c0a-8f62-b6a5a1d0c0de").is_some());
        for id in ["0B9C2F0C-6a0e-4c0a-8f62-b6a5a1d0c0de", "0b9c2f0c6a0e4c0a8f62b6a5a1d0c0de", "7"]
        {
            assert_eq!(parse_uuid(id), None, "{id}");
        }
    }
}
