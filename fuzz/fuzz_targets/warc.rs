//! Any bytes as a WARC record header and as a plain WARC. Fields are within the header and are
//! found in any case. The records read from a pipe do not depend on the pieces in which the bytes
//! arrive.

#![no_main]

use huller_archive::{
    Batch, Fault, Limits, Position, Record, RecordStream, UnpackResult, Unpacker, Visitor,
    WarcHeader,
};
use libfuzzer_sys::arbitrary::{self, Arbitrary};
use libfuzzer_sys::fuzz_target;
use std::io::{self, Read};

#[derive(Arbitrary, Debug)]
struct Input<'a> {
    /// Lengths of the pieces, used cyclically.
    pieces: Vec<u8>,
    parts: Vec<Part<'a>>,
}

#[derive(Arbitrary, Debug)]
enum Part<'a> {
    Bytes(&'a [u8]),
    Version(u8, u8),
    Field(Field, &'a [u8]),
    /// A `Content-Length` field: the length of the next block, plus this number.
    Length(i16),
    Block(&'a [u8]),
    LineEnd,
    Blank,
}

#[derive(Arbitrary, Clone, Copy, Debug)]
enum Field {
    Type,
    Uri,
    Id,
    Date,
    Digest,
    ContentType,
    Folded,
}

impl Field {
    fn name(self) -> &'static str {
        match self {
            Field::Type => "WARC-Type: ",
            Field::Uri => "WARC-Target-URI: ",
            Field::Id => "WARC-Record-ID: ",
            Field::Date => "WARC-Date: ",
            Field::Digest => "WARC-Payload-Digest: ",
            Field::ContentType => "Content-Type: ",
            Field::Folded => " ",
        }
    }
}

fuzz_target!(|input: Input| {
    let mut bytes = Vec::new();
    for (at, part) in input.parts.iter().enumerate() {
        match part {
            Part::Bytes(other) | Part::Block(other) => bytes.extend_from_slice(other),
            Part::Version(a, b) => bytes.extend_from_slice(format!("WARC/{a}.{b}\r\n").as_bytes()),
            Part::Field(field, value) => {
                bytes.extend_from_slice(field.name().as_bytes());
                bytes.extend_from_slice(value);
                bytes.extend_from_slice(b"\r\n");
            }
            Part::Length(off) => {
                let block = input.parts[at..].iter().find_map(|part| match part {
                    Part::Block(block) => Some(block.len() as i64),
                    _ => None,
                });
                let length = block.unwrap_or(0) + i64::from(*off % 16);
                bytes.extend_from_slice(format!("Content-Length: {length}\r\n").as_bytes());
            }
            Part::LineEnd => bytes.extend_from_slice(b"\r\n"),
            Part::Blank => bytes.extend_from_slice(b"\r\n\r\n"),
        }
    }
    check_header(&bytes);
    let whole = read(PieceReader { bytes: bytes.clone(), at: 0, lengths: vec![], next: 0 });
    let pieces = read(PieceReader { bytes, at: 0, lengths: input.pieces, next: 0 });
    assert_eq!(whole, pieces, "the pieces of a pipe must not matter");
});

fn check_header(bytes: &[u8]) {
    let Some(header) = WarcHeader::parse(bytes) else { return };
    let ours = bytes.as_ptr_range();
    for name in ["WARC-Type", "WARC-Target-URI", "WARC-Record-ID", "Content-Type"] {
        let value = header.get(name);
        assert_eq!(value, header.get(&name.to_ascii_uppercase()), "{name} in any case");
        if let Some(value) = value {
            let range = value.as_ptr_range();
            assert!(
                ours.start <= range.start && range.end <= ours.end,
                "{name} lies in the header"
            );
        }
    }
    for value in [header.record_id(), header.target_uri(), header.date(), header.content_type()] {
        assert!(value.is_none_or(|value| value.len() <= bytes.len()));
    }
    if let Ok(length) = header.content_length() {
        let digits = length.to_string();
        assert!(
            bytes.windows(digits.len()).any(|window| window == digits.as_bytes()),
            "{length} is written in the header"
        );
    }
    let _ = (header.record_type(), header.version(), header.is_complete());
}

struct PieceReader {
    bytes: Vec<u8>,
    at: usize,
    lengths: Vec<u8>,
    next: usize,
}

impl Read for PieceReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let most = self
            .lengths
            .get(self.next % self.lengths.len().max(1))
            .map_or(usize::MAX, |l| usize::from(*l) + 1);
        self.next += 1;
        let read = buffer.len().min(most).min(self.bytes.len() - self.at);
        buffer[..read].copy_from_slice(&self.bytes[self.at..self.at + read]);
        self.at += read;
        Ok(read)
    }
}

#[derive(Default)]
struct EventLog(Vec<String>);

impl Visitor for EventLog {
    fn record(&mut self, record: Record<'_>) {
        self.0.push(format!("{:?} {:?} {:?}", record.header, record.block, record.repair));
    }

    fn line(&mut self, line: &[u8], _: Position) {
        self.0.push(format!("{line:?}"));
    }

    fn fault(&mut self, fault: &Fault) {
        self.0.push(format!("{fault:?}"));
    }
}

fn read(pieces: PieceReader) -> Result<Vec<String>, String> {
    let limits = Limits {
        header_bytes: 4096,
        header_line_bytes: 1024,
        record_bytes: 64 << 10,
        batch_bytes: 2048,
        ..Limits::default()
    };
    let length = pieces.bytes.len();
    let mut stream =
        RecordStream::from_reader(Box::new(pieces), &limits).map_err(|e| e.to_string())?;
    let (mut unpacker, mut batch, mut seen) =
        (Unpacker::new(&limits), Batch::default(), EventLog::default());
    while stream.next_batch(&mut batch).map_err(|error| error.to_string())? {
        assert_eq!(unpacker.unpack(&mut batch, &mut seen), UnpackResult::Complete);
        assert!(seen.0.len() <= length, "no more records than bytes");
    }
    Ok(seen.0)
}
