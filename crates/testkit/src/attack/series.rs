//! Series of records that several groups of attacks use.

use super::definition::Scale;
use super::records::{Records, mebibytes};

/// Returns three uncompressed records: a good page, the attack, a good page.
pub(super) fn three_records(records: &mut Records) -> [Vec<u8>; 3] {
    [records.alpha(), records.small().to_bytes(), records.omega()]
}

/// Returns a response of zeros in pieces: 1 GiB at full size.
pub(super) fn huge_record(
    records: &mut Records,
    scale: Scale,
    media_type: &str,
) -> impl Iterator<Item = Vec<u8>> {
    let head = format!("HTTP/1.1 200 OK\r\nContent-Type: {media_type}\r\n\r\n");
    let zeros = scale.of(1024);
    let record = records.attack(Vec::new()).length(head.len() + (zeros << 20)).end(b"");
    std::iter::once([&record.to_bytes(), head.as_bytes()].concat())
        .chain(mebibytes(zeros))
        .chain([b"\r\n\r\n".to_vec()])
}
