//! CSV and TSV: a line with the names of the fields, then a line for each row (RFC 4180, with line
//! feeds).
//!
//! A value with a separator, a quote or a line break is put in quotes, and each quote in it is
//! doubled. A null is written as no characters, and an empty text as a pair of quotes. Values that
//! are objects or lists are JSON. These formats have no escapes, so U+FFFD replaces control
//! characters other than tab, line feed and carriage return. Some readers stop at a NUL, and
//! terminals execute others.

use crate::compress::{Compression, Compressor};
use crate::field::{Field, FieldType};
use crate::format::{
    Assembler, BatchEncoder, CopiedRows, Format, InspectedFile, Inspection, RowChoice,
};
use crate::frames::{Frames, clear_and_shrink};
use crate::json::{Object, push_texts};
use crate::layout::Layout;
use crate::row::{Row, RowSink};
use crate::row_copy::{RowCutter, copy_line, copy_rows, invalid};
use memchr::{memchr, memchr3};
use serde::Serialize;
use std::io::{self, BufRead, Write};

/// CSV or TSV, by its separator.
pub(crate) struct Csv {
    pub(crate) name: &'static str,
    /// Ends of file names: without compression, with gzip, with zstd.
    pub(crate) suffixes: [&'static str; 3],
    pub(crate) separator: u8,
}

pub(crate) const CSV: Csv =
    Csv { name: "csv", suffixes: [".csv", ".csv.gz", ".csv.zst"], separator: b',' };

pub(crate) const TSV: Csv =
    Csv { name: "tsv", suffixes: [".tsv", ".tsv.gz", ".tsv.zst"], separator: b'\t' };

impl Format for Csv {
    fn name(&self) -> &'static str {
        self.name
    }

    fn suffix(&self, compression: Compression) -> &'static str {
        let [plain, gzip, zstd] = self.suffixes;
        match compression {
            Compression::None => plain,
            Compression::Gzip { .. } => gzip,
            Compression::Zstd { .. } => zstd,
        }
    }

    fn encoder(&self, layout: &Layout) -> Box<dyn BatchEncoder> {
        Box::new(Lines {
            fields: layout.fields().collect(),
            has_own_texts: !layout.refines,
            separator: self.separator,
            rows: Vec::new(),
            json: Vec::new(),
        })
    }

    fn assembler(&self, layout: &Layout) -> Box<dyn Assembler> {
        let separator = char::from(self.separator).to_string();
        let names: Vec<_> = layout.fields().map(|field| field.name).collect();
        let header = names.join(&separator) + "\n";
        Box::new(Frames::with_header(header.into_bytes()))
    }

    fn inspect(
        &self,
        layout: &Layout,
        file: &mut dyn InspectedFile,
        id: &mut dyn FnMut(&str),
    ) -> Inspection {
        let columns = layout.fields_of_any_run().count();
        let mut lines = Inspector {
            separator: self.separator,
            id_column: layout.fields_of_any_run().position(|field| field.name == "id"),
            found: Inspection::default(),
            columns: None,
            most_columns: columns,
            id,
        };
        let read = lines.read(layout.compression, file);
        Inspection { error: read.err(), ..lines.found }
    }

    fn copy_rows(
        &self,
        layout: &Layout,
        file: &mut dyn InspectedFile,
        choice: &mut RowChoice<'_>,
        out: &mut dyn Write,
    ) -> io::Result<CopiedRows> {
        copy_rows(&mut RecordCutter, layout.compression, file.as_reader(), choice, out)
    }
}

/// Cuts rows at line ends outside of quotes. The first line has the names of the columns.
struct RecordCutter;

impl RowCutter for RecordCutter {
    fn beginning(&mut self, file: &mut dyn BufRead, names: &mut Vec<u8>) -> io::Result<()> {
        self.row(file, names)
    }

    fn row(&mut self, file: &mut dyn BufRead, row: &mut Vec<u8>) -> io::Result<()> {
        // A doubled quote within quotes counts twice, and so changes nothing.
        let mut quotes = 0;
        loop {
            let start = row.len();
            if !copy_line(file, row)? {
                let is_cut = start > 0;
                return if is_cut { Err(invalid("a value has no end")) } else { Ok(()) };
            }
            quotes += memchr::memchr_iter(b'"', &row[start..]).count();
            if quotes % 2 == 0 {
                return Ok(());
            }
        }
    }
}

/// The rows of a batch, as lines.
struct Lines {
    fields: Vec<&'static Field>,
    /// Whether this program made the texts, so that the table says which hold no controls.
    has_own_texts: bool,
    separator: u8,
    rows: Vec<u8>,
    /// Scratch buffer for a value that is an object.
    json: Vec<u8>,
}

impl RowSink for Lines {
    fn row(&mut self, row: &Row<'_>) {
        let Lines { fields, has_own_texts, separator, rows, json } = self;
        for (place, field) in fields.iter().enumerate() {
            if place > 0 {
                rows.push(*separator);
            }
            match field.value_type {
                FieldType::Text(of) => {
                    push_text(of(row), field.is_clean && *has_own_texts, *separator, rows);
                }
                FieldType::Json(of) => push_text(of(row), false, *separator, rows),
                FieldType::Int(of) => push_value(of(row), rows),
                FieldType::Long(of) => push_value(of(row), rows),
                FieldType::Float(of) => push_value(of(row).filter(|value| value.is_finite()), rows),
                FieldType::Flag(of) => push_value(of(row), rows),
                FieldType::TextList(of) => {
                    let Some(texts) = of(row) else { continue };
                    json.clear();
                    push_texts(json, texts);
                    let json = std::str::from_utf8(json).expect("JSON made of strings");
                    push_text(Some(json), true, *separator, rows);
                }
                FieldType::Texts => {
                    let Some(texts) = row.texts else { continue };
                    json.clear();
                    let mut object = Object::new(json);
                    for (name, text) in texts.names.iter().zip(texts.texts) {
                        object.text(name, text.as_str());
                    }
                    object.end();
                    let json = std::str::from_utf8(json).expect("JSON made of strings");
                    push_text(Some(json), true, *separator, rows);
                }
            }
        }
        rows.push(b'\n');
    }

    fn mark(&self) -> usize {
        self.rows.len()
    }

    fn cut(&mut self, mark: usize) {
        self.rows.truncate(mark);
    }
}

impl BatchEncoder for Lines {
    fn finish(&mut self, compressor: &mut Compressor, piece: &mut Vec<u8>) {
        compressor.frame(&self.rows, piece);
        self.clear();
    }

    fn clear(&mut self) {
        clear_and_shrink(&mut self.rows);
        clear_and_shrink(&mut self.json);
    }
}

/// Appends a number or a truth value in JSON's notation.
fn push_value(value: Option<impl Serialize>, out: &mut Vec<u8>) {
    if let Some(value) = value {
        serde_json::to_writer(out, &value).expect("writing plain fields to memory cannot fail");
    }
}

fn push_text(text: Option<&str>, is_clean: bool, separator: u8, out: &mut Vec<u8>) {
    let Some(text) = text else { return };
    let bytes = text.as_bytes();
    let is_special =
        memchr3(separator, b'"', b'\n', bytes).is_some() || memchr(b'\r', bytes).is_some();
    if text.is_empty() || is_special {
        out.push(b'"');
        let mut parts = text.split('"');
        push_printable(parts.next().unwrap_or_default(), is_clean, out);
        for part in parts {
            out.extend_from_slice(b"\"\"");
            push_printable(part, is_clean, out);
        }
        out.push(b'"');
    } else {
        push_printable(text, is_clean, out);
    }
}

fn push_printable(text: &str, is_clean: bool, out: &mut Vec<u8>) {
    let is_obeyed = |c: char| c.is_control() && !matches!(c, '\t' | '\n' | '\r');
    if is_clean || !may_have_controls(text) || !text.contains(is_obeyed) {
        out.extend_from_slice(text.as_bytes());
    } else {
        out.extend_from_slice(text.replace(is_obeyed, "\u{fffd}").as_bytes());
    }
}

/// Returns whether a text has a byte of a control character. The bytes of U+0080 to U+009F begin
/// with C2, as do those of other characters.
fn may_have_controls(text: &str) -> bool {
    // Without branches, so that the compiler reads many bytes at a time.
    let is_of_control =
        |byte: u8| u8::from(byte < 0x20) | u8::from(byte == 0x7F) | u8::from(byte == 0xC2);
    text.as_bytes().iter().fold(0, |found, byte| found | is_of_control(*byte)) != 0
}

/// A reader that checks lines and counts the rows. It keeps only the identifier of a row.
struct Inspector<'a> {
    separator: u8,
    id_column: Option<usize>,
    found: Inspection,
    /// Number of columns of the first line.
    columns: Option<usize>,
    most_columns: usize,
    id: &'a mut dyn FnMut(&str),
}

/// Most bytes of an identifier that are kept.
const MAX_ID_BYTES: usize = 1 << 16;

impl Inspector<'_> {
    fn read(&mut self, compression: Compression, file: &mut dyn InspectedFile) -> io::Result<()> {
        let mut plain = compression.reader(file.as_reader())?;
        let (mut column, mut in_quotes, mut is_empty) = (0, false, true);
        let mut id = Vec::new();
        loop {
            let bytes = plain.fill_buf()?;
            if bytes.is_empty() {
                break;
            }
            for byte in bytes {
                is_empty = false;
                match *byte {
                    b'"' => {
                        // The second of two quotes reopens the value that the first has closed.
                        if Some(column) == self.id_column && !in_quotes && !id.is_empty() {
                            id.push(b'"');
                        }
                        in_quotes = !in_quotes;
                    }
                    byte if byte == self.separator && !in_quotes => column += 1,
                    b'\n' if !in_quotes => {
                        self.line(column + 1, &id);
                        (column, is_empty) = (0, true);
                        id.clear();
                    }
                    byte if Some(column) == self.id_column && id.len() < MAX_ID_BYTES => {
                        id.push(byte);
                    }
                    _ => {}
                }
            }
            let taken = bytes.len();
            plain.consume(taken);
        }
        if !is_empty {
            self.found.fault(self.found.rows + 1, "it has no line end");
        }
        Ok(())
    }

    /// Ends a line with this number of columns.
    fn line(&mut self, columns: usize, id: &[u8]) {
        let Some(expected) = self.columns else {
            if columns > self.most_columns {
                self.found.fault(0, "the first line has more names than fields exist");
            }
            self.columns = Some(columns);
            return;
        };
        self.found.rows += 1;
        if columns != expected {
            let problem = format!("it has {columns} values, not {expected}");
            return self.found.fault(self.found.rows, problem);
        }
        match std::str::from_utf8(id) {
            Err(error) => self.found.fault(self.found.rows, error.to_string()),
            Ok(id) if self.id_column.is_some() => (self.id)(id),
            Ok(_) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fields::FIELDS;
    use crate::sample::{file_of, full_layout, inspect, numbered, row};
    use serde_json::Value;

    /// Reads a file with another reader.
    fn records(format: &Csv, file: &[u8]) -> Vec<Vec<String>> {
        let mut reader = csv::ReaderBuilder::new()
            .has_headers(false)
            .delimiter(format.separator)
            .from_reader(file);
        reader.records().map(|row| row.unwrap().iter().map(str::to_owned).collect()).collect()
    }

    #[test]
    fn another_reader_finds_every_value_of_every_row() {
        for format in [CSV, TSV] {
            let layout = full_layout(Compression::None);
            let file = file_of(&format, &layout, &[3, 0, 4]);
            let mut records = records(&format, &file).into_iter();
            assert!(records.next().unwrap().iter().eq(FIELDS.iter().map(|field| field.name)));
            for (number, record) in records.enumerate() {
                let json = numbered(number, |row| serde_json::to_value(row).unwrap());
                for (field, found) in FIELDS.iter().zip(record) {
                    if let (FieldType::Texts, Value::Object(_)) =
                        (field.value_type, &json[field.name])
                    {
                        let found: Value = serde_json::from_str(&found).unwrap();
                        assert_eq!(found, json[field.name]);
                        continue;
                    }
                    let expected = match &json[field.name] {
                        Value::Null => String::new(),
                        Value::String(text) if field.is_clean => text.clone(),
                        Value::String(text) => text.replace('\u{1}', "\u{fffd}"),
                        value => value.to_string(),
                    };
                    assert_eq!(found, expected, "{}", field.name);
                }
            }
            let (found, ids) = inspect(&format, &layout, &file);
            assert_eq!((found.rows, found.faults, ids.len()), (7, 0, 7), "{found:?}");
            assert_eq!(ids[3], numbered(3, |row| row.id.to_owned()));
        }
    }

    #[test]
    fn null_is_nothing_and_empty_is_a_pair_of_quotes() {
        let layout = Layout { chosen: Some(vec!["url", "text"]), ..full_layout(Compression::None) };
        let mut lines = CSV.encoder(&layout);
        let mut piece = Vec::new();
        row(false, &[], &[], |row| {
            lines.row(&Row { text: "", ..*row });
            lines.row(&Row { url: Some("a\r\u{9b}\0b"), text: "plain", ..*row });
        });
        lines.finish(&mut Compressor::new(Compression::None), &mut piece);
        assert_eq!(String::from_utf8(piece).unwrap(), ",\"\"\n\"a\r\u{fffd}\u{fffd}b\",plain\n");
    }

    #[test]
    fn identifiers_and_faults_are_found() {
        let layout = full_layout(Compression::None);
        let (found, ids) = inspect(&CSV, &layout, b"id,text\n\"a\"\"b,\",1\nc,\"x\ny\"\nd\n");
        assert_eq!(
            (found.rows, found.faults, ids),
            (3, 1, vec!["a\"b,".to_owned(), "c".to_owned()])
        );
        let chosen = Layout { chosen: Some(vec!["text", "id"]), ..full_layout(Compression::None) };
        let (found, ids) = inspect(&CSV, &chosen, b"text,id\n1,a\n2,b\n");
        assert_eq!((found.rows, found.faults, ids), (2, 0, vec!["a".to_owned(), "b".to_owned()]));
        let (found, _) = inspect(&CSV, &layout, b"id,text\nc,\"x\ny\n");
        assert_eq!(found.first_fault, Some((1, "it has no line end".to_owned())));
    }
}
