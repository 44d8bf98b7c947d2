//! Reads files that list paths.

use huller_archive::{Stores, plain_list, without_mark};
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

/// Calls `entry` with each entry of a list, one per line, plain, gzip or zstd. White space at the
/// ends of a line, byte order marks before it, blank lines and lines that begin with `#` are
/// ignored.
///
/// # Errors
///
/// The list cannot be read, a line is not UTF-8, the file is an archive, or `entry` refuses an
/// entry.
pub fn each_listed(
    path: &Path,
    stores: &Stores,
    mut entry: impl FnMut(&str) -> Result<(), String>,
) -> Result<(), String> {
    let file = BufReader::new(stores.open(path).map_err(|error| error.to_string())?);
    let mut lines = plain_list(file).map_err(|error| error.to_string())?;
    let (mut line, mut number) = (Vec::new(), 0);
    loop {
        line.clear();
        number += 1;
        let in_line = |problem: &dyn std::fmt::Display| format!("line {number}: {problem}");
        let read = lines.by_ref().take(MAX_LINE_BYTES).read_until(b'\n', &mut line);
        if read.map_err(|error| in_line(&error))? == 0 {
            return Ok(());
        }
        if line.len() as u64 == MAX_LINE_BYTES {
            return Err(in_line(&format!("it has more than {} MiB", MAX_LINE_BYTES >> 20)));
        }
        let text = std::str::from_utf8(without_mark(&line)).map_err(|error| in_line(&error))?;
        if number == 1 && text.starts_with("WARC/") {
            return Err("it is a WARC, not a list".to_owned());
        }
        let text = text.trim();
        if !text.is_empty() && !text.starts_with('#') {
            entry(text)?;
        }
    }
}

/// Longest line of a list in bytes.
const MAX_LINE_BYTES: u64 = 1 << 20;

/// Returns the paths of a manifest, one per line.
pub(crate) fn read(path: &Path, stores: &Stores) -> Result<Vec<PathBuf>, String> {
    let mut paths = Vec::new();
    each_listed(path, stores, |entry| {
        paths.push(PathBuf::from(entry));
        Ok(())
    })?;
    if paths.is_empty() {
        return Err("it lists no paths".to_owned());
    }
    Ok(paths)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    fn listed(bytes: &[u8]) -> Result<Vec<String>, String> {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(bytes).unwrap();
        let mut entries = Vec::new();
        each_listed(file.path(), &Stores::default(), |entry| {
            entries.push(entry.to_owned());
            Ok(())
        })?;
        Ok(entries)
    }

    fn gzip(bytes: &[u8]) -> Vec<u8> {
        let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        gzip.write_all(bytes).unwrap();
        gzip.finish().unwrap()
    }

    #[test]
    fn lists_are_plain_or_compressed() {
        let text = b" a \r\n\n# b\nc";
        for bytes in [text.to_vec(), gzip(text), zstd::encode_all(&text[..], 1).unwrap()] {
            assert_eq!(listed(&bytes).unwrap(), ["a", "c"]);
        }
        let text = "\u{feff}# b\n\u{feff}a\n\u{feff}\n\u{feff} c\n";
        for bytes in [text.into(), gzip(text.as_bytes())] {
            assert_eq!(listed(&bytes).unwrap(), ["a", "c"]);
        }
    }

    #[test]
    fn hostile_lists_are_refused() {
        assert!(listed(b"WARC/1.0\r\n").unwrap_err().contains("a WARC"));
        assert!(listed(b"a\n\xFF").unwrap_err().starts_with("line 2: "));
        let bomb = gzip(&vec![b'a'; 64 << 20]);
        assert_eq!(listed(&bomb).unwrap_err(), "line 1: it has more than 1 MiB");
        assert!(listed(&gzip(b"a\nb\n")[..20]).unwrap_err().starts_with("line "));
    }
}
