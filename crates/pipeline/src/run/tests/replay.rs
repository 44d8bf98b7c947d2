//! Runs with synthetic workers write what the recorded run wrote.

use super::{sample, settings};
use crate::run::replay::Recording;
use crate::settings::Settings;
use huller_run::plan::{Plan, PlanOptions};
use huller_run::split::Split;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// All files of a folder but the run files, with their contents.
fn outputs(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap());
    let files = files.filter(|entry| entry.file_type().unwrap().is_file());
    let mut files: Vec<_> =
        files.map(|file| (file.file_name().into(), fs::read(file.path()).unwrap())).collect();
    files.sort();
    files
}

/// Files that the run over the sample writes, which runs with synthetic workers write again.
#[track_caller]
fn replayed(settings: &Settings) -> Vec<(PathBuf, Vec<u8>)> {
    let folder = tempfile::tempdir().unwrap();
    let plan = Plan::new(&[sample()], &PlanOptions::default()).unwrap();
    let stop = Arc::new(AtomicBool::new(false));
    let whole = folder.path().join("whole");
    let recording = Recording::record(&plan, settings, &whole, &stop).unwrap();
    let whole = outputs(&whole);
    for threads in [1, 3, 16] {
        let again = folder.path().join(threads.to_string());
        recording.replay(&again, threads, &stop).unwrap();
        assert!(outputs(&again) == whole, "-j{threads}");
    }
    whole
}

#[test]
fn synthetic_workers_leave_reader_and_writer_with_the_work_of_a_whole_run() {
    assert_eq!(replayed(&settings()).len(), 2, "a file and _SUCCESS");
    let split = Split { rows: std::num::NonZero::new(7), ..Split::default() };
    assert!(replayed(&Settings { split, ..settings() }).len() > 4);
}

#[test]
fn a_stop_of_the_caller_ends_a_replay_and_leaves_no_finished_output() {
    let folder = tempfile::tempdir().unwrap();
    let plan = Plan::new(&[sample()], &PlanOptions::default()).unwrap();
    let stop = Arc::new(AtomicBool::new(false));
    let recording =
        Recording::record(&plan, &settings(), &folder.path().join("whole"), &stop).unwrap();
    stop.store(true, std::sync::atomic::Ordering::Relaxed);
    let again = folder.path().join("again");
    recording.replay(&again, 2, &stop).unwrap();
    assert!(!again.join("_SUCCESS").exists());
}
