//! Decodes the values of a page one by one.

use super::delta::DeltaDecoder;
use super::fault::TableFault;
use super::page::{Dictionary, length_at};
use super::rle_bit_packed::{RleBitPackedDecoder, read_bits};
use super::schema::Physical;
use super::words::Encoding;

/// A value as it is stored.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum StoredValue<'a> {
    Flag(bool),
    Int(i64),
    Float(f32),
    Double(f64),
    Bytes(&'a [u8]),
}

/// Decodes the values of a page one by one. It holds places in the page, not the page.
#[derive(Debug)]
pub(super) enum ValueDecoder {
    /// The next value begins at this byte, or for flags at this bit.
    Plain {
        at: usize,
    },
    Indices(RleBitPackedDecoder),
    Runs(RleBitPackedDecoder),
    Delta(DeltaDecoder),
    /// Lengths, and the offset of the next value.
    DeltaLength {
        lengths: DeltaDecoder,
        at: usize,
    },
    /// Lengths of the prefixes shared with the previous value, lengths of the rests, the offset of
    /// the next rest, and the previous value.
    DeltaPrefix {
        prefixes: DeltaDecoder,
        lengths: DeltaDecoder,
        at: usize,
        last: Vec<u8>,
    },
    /// Number of the next value, the offset of the first byte of the first value, and the number of
    /// values.
    Split {
        next: usize,
        start: usize,
        count: usize,
        value: Vec<u8>,
    },
}

impl ValueDecoder {
    /// Returns a decoder of the values of a page that begin at byte `at`. There are at most `most`
    /// values.
    pub(super) fn new(
        encoding: Encoding,
        physical: Physical,
        page: &[u8],
        at: usize,
        most: u64,
    ) -> Result<ValueDecoder, TableFault> {
        let is_int = matches!(physical, Physical::Int32 | Physical::Int64);
        if at >= page.len() {
            // The page has only nulls, or ends early, as its first value will show.
            return Ok(ValueDecoder::Plain { at: page.len() * 8 });
        }
        let values = match encoding {
            Encoding::Plain if physical == Physical::Flag => ValueDecoder::Plain { at: at * 8 },
            Encoding::Plain => ValueDecoder::Plain { at },
            Encoding::Indices => ValueDecoder::Indices(RleBitPackedDecoder::new(
                at + 1..page.len(),
                page[at].into(),
            )?),
            Encoding::Runs if physical == Physical::Flag => {
                let start = (at + 4).min(page.len());
                ValueDecoder::Runs(RleBitPackedDecoder::new(start..page.len(), 1)?)
            }
            Encoding::Delta if is_int => ValueDecoder::Delta(DeltaDecoder::new(page, at, most)?),
            Encoding::DeltaLength if physical == Physical::Bytes => {
                let lengths = DeltaDecoder::new(page, at, most)?;
                ValueDecoder::DeltaLength { at: end_of(&lengths, page)?, lengths }
            }
            Encoding::DeltaPrefix if matches!(physical, Physical::Bytes | Physical::Fixed(_)) => {
                let prefixes = DeltaDecoder::new(page, at, most)?;
                let lengths = DeltaDecoder::new(page, end_of(&prefixes, page)?, most)?;
                let at = end_of(&lengths, page)?;
                ValueDecoder::DeltaPrefix { prefixes, lengths, at, last: Vec::new() }
            }
            Encoding::Split if width(physical) > 0 => {
                let count = page.len().saturating_sub(at) / width(physical);
                ValueDecoder::Split { next: 0, start: at, count, value: Vec::new() }
            }
            other => {
                let problem = format!("its encoding ({other:?} of {physical:?}) is not supported");
                return Err(TableFault::Corrupt(problem));
            }
        };
        Ok(values)
    }

    /// Returns the next value.
    pub(super) fn next<'a>(
        &'a mut self,
        physical: Physical,
        page: &'a [u8],
        dictionary: Option<&'a Dictionary>,
    ) -> Result<StoredValue<'a>, TableFault> {
        match self {
            ValueDecoder::Plain { at } if physical == Physical::Flag => {
                let bit = *at;
                *at += 1;
                if bit / 8 >= page.len() {
                    return Err(TableFault::Ended);
                }
                Ok(StoredValue::Flag(read_bits(page, bit, 1) == 1))
            }
            ValueDecoder::Plain { at } => {
                let length = match physical {
                    Physical::Bytes => {
                        let length = length_at(page, *at)?;
                        *at += 4;
                        length
                    }
                    other => width(other),
                };
                let bytes = page.get(*at..*at + length).ok_or(TableFault::Ended)?;
                *at += length;
                Ok(decode_value(physical, bytes))
            }
            ValueDecoder::Indices(indices) => {
                let dictionary = dictionary
                    .ok_or_else(|| TableFault::corrupt("a column lacks its dictionary"))?;
                let index = indices.next(page)? as usize;
                let found = match physical {
                    Physical::Bytes => dictionary.places.get(index).and_then(|(start, length)| {
                        let start = *start as usize;
                        dictionary.bytes.get(start..start + *length as usize)
                    }),
                    other => {
                        let width = width(other);
                        dictionary.bytes.get(index * width..(index + 1) * width)
                    }
                };
                let found = found.ok_or_else(|| {
                    TableFault::corrupt("a value is not in the dictionary of its column")
                })?;
                Ok(decode_value(physical, found))
            }
            ValueDecoder::Runs(flags) => Ok(StoredValue::Flag(flags.next(page)? == 1)),
            ValueDecoder::Delta(delta) => {
                let value = delta.next(page)?;
                Ok(StoredValue::Int(match physical {
                    Physical::Int32 => (value as i32).into(),
                    _ => value,
                }))
            }
            ValueDecoder::DeltaLength { lengths, at } => {
                let length = usize::try_from(lengths.next(page)?).map_err(|_| negative())?;
                let end = at.checked_add(length).ok_or(TableFault::Ended)?;
                let bytes = page.get(*at..end).ok_or(TableFault::Ended)?;
                *at = end;
                Ok(StoredValue::Bytes(bytes))
            }
            ValueDecoder::DeltaPrefix { prefixes, lengths, at, last } => {
                let prefix = usize::try_from(prefixes.next(page)?).map_err(|_| negative())?;
                let length = usize::try_from(lengths.next(page)?).map_err(|_| negative())?;
                if prefix > last.len() {
                    let problem = "a value shares a longer prefix with the value before than that \
                        value has";
                    return Err(TableFault::corrupt(problem));
                }
                let end = at.checked_add(length).ok_or(TableFault::Ended)?;
                let rest = page.get(*at..end).ok_or(TableFault::Ended)?;
                *at = end;
                last.truncate(prefix);
                last.extend_from_slice(rest);
                Ok(StoredValue::Bytes(last))
            }
            ValueDecoder::Split { next, start, count, value } => {
                if *next >= *count {
                    return Err(TableFault::Ended);
                }
                value.clear();
                value.extend(
                    (0..width(physical)).map(|place| page[*start + place * *count + *next]),
                );
                *next += 1;
                Ok(decode_value(physical, value))
            }
        }
    }
}

/// Returns the end of numbers. It decodes them to their end and discards them.
fn end_of(numbers: &DeltaDecoder, page: &[u8]) -> Result<usize, TableFault> {
    let mut numbers = numbers.clone();
    while numbers.remaining() > 0 {
        numbers.next(page)?;
    }
    Ok(numbers.end().min(page.len()))
}

fn negative() -> TableFault {
    TableFault::corrupt("a value has a negative number of bytes")
}

/// Returns the length of a value in bytes. 0 for values of different lengths, and for flags, which
/// are bits.
fn width(physical: Physical) -> usize {
    match physical {
        Physical::Flag | Physical::Bytes => 0,
        Physical::Int32 | Physical::Float => 4,
        Physical::Int64 | Physical::Double => 8,
        Physical::Int96 => 12,
        Physical::Fixed(length) => length,
    }
}

/// Converts the bytes of one value, which have the length of the type.
fn decode_value(physical: Physical, bytes: &[u8]) -> StoredValue<'_> {
    let eight = || {
        let mut eight = [0; 8];
        eight[..bytes.len().min(8)].copy_from_slice(&bytes[..bytes.len().min(8)]);
        u64::from_le_bytes(eight)
    };
    match physical {
        Physical::Int32 => StoredValue::Int((eight() as u32).cast_signed().into()),
        Physical::Int64 => StoredValue::Int(eight().cast_signed()),
        Physical::Float => StoredValue::Float(f32::from_bits(eight() as u32)),
        Physical::Double => StoredValue::Double(f64::from_bits(eight())),
        Physical::Flag => StoredValue::Flag(eight() & 1 == 1),
        Physical::Int96 | Physical::Bytes | Physical::Fixed(_) => StoredValue::Bytes(bytes),
    }
}
