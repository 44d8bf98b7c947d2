//! Parses flags whose value is more than a word or a number.

use super::choices::ALL;
use huller_extract::{EXTRACTORS, ExtractorFactory};

/// Parses a size in bytes: a number, with `K`, `M`, `G` or `T` for powers of 1,024.
///
/// # Errors
///
/// The text is no such number, or 0, or too large.
pub fn bytes(text: &str) -> Result<usize, String> {
    let (digits, shift) = match text.as_bytes().last().map(u8::to_ascii_uppercase) {
        Some(b'K') => (&text[..text.len() - 1], 10),
        Some(b'M') => (&text[..text.len() - 1], 20),
        Some(b'G') => (&text[..text.len() - 1], 30),
        Some(b'T') => (&text[..text.len() - 1], 40),
        _ => (text, 0),
    };
    let number: u64 =
        digits.parse().map_err(|_| "expected bytes, such as 65536, 64K or 16M".to_owned())?;
    let bytes = number.checked_mul(1 << shift).and_then(|bytes| usize::try_from(bytes).ok());
    match bytes {
        Some(0) => Err("must be more than 0".to_owned()),
        Some(bytes) => Ok(bytes),
        None => Err("too large".to_owned()),
    }
}

/// Parses a number of rows.
pub(super) fn rows(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| "not a number of rows; expected 0, 1, 2 and so on".to_owned())
}

/// Parses a number of characters.
pub(super) fn characters(text: &str) -> Result<usize, String> {
    text.parse().map_err(|_| "not a number of characters; expected 0, 1, 2 and so on".to_owned())
}

/// Returns the extractor of a name.
///
/// # Errors
///
/// No extractor has the name. The message lists the known names.
pub fn parse_extractor(text: &str) -> Result<&'static dyn ExtractorFactory, String> {
    huller_extract::find(text).ok_or_else(|| {
        let names: Vec<_> = EXTRACTORS.iter().map(|extractor| extractor.name()).collect();
        format!("unknown extractor; the extractors are {}", names.join(", "))
    })
}

/// Returns the extractor's canonical name, or [`ALL`].
pub(super) fn extractor(text: &str) -> Result<String, String> {
    if text == ALL {
        return Ok(ALL.to_owned());
    }
    parse_extractor(text).map(|extractor| extractor.name().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_bytes_or_powers_of_two_of_them() {
        assert_eq!(
            ["7", "64K", "16m", "1G", "2T"].map(|text| bytes(text).unwrap()),
            [7, 65536, 16 << 20, 1 << 30, 2 << 40]
        );
        assert!(
            ["", "0", "-1", "1.5M", "99999999999999G", "16777216T", "M"]
                .iter()
                .all(|text| bytes(text).is_err())
        );
    }
}
