//! WET: the texts of pages as WARC records of the type `conversion`, as Common Crawl publishes
//! them.
//!
//! Each record is one gzip member, after a record of the type `warcinfo`. The order of headers is
//! that of Common Crawl, since `cc_net` reads them by their position. The language, which `cc_net`
//! does not expect, comes last.

use crate::compress::{Compression, Compressor};
use crate::format::{
    Assembler, BatchEncoder, CopiedRows, Format, InspectedFile, Inspection, RowChoice, StoredRow,
};
use crate::layout::Layout;
use crate::record_file::{
    NO_DATE, RecordBatch, RecordCutter, RecordFile, each_row, push_header_value, push_id,
    read_records,
};
use crate::row::{Row, RowSink};
use crate::row_copy::copy_rows;
use data_encoding::BASE32;
use sha1::{Digest, Sha1};
use std::fmt::Write as _;
use std::io::{self, Write};
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
        Box::<Conversions>::default()
    }

    fn assembler(&self, _: &Layout) -> Box<dyn Assembler> {
        const FIELDS: &str = "software: huller\r\nformat: WARC File Format 1.0\r\n\
                              description: texts of the pages of a WARC\r\n";
        Box::new(RecordFile::new("wet", FIELDS.to_owned()))
    }

    fn inspect(
        &self,
        layout: &Layout,
        file: &mut dyn InspectedFile,
        id: &mut dyn FnMut(&str),
    ) -> Inspection {
        let mut found = Inspection::default();
        let read = layout.compression.reader(file.as_reader()).and_then(|mut plain| {
            read_records(&mut *plain, &mut found, &mut |record, found| {
                found.rows += 1;
                if record.is_intact() != Some(true) {
                    found.fault(found.rows, "its block does not have the digest in its header");
                }
                id(record.refers_to());
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
        let cutter = &mut RecordCutter::new(1);
        copy_rows(cutter, layout.compression, file.as_reader(), choice, out)
    }

    fn each_row(
        &self,
        layout: &Layout,
        file: &mut dyn InspectedFile,
        take: &mut dyn FnMut(&StoredRow<'_>),
    ) -> io::Result<()> {
        let mut plain = layout.compression.reader(file.as_reader())?;
        each_row(&mut *plain, false, take)
    }
}

/// The `conversion` records of a batch.
#[derive(Default)]
struct Conversions {
    records: RecordBatch,
    header: String,
}

impl RowSink for Conversions {
    fn row(&mut self, row: &Row<'_>) {
        self.records.note_date(date_of(row));
        push_conversion(row, &mut self.header, &mut self.records);
    }

    fn mark(&self) -> usize {
        self.records.len()
    }

    fn cut(&mut self, mark: usize) {
        self.records.truncate(mark);
    }
}

impl BatchEncoder for Conversions {
    fn finish(&mut self, compressor: &mut Compressor, piece: &mut Vec<u8>) {
        self.records.finish(compressor, piece);
    }

    fn clear(&mut self) {
        self.records.clear();
    }
}

/// Returns the time of the fetch, as far as the row has it.
pub(crate) fn date_of<'r>(row: &Row<'r>) -> &'r str {
    row.date.filter(|date| !date.trim().is_empty()).unwrap_or(NO_DATE)
}

/// Adds the text of a page as a `conversion` record. `header` is a buffer.
pub(crate) fn push_conversion(row: &Row<'_>, header: &mut String, records: &mut RecordBatch) {
    header.clear();
    header.push_str("WARC/1.0\r\nWARC-Type: conversion\r\n");
    if let Some(url) = row.url.filter(|url| !url.is_empty()) {
        header.push_str("WARC-Target-URI: ");
        push_header_value(url, header);
        header.push_str("\r\n");
    }
    header.push_str("WARC-Date: ");
    push_header_value(date_of(row), header);
    let name = format!("huller:wet:{}#{}#{}", row.file_path, row.id, row.extractor);
    let record_id = Uuid::new_v5(&Uuid::NAMESPACE_URL, name.as_bytes());
    // Writing to a string cannot fail.
    let _ = write!(header, "\r\nWARC-Record-ID: <urn:uuid:{record_id}>\r\nWARC-Refers-To: <");
    push_id(row.id, header);
    let digest = BASE32.encode(&Sha1::digest(row.text.as_bytes()));
    let length = row.text.len();
    let _ = write!(
        header,
        ">\r\nWARC-Block-Digest: sha1:{digest}\r\nContent-Type: text/plain\r\nContent-Length: {length}\r\n"
    );
    if let Some(language) = row.language {
        header.push_str("WARC-Identified-Content-Language: ");
        push_header_value(language, header);
        header.push_str("\r\n");
    }
    records.push(|out| {
        for part in [header.as_str(), "\r\n", row.text, "\r\n\r\n"] {
            out.extend_from_slice(part.as_bytes());
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::{file_of, full_layout, inspect, row};
    use flate2::read::GzDecoder;
    use std::io::{self, Read};

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
        assembler.write_piece(&piece, &mut compressor, &mut file).unwrap();
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
