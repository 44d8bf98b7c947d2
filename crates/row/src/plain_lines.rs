//! Reads the lines of a file with bounded memory.

use memchr::memchr;
use std::io::{self, BufRead};

/// Most bytes of a line that is held. Longer lines are only counted.
const MAX_LINE_BYTES: usize = 64 << 20;

/// Passes every line without its end to `take`, and `None` for a line that is too long to be held.
/// Returns whether the last line has an end. A line without an end is not passed to `take`.
pub(crate) fn each_line(
    file: &mut dyn BufRead,
    take: &mut dyn FnMut(Option<&[u8]>),
) -> io::Result<bool> {
    let mut line = Vec::new();
    let mut is_overlong = false;
    loop {
        let bytes = match file.fill_buf() {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        if bytes.is_empty() {
            return Ok(line.is_empty() && !is_overlong);
        }
        let end = memchr(b'\n', bytes);
        let taken = end.map_or(bytes.len(), |end| end + 1);
        is_overlong |= line.len() + taken > MAX_LINE_BYTES;
        if is_overlong {
            line = Vec::new();
        } else {
            line.extend_from_slice(&bytes[..end.unwrap_or(taken)]);
        }
        file.consume(taken);
        if end.is_some() {
            take((!is_overlong).then_some(&line));
            line.clear();
            is_overlong = false;
        }
    }
}
