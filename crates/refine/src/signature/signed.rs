//! A signature.

/// What of a row is enough to find its duplicates.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Signature {
    /// Digest of the text, its white space normalised.
    pub text: u128,
    /// Digest of the address, normalised. `None` if the row has no address.
    pub url: Option<u128>,
    /// Unicode scalars of the text.
    pub chars: u32,
    /// The hash of every band. Empty if the text has fewer words than a shingle.
    pub bands: Vec<u64>,
}
