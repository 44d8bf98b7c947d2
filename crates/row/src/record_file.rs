//! Files of WARC records: one `warcinfo` record about the file, and then the records, each in a
//! frame of its own. The formats [`Wet`](crate::wet::Wet) and [`Warc`](crate::warc::Warc) use them.

use crate::compress::Compressor;
use crate::format::{Assembler, Inspection, StoredRow};
use crate::frames::clear_and_shrink;
use crate::row_copy::{RowCutter, copy_line, invalid, push_bytes};
use data_encoding::BASE32;
use sha1::{Digest, Sha1};
use std::borrow::Cow;
use std::fmt::Write as _;
use std::io::{self, BufRead, Read, Write};
use std::ops::Range;
use uuid::Uuid;

/// The date of pages without one. The header is mandatory, and outputs hold no times of the run.
pub(crate) const NO_DATE: &str = "1970-01-01T00:00:00Z";

/// Most bytes of a date. Longer values are not dates, and are cut.
const MAX_DATE_BYTES: usize = 64;

/// The records of a batch.
#[derive(Default)]
pub(crate) struct RecordBatch {
    /// The records, plain or compressed.
    bytes: Vec<u8>,
    /// The end of each record in `bytes`, and whether the record is compressed already.
    ends: Vec<(usize, bool)>,
    /// The time when the first page was fetched.
    date: String,
}

impl RecordBatch {
    /// Notes the date of the next page, if it is the first of the batch.
    pub(crate) fn note_date(&mut self, date: &str) {
        if self.ends.is_empty() {
            self.date.clear();
            push_header_value(date, &mut self.date);
        }
    }

    /// Adds a record, which `write` appends.
    pub(crate) fn push(&mut self, write: impl FnOnce(&mut Vec<u8>)) {
        write(&mut self.bytes);
        self.ends.push((self.bytes.len(), false));
    }

    /// Adds the frame of a record.
    pub(crate) fn push_frame(&mut self, frame: &[u8]) {
        self.bytes.extend_from_slice(frame);
        self.ends.push((self.bytes.len(), true));
    }

    /// Returns the number of records.
    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    /// Discards all but the first `records` records.
    pub(crate) fn truncate(&mut self, records: usize) {
        self.ends.truncate(records);
        self.bytes.truncate(self.ends.last().map_or(0, |(end, _)| *end));
    }

    /// Discards all records.
    pub(crate) fn clear(&mut self) {
        clear_and_shrink(&mut self.bytes);
        self.ends.clear();
    }

    /// Appends the date of the first page, the length of the frames, and the frames to `piece`. The
    /// date becomes that of the file's own record.
    pub(crate) fn finish(&mut self, compressor: &mut Compressor, piece: &mut Vec<u8>) {
        if self.ends.is_empty() {
            return;
        }
        let date = self.date.as_bytes();
        let date = &date[..date.len().min(MAX_DATE_BYTES)];
        piece.push(date.len() as u8);
        piece.extend_from_slice(date);
        let place = piece.len();
        piece.extend_from_slice(&[0; size_of::<u64>()]);
        let first = piece.len();
        let mut start = 0;
        for (end, is_frame) in &self.ends {
            let record = &self.bytes[start..*end];
            if *is_frame {
                piece.extend_from_slice(record);
            } else {
                compressor.frame(record, piece);
            }
            start = *end;
        }
        let length = (piece.len() - first) as u64;
        piece[place..first].copy_from_slice(&length.to_le_bytes());
        self.clear();
    }
}

/// Writes a URL or a date as the value of a header. The page's author may have put line ends and
/// further headers into it, so control characters and white space are percent-encoded.
pub(crate) fn push_header_value(value: &str, out: &mut String) {
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

/// Writes the identifier of a page's record. A UUID has the form that archives use, and an
/// identifier that is a URI stays as it is.
pub(crate) fn push_id(id: &str, out: &mut String) {
    let is_uri = id.starts_with("urn:") || id.contains("://");
    if !is_uri || id.starts_with("urn:uuid:") || id.starts_with(OTHER_ID) {
        out.push_str(if Uuid::try_parse(id).is_ok() { "urn:uuid:" } else { OTHER_ID });
    }
    push_header_value(id, out);
}

/// Returns the identifier of a row from the header that [`push_id`] wrote.
fn id_of(value: &str) -> &str {
    let id = value.strip_prefix('<').unwrap_or(value);
    let id = id.strip_suffix('>').unwrap_or(id);
    id.strip_prefix("urn:uuid:").or_else(|| id.strip_prefix(OTHER_ID)).unwrap_or(id)
}

/// Makes a file of the batches of records.
pub(crate) struct RecordFile {
    /// The name of the format, from which the identifier of the `warcinfo` record follows.
    format: &'static str,
    /// The block of the `warcinfo` record: lines of `name: value`.
    fields: String,
    /// Whether the `warcinfo` record has been written.
    has_info: bool,
}

impl RecordFile {
    /// Returns a file whose `warcinfo` record has these fields.
    pub(crate) fn new(format: &'static str, fields: String) -> RecordFile {
        RecordFile { format, fields, has_info: false }
    }

    /// Writes the record about the file.
    fn write_info(
        &self,
        date: &str,
        compressor: &mut Compressor,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let RecordFile { format, fields, .. } = self;
        let id = Uuid::new_v5(&Uuid::NAMESPACE_URL, format!("huller:{format}:{date}").as_bytes());
        let length = fields.len();
        let record = format!(
            "WARC/1.0\r\nWARC-Type: warcinfo\r\nWARC-Date: {date}\r\n\
             WARC-Record-ID: <urn:uuid:{id}>\r\nContent-Type: application/warc-fields\r\n\
             Content-Length: {length}\r\n\r\n{fields}\r\n\r\n"
        );
        let mut frame = Vec::new();
        compressor.frame(record.as_bytes(), &mut frame);
        out.write_all(&frame)
    }
}

impl Assembler for RecordFile {
    fn begin(&mut self, _: &mut Compressor, _: &mut dyn Write) -> io::Result<()> {
        Ok(())
    }

    fn resume(&mut self, length: u64, _: &[u8]) {
        self.has_info = length > 0;
    }

    fn write_piece(
        &mut self,
        piece: &[u8],
        compressor: &mut Compressor,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let mut rest = piece;
        while let Some((date, records, after)) = split(rest) {
            if !std::mem::replace(&mut self.has_info, true) {
                let date = std::str::from_utf8(date).unwrap_or(NO_DATE);
                self.write_info(date, compressor, out)?;
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
        if self.has_info { Ok(()) } else { self.write_info(NO_DATE, compressor, out) }
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

/// Most bytes of a line of headers.
const MAX_HEADER_LINE_BYTES: u64 = 64 << 20;

/// The fields of a record that a check of a file needs.
#[derive(Default)]
pub(crate) struct FoundRecord {
    kind: String,
    /// The digest that its header states.
    stated: Option<String>,
    /// SHA-1 of its block.
    digest: String,
    id: String,
    refers_to: String,
}

impl FoundRecord {
    /// Returns the identifier of the row whose record this is.
    pub(crate) fn row(&self) -> &str {
        id_of(&self.id)
    }

    /// Returns the identifier of the row to whose record this one refers.
    pub(crate) fn refers_to(&self) -> &str {
        id_of(&self.refers_to)
    }

    /// Returns whether the record is of this type.
    pub(crate) fn is_of_type(&self, kind: &str) -> bool {
        self.kind == kind
    }

    /// Returns whether the block has the digest in the header. If the header has none, or one of
    /// another algorithm, it returns `None`.
    pub(crate) fn is_intact(&self) -> Option<bool> {
        let stated = self.stated.as_deref()?;
        let is_sha1 = stated.len() == self.digest.len() && stated.starts_with("sha1:");
        is_sha1.then(|| stated.eq_ignore_ascii_case(&self.digest))
    }
}

/// Reads records to the end of the file, and passes all but the `warcinfo` record to `take`.
pub(crate) fn read_records(
    file: &mut dyn BufRead,
    found: &mut Inspection,
    take: &mut dyn FnMut(&FoundRecord, &mut Inspection),
) -> io::Result<()> {
    let mut line = Vec::new();
    let mut is_first = true;
    while !file.fill_buf()?.is_empty() {
        let (mut record, mut length) = (FoundRecord::default(), 0);
        read_line(file, &mut line)?;
        if !line.get(..5).is_some_and(|start| start.eq_ignore_ascii_case(b"WARC/")) {
            return Err(invalid("a record does not begin at the end of the previous record"));
        }
        loop {
            read_line(file, &mut line)?;
            if line.is_empty() {
                break;
            }
            let text = header_text(&line);
            let (name, value) = text.split_once(':').unwrap_or((&text, ""));
            let value = value.trim();
            match name.trim_end().to_ascii_lowercase().as_str() {
                "warc-type" => record.kind = value.to_ascii_lowercase(),
                "content-length" => {
                    length = value.parse().map_err(|_| invalid("a length is not a number"))?;
                }
                "warc-block-digest" => record.stated = Some(value.to_owned()),
                "warc-record-id" => value.clone_into(&mut record.id),
                "warc-refers-to" => value.clone_into(&mut record.refers_to),
                _ => {}
            }
        }
        record.digest = digest_of(file, length)?;
        let mut end = [0; 4];
        file.read_exact(&mut end)?;
        if end != *b"\r\n\r\n" {
            return Err(invalid("a record does not end after its block"));
        }
        // A copied archive may have `warcinfo` records of its own, but no run copies these.
        if is_first != record.is_of_type("warcinfo") {
            return Err(invalid("the warcinfo record is not the first"));
        }
        if !is_first {
            take(&record, found);
        }
        is_first = false;
    }
    Ok(())
}

/// Cuts rows of some records each, after the `warcinfo` record.
pub(crate) struct RecordCutter {
    /// Records of a row: the record of the page and, in some files, its text.
    records: usize,
    /// The ends of the records of the last row.
    ends: Vec<usize>,
}

impl RecordCutter {
    pub(crate) fn new(records: usize) -> RecordCutter {
        RecordCutter { records, ends: Vec::new() }
    }
}

impl RowCutter for RecordCutter {
    fn beginning(&mut self, file: &mut dyn BufRead, info: &mut Vec<u8>) -> io::Result<()> {
        push_record_of(file, info).map(|_| ())
    }

    fn row(&mut self, file: &mut dyn BufRead, row: &mut Vec<u8>) -> io::Result<()> {
        self.ends.clear();
        for record in 0..self.records {
            match (push_record_of(file, row)?, record) {
                (Some(_), _) => self.ends.push(row.len()),
                (None, 0) => return Ok(()),
                (None, _) => return Err(invalid("the text of the last page is missing")),
            }
        }
        Ok(())
    }

    fn frames<'a>(&'a self, _: &[u8]) -> &'a [usize] {
        &self.ends
    }
}

/// The headers of a record by which its row is recognised, and the place of its block.
#[derive(Default)]
struct RecordHeaders {
    kind: String,
    id: String,
    refers_to: String,
    url: String,
    block: Range<usize>,
}

/// Appends the next record. Returns `None` at the end of the file.
fn push_record_of(
    file: &mut dyn BufRead,
    record: &mut Vec<u8>,
) -> io::Result<Option<RecordHeaders>> {
    let mut headers = RecordHeaders::default();
    let (mut length, mut is_first) = (0, true);
    loop {
        let start = record.len();
        if !copy_line(file, record)? {
            return if is_first { Ok(None) } else { Err(invalid("a header is incomplete")) };
        }
        let line = record[start..].trim_ascii_end();
        if is_first && !line.get(..5).is_some_and(|start| start.eq_ignore_ascii_case(b"WARC/")) {
            return Err(invalid("a record does not begin at the end of the previous record"));
        }
        is_first = false;
        if line.is_empty() {
            break;
        }
        let text = header_text(line);
        let (name, value) = text.split_once(':').unwrap_or((&text, ""));
        let value = value.trim();
        match name.trim_end().to_ascii_lowercase().as_str() {
            "content-length" => {
                length = value.parse().map_err(|_| invalid("a length is not a number"))?;
            }
            "warc-type" => headers.kind = value.to_ascii_lowercase(),
            "warc-record-id" => value.clone_into(&mut headers.id),
            "warc-refers-to" => value.clone_into(&mut headers.refers_to),
            "warc-target-uri" => {
                let url = value.strip_prefix('<').and_then(|url| url.strip_suffix('>'));
                url.unwrap_or(value).clone_into(&mut headers.url);
            }
            _ => {}
        }
    }
    let start = record.len();
    push_bytes(file, length, record)?;
    headers.block = start..record.len();
    push_bytes(file, 4, record)?;
    if record.ends_with(b"\r\n\r\n") {
        Ok(Some(headers))
    } else {
        Err(invalid("a record does not end after its block"))
    }
}

/// Passes the row of each page to `take`. The identifier of a page's own record is that of its row;
/// a `conversion` record refers to it, and has the text.
pub(crate) fn each_row(
    file: &mut dyn BufRead,
    has_texts: bool,
    take: &mut dyn FnMut(&StoredRow<'_>),
) -> io::Result<()> {
    let (mut record, mut page): (Vec<u8>, Option<RecordHeaders>) = (Vec::new(), None);
    push_record_of(file, &mut record)?;
    loop {
        record.clear();
        let Some(headers) = push_record_of(file, &mut record)? else { break };
        let is_text = headers.kind == "conversion";
        if has_texts && !is_text && page.is_none() {
            page = Some(headers);
            continue;
        }
        let block = is_text.then(|| std::str::from_utf8(&record[headers.block.clone()]));
        let text = block.transpose().map_err(|_| invalid("a text is not UTF-8"))?;
        let own = page.take().unwrap_or(headers);
        let id = if own.kind == "conversion" { id_of(&own.refers_to) } else { id_of(&own.id) };
        let url = Some(own.url.as_str()).filter(|url| !url.is_empty());
        take(&StoredRow { url, id: Some(id), parent_id: None, text });
    }
    Ok(())
}

/// Returns a line of a header as text. Old crawlers wrote headers in Latin-1.
fn header_text(line: &[u8]) -> Cow<'_, str> {
    match std::str::from_utf8(line) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => Cow::Owned(line.iter().map(|byte| char::from(*byte)).collect()),
    }
}

/// Reads a line of a header without its end.
fn read_line(file: &mut dyn BufRead, line: &mut Vec<u8>) -> io::Result<()> {
    line.clear();
    file.take(MAX_HEADER_LINE_BYTES).read_until(b'\n', line)?;
    if !line.ends_with(b"\r\n") {
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
