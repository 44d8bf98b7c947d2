//! Constants and encodings of the Parquet format.

/// The magic at the beginning and the end of a file.
pub(crate) const MAGIC: &[u8; 4] = b"PAR1";

/// The magic of a file whose footer is encrypted.
pub(crate) const ENCRYPTED: &[u8; 4] = b"PARE";

/// The encoding of the values of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Encoding {
    Plain,
    /// Indices of a dictionary.
    Indices,
    /// Runs of flags.
    Runs,
    Delta,
    /// Lengths as differences, then all values.
    DeltaLength,
    /// As `DeltaLength`, but each value continues after a prefix of the previous value.
    DeltaPrefix,
    /// The first bytes of all values, then the second ones, and so on.
    Split,
    Unknown(i64),
}

impl Encoding {
    pub(super) fn from_number(number: i64) -> Encoding {
        match number {
            0 => Encoding::Plain,
            2 | 8 => Encoding::Indices,
            3 => Encoding::Runs,
            5 => Encoding::Delta,
            6 => Encoding::DeltaLength,
            7 => Encoding::DeltaPrefix,
            9 => Encoding::Split,
            other => Encoding::Unknown(other),
        }
    }
}
