//! CSV: a row of names, then rows of values (RFC 4180, and what programs make of it). A row becomes a line of JSONL.
//!
//! A value that begins with a quote goes on to the next quote that is not doubled, over the ends of lines. A quote elsewhere is a
//! character as any other. All values are strings, but for a value of nothing at all, which is null; an empty text is a pair of quotes.
//! A row that has not as many values as there are names, or whose quote is never closed, is a fault; reading goes on after its first line.

use crate::jsonl::{json_name, name_of, push_text};
use memchr::{memchr, memchr2};
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

/// The separator of a table, if a file is one by its name: a comma for `.csv`, a tab for `.tsv` and `.tab`, compressed or not.
pub(crate) fn separator_of(path: &Path) -> Option<u8> {
    let name = path.file_name().map(OsStr::as_bytes).unwrap_or_default().to_ascii_lowercase();
    let packed = [&b".gz"[..], b".zst", b".lz4"];
    let plain = packed.into_iter().find_map(|end| name.strip_suffix(end));
    let name = plain.unwrap_or(&name);
    if name.ends_with(b".csv") {
        Some(b',')
    } else {
        (name.ends_with(b".tsv") || name.ends_with(b".tab")).then_some(b'\t')
    }
}

/// Where in a row the search for its end stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Place {
    #[default]
    ValueStart,
    Unquoted,
    Quoted,
    /// After a quote within a value that began with one: it ends the value, unless another follows.
    AfterQuote,
}

/// The rows of a table.
#[derive(Debug)]
pub(crate) struct Csv {
    separator: u8,
    /// The names of the columns as JSON, with quotes and the colon. Empty before the first row.
    names: Vec<String>,
    place: Place,
    value: Vec<u8>,
    decoded: String,
}

/// What became of a row.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Row {
    /// It was appended.
    Json,
    /// It held the names.
    Names,
    /// What is wrong with it.
    Fault(String),
}

impl Csv {
    pub(crate) fn new(separator: u8) -> Csv {
        Csv {
            separator,
            names: Vec::new(),
            place: Place::default(),
            value: Vec::new(),
            decoded: String::new(),
        }
    }

    /// Where the row ends of which `bytes` has been searched up to `from`: the place of its line feed.
    pub(crate) fn find_end(&mut self, bytes: &[u8], from: usize) -> Option<usize> {
        let mut at = from;
        while at < bytes.len() {
            let rest = &bytes[at..];
            match self.place {
                Place::Quoted => {
                    at += memchr(b'"', rest).map_or(rest.len(), |quote| {
                        self.place = Place::AfterQuote;
                        quote + 1
                    });
                }
                Place::Unquoted => {
                    let found = memchr2(self.separator, b'\n', rest);
                    at += found.unwrap_or(rest.len());
                    match found.map(|found| rest[found]) {
                        Some(b'\n') => return Some(at),
                        Some(_) => {
                            self.place = Place::ValueStart;
                            at += 1;
                        }
                        None => {}
                    }
                }
                Place::ValueStart | Place::AfterQuote => match rest[0] {
                    b'\n' => return Some(at),
                    b'"' => {
                        self.place = Place::Quoted;
                        at += 1;
                    }
                    byte => {
                        let is_next = byte == self.separator;
                        self.place = if is_next { Place::ValueStart } else { Place::Unquoted };
                        at += 1;
                    }
                },
            }
        }
        None
    }

    /// Whether the row is still within quotes.
    pub(crate) fn is_open(&self) -> bool {
        self.place == Place::Quoted
    }

    /// The next row begins.
    pub(crate) fn begin_row(&mut self) {
        self.place = Place::default();
    }

    /// Appends a row as a JSON object, or takes the names.
    pub(crate) fn push(&mut self, row: &[u8], out: &mut Vec<u8>) -> Row {
        const KEPT: usize = 1 << 20;
        if self.names.is_empty() {
            self.take_names(row);
            return Row::Names;
        }
        let start = out.len();
        let (mut count, mut rest) = (0, Some(row));
        while let Some(bytes) = rest {
            let is_quoted;
            (is_quoted, rest) = self.next_value(bytes);
            if let Some(name) = self.names.get(count) {
                out.push(if count == 0 { b'{' } else { b',' });
                out.extend_from_slice(name.as_bytes());
                if self.value.is_empty() && !is_quoted {
                    out.extend_from_slice(b"null");
                } else {
                    push_text(&self.value, &mut self.decoded, out);
                }
            }
            count += 1;
        }
        self.value.shrink_to(KEPT);
        self.decoded.shrink_to(KEPT);
        if count == self.names.len() {
            out.push(b'}');
            return Row::Json;
        }
        out.truncate(start);
        Row::Fault(format!("it has {count} values, and there are {} names", self.names.len()))
    }

    /// Takes the names out of the first row. Where the expected separator is not in it, another one that is in use may be.
    fn take_names(&mut self, row: &[u8]) {
        const OTHERS: [u8; 4] = [b',', b'\t', b';', b'|'];
        if memchr(self.separator, row).is_none()
            && let Some(other) = OTHERS.into_iter().find(|other| row.contains(other))
        {
            self.separator = other;
        }
        let mut rest = Some(row);
        while let Some(bytes) = rest {
            (_, rest) = self.next_value(bytes);
            self.names.push(json_name(&name_of(&self.value)));
        }
    }

    /// Puts the next value into `self.value`, without its quotes. Whether it had them; and what comes after the separator, if there is one.
    fn next_value<'r>(&mut self, row: &'r [u8]) -> (bool, Option<&'r [u8]>) {
        self.value.clear();
        let mut rest = row;
        let is_quoted = rest.first() == Some(&b'"');
        if is_quoted {
            rest = &rest[1..];
            loop {
                let quote = memchr(b'"', rest).unwrap_or(rest.len());
                self.value.extend_from_slice(&rest[..quote]);
                rest = rest.get(quote + 1..).unwrap_or_default();
                if rest.first() != Some(&b'"') {
                    break;
                }
                self.value.push(b'"');
                rest = &rest[1..];
            }
        }
        let end = memchr(self.separator, rest);
        self.value.extend_from_slice(&rest[..end.unwrap_or(rest.len())]);
        (is_quoted, end.map(|end| &rest[end + 1..]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The rows of a table as lines; what is wrong with a row in its place.
    fn rows(table: &str, separator: u8) -> Vec<String> {
        let (mut csv, mut rows, mut rest) = (Csv::new(separator), Vec::new(), table.as_bytes());
        while !rest.is_empty() {
            csv.begin_row();
            let end = csv.find_end(rest, 0).unwrap_or(rest.len());
            let mut out = Vec::new();
            match csv.push(&rest[..end], &mut out) {
                Row::Json => rows.push(String::from_utf8(out).unwrap()),
                Row::Names => {}
                Row::Fault(what) => rows.push(what),
            }
            rest = rest.get(end + 1..).unwrap_or_default();
        }
        rows
    }

    #[test]
    fn quotes_hold_separators_lines_and_quotes() {
        let table = "id,html\n1,\"<p class=\"\"a\"\">x,\ny\"\n2,5\" of \"rain\"\n,\"\"\n\"a\"b,c\n";
        assert_eq!(
            rows(table, b','),
            [
                r#"{"id":"1","html":"<p class=\"a\">x,\ny"}"#,
                r#"{"id":"2","html":"5\" of \"rain\""}"#,
                r#"{"id":null,"html":""}"#,
                r#"{"id":"ab","html":"c"}"#,
            ]
        );
    }

    #[test]
    fn rows_of_other_widths_are_faults_and_separators_are_found() {
        assert_eq!(
            rows("a\tb\n1\n1\t2\t3\n1\t2", b'\t'),
            [
                "it has 1 values, and there are 2 names",
                "it has 3 values, and there are 2 names",
                r#"{"a":"1","b":"2"}"#
            ]
        );
        assert_eq!(rows("a;b\n1;2\n", b','), [r#"{"a":"1","b":"2"}"#]);
        assert_eq!(rows("only\n1\n", b','), [r#"{"only":"1"}"#]);
    }

    #[test]
    fn the_end_of_a_row_does_not_depend_on_where_it_is_cut() {
        let row = b"a,\"b\"\"\nc\",\"\",d\"\n".as_slice();
        let end = Csv::new(b',').find_end(row, 0);
        assert_eq!(end, Some(row.len() - 1));
        for cut in 0..row.len() {
            let mut csv = Csv::new(b',');
            assert_eq!(csv.find_end(&row[..cut], 0), None);
            assert_eq!(csv.find_end(row, cut), end, "{cut}");
        }
    }

    #[test]
    fn names_of_files_tell_the_separator() {
        let of = |name: &str| separator_of(Path::new(name));
        assert_eq!(
            (of("a/B.CSV.gz"), of("x.tsv.zst"), of("x.tab")),
            (Some(b','), Some(b'\t'), Some(b'\t'))
        );
        assert_eq!((of("x.csv.bz2"), of("csv"), of("a.csv/x")), (None, None, None));
    }
}
