//! Writes the digest of a page's payload.

use data_encoding::{BASE32, HEXLOWER_PERMISSIVE};
use sha1::{Digest, Sha1};

const SHA1: &str = "sha1";

/// Length of a SHA-1 in Base32 and in hexadecimal.
const BASE32_LEN: usize = 32;
const HEX_LEN: usize = 40;

/// Writes the digest of a page into `buffer`. A SHA-1 of the header becomes `sha1:` and Base32;
/// other digests stay as written. If the header has no SHA-1 and the payload is given, the
/// payload's SHA-1 is computed.
pub(crate) fn write<'a>(
    stated: Option<&[u8]>,
    payload: Option<&[u8]>,
    buffer: &'a mut String,
) -> Option<&'a str> {
    buffer.clear();
    let stated = stated.and_then(|stated| std::str::from_utf8(stated).ok()).map(str::trim);
    let (algorithm, value) = stated.and_then(|stated| stated.split_once(':')).unwrap_or_default();
    let (algorithm, value) = (algorithm.trim(), value.trim());
    let is_sha1 = algorithm.eq_ignore_ascii_case(SHA1) || algorithm.eq_ignore_ascii_case("sha-1");
    buffer.push_str("sha1:");
    let start = buffer.len();
    if is_sha1 && value.len() == BASE32_LEN {
        buffer.push_str(value);
        buffer[start..].make_ascii_uppercase();
    } else if is_sha1 && value.len() == HEX_LEN {
        let mut sha1 = [0; 20];
        if HEXLOWER_PERMISSIVE.decode_mut(value.as_bytes(), &mut sha1).is_ok() {
            BASE32.encode_append(&sha1, buffer);
        }
    }
    if buffer.len() == start
        && let Some(payload) = payload
    {
        BASE32.encode_append(&Sha1::digest(payload), buffer);
    }
    if buffer.len() == start {
        buffer.clear();
        if !algorithm.is_empty() && !value.is_empty() {
            buffer.push_str(algorithm);
            buffer.push(':');
            buffer.push_str(value);
        }
    }
    (!buffer.is_empty()).then_some(buffer)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_digest_is_the_headers_or_else_that_of_the_stored_payload() {
        let empty = "sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ";
        let other = "sha1:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";
        for (stated, without, with) in [
            (None, None, Some(empty)),
            (Some(""), None, Some(empty)),
            (Some("sha1:"), None, Some(empty)),
            (Some("junk"), None, Some(empty)),
            (Some(other), Some(other), Some(other)),
            (Some("SHA1:aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"), Some(other), Some(other)),
            (Some("sha-1: DA39A3EE5E6B4B0D3255BFEF95601890AFD80709"), Some(empty), Some(empty)),
            (Some("sha256:00ff"), Some("sha256:00ff"), Some(empty)),
            (Some("sha1:odd"), Some("sha1:odd"), Some(empty)),
        ] {
            let mut buffer = "old".to_owned();
            let stated = stated.map(str::as_bytes);
            assert_eq!(write(stated, None, &mut buffer), without);
            assert_eq!(write(stated, Some(b""), &mut buffer), with);
        }
    }
}
