//! The header of a file of signatures: the settings that all records share.

use super::error::FormatError;
use super::record::{FIXED_BYTES, Record, Records};
use crate::signature::settings::{SignatureSettings, VERSION};
use serde_json::Value;

/// The first bytes of a file of signatures. The last character is the version of the layout.
const MAGIC: &[u8; 8] = b"HULLSIG1";

/// Bytes of magic and length.
const PREFIX_BYTES: usize = 12;

/// Most bytes of the parameters. Those of this version have fewer than 100.
const MAX_PARAMETER_BYTES: u32 = 1 << 16;

/// The parameters with which all signatures of a file were made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header {
    settings: SignatureSettings,
}

impl Header {
    /// Most bytes of a header. A reader that has read this many bytes has all of it.
    pub const MAX_BYTES: usize = (PREFIX_BYTES + MAX_PARAMETER_BYTES as usize).next_multiple_of(8);

    /// Creates the header of signatures with these settings.
    pub fn new(settings: SignatureSettings) -> Header {
        Header { settings }
    }

    /// Returns the settings of the signatures.
    pub fn settings(self) -> SignatureSettings {
        self.settings
    }

    /// Returns the bytes of each record.
    pub fn record_bytes(self) -> usize {
        FIXED_BYTES + self.settings.bands as usize * size_of::<u64>()
    }

    /// Returns the header as bytes. Equal settings give equal bytes.
    pub fn to_bytes(self) -> Vec<u8> {
        let json = self.settings.to_json().to_string();
        let mut bytes = MAGIC.to_vec();
        bytes.extend_from_slice(&(json.len() as u32).to_le_bytes());
        bytes.extend_from_slice(json.as_bytes());
        bytes.resize(bytes.len().next_multiple_of(8), 0);
        bytes
    }

    /// Reads the header at the start of a file, and returns it with the offset of the first record.
    ///
    /// # Errors
    ///
    /// The header is missing, cut, or of another version of this program.
    pub fn read(bytes: &[u8]) -> Result<(Header, usize), FormatError> {
        let common = bytes.len().min(MAGIC.len());
        if bytes[..common] != MAGIC[..common] {
            return Err(FormatError::Magic);
        }
        let length = bytes.get(MAGIC.len()..PREFIX_BYTES).and_then(|length| length.first_chunk());
        let length = u32::from_le_bytes(*length.ok_or(FormatError::CutHeader)?);
        if length > MAX_PARAMETER_BYTES {
            return Err(FormatError::LongHeader(length));
        }
        let end = PREFIX_BYTES + length as usize;
        let records = end.next_multiple_of(8);
        if bytes.len() < records {
            return Err(FormatError::CutHeader);
        }
        let settings = settings(&bytes[PREFIX_BYTES..end]).map_err(FormatError::Parameters)?;
        Ok((Header { settings }, records))
    }

    /// Appends the record of a row to `out`. A signature with another number of bands is written
    /// without bands.
    pub fn push_record(self, out: &mut Vec<u8>, record: &Record<'_>) {
        record.push_to(out, self.settings.bands as usize);
    }

    /// Adds `bytes` to the place of every record in `records`, which holds whole records. It is
    /// used when rows are put before theirs.
    pub fn move_places(self, records: &mut [u8], bytes: u64) {
        for record in records.chunks_exact_mut(self.record_bytes()) {
            if let Some(position_bytes) = record.first_chunk_mut() {
                *position_bytes =
                    u64::from_le_bytes(*position_bytes).wrapping_add(bytes).to_le_bytes();
            }
        }
    }

    /// Returns the records in the bytes after a header.
    ///
    /// # Errors
    ///
    /// The last record is cut.
    pub fn records(self, bytes: &[u8]) -> Result<Records<'_>, FormatError> {
        let record = self.record_bytes();
        if !bytes.len().is_multiple_of(record) {
            let (bytes, record) = (bytes.len() as u64, record as u64);
            return Err(FormatError::CutRecord { bytes, record });
        }
        Ok(Records::new(bytes, record))
    }
}

/// Reads the settings from the parameters. The error describes the problem.
fn settings(json: &[u8]) -> Result<SignatureSettings, String> {
    let mut json: Value = serde_json::from_slice(json).map_err(|error| error.to_string())?;
    let object = json.as_object_mut().ok_or("no JSON object")?;
    match object.remove("version").as_ref().map(Value::as_u64) {
        Some(Some(version)) if version == u64::from(VERSION) => {}
        Some(Some(version)) => {
            return Err(format!("version {version}; this program reads version {VERSION}"));
        }
        _ => return Err("no version".to_owned()),
    }
    let settings: SignatureSettings =
        serde_json::from_value(json).map_err(|error| error.to_string())?;
    settings.check().map_err(|error| error.to_string())?;
    Ok(settings)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::signature::row_signature::Signature;

    #[test]
    fn what_cannot_be_is_refused() {
        let good = Header::new(SignatureSettings::default()).to_bytes();
        assert_eq!(good.len() % 8, 0);
        assert_eq!(Header::read(&good).unwrap().1, good.len());
        for end in 0..good.len() {
            assert_eq!(Header::read(&good[..end]), Err(FormatError::CutHeader), "{end}");
        }
        assert_eq!(Header::read(b"{\"id\":1}\n"), Err(FormatError::Magic));
        let with = |json: &str| {
            let mut bytes = MAGIC.to_vec();
            bytes.extend_from_slice(&(json.len() as u32).to_le_bytes());
            bytes.extend_from_slice(json.as_bytes());
            bytes.resize(bytes.len().next_multiple_of(8), 0);
            Header::read(&bytes).unwrap_err().to_string()
        };
        assert!(with("[]").contains("no JSON object"));
        assert!(with(r#"{"bands":14}"#).contains("no version"));
        assert!(with(r#"{"version":2}"#).contains("version 2; this program reads"));
        assert!(with(r#"{"version":1,"bands":0}"#).contains("must be at least 1"));
        assert!(with(r#"{"version":1,"x":0}"#).contains("unknown field"));
        let mut long = good.clone();
        long[8..12].copy_from_slice(&u32::MAX.to_le_bytes());
        assert_eq!(Header::read(&long), Err(FormatError::LongHeader(u32::MAX)));
    }

    #[test]
    fn records_are_read_as_they_were_written() {
        let header = Header::new(SignatureSettings { bands: 3, ..SignatureSettings::default() });
        let full =
            Signature { text: 1 << 100, url: Some(9), chars: 70_000, bands: vec![1, 2, u64::MAX] };
        let empty = Signature::default();
        let mut bytes = Vec::new();
        let (id, fetched, score) = (Some([7; 16]), Some(-5), Some(0.5));
        header.push_record(
            &mut bytes,
            &Record { row_position: 88, id, fetch_time: fetched, score, signature: &full },
        );
        header.push_record(&mut bytes, &Record::from_signature(&empty));
        assert_eq!(bytes.len(), 2 * header.record_bytes());
        let read: Vec<_> = header.records(&bytes).unwrap().collect();
        let [first, second] = read[..] else { panic!("two records") };
        assert_eq!((first.row_position(), first.id(), first.fetch_time()), (88, id, fetched));
        assert_eq!((first.score(), first.chars()), (score, 70_000));
        assert_eq!((first.text(), first.url()), (1 << 100, Some(9)));
        assert_eq!(first.bands().collect::<Vec<_>>(), [1, 2, u64::MAX]);
        assert_eq!((second.row_position(), second.id(), second.fetch_time()), (0, None, None));
        assert_eq!((second.score(), second.url(), second.bands().len()), (None, None, 0));
        let cut = header.records(&bytes[1..]).unwrap_err();
        assert_eq!(cut, FormatError::CutRecord { bytes: 207, record: 104 });
    }
}
