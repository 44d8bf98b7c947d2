//! A format with a header, a footer and a state goes through runs, limits and resumes.

use super::{sample, settings};
use crate::run::{run_with, thread_work};
use crate::settings::Settings;
use huller_row::{
    Assembler, BatchEncoder, Compression, Compressor, CopiedRows, Format, InspectedFile,
    Inspection, Layout, Row, RowChoice, RowSink,
};
use huller_run::counters::Counters;
use huller_run::monitor::{Monitor, Progress};
use huller_run::options::Options;
use huller_run::options::OutputTo;
use huller_run::plan::{Plan, PlanOptions};
use huller_run::summary::{RunEnding, Summary};
use std::fs;
use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A byte a row, and a byte a piece that is not part of the file; the number of rows stands at the
/// end.
struct Tally;

impl Format for Tally {
    fn name(&self) -> &'static str {
        "tally"
    }

    fn suffix(&self, _: Compression) -> &'static str {
        ".tally"
    }

    fn encoder(&self, _: &Layout) -> Box<dyn BatchEncoder> {
        Box::new(Strokes(0))
    }

    fn assembler(&self, _: &Layout) -> Box<dyn Assembler> {
        Box::new(Sum { rows: 0 })
    }

    fn inspect(
        &self,
        _: &Layout,
        _: &mut dyn InspectedFile,
        _: &mut dyn FnMut(&str),
    ) -> Inspection {
        Inspection::default()
    }

    fn copy_rows(
        &self,
        _: &Layout,
        _: &mut dyn InspectedFile,
        _: &mut RowChoice<'_>,
        _: &mut dyn Write,
    ) -> io::Result<CopiedRows> {
        Err(io::ErrorKind::Unsupported.into())
    }
}

struct Strokes(usize);

impl RowSink for Strokes {
    fn row(&mut self, _: &Row<'_>) {
        self.0 += 1;
    }

    fn mark(&self) -> usize {
        self.0
    }

    fn cut(&mut self, mark: usize) {
        self.0 = mark;
    }
}

impl BatchEncoder for Strokes {
    fn finish(&mut self, _: &mut Compressor, piece: &mut Vec<u8>) {
        piece.resize(self.0, b'|');
        piece.push(b'#');
        self.clear();
    }

    fn clear(&mut self) {
        self.0 = 0;
    }
}

struct Sum {
    rows: usize,
}

impl Assembler for Sum {
    fn begin(&mut self, _: &mut Compressor, out: &mut dyn Write) -> io::Result<()> {
        out.write_all(b"begin ")
    }

    fn resume(&mut self, length: u64, state: &[u8]) {
        self.rows = usize::from(state[0]);
        assert_eq!(length as usize, "begin ".len() + self.rows);
    }

    fn write_piece(
        &mut self,
        piece: &[u8],
        _: &mut Compressor,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let rows = piece.strip_suffix(b"#").unwrap();
        self.rows += rows.len();
        out.write_all(rows)
    }

    fn state(&self) -> Vec<u8> {
        vec![self.rows as u8]
    }

    fn end(&mut self, _: &mut Compressor, out: &mut dyn Write) -> io::Result<()> {
        out.write_all(format!(" end {}", self.rows).as_bytes())
    }
}

/// Stops the run after some rows.
struct StopAfter {
    rows: u64,
    stop: Arc<AtomicBool>,
}

impl Monitor for StopAfter {
    fn started(&mut self, _: u64, _: Option<u64>) {}

    fn progress(&mut self, progress: Progress) {
        if progress.rows >= self.rows {
            self.stop.store(true, Ordering::Relaxed);
        }
    }

    fn finished(&mut self, _: &str, _: &Counters) {}

    fn unusable(&mut self, _: &str, _: &str) {}
}

fn run_until(rows: u64, folder: &Path, settings: &Settings, threads: usize) -> Summary {
    let plan = Plan::new(&[sample()], &PlanOptions::default()).unwrap();
    let options = Options { threads, resume: true, ..Options::default() };
    let stop = Arc::new(AtomicBool::new(false));
    let mut monitor = StopAfter { rows, stop: Arc::clone(&stop) };
    let to = OutputTo::Folder(folder.to_owned());
    run_with((&Tally, &thread_work), &plan, settings, &to, &options, &mut monitor, &stop).unwrap()
}

fn tally(folder: &Path) -> String {
    fs::read_to_string(folder.join("sample.tally")).unwrap()
}

#[test]
fn a_format_of_its_own_kind_is_written_cut_and_resumed() {
    let expected = |rows: usize| format!("begin {} end {rows}", "|".repeat(rows));
    for threads in [1, 3] {
        let folder = tempfile::tempdir().unwrap();
        run_until(u64::MAX, folder.path(), &settings(), threads);
        assert_eq!(tally(folder.path()), expected(41));

        let folder = tempfile::tempdir().unwrap();
        let limited = Settings { limit: Some(17), ..settings() };
        run_until(u64::MAX, folder.path(), &limited, threads);
        assert_eq!(tally(folder.path()), expected(17));
    }
    let folder = tempfile::tempdir().unwrap();
    let mut runs = 0;
    while run_until(1, folder.path(), &settings(), 1).ending == RunEnding::Interrupted {
        assert!(!folder.path().join("sample.tally").exists());
        runs += 1;
    }
    assert!(runs > 0);
    assert_eq!(tally(folder.path()), expected(41));
}
