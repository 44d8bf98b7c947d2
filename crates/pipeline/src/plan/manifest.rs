//! Files that list paths.

use flate2::read::MultiGzDecoder;
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

/// The paths a manifest lists, one a line, plain or gzip. Blank lines and lines that begin with `#` don't count.
pub(super) fn read(path: &Path) -> Result<Vec<PathBuf>, String> {
    let mut file = BufReader::new(File::open(path).map_err(|error| error.to_string())?);
    let zipped = file.fill_buf().map_err(|error| error.to_string())?.starts_with(b"\x1f\x8b");
    let lines: Box<dyn Read> =
        if zipped { Box::new(MultiGzDecoder::new(file)) } else { Box::new(file) };
    let mut paths = Vec::new();
    for (number, line) in BufReader::new(lines).lines().enumerate() {
        let line = line.map_err(|error| format!("line {}: {error}", number + 1))?;
        if number == 0 && line.starts_with("WARC/") {
            return Err("it is a WARC, not a list of paths".to_owned());
        }
        let line = line.trim();
        if !line.is_empty() && !line.starts_with('#') {
            paths.push(PathBuf::from(line));
        }
    }
    if paths.is_empty() {
        return Err("it lists no paths".to_owned());
    }
    Ok(paths)
}
