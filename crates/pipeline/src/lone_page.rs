//! An input that is no archive but one HTML page, such as what a download program pipes: told by its first bytes.
//!
//! A file that is named as an archive is none of these. If it holds a page, that is what a server sent in the archive's place, and
//! nobody wants its text.

use huller_archive::looks_like_html;
use std::fs::File;
use std::io::{self, Chain, Cursor, Read};
use std::path::Path;

/// How much of an input is looked at (WHATWG MIME Sniffing, section 5.2).
const HEAD_BYTES: usize = 1445;

/// So many bytes behind the blanks at the start are more than any beginning of a page. Who waits for more may wait for long: what
/// is written to a pipe line by line comes line by line.
const ENOUGH_BYTES: usize = 16;

/// An input whose first bytes have been looked at, and will be read again.
pub(crate) type Seen<R> = Chain<Cursor<Vec<u8>>, R>;

/// Whether an input is a page, and the input from its start.
pub(crate) fn see<R: Read>(mut input: R) -> io::Result<(bool, Seen<R>)> {
    let mut head = Vec::new();
    while head.len() < HEAD_BYTES && head.trim_ascii_start().len() < ENOUGH_BYTES {
        let left = (HEAD_BYTES - head.len()) as u64;
        let mut buffer = [0; HEAD_BYTES];
        let read = loop {
            match input.by_ref().take(left).read(&mut buffer) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                other => break other?,
            }
        };
        if read == 0 {
            break;
        }
        head.extend_from_slice(&buffer[..read]);
    }
    Ok((looks_like_html(&head), Cursor::new(head).chain(input)))
}

/// Whether a file is a page. Whatever else is wrong with it shows when it is opened as an archive.
pub(crate) fn is_in(path: &Path) -> bool {
    let is_file = path.metadata().is_ok_and(|metadata| metadata.is_file());
    is_file && File::open(path).and_then(see).is_ok_and(|(is_page, _)| is_page)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Gives one byte at a time.
    struct Drops<'a>(&'a [u8]);

    impl Read for Drops<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let count = buffer.len().min(1);
            self.0.read(&mut buffer[..count])
        }
    }

    #[test]
    fn pages_are_told_however_they_come_and_nothing_is_lost() {
        let blanks = "\n".repeat(2 * HEAD_BYTES);
        for (text, is_page) in [
            ("<!DOCTYPE html><p>some words</p>", true),
            ("\u{feff}\n <p>x", true),
            ("WARC/1.0\r\nWARC-Type: warcinfo\r\n", false),
            ("{\"html\":\"<p>\"}\n", false),
            ("", false),
            (&blanks, false),
        ] {
            for by_drops in [false, true] {
                let input: Box<dyn Read> = if by_drops {
                    Box::new(Drops(text.as_bytes()))
                } else {
                    Box::new(text.as_bytes())
                };
                let (told, mut seen) = see(input).unwrap();
                let mut all = String::new();
                seen.read_to_string(&mut all).unwrap();
                assert_eq!((told, all.as_str()), (is_page, text));
            }
        }
    }

    #[test]
    fn a_line_is_not_waited_for() {
        /// Fails where more is asked for than the first line.
        struct OneLine(bool);
        impl Read for OneLine {
            fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
                assert!(!std::mem::replace(&mut self.0, true), "the first line is enough");
                let line = b"{\"html\":\"<p>one\"}\n";
                buffer[..line.len()].copy_from_slice(line);
                Ok(line.len())
            }
        }
        assert!(!see(OneLine(false)).unwrap().0);
    }
}
