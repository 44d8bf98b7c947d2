//! WET: the texts of pages as WARC records of the type `conversion`, as Common Crawl publishes
//! them.
//!
//! Each record is one gzip member, after a record of the type `warcinfo`. The order of headers is
//! that of Common Crawl, since `cc_net` reads them by their position. The language, which `cc_net`
//! does not expect, comes last.

use crate::compress::{Compression, Compressor};
use crate::format::{Assembler, BatchEncoder, Format, InspectedFile, Inspection};
use crate::frames::clear_and_shrink;
use crate::layout::Layout;
use crate::row::{Row, RowSink};
use data_encoding::BASE32;
use sha1::{Digest, Sha1};
use std::fmt::Write as _;
use std::io::{self, BufRead, Read, Write};
use uuid::Uuid;

/// The WET format.
pub(crate) struct Wet;

impl Format for Wet {
    fn name(&self) -> &'static str {
        "wet"
    }

    fn suffix(&self, compression: Compression) -> &'static str {
        match compression {
            Compression::Gzip { .. } => ".warc.wet.gz",
            Compression::Zstd { .. } | Compression::None => ".warc.wet",
        }
    }

    fn compressions(&self) -> &'static [Compression] {
        &[Compression::DEFAULT_GZIP, Compression::None]
    }

    fn has_fields(&self) -> bool {
        false
    }

    fn encoder(&self, _: &Layout) -> Box<dyn BatchEncoder> {
        Box::<Records>::default()
    }

    fn assembler(&self, _: &Layout) -> Box<dyn Assembler> {
        Box::<File>::default()
    }

    fn inspect(
        &self,
        layout: &Layout,
        file: &mut dyn InspectedFile,
        id: &mut dyn FnMut(&str),
    ) -> Inspection {
        let mut found = Inspection::default();
        let read = layout.compression.reader(file.as_reader());
        found.error = read.and_then(|mut plain| read_records(&mut *plain, &mut found, id)).err();
        found
    }
}

/// The date of pages without one. The header is mandatory, and outputs hold no times of the run.
const NO_DATE: &str = "1970-01-01T00:00:00Z";

/// The records of a batch.
#[derive(Default)]
struct Records {
    bytes: Vec<u8>,
    /// The end of each record in `bytes`.
    ends: Vec<usize>,
    /// The time when the first page was fetched.
    date: String,
    headers: String,
}

impl RowSink for Records {
    fn row(&mut self, row: &Row<'_>) {
        let Records { bytes, ends, date, headers } = self;
        let fetched = row.date.filter(|date| !date.trim().is_empty()).unwrap_or(NO_DATE);
        if ends.is_empty() {
            date.clear();
            push_header_value(fetched, date);
        }
        headers.clear();
        headers.push_str("WARC/1.0\r\nWARC-Type: conversion\r\n");
        if let Some(url) = row.url.filter(|url| !url.is_empty()) {
            headers.push_str("WARC-Target-URI: ");
            push_header_value(url, headers);
            headers.push_str("\r\n");
        }
        headers.push_str("WARC-Date: ");
        push_header_value(fetched, headers);
        let name = format!("huller:wet:{}#{}#{}", row.file_path, row.id, row.extractor);
        let record_id = Uuid::new_v5(&Uuid::NAMESPACE_URL, name.as_bytes());
        // Writing to a string cannot fail.
        let _ = write!(headers, "\r\nWARC-Record-ID: <urn:uuid:{record_id}>\r\nWARC-Refers-To: <");
        push_id(row.id, headers);
        let digest = BASE32.encode(&Sha1::digest(row.text.as_bytes()));
        let length = row.text.len();
        let _ = write!(
            headers,
            ">\r\nWARC-Block-Digest: sha1:{digest}\r\nContent-Type: text/plain\r\nContent-Length: {length}\r\n"
        );
        if let Some(language) = row.language {
            headers.push_str("WARC-Identified-Content-Language: ");
            push_header_value(language, headers);
            headers.push_str("\r\n");
        }
        bytes.extend_from_slice(headers.as_bytes());
        bytes.extend_from_slice(b"\r\n");
        bytes.extend_from_slice(row.text.as_bytes());
        bytes.extend_from_slice(b"\r\n\r\n");
        ends.push(bytes.len());
    }

    fn mark(&self) -> usize {
        self.ends.len()
    }

    fn cut(&mut self, mark: usize) {
        self.ends.truncate(mark);
        self.bytes.truncate(self.ends.last().copied().unwrap_or_default());
    }
}

impl BatchEncoder for Records {
    /// Writes the date of the first page, the length of the records, and the records. The date
    /// becomes that of the file's own record.
    fn finish(&mut self, compressor: &mut Compressor, piece: &mut Vec<u8>) {
        if self.ends.is_empty() {
            return;
        }
        let date = self.date.as_bytes();
        let date = &date[..date.len().min(LONGEST_DATE)];
        piece.push(date.len() as u8);
        piece.extend_from_slice(date);
        let place = piece.len();
        piece.extend_from_slice(&[0; size_of::<u64>()]);
        let first = piece.len();
        let mut start = 0;
        for end in &self.ends {
            compressor.frame(&self.bytes[start..*end], piece);
            start = *end;
        }
        let length = (piece.len() - first) as u64;
        piece[place..first].copy_from_slice(&length.to_le_bytes());
        self.clear();
    }

    fn clear(&mut self) {
        clear_and_shrink(&mut self.bytes);
        self.ends.clear();
    }
}

/// Most bytes of a date. Longer values are not dates, and are cut.
const LONGEST_DATE: usize = 64;

/// Writes a URL or a date as the value of a header. The page's author may have put line ends and
/// further headers into it, so control characters and white space are percent-encoded.
fn push_header_value(value: &str, out: &mut String) {
    for c in value.trim().chars() {
        if c.is_control() || c.is_whitespace() {
            let mut bytes = [0; 4];
            for byte in c.encode_utf8(&mut bytes).bytes() {
                let _ = write!(out, "%{byte:02X}");
            }
        } else {
            out.push(c);
        }
    }
}

/// The prefix of identifiers that are not UUIDs.
const OTHER_ID: &str = "urn:x-id:";

/// Writes the identifier of the page's record. A UUID has the form that archives use.
fn push_id(id: &str, out: &mut String) {
    out.push_str(if Uuid::try_parse(id).is_ok() { "urn:uuid:" } else { OTHER_ID });
    push_header_value(id, out);
}

/// A file of records.
#[derive(Default)]
struct File {
    /// Whether the file's own record has been written.
    has_info: bool,
}

impl Assembler for File {
    fn begin(&mut self, _: &mut Compressor, _: &mut dyn Write) -> io::Result<()> {
        Ok(())
    }

    fn resume(&mut self, length: u64, _: &[u8]) {
        self.has_info = length > 0;
    }

    fn piece(
        &mut self,
        piece: &[u8],
        compressor: &mut Compressor,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let mut rest = piece;
        while let Some((date, records, after)) = split(rest) {
            if !std::mem::replace(&mut self.has_info, true) {
                let mut frame = Vec::new();
                let date = std::str::from_utf8(date).unwrap_or(NO_DATE);
                compressor.frame(&info(date), &mut frame);
                out.write_all(&frame)?;
            }
            out.write_all(records)?;
            rest = after;
        }
        Ok(())
    }

    fn state(&self) -> Vec<u8> {
        Vec::new()
    }

    fn end(&mut self, compressor: &mut Compressor, out: &mut dyn Write) -> io::Result<()> {
        if self.has_info {
            return Ok(());
        }
        let mut frame = Vec::new();
        compressor.frame(&info(NO_DATE), &mut frame);
        out.write_all(&frame)
    }
}

/// Splits the first part of a piece into a date, its records, and the rest of the piece.
fn split(piece: &[u8]) -> Option<(&[u8], &[u8], &[u8])> {
    let (length, rest) = piece.split_first()?;
    let (date, rest) = rest.split_at_checked((*length).into())?;
    let (length, rest) = rest.split_first_chunk()?;
    let (records, rest) = rest.split_at_checked(u64::from_le_bytes(*length) as usize)?;
    Some((date, records, rest))
}

/// Returns the record about the file.
fn info(date: &str) -> Vec<u8> {
    const BODY: &str = "software: huller\r\nformat: WARC File Format 1.0\r\ndescription: texts of the pages of a WARC\r\n";
    let id = Uuid::new_v5(&Uuid::NAMESPACE_URL, format!("huller:wet:{date}").as_bytes());
    let length = BODY.len();
    format!(
        "WARC/1.0\r\nWARC-Type: warcinfo\r\nWARC-Date: {date}\r\nWARC-Record-ID: <urn:uuid:{id}>\r\n\
         Content-Type: application/warc-fields\r\nContent-Length: {length}\r\n\r\n{BODY}\r\n\r\n"
    )
    .into_bytes()
}

/// Most bytes of a line of headers.
const LONGEST_HEADER: u64 = 64 << 20;

/// Reads records to the end of the file.
fn read_records(
    file: &mut dyn BufRead,
    found: &mut Inspection,
    id: &mut dyn FnMut(&str),
) -> io::Result<()> {
    let mut line = String::new();
    let mut is_first = true;
    while !file.fill_buf()?.is_empty() {
        let (mut length, mut digest, mut refers_to) = (0, None, String::new());
        read_line(file, &mut line)?;
        if line != "WARC/1.0" {
            return Err(invalid("a record does not begin at the end of the previous record"));
        }
        let mut kind = String::new();
        loop {
            read_line(file, &mut line)?;
            if line.is_empty() {
                break;
            }
            let (name, value) = line.split_once(": ").unwrap_or((&line, ""));
            match name {
                "WARC-Type" => value.clone_into(&mut kind),
                "Content-Length" => {
                    length = value.parse().map_err(|_| invalid("a length is not a number"))?;
                }
                "WARC-Block-Digest" => digest = Some(value.to_owned()),
                "WARC-Refers-To" => value.clone_into(&mut refers_to),
                _ => {}
            }
        }
        let block_digest = digest_of(file, length)?;
        let mut end = [0; 4];
        file.read_exact(&mut end)?;
        if end != *b"\r\n\r\n" {
            return Err(invalid("a record does not end after its block"));
        }
        if is_first != (kind == "warcinfo") {
            return Err(invalid("the warcinfo record is not the first"));
        }
        if !is_first {
            found.rows += 1;
            if digest.as_deref() != Some(&block_digest) {
                found.fault(found.rows, "its block does not have the digest in its header");
            }
            let name = refers_to.trim_matches(['<', '>']);
            let name = name.strip_prefix("urn:uuid:").or_else(|| name.strip_prefix(OTHER_ID));
            id(name.unwrap_or_default());
        }
        is_first = false;
    }
    Ok(())
}

/// Reads a line of a header without its end.
fn read_line(file: &mut dyn BufRead, line: &mut String) -> io::Result<()> {
    line.clear();
    file.take(LONGEST_HEADER).read_line(line)?;
    if !line.ends_with("\r\n") {
        return Err(invalid("a header is incomplete"));
    }
    line.truncate(line.len() - 2);
    Ok(())
}

/// Reads a block, and returns the digest that its header must state.
fn digest_of(file: &mut dyn BufRead, length: u64) -> io::Result<String> {
    let mut digest = Sha1::new();
    let mut left = length;
    while left > 0 {
        let bytes = file.fill_buf()?;
        let taken = bytes.len().min(usize::try_from(left).unwrap_or(usize::MAX));
        if taken == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        digest.update(&bytes[..taken]);
        file.consume(taken);
        left -= taken as u64;
    }
    Ok(format!("sha1:{}", BASE32.encode(&digest.finalize())))
}

fn invalid(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::{file_of, full_layout, inspect, row};
    use flate2::read::GzDecoder;

    fn plain(file: &[u8]) -> String {
        let mut text = String::new();
        flate2::read::MultiGzDecoder::new(file).read_to_string(&mut text).unwrap();
        text
    }

    /// Returns a file of one row.
    fn file_with(change: impl for<'a> Fn(Row<'a>) -> Row<'a>) -> String {
        let layout = full_layout(Compression::DEFAULT_GZIP);
        let mut compressor = Compressor::new(layout.compression);
        let (mut records, mut assembler) = (Wet.encoder(&layout), Wet.assembler(&layout));
        row(true, &[], &[], |row| records.row(&change(*row)));
        let (mut piece, mut file) = (Vec::new(), Vec::new());
        records.finish(&mut compressor, &mut piece);
        assembler.piece(&piece, &mut compressor, &mut file).unwrap();
        let (found, ids) = inspect(&Wet, &layout, &file);
        assert_eq!((found.rows, found.faults, ids.len()), (1, 0, 1), "{found:?}");
        plain(&file)
    }

    #[test]
    fn headers_stand_in_the_order_that_positional_readers_expect() {
        let file = file_with(|row| Row {
            url: Some("http://a.example/b c"),
            date: Some("2024-05-01T10:00:00Z"),
            language: Some("eng"),
            ..row
        });
        let (info, record) = file.split_once("\r\n\r\n\r\n").map_or_else(
            || file.split_at(file.rfind("WARC/1.0").unwrap()),
            |_| file.split_at(file.rfind("WARC/1.0").unwrap()),
        );
        assert!(
            info.contains("WARC-Type: warcinfo\r\nWARC-Date: 2024-05-01T10:00:00Z\r\n"),
            "{info}"
        );
        let lines: Vec<_> = record.split("\r\n").collect();
        let names: Vec<_> =
            lines[1..10].iter().map(|line| line.split(": ").next().unwrap()).collect();
        let expected = [
            "WARC-Type",
            "WARC-Target-URI",
            "WARC-Date",
            "WARC-Record-ID",
            "WARC-Refers-To",
            "WARC-Block-Digest",
            "Content-Type",
            "Content-Length",
            "WARC-Identified-Content-Language",
        ];
        assert_eq!(names, expected);
        assert_eq!(lines[2], "WARC-Target-URI: http://a.example/b%20c");
        assert_eq!(lines[5], "WARC-Refers-To: <urn:uuid:00000000-0000-0000-0000-000000000001>");
        assert_eq!(lines[8], "Content-Length: 15");
        assert_eq!(lines[11], "one\ntwo\t\"three\"");
    }

    #[test]
    fn no_value_makes_another_header() {
        let evil = "x\r\nWARC-Type: response\r\n\r\n\u{85}\u{2028}\0<>";
        let file = file_with(|row| Row { id: evil, url: Some(evil), date: Some(evil), ..row });
        assert_eq!(file.matches("WARC/1.0").count(), 2);
        assert!(!file.contains("\nWARC-Type: response"), "{file}");
        assert!(file.contains("WARC-Target-URI: x%0D%0AWARC-Type:%20response%0D%0A%0D%0A%C2%85"));
        let bare = file_with(|row| Row { url: None, date: Some(" "), id: "7", ..row });
        assert!(
            !bare.contains("Target-URI") && bare.contains(NO_DATE) && bare.contains("urn:x-id:7")
        );
    }

    #[test]
    fn every_record_is_a_member() {
        let layout = full_layout(Compression::DEFAULT_GZIP);
        let file = file_of(&Wet, &layout, &[2, 0, 3]);
        let (mut rest, mut members) = (file.as_slice(), 0);
        while !rest.is_empty() {
            let mut member = GzDecoder::new(&mut rest);
            let mut text = String::new();
            io::BufReader::with_capacity(1, &mut member).read_to_string(&mut text).unwrap();
            assert!(text.starts_with("WARC/1.0\r\n") && text.matches("WARC/1.0").count() == 1);
            members += 1;
            rest = &file[file.len() - rest_len(&file, members)..];
        }
        assert_eq!(members, 6);
        let (found, ids) = inspect(&Wet, &layout, &file);
        assert_eq!((found.rows, found.faults, ids.len()), (5, 0, 5));
    }

    /// Returns how many bytes follow the first `members` members.
    fn rest_len(file: &[u8], members: usize) -> usize {
        let starts = (0..file.len().saturating_sub(3))
            .filter(|at| file[*at..].starts_with(b"\x1f\x8b\x08\0"));
        starts.map(|at| file.len() - at).nth(members).unwrap_or(0)
    }

    #[test]
    fn damage_is_found() {
        let layout = full_layout(Compression::None);
        let file = file_of(&Wet, &layout, &[2]);
        assert!(inspect(&Wet, &layout, &file).0.error.is_none());
        for length in 1..file.len() {
            let found = inspect(&Wet, &layout, &file[..length]).0;
            assert!(found.error.is_some() || found.rows < 2, "{length}");
        }
        let changed = String::from_utf8(file).unwrap().replace("two", "six");
        assert_eq!(inspect(&Wet, &layout, changed.as_bytes()).0.faults, 2);
    }
}
