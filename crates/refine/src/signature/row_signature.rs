//! A signature.

/// A summary of a row by which its duplicates are found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Signature {
    /// Digest of the text with normalised white space.
    pub text: u128,
    /// Digest of the normalised URL. `None` if the row has no URL.
    pub url: Option<u128>,
    /// Unicode scalars of the text.
    pub chars: u32,
    /// The hash of each band. Empty if the text has fewer words than a shingle.
    pub bands: Vec<u64>,
}
