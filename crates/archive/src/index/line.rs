//! Reads the lines of CDX and CDXJ.

use super::entry::IndexEntry;
use crate::latin1::utf8_or_latin1;
use memchr::memmem;
use std::io::{self, BufRead, Read};

/// Longest line in bytes.
const LINE_BYTES: u64 = 1 << 20;

/// The columns of CDX files without a header line. The letters come from the Internet Archive's
/// description of the format.
const KNOWN: [&[u8]; 3] = [b"NbamskrVg", b"NbamskrMVg", b"NbamskrMSVg"];

/// Reads the lines of an index.
pub(super) struct Lines<R> {
    input: R,
    line: Vec<u8>,
    number: u64,
    /// The columns that the header line names, and their separator.
    columns: Option<(Vec<u8>, u8)>,
}

impl<R: BufRead> Lines<R> {
    pub(super) fn new(input: R) -> Self {
        Lines { input, line: Vec::new(), number: 0, columns: None }
    }

    /// Returns the number of the last line that was read, from 1.
    pub(super) fn number(&self) -> u64 {
        self.number
    }

    /// Returns the next entry, or the reason why a line is not an entry. Returns `None` at the end.
    /// Blank lines, comments (`#`) and metadata (`!`) are skipped.
    pub(super) fn next(&mut self) -> io::Result<Option<Result<IndexEntry, String>>> {
        loop {
            self.line.clear();
            let read = self.input.by_ref().take(LINE_BYTES).read_until(b'\n', &mut self.line)?;
            if read == 0 {
                return Ok(None);
            }
            self.number += 1;
            if read as u64 == LINE_BYTES && !self.line.ends_with(b"\n") {
                self.pass_line()?;
                return Ok(Some(Err(format!("it is longer than {LINE_BYTES} bytes"))));
            }
            let line = self.line.trim_ascii_end();
            match line {
                [] | [b'#' | b'!', ..] => {}
                [separator, b'C', b'D', b'X', rest @ ..] if !separator.is_ascii_alphanumeric() => {
                    let letters = rest.split(|byte| byte == separator).filter(|it| !it.is_empty());
                    let letters = letters.map(|letter| letter[0]).collect();
                    self.columns = Some((letters, *separator));
                }
                line => return Ok(Some(entry(line, self.columns.as_ref()))),
            }
        }
    }

    /// Skips to the end of the line.
    fn pass_line(&mut self) -> io::Result<()> {
        while !self.line.ends_with(b"\n") {
            self.line.clear();
            if self.input.by_ref().take(LINE_BYTES).read_until(b'\n', &mut self.line)? == 0 {
                break;
            }
        }
        Ok(())
    }
}

fn entry(line: &[u8], columns: Option<&(Vec<u8>, u8)>) -> Result<IndexEntry, String> {
    if let Some((letters, separator)) = columns {
        return parse_columns(line, letters, *separator);
    }
    // A key may hold a brace, but never a blank.
    let start = if line[0] == b'{' { Some(0) } else { memmem::find(line, b" {").map(|at| at + 1) };
    if let Some(start) = start {
        let mut entry = IndexEntry::from_json(&line[start..])?;
        // The time comes between the key and the object.
        let key = line[..start].trim_ascii_end();
        let time = key.rsplit(|byte| *byte == b' ').next().filter(|time| !time.is_empty());
        entry.time = entry.time.or_else(|| Some(utf8_or_latin1(time?).into_owned()));
        return Ok(entry);
    }
    let count = line.split(|byte| *byte == b' ').count();
    match KNOWN.iter().find(|letters| letters.len() == count) {
        Some(letters) => parse_columns(line, letters, b' '),
        None => Err(format!(
            "it is neither CDXJ nor CDX with 9, 10 or 11 columns, and no header line gives \
             another number: it has {count}"
        )),
    }
}

fn parse_columns(line: &[u8], letters: &[u8], separator: u8) -> Result<IndexEntry, String> {
    let values: Vec<&[u8]> = line.split(|byte| *byte == separator).collect();
    if values.len() != letters.len() {
        return Err(format!("it has {} columns, not {}", values.len(), letters.len()));
    }
    let value = |wanted: u8| {
        let at = letters.iter().position(|letter| *letter == wanted)?;
        let text = utf8_or_latin1(values[at]).into_owned();
        (text != "-" && !text.is_empty()).then_some(text)
    };
    let number = |wanted: u8| value(wanted).and_then(|text| text.parse().ok());
    IndexEntry {
        url: value(b'a'),
        digest: value(b'k'),
        time: value(b'b'),
        mime: value(b'm'),
        status: number(b's'),
        file: value(b'g'),
        offset: number(b'V'),
        length: number(b'S'),
        ..IndexEntry::default()
    }
    .validate()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(text: &str) -> Vec<Result<IndexEntry, String>> {
        let mut lines = Lines::new(text.as_bytes());
        std::iter::from_fn(|| lines.next().unwrap()).collect()
    }

    #[test]
    fn columns_are_those_of_the_header_line() {
        let lines = " CDX g V a s\na.warc.gz 10 http://x/ 200\nb.warc.gz 11 http://y/ -\nshort\n";
        let entries = all(lines);
        let first = entries[0].as_ref().unwrap();
        assert_eq!((first.file.as_deref(), first.offset), (Some("a.warc.gz"), Some(10)));
        assert_eq!((first.url.as_deref(), first.status), (Some("http://x/"), Some(200)));
        assert_eq!(entries[1].as_ref().unwrap().status, None);
        assert_eq!(entries[2], Err("it has 1 columns, not 4".to_owned()));
    }

    #[test]
    fn nine_and_eleven_columns_need_no_header_line() {
        let lines = "x)/ 2020 http://x/ text/html 200 ABC - 33 a.arc\n\
                     x)/ 2020 http://x/ text/html 200 ABC - - 44 33 a.arc\n\none two\n";
        let entries = all(lines);
        for (entry, length) in entries.iter().zip([None, Some(44)]) {
            let entry = entry.as_ref().unwrap();
            assert_eq!((entry.offset, entry.length), (Some(33), length));
        }
        assert!(entries[2].is_err());
    }

    #[test]
    fn a_key_may_hold_a_brace_and_a_url_bytes_that_are_no_utf8() {
        let entries = all("x)/?q={1} 2020 {\"filename\":\"a\",\"offset\":\"7\"}\n");
        assert_eq!(entries[0].as_ref().unwrap().offset, Some(7));
        let line: &[u8] = b"x)/ 2020 http://x/\xe9 text/html 200 ABC - 33 a.arc\n";
        let entry = Lines::new(line).next().unwrap().unwrap().unwrap();
        assert_eq!(entry.url.as_deref(), Some("http://x/\u{e9}"));
    }

    #[test]
    fn a_line_without_end_takes_no_more_memory_than_a_long_one() {
        let long = "x".repeat(3 << 20);
        let entries = all(&format!("{long}\ny)/ 1 {{\"filename\":\"a\",\"offset\":\"1\"}}\n"));
        assert!(entries[0].is_err());
        assert_eq!(entries[1].as_ref().unwrap().offset, Some(1));
        assert_eq!(entries.len(), 2);
    }
}
