//! Converts CSV into lines of JSONL: a row of names, then rows of values (RFC 4180 and its common
//! variants).
//!
//! A value that begins with a quote continues to the next quote that is not doubled, across line
//! ends. A quote elsewhere is an ordinary character. All values are strings, except that a value
//! without bytes is null; an empty text is a pair of quotes. A row is a fault if its number of
//! values differs from the number of names, or if its quote is never closed. Reading continues
//! after the first line of such a row.
//!
//! Of columns with the same name, all but the first get a number: `text`, `text_2`. A column
//! without a name is left out of rows in which it has no value.
//!
//! A row ends with a line feed. If the first row ends with a carriage return, every row does. In
//! other tables a carriage return ends a row only between two rows that have all their values. Any
//! other carriage return is a character of its value.

use crate::jsonl::{json_name, name_of, push_text};
use memchr::{memchr, memchr2, memchr3, memmem};
use std::collections::{HashMap, HashSet};

/// The state of the search for the end of a row.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum RowState {
    #[default]
    ValueStart,
    Unquoted,
    Quoted,
    /// After a quote within a quoted value. The quote ends the value unless another quote follows.
    AfterQuote,
}

/// The rows of a table.
#[derive(Debug)]
pub(crate) struct Csv {
    separator: u8,
    /// The columns. Empty before the first row.
    columns: Vec<Column>,
    /// Whether every carriage return outside quotes ends a row, as the first one after the names
    /// does.
    ends_with_cr: bool,
    place: RowState,
    /// Number of values that have begun in the row, or after the `candidate` if there is one.
    begun: usize,
    /// The carriage return that ends the row if a complete row follows it.
    candidate: Option<usize>,
    /// Whether carriage returns in the row are characters.
    is_cr_text: bool,
    value: Vec<u8>,
    decoded: String,
}

/// A column of a table.
#[derive(Debug)]
struct Column {
    /// The name as JSON, with quotes and the colon.
    member: String,
    /// Whether the row of names has a name for it.
    is_named: bool,
}

/// The result of a row.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum CsvRow {
    /// The row was appended as JSON.
    Json,
    /// The row held the names.
    Names,
    /// The problem of the row.
    Fault(String),
}

impl Csv {
    pub(crate) fn new(separator: u8) -> Csv {
        Csv {
            separator,
            columns: Vec::new(),
            ends_with_cr: false,
            place: RowState::default(),
            begun: 1,
            candidate: None,
            is_cr_text: false,
            value: Vec::new(),
            decoded: String::new(),
        }
    }

    /// Returns the place of the line feed or carriage return that ends the row. `bytes` has been
    /// searched up to `from`. If the row ends later, returns as `Err` the place to continue from.
    pub(crate) fn find_end(&mut self, bytes: &[u8], from: usize) -> Result<usize, usize> {
        let mut at = from;
        while at < bytes.len() {
            let rest = &bytes[at..];
            match self.place {
                RowState::Quoted => {
                    at += memchr(b'"', rest).map_or(rest.len(), |quote| {
                        self.place = RowState::AfterQuote;
                        quote + 1
                    });
                    continue;
                }
                RowState::Unquoted => {
                    let Some(found) = memchr3(self.separator, b'\n', b'\r', rest) else {
                        return Err(bytes.len());
                    };
                    at += found;
                }
                RowState::ValueStart | RowState::AfterQuote => {}
            }
            let byte = bytes[at];
            match byte {
                b'\n' => match self.settle_candidate() {
                    Some(Ok(end)) => return Ok(end),
                    Some(Err(next)) => at = next,
                    None => return Ok(at),
                },
                b'\r' => match self.carriage_return(bytes, at) {
                    Some(Ok(end)) => return Ok(end),
                    Some(Err(next)) => at = next,
                    // The byte after the carriage return decides whether it ends a row.
                    None => return Err(at),
                },
                b'"' if self.place != RowState::Unquoted => {
                    self.place = RowState::Quoted;
                    at += 1;
                }
                _ if byte == self.separator => {
                    self.begun += 1;
                    self.place = RowState::ValueStart;
                    at += 1;
                }
                _ => {
                    self.place = RowState::Unquoted;
                    at += 1;
                }
            }
        }
        Err(at)
    }

    /// Decides on the carriage return at `at`, outside quotes. Returns the end of the row (`Ok`),
    /// or the place at which the search continues (`Err`). Returns `None` if the decision needs the
    /// next byte.
    fn carriage_return(&mut self, bytes: &[u8], at: usize) -> Option<Result<usize, usize>> {
        if self.ends_with_cr {
            return Some(Ok(at));
        }
        let is_before_lf = *bytes.get(at + 1)? == b'\n';
        if !is_before_lf && self.columns.is_empty() {
            self.ends_with_cr = true;
            return Some(Ok(at));
        }
        if is_before_lf || self.is_cr_text || self.columns.len() < 2 {
            self.place = RowState::Unquoted;
            return Some(Err(at + 1));
        }
        Some(self.settle_candidate().unwrap_or_else(|| {
            if self.begun == self.columns.len() {
                self.candidate = Some(at);
                self.begun = 1;
                self.place = RowState::ValueStart;
            } else {
                self.place = RowState::Unquoted;
            }
            Err(at + 1)
        }))
    }

    /// Decides whether the candidate ends the row. If it does, returns its place (`Ok`). Otherwise
    /// returns the place after it (`Err`): from there carriage returns are characters.
    fn settle_candidate(&mut self) -> Option<Result<usize, usize>> {
        let end = self.candidate.take()?;
        if self.begun == self.columns.len() {
            return Some(Ok(end));
        }
        self.is_cr_text = true;
        self.begun = self.columns.len();
        self.place = RowState::Unquoted;
        Some(Err(end + 1))
    }

    /// Returns the place of the next line end, within quotes or outside, in the form of
    /// [`Csv::find_end`]. `bytes` has been searched up to `from`.
    pub(crate) fn find_line_end(&self, bytes: &[u8], from: usize) -> Result<usize, usize> {
        let rest = &bytes[from..];
        let end = if self.ends_with_cr { memchr2(b'\n', b'\r', rest) } else { memchr(b'\n', rest) };
        end.map(|end| from + end).ok_or(bytes.len())
    }

    /// Returns whether the end of the row is within quotes.
    pub(crate) fn is_open(&self) -> bool {
        self.place == RowState::Quoted
    }

    /// Returns the end of the last row of a table, if it is before the table's last byte.
    pub(crate) fn last_end(&self) -> Option<usize> {
        self.candidate.filter(|_| self.begun == self.columns.len())
    }

    /// Resets the state for the next row.
    pub(crate) fn begin_row(&mut self) {
        self.place = RowState::default();
        self.begun = 1;
        self.candidate = None;
        self.is_cr_text = false;
    }

    /// Continues after a hole with `bytes`, which begin inside or outside quotes. The
    /// interpretation that agrees with RFC 4180 for longer decides. Returns true if a row begins
    /// there: the hole began with a row, and `bytes` begin outside quotes. Otherwise the rest of a
    /// row comes first. Returns `None` if more bytes are needed; `is_all` states that the input has
    /// no more.
    pub(crate) fn continue_in(
        &mut self,
        bytes: &[u8],
        is_at_row: bool,
        is_all: bool,
    ) -> Option<bool> {
        const LOOKED_AT: usize = 64 << 10;
        let bytes = &bytes[..bytes.len().min(LOOKED_AT)];
        let first_wrong = |place| wrong_quote(bytes, place, self.separator);
        let (outside, inside) = (first_wrong(RowState::ValueStart), first_wrong(RowState::Quoted));
        if outside.is_none() && inside.is_none() && bytes.len() < LOOKED_AT && !is_all {
            return None;
        }
        self.begin_row();
        let is_inside = outside.is_some_and(|wrong| inside.is_none_or(|other| other > wrong));
        if is_inside {
            self.place = RowState::Quoted;
        }
        // A row that begins with a separator lacks at least its first value.
        let is_row = is_at_row && !is_inside && bytes.first() != Some(&self.separator);
        self.is_cr_text = !is_row;
        Some(is_row)
    }

    /// Appends a row as a JSON object. The first row sets the names.
    pub(crate) fn push(&mut self, row: &[u8], out: &mut Vec<u8>) -> CsvRow {
        const MAX_KEPT_BYTES: usize = 1 << 20;
        if self.columns.is_empty() {
            self.take_names(row);
            return CsvRow::Names;
        }
        let start = out.len();
        let (mut count, mut rest) = (0, Some(row));
        while let Some(bytes) = rest {
            let is_quoted;
            (is_quoted, rest) = self.next_value(bytes);
            let column = self.columns.get(count);
            if let Some(column) = column.filter(|it| it.is_named || !self.value.is_empty()) {
                out.push(if out.len() == start { b'{' } else { b',' });
                out.extend_from_slice(column.member.as_bytes());
                if self.value.is_empty() && !is_quoted {
                    out.extend_from_slice(b"null");
                } else {
                    push_text(&self.value, &mut self.decoded, out);
                }
            }
            count += 1;
        }
        self.value.shrink_to(MAX_KEPT_BYTES);
        self.decoded.shrink_to(MAX_KEPT_BYTES);
        if count == self.columns.len() {
            if out.len() == start {
                out.push(b'{');
            }
            out.push(b'}');
            return CsvRow::Json;
        }
        out.truncate(start);
        let is_escaped = memmem::find(row, br#"\""#).is_some();
        let escaped = if is_escaped { "; a backslash does not escape a quote" } else { "" };
        let columns = self.columns.len();
        CsvRow::Fault(format!("it has {count} values for {columns} columns{escaped}"))
    }

    /// Reads the names from the first row.
    fn take_names(&mut self, row: &[u8]) {
        self.separator = separator_in(row, self.separator);
        let (mut names, mut rest) = (Vec::new(), Some(row));
        while let Some(bytes) = rest {
            (_, rest) = self.next_value(bytes);
            names.push(name_of(&self.value));
        }
        let is_named: Vec<_> = names.iter().map(|name| !name.is_empty()).collect();
        make_unique(&mut names);
        let columns = names.iter().zip(is_named);
        self.columns =
            columns.map(|(name, is_named)| Column { member: json_name(name), is_named }).collect();
    }

    /// Puts the next value into `self.value`, without its quotes. Returns whether it was quoted,
    /// and the rest of the row after the separator, if a separator follows.
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

/// Appends a number to each name that an earlier column has: `text`, `text_2`, `text_3`.
fn make_unique(names: &mut [String]) {
    let mut used: HashSet<String> = names.iter().cloned().collect();
    // The last number of each name, so that many equal names take linear time.
    let mut numbers: HashMap<String, usize> = HashMap::new();
    for name in names {
        let Some(number) = numbers.get_mut(name.as_str()) else {
            numbers.insert(name.clone(), 1);
            continue;
        };
        let unique = loop {
            *number += 1;
            let unique = format!("{name}_{number}");
            if used.insert(unique.clone()) {
                break unique;
            }
        };
        *name = unique;
    }
}

/// Returns the separator of a row of names. It is the expected one if the row holds it outside
/// quotes, otherwise the first usual one that the row holds there.
pub(crate) fn separator_in(names: &[u8], expected: u8) -> u8 {
    const USUAL: [u8; 4] = [b',', b'\t', b';', b'|'];
    let is_separator = |byte: u8| byte == expected || USUAL.contains(&byte);
    let (mut found, mut rest) = ([false; 256], names);
    // Each round reads one name up to a separator. A name is in quotes if it begins with one.
    while !rest.is_empty() {
        while rest.first() == Some(&b'"') {
            let end = memchr(b'"', &rest[1..]).map_or(rest.len(), |end| end + 2);
            rest = &rest[end..];
        }
        let Some(at) = rest.iter().position(|byte| is_separator(*byte)) else { break };
        found[usize::from(rest[at])] = true;
        rest = &rest[at + 1..];
    }
    let mut order = std::iter::once(expected).chain(USUAL);
    order.find(|byte| found[usize::from(*byte)]).unwrap_or(expected)
}

/// Returns the place at which bytes first contradict RFC 4180: a quote in an unquoted value, or
/// text after the closing quote.
fn wrong_quote(bytes: &[u8], place: RowState, separator: u8) -> Option<usize> {
    let mut place = place;
    for (at, &byte) in bytes.iter().enumerate() {
        let is_end = byte == separator || byte == b'\n' || byte == b'\r';
        place = match (place, byte) {
            (RowState::Quoted, b'"') => RowState::AfterQuote,
            (RowState::Quoted, _) => RowState::Quoted,
            (_, _) if is_end => RowState::ValueStart,
            (RowState::Unquoted, b'"') => return Some(at),
            (_, b'"') => RowState::Quoted,
            (RowState::AfterQuote, _) => return Some(at),
            _ => RowState::Unquoted,
        };
    }
    None
}

/// Returns whether the first rows of `head` escape quotes with backslashes, as Spark does. In such
/// rows text continues after `\"` in a quoted value, and no quote is doubled.
pub(crate) fn has_backslash_escapes(head: &[u8], separator: u8) -> bool {
    let mut escapes = false;
    let mut place = RowState::ValueStart;
    for (at, &byte) in head.iter().enumerate() {
        let is_end = byte == separator || byte == b'\n' || byte == b'\r';
        let is_escaped = at > 0 && head[at - 1] == b'\\';
        let next = head.get(at + 1);
        let is_last = next.is_none_or(|next| *next == separator || matches!(next, b'\n' | b'\r'));
        place = match (place, byte) {
            (RowState::Quoted, b'"') if is_escaped && next == Some(&b'"') => {
                // An escaped quote at the end of the value, if the value ends there.
                match head.get(at + 2) {
                    Some(end) if *end != separator && !matches!(end, b'\n' | b'\r') => {
                        return false;
                    }
                    _ => RowState::Quoted,
                }
            }
            (RowState::Quoted, b'"') if is_escaped && !is_last => {
                escapes = true;
                RowState::Quoted
            }
            (RowState::Quoted, b'"') => RowState::AfterQuote,
            (RowState::Quoted, _) => RowState::Quoted,
            (_, _) if is_end => RowState::ValueStart,
            // A doubled quote.
            (RowState::AfterQuote, b'"') => return false,
            (RowState::ValueStart, b'"') => RowState::Quoted,
            _ => RowState::Unquoted,
        };
    }
    escapes
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the rows of a table as lines. For a bad row it returns the problem.
    fn rows(table: &str, separator: u8) -> Vec<String> {
        let (mut csv, mut rows, mut rest) = (Csv::new(separator), Vec::new(), table.as_bytes());
        while !rest.is_empty() {
            csv.begin_row();
            let end = csv.find_end(rest, 0).ok().or_else(|| csv.last_end()).unwrap_or(rest.len());
            let row = &rest[..end];
            let mut out = Vec::new();
            match csv.push(row.strip_suffix(b"\r").unwrap_or(row), &mut out) {
                CsvRow::Json => rows.push(String::from_utf8(out).unwrap()),
                CsvRow::Names => {}
                CsvRow::Fault(problem) => rows.push(problem),
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
                "it has 1 values for 2 columns",
                "it has 3 values for 2 columns",
                r#"{"a":"1","b":"2"}"#
            ]
        );
        assert_eq!(rows("a;b\n1;2\n", b','), [r#"{"a":"1","b":"2"}"#]);
        assert_eq!(rows("only\n1\n", b','), [r#"{"only":"1"}"#]);
    }

    #[test]
    fn separators_within_quotes_are_text() {
        for (table, expected) in [
            ("\"id\";\"note, long\"\n1;x\n", r#"{"id":"1","note, long":"x"}"#),
            ("\"a,\"\"b\"\", c\"\td|e\n1\t2\n", r#"{"a,\"b\", c":"1","d|e":"2"}"#),
            ("5\" of rain|\"x,y\"\n1|2\n", r#"{"5\" of rain":"1","x,y":"2"}"#),
            ("\"a;b\",c\n1,2\n", r#"{"a;b":"1","c":"2"}"#),
            ("\"only; one\"\n1\n", r#"{"only; one":"1"}"#),
        ] {
            assert_eq!(rows(table, b','), [expected], "{table}");
        }
        assert_eq!(separator_in(b"\"open, ", b','), b',');
        assert_eq!(separator_in(b"\"a\tb\",c", b'\t'), b',');
    }

    #[test]
    fn columns_have_unique_names_and_nameless_ones_need_values() {
        assert_eq!(
            rows("text,text,text_2,text\na,b,c,d\n", b','),
            [r#"{"text":"a","text_3":"b","text_2":"c","text_4":"d"}"#]
        );
        assert_eq!(
            rows(",text,,\n0,a,,\n,b,\"\",x\n,,,\n", b','),
            [r#"{"":"0","text":"a"}"#, r#"{"text":"b","_3":"x"}"#, r#"{"text":null}"#]
        );
        assert_eq!(rows(",\n,\n", b','), ["{}"]);
        let many = format!("{}a\n{}1\n", "a,".repeat(20_000), "1,".repeat(20_000));
        assert!(rows(&many, b',')[0].ends_with(r#","a_20001":"1"}"#));
    }

    #[test]
    fn names_that_are_no_utf8_are_decoded_as_values_are() {
        let mut csv = Csv::new(b',');
        let mut out = Vec::new();
        assert_eq!(csv.push(b"id,t\xEDtulo,gr\xF6\xDFe", &mut out), CsvRow::Names);
        assert_eq!(csv.push(b"1,caf\xE9,x", &mut out), CsvRow::Json);
        let expected = "{\"id\":\"1\",\"t\u{ed}tulo\":\"caf\u{e9}\",\"gr\u{f6}\u{df}e\":\"x\"}";
        assert_eq!(str::from_utf8(&out).unwrap(), expected);
    }

    #[test]
    fn the_end_of_a_row_does_not_depend_on_where_it_is_cut() {
        let row = b"a,\"b\"\"\nc\",\"\",d\"\n".as_slice();
        let end = Csv::new(b',').find_end(row, 0);
        assert_eq!(end, Ok(row.len() - 1));
        for cut in 0..row.len() {
            let mut csv = Csv::new(b',');
            let next = csv.find_end(&row[..cut], 0).unwrap_err();
            assert_eq!(csv.find_end(row, next), end, "{cut}");
        }
    }
}
