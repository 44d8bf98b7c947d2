//! Writes WARC: the original records of the kept pages, so other crawl tools can read the output.
//!
//! Each record has the bytes that it had in its archive, and is one frame. A record of the type
//! `warcinfo` comes first, and its block has the configuration of the run. A record that was alone
//! in a compressed member is copied with that member, unless the output has another compression.
//!
//! A record lacks headers if it comes from an ARC file, or if its page was a file or a line of
//! JSON. Then the format adds what WARC 1.0 requires. A wrong `Content-Length` is corrected. If the
//! rest of the page is lost, the record loses its digests.

use crate::compress::{Compression, Compressor};
use crate::format::{
    Assembler, BatchEncoder, CopiedRows, Format, InspectedFile, Inspection, RowChoice, StoredRow,
};
use crate::layout::Layout;
use crate::record_file::{
    NO_DATE, RecordBatch, RecordCutter, RecordFile, each_row, push_header_value, push_id,
    read_records,
};
use crate::row::{PageRecord, Row, RowSink};
use crate::row_copy::copy_rows;
use crate::wet::{date_of, push_conversion};
use serde_json::Value;
use std::fmt::Write as _;
use std::io::{self, Write};

/// The WARC format.
pub(crate) struct Warc;

impl Format for Warc {
    fn name(&self) -> &'static str {
        "warc"
    }

    fn suffix(&self, compression: Compression) -> &'static str {
        match compression {
            Compression::Gzip { .. } => ".warc.gz",
            Compression::Zstd { .. } => ".warc.zst",
            Compression::None => ".warc",
        }
    }

    fn compressions(&self) -> &'static [Compression] {
        &[Compression::DEFAULT_GZIP, Compression::DEFAULT_ZSTD, Compression::None]
    }

    fn has_fields(&self) -> bool {
        false
    }

    fn has_records(&self) -> bool {
        true
    }

    fn encoder(&self, layout: &Layout) -> Box<dyn BatchEncoder> {
        let (records, header) = (RecordBatch::default(), String::new());
        Box::new(PageRecords { records, header, has_conversions: layout.conversions })
    }

    fn assembler(&self, layout: &Layout) -> Box<dyn Assembler> {
        Box::new(RecordFile::new("warc", warcinfo_block(&layout.configuration)))
    }

    fn inspect(
        &self,
        layout: &Layout,
        file: &mut dyn InspectedFile,
        id: &mut dyn FnMut(&str),
    ) -> Inspection {
        let mut found = Inspection::default();
        // With texts, each second record is the text of the record before it.
        let mut is_text = false;
        let read = layout.compression.reader(file.as_reader()).and_then(|mut plain| {
            read_records(&mut *plain, &mut found, &mut |record, found| {
                if !is_text {
                    found.rows += 1;
                    id(record.row());
                }
                // A record keeps the digest of its archive, which may have been wrong there.
                let is_sound = record.is_of_type("conversion") && record.is_intact() == Some(true);
                if is_text && !is_sound {
                    found.fault(found.rows, "its text does not have the digest in its header");
                }
                is_text = layout.conversions && !is_text;
            })
        });
        found.error = read.err();
        found
    }

    fn copy_rows(
        &self,
        layout: &Layout,
        file: &mut dyn InspectedFile,
        choice: &mut RowChoice<'_>,
        out: &mut dyn Write,
    ) -> io::Result<CopiedRows> {
        let cutter = &mut RecordCutter::new(1 + usize::from(layout.conversions));
        copy_rows(cutter, layout.compression, file.as_reader(), choice, out)
    }

    fn each_row(
        &self,
        layout: &Layout,
        file: &mut dyn InspectedFile,
        take: &mut dyn FnMut(&StoredRow<'_>),
    ) -> io::Result<()> {
        let mut plain = layout.compression.reader(file.as_reader())?;
        each_row(&mut *plain, layout.conversions, take)
    }
}

/// Returns the block of the `warcinfo` record.
fn warcinfo_block(configuration: &str) -> String {
    let mut fields = "software: huller\r\nformat: WARC File Format 1.0\r\n\
                      description: records of pages, chosen from other archives\r\n"
        .to_owned();
    // A value is one line.
    if let Ok(configuration) = serde_json::from_str::<Value>(configuration) {
        // Writing to a string cannot fail.
        let _ = write!(fields, "huller-configuration: {configuration}\r\n");
    }
    fields
}

/// The records of a batch of pages.
struct PageRecords {
    records: RecordBatch,
    header: String,
    /// Whether the text of each page follows its record.
    has_conversions: bool,
}

impl RowSink for PageRecords {
    fn row(&mut self, row: &Row<'_>) {
        let record = row.record.expect("a run that writes records keeps them");
        self.records.note_date(date_of(row));
        match record.member.filter(|_| record.is_complete) {
            Some(member) => self.records.push_frame(member),
            None => self.records.push(|out| push_record(row, &record, &mut self.header, out)),
        }
        if self.has_conversions {
            push_conversion(row, &mut self.header, &mut self.records);
        }
    }

    fn mark(&self) -> usize {
        self.records.len()
    }

    fn cut(&mut self, mark: usize) {
        self.records.truncate(mark);
    }
}

impl BatchEncoder for PageRecords {
    fn finish(&mut self, compressor: &mut Compressor, piece: &mut Vec<u8>) {
        self.records.finish(compressor, piece);
    }

    fn clear(&mut self) {
        self.records.clear();
    }
}

/// Appends a record with the line ends after it. `fields` is a buffer.
fn push_record(row: &Row<'_>, record: &PageRecord<'_>, fields: &mut String, out: &mut Vec<u8>) {
    if record.is_complete {
        out.extend_from_slice(record.header);
    } else {
        push_header(row, record, fields, out);
    }
    out.extend_from_slice(record.block);
    out.extend_from_slice(b"\r\n\r\n");
}

/// Fields of a header that depend on the bytes of the block.
const DIGESTS: [&[u8]; 2] = [b"warc-block-digest", b"warc-payload-digest"];

/// Appends the header of a record. Known fields are copied first; the fields that WARC requires
/// follow, if the record lacks them.
fn push_header(row: &Row<'_>, record: &PageRecord<'_>, fields: &mut String, out: &mut Vec<u8>) {
    let length = record.block.len();
    let mut lines = record.header.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii_end);
    let version = lines.next().filter(|line| !line.is_empty()).unwrap_or(b"WARC/1.0");
    out.extend_from_slice(version);
    out.extend_from_slice(b"\r\n");
    let has_wrong_length = stated_length(record.header).is_some_and(|stated| stated != length);
    let (mut known, mut is_kept) = (Vec::new(), false);
    for line in lines.take_while(|line| !line.is_empty()) {
        if !line.starts_with(b" ") && !line.starts_with(b"\t") {
            let name = line.split(|byte| *byte == b':').next().unwrap_or_default();
            let name = name.trim_ascii_end().to_ascii_lowercase();
            is_kept = line.contains(&b':')
                && name != b"content-length"
                && !(has_wrong_length
                    && row.truncated.is_some()
                    && DIGESTS.contains(&name.as_slice()));
            if is_kept {
                known.push(name);
            }
        }
        if is_kept {
            out.extend_from_slice(line);
            out.extend_from_slice(b"\r\n");
        }
    }
    let lacks = |name: &str| !known.iter().any(|known| known == name.as_bytes());
    fields.clear();
    if lacks("warc-type") {
        fields.push_str("WARC-Type: resource\r\n");
    }
    if lacks("warc-record-id") {
        fields.push_str("WARC-Record-ID: <");
        push_id(row.id, fields);
        fields.push_str(">\r\n");
    }
    if lacks("warc-date") {
        fields.push_str("WARC-Date: ");
        push_header_value(valid_warc_date(date_of(row)), fields);
        fields.push_str("\r\n");
    }
    if lacks("warc-target-uri") {
        fields.push_str("WARC-Target-URI: ");
        if let Some(url) = row.url.filter(|url| !url.trim().is_empty()) {
            push_header_value(url, fields);
        } else {
            fields.push_str("file:///");
            push_header_value(row.file_path, fields);
        }
        fields.push_str("\r\n");
    }
    if lacks("content-type") {
        // Writing to a string or to memory cannot fail, here and below.
        let _ = write!(fields, "Content-Type: {}\r\n", record.content_type);
    }
    if has_wrong_length && row.truncated.is_some() && lacks("warc-truncated") {
        fields.push_str("WARC-Truncated: unspecified\r\n");
    }
    out.extend_from_slice(fields.as_bytes());
    let _ = write!(out, "Content-Length: {length}\r\n\r\n");
}

/// Returns a date if it has the form that WARC requires, and [`NO_DATE`] otherwise.
fn valid_warc_date(date: &str) -> &str {
    let bytes = date.trim().as_bytes();
    let is_full = bytes.len() >= NO_DATE.len()
        && bytes.ends_with(b"Z")
        && [(4, b'-'), (7, b'-'), (10, b'T'), (13, b':'), (16, b':')]
            .iter()
            .all(|(place, byte)| bytes[*place] == *byte);
    if is_full { date } else { NO_DATE }
}

/// Returns the length that a header states.
fn stated_length(header: &[u8]) -> Option<usize> {
    let mut fields = header.split(|byte| *byte == b'\n').filter_map(|line| {
        let (name, value) = std::str::from_utf8(line).ok()?.split_once(':')?;
        name.trim_end().eq_ignore_ascii_case("content-length").then(|| value.trim().parse().ok())?
    });
    fields.next()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::{inspect, row};

    /// Returns the plain records of one row, without the record about the file.
    fn record_of(record: PageRecord<'_>, change: impl for<'a> Fn(Row<'a>) -> Row<'a>) -> String {
        file_of(record, false, change).1
    }

    fn file_of(
        record: PageRecord<'_>,
        conversions: bool,
        change: impl for<'a> Fn(Row<'a>) -> Row<'a>,
    ) -> (String, String) {
        let layout = Layout {
            compression: Compression::None,
            conversions,
            configuration: "{\n \"a\": 1}".to_owned(),
            ..Layout::default()
        };
        let (mut records, mut assembler) = (Warc.encoder(&layout), Warc.assembler(&layout));
        let mut compressor = Compressor::new(layout.compression);
        row(true, &[], &[], |row| records.row(&Row { record: Some(record), ..change(*row) }));
        let (mut piece, mut file) = (Vec::new(), Vec::new());
        records.finish(&mut compressor, &mut piece);
        assembler.write_piece(&piece, &mut compressor, &mut file).unwrap();
        let (found, ids) = inspect(&Warc, &layout, &file);
        assert!(found.rows == 1 && found.faults == 0 && ids.len() == 1, "{found:?}");
        let file = String::from_utf8(file).unwrap();
        let start = file.find("\r\n\r\n\r\n").unwrap() + 6;
        (file[..start].to_owned(), file[start..].to_owned())
    }

    fn bare(header: &'static [u8], block: &'static [u8]) -> PageRecord<'static> {
        let (is_complete, member, content_type) = (false, None, "text/html");
        PageRecord { header, block, is_complete, member, content_type }
    }

    #[test]
    fn a_complete_record_keeps_its_bytes() {
        let header = b"warc/1.1\r\nwarc-type : response\r\nX: \r\n y\r\ncontent-length:3\r\n\r\n";
        let record = PageRecord { is_complete: true, ..bare(header, b"a\0b") };
        let found = record_of(record, |row| row);
        assert_eq!(found.as_bytes(), [&header[..], b"a\0b\r\n\r\n"].concat());
    }

    #[test]
    fn a_member_comes_over_only_for_a_complete_record() {
        let record = PageRecord { member: Some(b"MEMBER"), ..bare(b"", b"x") };
        assert!(!record_of(record, |row| row).contains("MEMBER"));
        let mut records = Warc.encoder(&Layout::default());
        let record = PageRecord { is_complete: true, ..record };
        row(true, &[], &[], |row| records.row(&Row { record: Some(record), ..*row }));
        let mut piece = Vec::new();
        records.finish(&mut Compressor::new(Compression::DEFAULT_GZIP), &mut piece);
        assert!(piece.ends_with(b"MEMBER"));
    }

    #[test]
    fn a_page_without_a_record_becomes_a_resource() {
        let evil = "x\r\nWARC-Type: y";
        let found = record_of(bare(b"", b"<p>"), |row| Row { url: None, file_path: evil, ..row });
        assert_eq!(
            found,
            "WARC/1.0\r\nWARC-Type: resource\r\n\
             WARC-Record-ID: <urn:uuid:00000000-0000-0000-0000-000000000001>\r\n\
             WARC-Date: 1970-01-01T00:00:00Z\r\n\
             WARC-Target-URI: file:///x%0D%0AWARC-Type:%20y\r\nContent-Type: text/html\r\n\
             Content-Length: 3\r\n\r\n<p>\r\n\r\n"
        );
    }

    #[test]
    fn a_header_gets_what_it_lacks_and_the_right_length() {
        let header = b"WARC/0.18\nWARC-Type: response\nno field\n more\n\
            WARC-Block-Digest: sha1:A\n folded\nContent-Length: 99\nWARC-Target-URI: http://a/\n\
            Content-Type: text/x\nWARC-Date: 2020-01-02T03:04:05Z\n\n";
        let expected = |digest: &str, truncated: &str| {
            format!(
                "WARC/0.18\r\nWARC-Type: response\r\n{digest}WARC-Target-URI: http://a/\r\n\
                 Content-Type: text/x\r\nWARC-Date: 2020-01-02T03:04:05Z\r\n\
                 WARC-Record-ID: <urn:x-id:7>\r\n{truncated}Content-Length: 2\r\n\r\nab\r\n\r\n"
            )
        };
        let digest = "WARC-Block-Digest: sha1:A\r\n folded\r\n";
        let whole = record_of(bare(header, b"ab"), |row| Row { id: "7", truncated: None, ..row });
        assert_eq!(whole, expected(digest, ""));
        let truncated = "WARC-Truncated: unspecified\r\n";
        let cut =
            record_of(bare(header, b"ab"), |row| Row { id: "7", truncated: Some("body"), ..row });
        assert_eq!(cut, expected("", truncated));
    }

    #[test]
    fn a_text_follows_its_record_and_the_first_record_has_the_configuration() {
        let (info, records) = file_of(bare(b"", b"x"), true, |row| row);
        assert!(info.contains("\r\nhuller-configuration: {\"a\":1}\r\n"), "{info}");
        let (_, text) = records.split_once("WARC-Type: conversion\r\n").unwrap();
        assert!(
            text.contains("WARC-Refers-To: <urn:uuid:00000000-0000-0000-0000-000000000001>"),
            "{text}"
        );
        assert!(text.ends_with("\r\n\r\none\ntwo\t\"three\"\r\n\r\n"), "{text}");
    }
}
