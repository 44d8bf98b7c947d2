//! Reads pages of a column: their headers, and their decompressed bytes.

use super::codec::decompress;
use super::fault::TableFault;
use super::footer::Chunk;
use super::schema::Physical;
use super::thrift::{Reader, ThriftValue};
use super::words::Encoding;
use crate::store::input_file::InputFile;
use std::io;

/// Number of the encoding by runs and packed bits.
const RLE: i64 = 3;

/// Number of bytes that are read first to parse a header, and the longest header. A header may
/// state the least and greatest value.
const PROBED: usize = 512;
const MAX_HEADER_BYTES: usize = 16 << 20;

/// The contents of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PageKind {
    /// Levels and values, compressed together.
    Data,
    /// Uncompressed levels, with their lengths in bytes, and then values. The page begins with a
    /// row and has `rows` rows.
    Data2 {
        repetition: usize,
        definition: usize,
        rows: u64,
        is_compressed: bool,
    },
    Dictionary,
    /// Pages that readers may skip.
    Other,
}

/// The header of a page, and the position of its bytes.
#[derive(Clone, Copy, Debug)]
pub(super) struct PageHeader {
    pub(super) kind: PageKind,
    /// Number of values, nulls included.
    pub(super) values: u64,
    pub(super) encoding: Encoding,
    /// Whether definition and repetition levels have the one encoding in use. If a column has no
    /// such levels, writers may state any encoding: Spark states the old one.
    pub(super) known_levels: [bool; 2],
    /// Offset of its bytes in the file, their number, and their number after decompression.
    pub(super) start: u64,
    pub(super) stored_bytes: usize,
    pub(super) plain_bytes: usize,
}

impl PageHeader {
    /// Returns the offset in the file after the page.
    pub(super) fn end(&self) -> u64 {
        self.start + self.stored_bytes as u64
    }

    /// Reads the header at an offset of a file. The page must end before `end`.
    pub(super) fn read(file: &InputFile, offset: u64, end: u64) -> Result<PageHeader, TableFault> {
        let here = usize::try_from(end.saturating_sub(offset)).unwrap_or(usize::MAX);
        let mut probed = PROBED;
        let mut bytes = Vec::new();
        loop {
            let length = probed.min(here);
            bytes.resize(length, 0);
            file.read_exact_at(&mut bytes, offset)?;
            match Self::parse(&bytes, offset) {
                Err(TableFault::Ended) if length < here && probed < MAX_HEADER_BYTES => probed *= 8,
                Err(TableFault::Ended) => {
                    return Err(TableFault::corrupt("the header of a page ends early"));
                }
                Ok(header) if header.end() > end => {
                    return Err(TableFault::corrupt("a page is longer than its column"));
                }
                parsed => return parsed,
            }
        }
    }

    fn parse(bytes: &[u8], offset: u64) -> Result<PageHeader, TableFault> {
        let mut reader = Reader::new(bytes);
        let mut outer = [0_i64; 4];
        let mut inner = [0_i64; 9];
        let mut is_compressed = true;
        let mut described = 0;
        reader.structure(|number, item| {
            match item {
                ThriftValue::Int(value) => set_number(&mut outer, number, value),
                // The headers of pages of data, of dictionaries, and of data in version 2.
                ThriftValue::Struct(reader) if matches!(number, 5 | 7 | 8) => {
                    described = number;
                    reader.structure(|number, item| {
                        match item {
                            ThriftValue::Int(value) => set_number(&mut inner, number, value),
                            ThriftValue::Flag(value) if number == 7 => is_compressed = value,
                            _ => {}
                        }
                        Ok(())
                    })?;
                }
                _ => {}
            }
            Ok(())
        })?;
        let size = |value: i64| {
            usize::try_from(value)
                .ok()
                .filter(|size| i32::try_from(*size).is_ok())
                .ok_or_else(|| TableFault::corrupt("a page has an impossible length"))
        };
        let mut known_levels = [true; 2];
        let mut encoding = inner[2];
        let kind = match outer[1] {
            0 => {
                known_levels = [inner[3] == RLE, inner[4] == RLE];
                PageKind::Data
            }
            2 => PageKind::Dictionary,
            3 => {
                encoding = inner[4];
                PageKind::Data2 {
                    definition: size(inner[5])?,
                    repetition: size(inner[6])?,
                    rows: size(inner[3])? as u64,
                    is_compressed,
                }
            }
            _ => PageKind::Other,
        };
        let is_described = match kind {
            PageKind::Data => described == 5,
            PageKind::Dictionary => described == 7,
            PageKind::Data2 { .. } => described == 8,
            PageKind::Other => described == 0,
        };
        if !is_described {
            return Err(TableFault::corrupt("the header of a page does not match its kind"));
        }
        Ok(PageHeader {
            kind,
            values: size(inner[1])? as u64,
            encoding: Encoding::from_number(encoding),
            known_levels,
            start: offset + reader.position() as u64,
            stored_bytes: size(outer[3])?,
            plain_bytes: size(outer[2])?,
        })
    }

    /// Returns the number of bytes that the page takes during decompression.
    pub(super) fn bytes(&self) -> usize {
        self.stored_bytes + self.plain_bytes
    }

    /// Refuses a page that takes more than `most` bytes, or more than the `claimed` bytes of its
    /// column.
    pub(super) fn check(&self, most: usize, claimed: u64) -> Result<(), TableFault> {
        if self.bytes() as u64 > claimed {
            return Err(TableFault::corrupt("a page is longer than its column"));
        }
        if self.bytes() <= most {
            return Ok(());
        }
        let problem = format!(
            "a page takes {} bytes, more than the limit of {most}; --max-record-bytes sets the \
             limit",
            self.bytes()
        );
        Err(TableFault::TooLarge(problem))
    }

    /// Reads the page and decompresses it. Levels of version 2 come before the values, as in the
    /// file.
    pub(super) fn load(&self, file: &InputFile, codec: i64) -> Result<Vec<u8>, TableFault> {
        let mut stored = vec![0; self.stored_bytes];
        file.read_exact_at(&mut stored, self.start).map_err(|error| match error.kind() {
            io::ErrorKind::UnexpectedEof => TableFault::Ended,
            _ => TableFault::Io(error),
        })?;
        let (levels, is_compressed) = match self.kind {
            PageKind::Data2 { repetition, definition, is_compressed, .. } => {
                (repetition + definition, is_compressed)
            }
            _ => (0, true),
        };
        if codec == 0 || !is_compressed {
            return Ok(stored);
        }
        let values = stored.get(levels..).ok_or(TableFault::Ended)?;
        let plain = self.plain_bytes.checked_sub(levels).ok_or(TableFault::Ended)?;
        let mut page = Vec::with_capacity(self.plain_bytes);
        page.extend_from_slice(&stored[..levels]);
        decompress(codec, values, plain, &mut page)?;
        Ok(page)
    }
}

fn set_number(numbers: &mut [i64], number: i64, value: i64) {
    if let Some(slot) = usize::try_from(number).ok().and_then(|at| numbers.get_mut(at)) {
        *slot = value;
    }
}

/// The values to which indices of a column refer.
#[derive(Debug)]
pub(super) struct Dictionary {
    pub(super) bytes: Vec<u8>,
    /// Offset and length of each value in bytes, for values of different lengths.
    pub(super) places: Vec<(u32, u32)>,
}

impl Dictionary {
    pub(super) fn new(
        bytes: Vec<u8>,
        values: u64,
        physical: Physical,
    ) -> Result<Dictionary, TableFault> {
        let mut places = Vec::new();
        if physical == Physical::Bytes {
            let mut at = 0;
            for _ in 0..values {
                let length = length_at(&bytes, at)?;
                places.push(((at + 4) as u32, length as u32));
                at += 4 + length;
            }
        }
        Ok(Dictionary { bytes, places })
    }
}

/// Returns the length before a value in bytes. The whole value must be present.
pub(super) fn length_at(bytes: &[u8], at: usize) -> Result<usize, TableFault> {
    let head = bytes.get(at..at + 4).ok_or(TableFault::Ended)?;
    let length = u32::from_le_bytes([head[0], head[1], head[2], head[3]]) as usize;
    if length > bytes.len() - at - 4 { Err(TableFault::Ended) } else { Ok(length) }
}

/// Checks that a column's codec is supported.
pub(super) fn check_codec(chunk: &Chunk) -> Result<(), TableFault> {
    match chunk.codec {
        0..=2 | 4..=7 => Ok(()),
        3 => Err(TableFault::corrupt("it is compressed with LZO, which is not supported")),
        other => Err(TableFault::corrupt(format!("its compression {other} is unknown"))),
    }
}
