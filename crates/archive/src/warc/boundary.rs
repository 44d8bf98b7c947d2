//! What follows a record.

use super::reader::RecordReader;
use super::version_line::VersionLine;
use std::io;

/// Number of blank bytes after a block that are enough to show that its length is right.
const PADDING_BYTES: usize = 64 << 10;

/// What follows a block and its padding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Boundary {
    /// Another record.
    Record,
    /// The end of the run.
    Edge,
    /// Something else.
    Wrong,
}

impl RecordReader {
    /// Passes over line ends, and over a byte order mark at the start of the input.
    pub(crate) fn pass_line_ends(&mut self) -> io::Result<()> {
        const MARK: &[u8] = b"\xef\xbb\xbf";
        if self.known_origin && self.window.offset() == 0 {
            while self.window.bytes().len() < MARK.len() && self.window.fill()? {}
            if self.window.bytes().starts_with(MARK) {
                self.window.consume(MARK.len());
            }
        }
        loop {
            let bytes = self.window.bytes();
            let ends = bytes.iter().take_while(|byte| matches!(byte, b'\r' | b'\n')).count();
            let all = ends == bytes.len();
            self.window.consume(ends);
            if !all || !self.window.fill()? {
                return Ok(());
            }
        }
    }

    /// Finds out what follows the `len` bytes that the window stands at, padding left out.
    pub(crate) fn boundary(&mut self, len: usize) -> io::Result<Boundary> {
        let mut at = len;
        loop {
            let bytes = self.window.bytes();
            let padding = |byte: &&u8| matches!(byte, b'\r' | b'\n' | b' ' | b'\t' | 0);
            at += bytes[at..].iter().take_while(padding).count();
            if at - len >= PADDING_BYTES {
                return Ok(Boundary::Record);
            }
            let more = if at == bytes.len() {
                if !self.window.fill()? {
                    return Ok(Boundary::Edge);
                }
                true
            } else {
                match self.dialect.first_line(&bytes[at..]) {
                    VersionLine::Whole(_) => return Ok(Boundary::Record),
                    // A version line that the end of the input cuts off counts as one.
                    VersionLine::Unfinished => {
                        if !self.window.fill_across()? && self.ends_well() {
                            return Ok(Boundary::Record);
                        }
                        self.window.edge().is_none()
                    }
                    VersionLine::Absent => false,
                }
            };
            if !more {
                return Ok(Boundary::Wrong);
            }
        }
    }
}
