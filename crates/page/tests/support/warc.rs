//! The gold pages of the shared folder, without a WARC reader: their headers are known to be plain.

use super::lossy::to_utf8;
use super::shared::shared_file;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

/// A page as it was crawled.
pub(crate) struct CrawledPage {
    /// Data set and number within it.
    pub(crate) label: String,
    /// Its bytes as UTF-8, damage replaced.
    pub(crate) html: String,
}

/// Calls `each` for every `step`th page of the data sets for development. Gives the number of pages, `None` where there are
/// no data sets.
pub(crate) fn each_page(step: usize, mut each: impl FnMut(&CrawledPage)) -> Option<usize> {
    let folder = shared_file("datasets/dev")?;
    let mut files: Vec<_> =
        folder.read_dir().expect("a folder").map(|file| file.expect("a file").path()).collect();
    files.retain(|file| file.to_str().is_some_and(|name| name.ends_with(".warc.zst")));
    files.sort();
    let mut pages = 0;
    let mut responses = 0;
    for file in &files {
        let set = file
            .file_name()
            .and_then(|name| name.to_str())
            .and_then(|name| name.strip_suffix(".warc.zst"));
        let set = set.expect("a data set's name");
        let mut reader = open(file);
        let mut number = 0;
        while let Some(block) = next_response(&mut reader) {
            number += 1;
            responses += 1;
            if responses % step == 0 {
                pages += 1;
                each(&CrawledPage {
                    label: format!("{set} #{number}"),
                    html: to_utf8(body(&block)),
                });
            }
        }
    }
    Some(pages)
}

fn open(file: &Path) -> impl BufRead + use<> {
    const WINDOW_OF_128_MIB: u32 = 27;
    let file = File::open(file).expect("the data set opens");
    let mut decoder = zstd::Decoder::new(file).expect("the data set is zstd");
    decoder.window_log_max(WINDOW_OF_128_MIB).expect("such a window is allowed");
    BufReader::with_capacity(1 << 17, decoder)
}

/// The block of the next response; `None` at the end.
fn next_response(reader: &mut impl BufRead) -> Option<Vec<u8>> {
    loop {
        let mut length = None;
        let mut response = false;
        let mut line = String::new();
        // Empty lines separate records; one ends the header.
        loop {
            line.clear();
            if reader.read_line(&mut line).expect("a header is text") == 0 {
                return None;
            }
            match line.trim_end() {
                "" if length.is_some() => break,
                "WARC-Type: response" => response = true,
                line => {
                    if let Some(value) = line.strip_prefix("Content-Length: ") {
                        length = Some(value.parse().expect("a length"));
                    }
                }
            }
        }
        let mut block = vec![0; length.expect("a length")];
        reader.read_exact(&mut block).expect("the record is whole");
        if response {
            return Some(block);
        }
    }
}

/// What follows the HTTP header.
fn body(block: &[u8]) -> &[u8] {
    let header = block.windows(4).position(|bytes| bytes == b"\r\n\r\n").expect("an HTTP header");
    &block[header + 4..]
}
