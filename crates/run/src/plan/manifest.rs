//! Reads files that list paths.

use flate2::bufread::MultiGzDecoder;
use huller_archive::Stores;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

/// Returns the paths of a manifest, one per line, plain, gzip or zstd. Blank lines and lines that
/// begin with `#` are ignored.
pub(crate) fn read(path: &Path, stores: &Stores) -> Result<Vec<PathBuf>, String> {
    let mut file = BufReader::new(stores.open(path).map_err(|error| error.to_string())?);
    let head = file.fill_buf().map_err(|error| error.to_string())?;
    let lines: Box<dyn Read> = if head.starts_with(b"\x1f\x8b") {
        Box::new(MultiGzDecoder::new(file))
    } else if head.starts_with(b"\x28\xb5\x2f\xfd") {
        Box::new(zstd::Decoder::with_buffer(file).map_err(|error| error.to_string())?)
    } else {
        Box::new(file)
    };
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
