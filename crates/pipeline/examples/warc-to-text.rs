//! Prints length, URL and title of each page of an archive, and the counts of all records.
//!     cargo run --release -p huller-pipeline --example warc-to-text -- crawl.warc.gz
//!
//! `Rows` reads one archive in the thread of the caller. For several cores, open several archives
//! in several threads. `huller_pipeline::run` does what the program `huller extract` does.
#![expect(clippy::print_stdout, reason = "a program that prints its result")]

use huller_pipeline::{Config, RejectionKind, Row, RowSink, Rows};
use std::error::Error;
use std::path::Path;

/// The pages of one batch. A program of your own would index, store or send them here.
#[derive(Default)]
struct PageList {
    lines: Vec<String>,
}

impl RowSink for PageList {
    fn row(&mut self, row: &Row<'_>) {
        let (characters, url) = (row.text.chars().count(), row.url.unwrap_or("-"));
        self.lines.push(format!("{characters}\t{url}\t{}", row.title.unwrap_or("-")));
    }

    fn mark(&self) -> usize {
        self.lines.len()
    }

    // A page that panics is taken out again, and counted as failed.
    fn cut(&mut self, mark: usize) {
        self.lines.truncate(mark);
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args_os().nth(1).ok_or("usage: warc-to-text ARCHIVE")?;
    // Every option of `huller extract` that decides the output is a field of `Config`.
    let config = Config { min_chars: Some(200), ..Config::default() };
    let mut rows = Rows::open(Path::new(&path), None, config.settings()?)?;
    let mut pages = PageList::default();
    while rows.next(&mut pages)? {
        for line in pages.lines.drain(..) {
            println!("{line}");
        }
    }
    let counts = rows.take_counters();
    let (skipped, failed) =
        (counts.total(RejectionKind::Skipped), counts.total(RejectionKind::Failed));
    println!(
        "{} records: {} written, {skipped} skipped, {failed} failed",
        counts.records, counts.written
    );
    Ok(())
}
