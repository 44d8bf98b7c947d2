//! Reads the zstd dictionary with which a WARC file may begin.
//!
//! By the IIPC's convention for WARC in zstd, the first frame of a file is a skippable frame with
//! the dictionary. The dictionary may itself be compressed
//! (<https://iipc.github.io/warc-specifications/specifications/warc-zstd/>).

use super::context::context;
use super::decoder::FrameDecoder;
use super::frame::{FrameHeader, MAGIC, SKIPPABLE_HEADER_BYTES, skippable};
use crate::error::ArchiveError;
use crate::limits::Limits;
use std::sync::Arc;

/// Largest dictionary in bytes, both as stored and after decompression.
const DICTIONARY_BYTES: usize = 64 << 20;

/// The beginning of a zstd file.
pub(crate) enum ZstdStart {
    /// Data other than a dictionary.
    None,
    /// A skippable frame with a dictionary; the length of the whole frame in bytes.
    Dictionary(usize),
}

/// Searches `bytes`, the first bytes of a file, for a dictionary. `len` is the length of the file
/// in bytes, if it is known.
pub(crate) fn leading(
    name: &str,
    bytes: &[u8],
    len: Option<u64>,
) -> Result<ZstdStart, ArchiveError> {
    const DICTIONARY: u8 = 0x5d;
    let Some(size) = skippable(bytes).filter(|_| bytes[0] == DICTIONARY) else {
        return Ok(ZstdStart::None);
    };
    let end = SKIPPABLE_HEADER_BYTES as u64 + u64::from(size);
    if size as usize > DICTIONARY_BYTES || len.is_some_and(|len| end > len) {
        let problem = format!("its zstd dictionary claims {size} bytes");
        return Err(ArchiveError::Dictionary { name: name.to_owned(), problem });
    }
    Ok(ZstdStart::Dictionary(end as usize))
}

/// Extracts the dictionary from its skippable frame, and decompresses it if it is compressed.
pub(crate) fn dictionary(name: &str, frame: &[u8]) -> Result<Arc<[u8]>, ArchiveError> {
    let error = |problem: &str| ArchiveError::Dictionary {
        name: name.to_owned(),
        problem: format!("its zstd dictionary is damaged: {problem}"),
    };
    let content = frame.get(SKIPPABLE_HEADER_BYTES..).unwrap_or_default();
    let bytes: Arc<[u8]> = if content.starts_with(&MAGIC) {
        let limits = Limits { zstd_window_log: 27, ..Limits::default() };
        let mut decoder = FrameDecoder::new(&limits);
        if !decoder.frame(content, DICTIONARY_BYTES, |_| {}) {
            return Err(error("it cannot be decompressed"));
        }
        Arc::from(&*decoder.output())
    } else {
        Arc::from(content)
    };
    context(&Limits::default(), Some(&bytes)).map_err(|problem| error(&problem))?;
    Ok(bytes)
}

/// Refuses a file whose first frame, with which `bytes` begin, needs a dictionary that the file
/// does not hold.
pub(crate) fn check_dictionary(
    name: &str,
    bytes: &[u8],
    dictionary: Option<&[u8]>,
) -> Result<(), ArchiveError> {
    let Some(needed) = FrameHeader::parse(bytes).map(|header| header.dictionary) else {
        return Ok(());
    };
    let there = dictionary.and_then(zstd_safe::get_dict_id_from_dict).map_or(0, u32::from);
    if needed == 0 || needed == there {
        return Ok(());
    }
    let problem = match dictionary {
        None => format!("it needs the zstd dictionary {needed}, which it does not contain"),
        Some(_) => format!("it needs the zstd dictionary {needed} but contains {there}"),
    };
    Err(ArchiveError::Dictionary { name: name.to_owned(), problem })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dictionaries_that_claim_too_much_are_refused() {
        let huge = b"\x5d\x2a\x4d\x18\xff\xff\xff\xff";
        assert!(leading("x", huge, None).is_err());
        let small = b"\x5d\x2a\x4d\x18\x10\0\0\0";
        assert!(leading("x", small, Some(23)).is_err());
        assert!(matches!(leading("x", small, Some(24)), Ok(ZstdStart::Dictionary(24))));
        assert!(matches!(leading("x", b"\x50\x2a\x4d\x18\x10\0\0\0", None), Ok(ZstdStart::None)));
    }
}
