//! Extracts pages in memory without Python. `python3 -m bench python` compares the Python package
//! with this program.
//!
//! ```sh
//! pages-in-memory FILE EXTRACTOR THREADS ROUNDS
//! ```
//!
//! `FILE` has pages as that command writes them: for each page its length as a 32-bit little-endian
//! number, then the page. Prints one line per round: the seconds for making every page into a row
//! and copying out its text.

#![expect(clippy::print_stdout, reason = "a program that prints figures")]

use huller_pipeline::{Html, Pages, Row, RowSink, Settings};
use huller_row::Compression;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

/// A sink that copies the text, which is the least that a caller does with a row.
#[derive(Default)]
struct Text {
    text: String,
    rows: usize,
}

impl RowSink for Text {
    fn row(&mut self, row: &Row<'_>) {
        row.text.clone_into(&mut self.text);
        self.rows += 1;
    }

    fn mark(&self) -> usize {
        self.rows
    }

    fn cut(&mut self, mark: usize) {
        self.rows = mark;
    }
}

fn settings(extractor: &str) -> Settings {
    let extractors = vec![huller_extract::find(extractor).expect("an extractor")];
    Settings { compression: Compression::None, ..Settings::new(extractors) }
}

/// Splits the file into pages, each in its own allocation, as in Python.
fn pages(mut bytes: &[u8]) -> Vec<Vec<u8>> {
    let mut pages = Vec::new();
    while let Some((length, rest)) = bytes.split_first_chunk::<4>() {
        let (page, rest) = rest.split_at(u32::from_le_bytes(*length) as usize);
        pages.push(page.to_vec());
        bytes = rest;
    }
    pages
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [file, extractor, threads, rounds] = &*arguments else {
        panic!("usage: pages-in-memory FILE EXTRACTOR THREADS ROUNDS")
    };
    let bytes = std::fs::read(file).expect("the file of pages");
    let pages = pages(&bytes);
    let threads: usize = threads.parse().expect("a number of threads");
    let settings = settings(extractor);
    for _ in 0..rounds.parse().expect("a number of rounds") {
        let next = AtomicUsize::new(0);
        let started = Instant::now();
        std::thread::scope(|scope| {
            for _ in 0..threads {
                scope.spawn(|| {
                    let mut extracted = Pages::new(settings.clone());
                    let mut text = Text::default();
                    while let Some(page) = pages.get(next.fetch_add(1, Ordering::Relaxed)) {
                        extracted
                            .read(Html::Bytes(page), None, None, &mut text)
                            .expect("a page gives a row");
                    }
                });
            }
        });
        println!("{}", started.elapsed().as_secs_f64());
    }
}
