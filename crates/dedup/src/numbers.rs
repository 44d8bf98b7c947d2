//! Reads numbers back from files without names.

/// Appends the numbers in `bytes`, which hold whole numbers only.
pub(crate) fn extend(numbers: &mut Vec<u32>, bytes: &[u8]) {
    numbers.extend(bytes.as_chunks().0.iter().map(|number| u32::from_le_bytes(*number)));
}
