//! Reads and writes signatures as bytes of a file. The layout is in `docs/signatures.md`. This
//! module opens no files.
//!
//! ```
//! use huller_refine::signature::signature_file::{Header, Record};
//! use huller_refine::signature::{Signature, SignatureSettings};
//!
//! let header = Header::new(SignatureSettings::default());
//! let mut bytes = header.to_bytes();
//! let signature = Signature { text: 7, chars: 3, ..Signature::default() };
//! header.push_record(&mut bytes, &Record { row_position: 12, ..Record::from_signature(&signature) });
//!
//! let (header, records) = Header::read(&bytes)?;
//! let read: Vec<_> = header.records(&bytes[records..])?.collect();
//! assert_eq!((read[0].row_position(), read[0].text()), (12, 7));
//! # Ok::<(), huller_refine::signature::signature_file::FormatError>(())
//! ```

mod error;
mod header;
mod record;

pub use error::FormatError;
pub use header::Header;
pub use record::{Record, RecordView, Records};
