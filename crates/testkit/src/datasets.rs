//! Reads the gold pages of the shared files without the archive reader under test, since their
//! headers are simple.

use crate::{shared, utf8};
use std::fs::File;
use std::io::{BufRead, BufReader};

/// A page as the crawler received it.
#[derive(Debug)]
pub struct GoldPage {
    /// The data set and the number within it, from 1.
    pub label: String,
    /// The identifier of its record.
    pub id: String,
    /// The bytes of the page.
    pub html: Vec<u8>,
}

/// Returns the names of the development data sets, sorted.
#[track_caller]
pub fn sets() -> Vec<String> {
    let folder = shared::path("datasets/dev").read_dir().expect("a folder");
    let names = folder.map(|entry| entry.expect("an entry").file_name());
    let name =
        |name: std::ffi::OsString| Some(name.to_str()?.strip_suffix(".warc.zst")?.to_owned());
    let mut sets: Vec<_> = names.filter_map(name).collect();
    sets.sort();
    sets
}

/// Returns the pages of a data set.
#[track_caller]
pub fn pages(set: &str) -> impl Iterator<Item = GoldPage> + use<> {
    const WINDOW_OF_128_MIB: u32 = 27;
    let file = File::open(shared::path(&format!("datasets/dev/{set}.warc.zst")));
    let mut decoder = zstd::Decoder::new(file.expect("the set opens")).expect("the set is zstd");
    decoder.window_log_max(WINDOW_OF_128_MIB).expect("such a window is allowed");
    let mut reader = BufReader::with_capacity(1 << 17, decoder);
    let responses = std::iter::from_fn(move || next_response(&mut reader));
    let set = set.to_owned();
    responses.enumerate().map(move |(index, (id, block))| {
        let head = block.windows(4).position(|bytes| bytes == b"\r\n\r\n").expect("an HTTP head");
        let label = format!("{set} #{}", index + 1);
        GoldPage { label, id, html: block[head + 4..].to_vec() }
    })
}

/// A page as text.
#[derive(Debug)]
pub struct TextPage {
    /// The data set and the number within it, from 1.
    pub label: String,
    /// The page as UTF-8, with invalid bytes replaced.
    pub html: String,
}

/// Calls `each` for every `step`th page of all data sets. Returns the number of calls.
#[track_caller]
pub fn each_text(step: usize, mut each: impl FnMut(&TextPage)) -> usize {
    let sets = sets();
    let pages = sets.iter().flat_map(|set| pages(set)).skip(step - 1).step_by(step);
    let text = |page: GoldPage| TextPage { label: page.label, html: utf8::lossy(&page.html) };
    pages.map(|page| each(&text(page))).count()
}

/// Returns the identifier and block of the next response; `None` at the end.
fn next_response(reader: &mut impl BufRead) -> Option<(String, Vec<u8>)> {
    loop {
        let (mut length, mut id) = (None, String::new());
        let mut is_response = false;
        let mut line = String::new();
        // Empty lines separate records. An empty line also ends the header.
        loop {
            line.clear();
            if reader.read_line(&mut line).expect("a header is text") == 0 {
                return None;
            }
            let field = line.trim_end().split_once(": ");
            match field {
                None if length.is_some() && line.trim_end().is_empty() => break,
                Some(("WARC-Type", kind)) => is_response = kind == "response",
                Some(("WARC-Record-ID", value)) => value.clone_into(&mut id),
                Some(("Content-Length", value)) => length = Some(value.parse().expect("a length")),
                _ => {}
            }
        }
        let mut block = vec![0; length.expect("a length")];
        reader.read_exact(&mut block).expect("the record is whole");
        if is_response {
            return Some((id, block));
        }
    }
}
