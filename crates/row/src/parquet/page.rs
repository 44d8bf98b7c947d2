//! A page: some values of one column, compressed, after a header that says what they are.

use super::bounds::Bounds;
use super::thrift::Writer;
use super::words::{DATA_PAGE, PLAIN, RLE};
use crate::columns::{Column, Kind};
use crate::compress::Compressor;
use crate::frames::clear_and_shrink;

/// What is known of a page.
#[derive(Clone, Debug, Default)]
pub(super) struct PageFacts {
    pub(super) rows: u32,
    pub(super) nulls: u32,
    /// Size in the file, header included.
    pub(super) bytes: u32,
    /// What that would be without compression.
    pub(super) plain_bytes: u32,
    pub(super) bounds: Bounds,
}

/// Memory for pages that are being made.
#[derive(Default)]
pub(super) struct PageRoom {
    plain: Vec<u8>,
    body: Vec<u8>,
    header: Vec<u8>,
}

impl PageRoom {
    /// Appends a page of these rows and values to `out`.
    pub(super) fn write(
        &mut self,
        column: &Column,
        (present, values): (&[bool], &[u8]),
        compressor: &mut Compressor,
        out: &mut Vec<u8>,
    ) -> PageFacts {
        let PageRoom { plain, body, header } = self;
        for buffer in [&mut *plain, body, header] {
            clear_and_shrink(buffer);
        }
        if !column.is_required {
            push_levels(present, plain);
        }
        if column.kind == Kind::Flag {
            push_bits(values.iter().map(|byte| *byte != 0), plain);
        } else {
            plain.extend_from_slice(values);
        }
        compressor.frame(plain, body);
        Writer::message(header, |header| {
            header.i32(1, DATA_PAGE);
            header.i32(2, plain.len() as i32);
            header.i32(3, body.len() as i32);
            header.structure(5, |data| {
                data.i32(1, present.len() as i32);
                data.i32(2, PLAIN);
                data.i32(3, RLE);
                data.i32(4, RLE);
            });
        });
        out.extend_from_slice(header);
        out.extend_from_slice(body);
        PageFacts {
            rows: present.len() as u32,
            nulls: present.iter().filter(|is_present| !**is_present).count() as u32,
            bytes: (header.len() + body.len()) as u32,
            plain_bytes: (header.len() + plain.len()) as u32,
            bounds: if column.is_long() {
                Bounds::default()
            } else {
                Bounds::of(column.kind, values)
            },
        }
    }
}

/// Definition levels of one bit: a run where all are equal, otherwise bits.
fn push_levels(present: &[bool], out: &mut Vec<u8>) {
    let start = out.len();
    out.extend_from_slice(&[0; 4]);
    let first = present.first().copied().unwrap_or_default();
    if present.iter().all(|is_present| *is_present == first) {
        push_varint(present.len() << 1, out);
        out.push(first.into());
    } else {
        push_varint(present.len().div_ceil(8) << 1 | 1, out);
        push_bits(present.iter().copied(), out);
    }
    let length = (out.len() - start - 4) as u32;
    out[start..start + 4].copy_from_slice(&length.to_le_bytes());
}

/// Bits, the lowest of each byte first.
fn push_bits(bits: impl Iterator<Item = bool>, out: &mut Vec<u8>) {
    for (place, bit) in bits.enumerate() {
        if place % 8 == 0 {
            out.push(0);
        }
        if let Some(last) = out.last_mut() {
            *last |= u8::from(bit) << (place % 8);
        }
    }
}

fn push_varint(mut value: usize, out: &mut Vec<u8>) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}
