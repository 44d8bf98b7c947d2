//! Recognises an input that is a single HTML page, for example piped from a download program.
//!
//! An input is a page if it begins as HTML and holds no record. (The rest of a damaged archive may
//! begin in the middle of a page.) A file that is named as an archive is never a page. If it holds
//! HTML, a server sent it instead of the archive, and its text is of no use.

use huller_archive::{Input, InputFile, Limits, SEARCHED_BYTES, Stores, looks_like_html};
use std::io::{self, Chain, Cursor, ErrorKind, Read};
use std::path::Path;

/// Most bytes that are read to recognise an input (WHATWG MIME Sniffing, section 5.2).
const HEAD_BYTES: usize = 1445;

/// This many bytes after leading white space are enough to recognise an input. A program may write
/// to a pipe line by line, so more could take long. XML is different: it cannot be an archive, and
/// more bytes decide whether it is a page.
const ENOUGH_BYTES: usize = 16;

/// An input whose first bytes have been read, and are read again from memory.
pub(crate) type ReplayedInput<R> = Chain<Cursor<Vec<u8>>, R>;

/// Returns whether an input that can be read once is a page, and the input from its start.
pub(crate) fn detect_page<R: Read>(
    mut input: R,
    limits: &Limits,
) -> io::Result<(bool, ReplayedInput<R>)> {
    let mut head = head(&mut input)?;
    let mut is_page = looks_like_html(&head);
    if is_page {
        input.by_ref().take((SEARCHED_BYTES - head.len()) as u64).read_to_end(&mut head)?;
        is_page = Input::from_reader(Box::new(Cursor::new(head.clone())), limits).is_err();
    }
    Ok((is_page, Cursor::new(head).chain(input)))
}

/// Returns whether a file that is not an archive is a page.
pub(crate) fn is_in(path: &Path, stores: &Stores) -> bool {
    let is_file = |file: &InputFile| matches!(file.length(), Ok(Some(_)));
    stores
        .open(path)
        .is_ok_and(|file| is_file(&file) && head(file).is_ok_and(|head| looks_like_html(&head)))
}

/// Reads the first bytes of an input.
fn head(mut input: impl Read) -> io::Result<Vec<u8>> {
    let (mut head, mut len) = (vec![0; HEAD_BYTES], 0);
    while len < HEAD_BYTES && wants_more(&head[..len]) {
        match input.read(&mut head[len..]) {
            Ok(0) => break,
            Ok(read) => len += read,
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    head.truncate(len);
    Ok(head)
}

/// Returns whether more bytes are needed to recognise an input.
fn wants_more(head: &[u8]) -> bool {
    let begins = without_blanks(head);
    begins.len() < ENOUGH_BYTES || begins.starts_with(b"<?xml") && !looks_like_html(head)
}

/// Returns the bytes after a byte order mark and white space.
fn without_blanks(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes).trim_ascii_start()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reads one byte at a time.
    struct OneByteReader<'a>(&'a [u8]);

    impl Read for OneByteReader<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let count = buffer.len().min(1);
            self.0.read(&mut buffer[..count])
        }
    }

    #[test]
    fn pages_are_told_however_they_come_and_nothing_is_lost() {
        let blanks = "\n".repeat(2 * HEAD_BYTES);
        let behind_blanks = format!("\u{feff}{}<p>x", &blanks[..ENOUGH_BYTES]);
        let rest_of_archive = "<p>cut</p>\r\n\r\nWARC/1.0\r\nWARC-Type: resource\r\nContent-Length: 0\r\n\r\n\r\n\r\n";
        for (text, is_page) in [
            ("<!DOCTYPE html><p>some words</p>", true),
            (&behind_blanks, true),
            ("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<html xmlns=\"x\"><p>words</p>", true),
            ("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<rss version=\"2.0\"><a>", false),
            (rest_of_archive, false),
            ("WARC/1.0\r\nWARC-Type: warcinfo\r\n", false),
            ("{\"html\":\"<p>\"}\n", false),
            ("", false),
            (&blanks, false),
        ] {
            for by_drops in [false, true] {
                let input: Box<dyn Read> = if by_drops {
                    Box::new(OneByteReader(text.as_bytes()))
                } else {
                    Box::new(text.as_bytes())
                };
                let (told, mut seen) = detect_page(input, &Limits::default()).unwrap();
                let mut all = String::new();
                seen.read_to_string(&mut all).unwrap();
                assert_eq!((told, all.as_str()), (is_page, text));
            }
        }
    }

    #[test]
    fn a_line_is_not_waited_for() {
        /// Fails if more than the first line is asked for.
        struct OneLineReader(bool);
        impl Read for OneLineReader {
            fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
                assert!(!std::mem::replace(&mut self.0, true), "the first line is enough");
                let line = b"{\"html\":\"<p>one\"}\n";
                buffer[..line.len()].copy_from_slice(line);
                Ok(line.len())
            }
        }
        assert!(!detect_page(OneLineReader(false), &Limits::default()).unwrap().0);
    }
}
