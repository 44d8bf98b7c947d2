//! Checks WARC-Block-Digest, only for records that are or seem damaged.

use super::header::WarcHeader;
use data_encoding::{BASE32, HEXLOWER};
use sha1::{Digest, Sha1};

/// Returns whether a header states a SHA-1 that differs from that of the block.
pub(crate) fn contradicts_digest(header: &[u8], block: &[u8]) -> bool {
    const LABEL: &[u8] = b"sha1:";
    let Some(claim) = WarcHeader::parse(header).and_then(|header| header.block_digest()) else {
        return false;
    };
    let Some((label, value)) = claim.split_at_checked(LABEL.len()) else { return false };
    if !label.eq_ignore_ascii_case(LABEL) {
        return false;
    }
    let digest = Sha1::digest(block);
    let is = |text: &str| value.trim_ascii().eq_ignore_ascii_case(text.as_bytes());
    !is(&BASE32.encode(&digest)) && !is(&HEXLOWER.encode(&digest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base32_and_hexadecimal_digests_are_read() {
        let contradicts = |digest: &str| {
            let header = format!("WARC/1.0\r\nWARC-Block-Digest: {digest}\r\n\r\n");
            contradicts_digest(header.as_bytes(), b"")
        };
        assert!(!contradicts("sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ"));
        assert!(!contradicts("SHA1:da39a3ee5e6b4b0d3255bfef95601890afd80709"));
        assert!(contradicts("sha1:da39a3ee5e6b4b0d3255bfef95601890afd8070a"));
        assert!(!contradicts("sha256:00"));
        assert!(!contradicts_digest(b"WARC/1.0\r\n\r\n", b""));
    }
}
