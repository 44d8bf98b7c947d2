//! The rows of a batch as one message, or several if they are very large.

use super::messages::record_batch;
use crate::columns::{Column, Kind, Value, columns};
use crate::compress::{Compression, Compressor};
use crate::format::BatchEncoder;
use crate::frames::clear_and_shrink;
use crate::layout::Layout;
use crate::row::{Row, RowSink};
use std::ops::Range;

/// A message ends as soon as its rows have so many bytes. The places of texts have 31 bits.
const MOST_BYTES: usize = 256 << 20;

/// Shorter buffers are not compressed: each frame costs about as much time as so many bytes, and little is saved.
const LEAST_COMPRESSED: usize = 512;

/// The rows of a batch, by columns.
pub(super) struct Batch {
    columns: Vec<Column>,
    values: Vec<Values>,
    compression: Compression,
    /// How many bytes the rows have, and those before each.
    bytes: Vec<usize>,
    body: Vec<u8>,
    frame: Vec<u8>,
    raw: Vec<u8>,
}

/// Values of one column.
#[derive(Default)]
struct Values {
    /// Texts one after another, numbers with their lowest byte first, a byte for true or false. A row without a value has a zero.
    data: Vec<u8>,
    /// Where each text ends.
    ends: Vec<usize>,
    present: Vec<bool>,
}

impl Batch {
    pub(super) fn new(layout: &Layout) -> Batch {
        let columns = columns(layout);
        Batch {
            values: columns.iter().map(|_| Values::default()).collect(),
            columns,
            compression: layout.compression,
            bytes: Vec::new(),
            body: Vec::new(),
            frame: Vec::new(),
            raw: Vec::new(),
        }
    }

    /// Rows that make one message each.
    fn parts(&self) -> Vec<Range<usize>> {
        let (mut parts, mut first) = (Vec::new(), 0);
        for (row, bytes) in self.bytes.iter().enumerate() {
            let before = if first == 0 { 0 } else { self.bytes[first - 1] };
            if bytes - before >= MOST_BYTES || row + 1 == self.bytes.len() {
                parts.push(first..row + 1);
                first = row + 1;
            }
        }
        parts
    }

    fn push_message(
        &mut self,
        rows: Range<usize>,
        compressor: &mut Compressor,
        piece: &mut Vec<u8>,
    ) {
        let Batch { columns, values, compression, body, frame, raw, .. } = self;
        body.clear();
        let (mut nodes, mut buffers) = (Vec::new(), Vec::new());
        let mut buffer = |raw: &[u8]| {
            let start = body.len();
            if raw.is_empty() {
            } else if *compression == Compression::None {
                body.extend_from_slice(raw);
            } else {
                frame.clear();
                if raw.len() >= LEAST_COMPRESSED {
                    compressor.frame(raw, frame);
                }
                let is_shorter = (1..raw.len()).contains(&frame.len());
                let length = if is_shorter { raw.len() as i64 } else { -1 };
                body.extend_from_slice(&length.to_le_bytes());
                body.extend_from_slice(if is_shorter { frame } else { raw });
            }
            buffers.push([start as i64, (body.len() - start) as i64]);
            body.resize(body.len().next_multiple_of(8), 0);
        };
        let count = rows.len() as i64;
        let mut group = None;
        for (column, values) in columns.iter().zip(values) {
            if column.method.is_some() && group != Some(column.field.name) {
                // The struct itself is never null.
                nodes.push([count, 0]);
                buffer(&[]);
            }
            group = Some(column.field.name);
            let present = &values.present[rows.clone()];
            let nulls = present.iter().filter(|is_present| !**is_present).count();
            nodes.push([count, nulls as i64]);
            raw.clear();
            if nulls > 0 {
                push_bits(present.iter().copied(), raw);
            }
            buffer(raw);
            let (data, starts) = values.slice(column.kind, &rows);
            raw.clear();
            match column.kind {
                Kind::Text => {
                    starts.for_each(|start| raw.extend_from_slice(&start.to_le_bytes()));
                    buffer(raw);
                    buffer(data);
                }
                Kind::Flag => {
                    push_bits(data.iter().map(|byte| *byte != 0), raw);
                    buffer(raw);
                }
                Kind::Int | Kind::Long | Kind::Float => buffer(data),
            }
        }
        let length = body.len() as i64;
        let metadata = record_batch(count, &nodes, &buffers, *compression, length);
        piece.extend_from_slice(&(metadata.len() as u64).to_le_bytes());
        piece.extend_from_slice(&(body.len() as u64).to_le_bytes());
        piece.extend_from_slice(&metadata);
        piece.extend_from_slice(body);
    }
}

impl Values {
    fn push(&mut self, kind: Kind, value: Option<Value<'_>>) {
        self.present.push(value.is_some());
        match value {
            Some(Value::Text(text)) => self.data.extend_from_slice(text.as_bytes()),
            Some(Value::Int(value)) => self.data.extend_from_slice(&value.to_le_bytes()),
            Some(Value::Long(value)) => self.data.extend_from_slice(&value.to_le_bytes()),
            Some(Value::Float(value)) => self.data.extend_from_slice(&value.to_le_bytes()),
            Some(Value::Flag(value)) => self.data.push(value.into()),
            None => self.data.resize(self.data.len() + width(kind), 0),
        }
        if kind == Kind::Text {
            self.ends.push(self.data.len());
        }
    }

    /// The bytes of these rows, and where the texts begin among them, and the last one ends.
    fn slice(&self, kind: Kind, rows: &Range<usize>) -> (&[u8], impl Iterator<Item = i32>) {
        let end_of = |row: usize| match (kind, row) {
            (_, 0) => 0,
            (Kind::Text, row) => self.ends[row - 1],
            (kind, row) => row * width(kind),
        };
        let (start, end) = (end_of(rows.start), end_of(rows.end));
        let ends = if kind == Kind::Text { &self.ends[rows.clone()] } else { &[] };
        let starts = std::iter::once(start).chain(ends.iter().copied());
        (&self.data[start..end], starts.map(move |place| (place - start) as i32))
    }

    fn truncate(&mut self, kind: Kind, rows: usize) {
        if rows >= self.present.len() {
            return;
        }
        let end = match kind {
            Kind::Text => rows.checked_sub(1).map_or(0, |last| self.ends[last]),
            kind => rows * width(kind),
        };
        self.data.truncate(end);
        self.ends.truncate(rows);
        self.present.truncate(rows);
    }
}

/// Bytes of a value that is no text.
fn width(kind: Kind) -> usize {
    match kind {
        Kind::Text => 0,
        Kind::Flag => 1,
        Kind::Int => 4,
        Kind::Long | Kind::Float => 8,
    }
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

impl RowSink for Batch {
    fn row(&mut self, row: &Row<'_>) {
        let mut bytes = self.bytes.last().copied().unwrap_or_default();
        for (column, values) in self.columns.iter().zip(&mut self.values) {
            let before = values.data.len();
            values.push(column.kind, column.value(row));
            bytes += values.data.len() - before;
        }
        self.bytes.push(bytes);
    }

    fn mark(&self) -> usize {
        self.bytes.len()
    }

    fn cut(&mut self, mark: usize) {
        // A row that a panic cut short may stand in some of the columns.
        for (column, values) in self.columns.iter().zip(&mut self.values) {
            values.truncate(column.kind, mark);
        }
        self.bytes.truncate(mark);
    }
}

impl BatchEncoder for Batch {
    fn finish(&mut self, compressor: &mut Compressor, piece: &mut Vec<u8>) {
        for rows in self.parts() {
            self.push_message(rows, compressor, piece);
        }
        self.clear();
    }

    fn clear(&mut self) {
        for values in &mut self.values {
            clear_and_shrink(&mut values.data);
            values.ends.clear();
            values.present.clear();
        }
        for buffer in [&mut self.body, &mut self.frame, &mut self.raw] {
            clear_and_shrink(buffer);
        }
        self.bytes.clear();
    }
}

/// The first message of a piece: what describes it, its body, and what stands after it.
pub(super) fn split(piece: &[u8]) -> Option<(&[u8], &[u8], &[u8])> {
    let (metadata, rest) = piece.split_first_chunk()?;
    let (body, rest) = rest.split_first_chunk()?;
    let (metadata, rest) = rest.split_at_checked(u64::from_le_bytes(*metadata) as usize)?;
    let (body, rest) = rest.split_at_checked(u64::from_le_bytes(*body) as usize)?;
    Some((metadata, body, rest))
}
