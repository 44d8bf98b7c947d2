//! Checks that the rows of one input equal those of a run over it, byte by byte, with and without
//! damage.

use super::*;
use crate::run::run;
use crate::settings::RowKeys;
use huller_archive::Limits;
use huller_extract::EXTRACTORS;
use huller_refine::Reason;
use huller_row::Compression;
use huller_run::monitor::SilentMonitor;
use huller_run::options::Options;
use huller_run::options::OutputTo;
use huller_run::plan::{Plan, PlanOptions};
use huller_testkit::sample::members;
use std::fs::{self, File};
use std::io::Cursor;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Small batches, so that some hold damage and others do not.
fn settings() -> Settings {
    Settings {
        compression: Compression::None,
        limits: Limits { batch_bytes: 4096, ..Limits::default() },
        ..Settings::new(vec![EXTRACTORS[0]])
    }
}

fn sample() -> Vec<u8> {
    fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data/sample.warc.gz")).unwrap()
}

fn all(mut rows: Rows) -> (Vec<u8>, Counters) {
    let mut lines = Vec::new();
    while rows.next(&mut lines).unwrap() {}
    assert!(!rows.next(&mut lines).unwrap(), "it goes on after its end");
    (lines, rows.take_counters())
}

fn of_a_run(path: &Path, folder: &Path) -> (Vec<u8>, Counters) {
    let plan = Plan::new(&[path.to_owned()], &PlanOptions::default()).unwrap();
    let to = OutputTo::Folder(folder.to_owned());
    let options = Options { threads: 2, overwrite: true, ..Options::default() };
    let stop = Arc::new(AtomicBool::new(false));
    let summary = run(&plan, &settings(), &to, &options, &mut SilentMonitor, &stop).unwrap();
    (fs::read(folder.join("a.jsonl")).unwrap(), summary.total)
}

#[test]
fn rows_are_those_of_a_run_though_some_records_are_damaged() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.warc.gz");
    let whole = sample();
    let mut seed = 7_u32;
    let mut damaged = 0;
    for trial in 0..40 {
        let mut bytes = whole.clone();
        for _ in 0..trial % 5 {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let at = seed as usize % bytes.len();
            bytes[at] ^= (seed >> 24) as u8 | 1;
        }
        if trial % 7 == 6 {
            bytes.truncate(bytes.len() / 2);
        }
        fs::write(&path, &bytes).unwrap();
        let Ok(rows) = Rows::open(&path, None, settings()) else {
            assert!(bytes[..100] != whole[..100], "an archive is not opened");
            continue;
        };
        let (lines, counters) = all(rows);
        let (expected, total) = of_a_run(&path, &folder.path().join("out"));
        assert_eq!(counters, total, "trial {trial}");
        assert_eq!(lines, expected, "trial {trial}");
        damaged += u32::from(counters.total(huller_refine::RejectionKind::Failed) > 0);
    }
    assert!(damaged > 20, "only {damaged} files were damaged enough to see");
}

#[test]
fn what_can_be_read_once_gives_the_same_pages() {
    let bytes = sample();
    let reader = Box::new(io::Cursor::new(bytes));
    let (lines, counters) = all(Rows::from_reader(reader, "sample.warc.gz", settings()).unwrap());
    assert_eq!(counters.written, 41);
    assert_eq!(lines.split_inclusive(|byte| *byte == b'\n').count(), 41);
}

#[test]
fn an_input_that_grows_is_given_up_at_its_end() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.warc.gz");
    let whole = sample();
    fs::write(&path, &whole[..whole.len() / 2]).unwrap();
    let mut rows = Rows::open(&path, Some("mine"), settings()).unwrap();
    let mut lines = Vec::new();
    assert!(rows.next(&mut lines).unwrap());
    io::Write::write_all(&mut File::options().append(true).open(&path).unwrap(), &whole).unwrap();
    let error = loop {
        match rows.next(&mut lines) {
            Ok(more) => assert!(more, "it ended well"),
            Err(error) => break error,
        }
    };
    assert!(error.to_string().contains("changed during the run"), "{error}");
    assert!(!rows.next(&mut lines).unwrap());
}

#[test]
fn an_archive_gives_no_rows_to_refine_not_even_where_its_end_is_missing() {
    let mut plain = Vec::new();
    for (_, record) in members(&sample()) {
        plain.extend(record);
    }
    let refines = Settings { refines: Some(RowKeys::default()), ..settings() };
    // Some of these lengths end within a page.
    for bytes in (plain.len() / 4..plain.len()).step_by(plain.len() / 16) {
        let reader = Box::new(Cursor::new(plain[..bytes].to_vec()));
        let (rows, counters) = all(Rows::from_reader(reader, "a.warc", refines.clone()).unwrap());
        assert_eq!((rows.len(), counters.written), (0, 0), "{bytes}");
        let known = counters.count(Reason::NotARow) + counters.count(Reason::Truncated);
        assert_eq!((counters.records, counters.is_balanced()), (known, true), "{bytes}");
    }
}
