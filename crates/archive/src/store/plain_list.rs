//! Opens lists of text lines that may be compressed.

use flate2::bufread::MultiGzDecoder;
use std::io::{self, BufRead, BufReader};

/// Returns the plain bytes of a list: text that may be compressed with gzip or zstd, by its first
/// bytes.
///
/// # Errors
///
/// The file cannot be read, or zstd cannot allocate its tables.
pub fn plain_list<'a>(mut file: impl BufRead + 'a) -> io::Result<Box<dyn BufRead + 'a>> {
    let head = file.fill_buf()?;
    Ok(if head.starts_with(b"\x1f\x8b") {
        Box::new(BufReader::new(MultiGzDecoder::new(file)))
    } else if head.starts_with(b"\x28\xb5\x2f\xfd") {
        Box::new(BufReader::new(zstd::Decoder::with_buffer(file)?))
    } else {
        Box::new(file)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    #[test]
    fn a_list_is_read_plain_and_compressed() {
        let text = b"one\ntwo\n";
        let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        gzip.write_all(text).unwrap();
        let zstd = zstd::encode_all(&text[..], 1).unwrap();
        for bytes in [text.to_vec(), gzip.finish().unwrap(), zstd] {
            let lines: Vec<_> =
                plain_list(&bytes[..]).unwrap().lines().map(Result::unwrap).collect();
            assert_eq!(lines, ["one", "two"]);
        }
        assert_eq!(plain_list(&b""[..]).unwrap().lines().count(), 0);
    }
}
