//! Runs that are broken off, and what they leave on disk.

use huller_archive::Limits;
use huller_extract::EXTRACTORS;
use huller_pipeline::{
    Counters, DroppedRowsFolder, Monitor, Options, OutputTo, Plan, PlanOptions, Progress, RunError,
    Settings, Summary, run,
};
use huller_testkit::damage::{cut_half, flip_middle};
use huller_testkit::sample;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Settings with batches so small that the sample makes dozens.
pub(crate) fn settings() -> Settings {
    Settings {
        limits: Limits { batch_bytes: 4096, ..Limits::default() },
        ..Settings::new(vec![EXTRACTORS[0]])
    }
}

/// A folder that a run works in: `out`, `rejects.jsonl`, and `dropped` with two dropped rows of
/// each reason.
pub(crate) struct TestFolder {
    folder: tempfile::TempDir,
}

impl TestFolder {
    pub(crate) fn new() -> TestFolder {
        TestFolder { folder: tempfile::tempdir().unwrap() }
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    pub(crate) fn out(&self, name: &str) -> PathBuf {
        self.path().join("out").join(name)
    }

    fn options(&self, threads: usize) -> Options {
        let rejects = Some(self.path().join("rejects.jsonl"));
        let dropped =
            Some(DroppedRowsFolder { folder: self.path().join("dropped"), rows: Some(2) });
        Options { threads, rejects, dropped, ..Options::default() }
    }

    /// A run in it.
    pub(crate) fn run(
        &self,
        inputs: &[PathBuf],
        settings: &Settings,
        threads: usize,
    ) -> Result<Summary, RunError> {
        self.start(
            inputs,
            settings,
            &self.options(threads),
            &mut MonitorOfNothing,
            &Arc::new(AtomicBool::new(false)),
        )
    }

    /// Resumes the run in it.
    pub(crate) fn resume(
        &self,
        inputs: &[PathBuf],
        settings: &Settings,
        threads: usize,
    ) -> Result<Summary, RunError> {
        let options = Options { resume: true, ..self.options(threads) };
        self.start(
            inputs,
            settings,
            &options,
            &mut MonitorOfNothing,
            &Arc::new(AtomicBool::new(false)),
        )
    }

    /// A run that replaces what is there.
    pub(crate) fn overwrite(
        &self,
        inputs: &[PathBuf],
        settings: &Settings,
    ) -> Result<Summary, RunError> {
        let options = Options { overwrite: true, ..self.options(1) };
        self.start(
            inputs,
            settings,
            &options,
            &mut MonitorOfNothing,
            &Arc::new(AtomicBool::new(false)),
        )
    }

    /// A run, or the next part of a run, that is told to stop after `batches` batches.
    pub(crate) fn resume_until(
        &self,
        inputs: &[PathBuf],
        settings: &Settings,
        batches: usize,
    ) -> Summary {
        let stop = Arc::new(AtomicBool::new(false));
        let options = Options { resume: true, ..self.options(1) };
        self.start(inputs, settings, &options, &mut StopAfter { left: batches, stop: &stop }, &stop)
            .unwrap()
    }

    /// A run during which, when the first rows have been written, something is done.
    pub(crate) fn run_and_meddle(
        &self,
        inputs: &[PathBuf],
        settings: &Settings,
        meddle: impl FnOnce(),
    ) -> Summary {
        self.try_and_meddle(inputs, settings, meddle).unwrap()
    }

    /// The same of a run that may end.
    pub(crate) fn try_and_meddle(
        &self,
        inputs: &[PathBuf],
        settings: &Settings,
        meddle: impl FnOnce(),
    ) -> Result<Summary, RunError> {
        let mut meddler = MeddlingMonitor { meddle: Some(meddle) };
        let stop = Arc::new(AtomicBool::new(false));
        self.start(inputs, settings, &self.options(1), &mut meddler, &stop)
    }

    /// A run during which the folder is copied after every batch, as a kill would leave it.
    pub(crate) fn run_and_copy(&self, inputs: &[PathBuf], settings: &Settings) -> Vec<TestFolder> {
        self.copied(inputs, settings, &self.options(1))
    }

    /// The same of a resumed run.
    pub(crate) fn resume_and_copy(
        &self,
        inputs: &[PathBuf],
        settings: &Settings,
    ) -> Vec<TestFolder> {
        self.copied(inputs, settings, &Options { resume: true, ..self.options(1) })
    }

    fn copied(
        &self,
        inputs: &[PathBuf],
        settings: &Settings,
        options: &Options,
    ) -> Vec<TestFolder> {
        let mut copier = Copier { work: self.path(), copies: Vec::new() };
        let stop = Arc::new(AtomicBool::new(false));
        self.start(inputs, settings, options, &mut copier, &stop).unwrap();
        copier.copies
    }

    fn start(
        &self,
        inputs: &[PathBuf],
        settings: &Settings,
        options: &Options,
        monitor: &mut dyn Monitor,
        stop: &Arc<AtomicBool>,
    ) -> Result<Summary, RunError> {
        let plan = Plan::new(inputs, &PlanOptions::default()).unwrap();
        let to = OutputTo::Folder(self.path().join("out"));
        for suffix in settings.output_suffixes() {
            plan.check_outputs(&to, &suffix).unwrap();
        }
        run(&plan, settings, &to, options, monitor, stop)
    }

    /// Every file but the lock and the times.
    pub(crate) fn contents(&self) -> BTreeMap<String, Vec<u8>> {
        let mut all = BTreeMap::new();
        add(self.path(), self.path(), &mut all);
        all.retain(|name, _| name != "out/_huller/lock" && name != "out/_huller/run.timing");
        all
    }
}

fn add(root: &Path, folder: &Path, all: &mut BTreeMap<String, Vec<u8>>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            add(root, &path, all);
        } else {
            all.insert(
                path.strip_prefix(root).unwrap().display().to_string(),
                fs::read(&path).unwrap(),
            );
        }
    }
}

/// Checks that two folders hold the same, and says in few words where not.
#[track_caller]
pub(crate) fn assert_same(expected: &BTreeMap<String, Vec<u8>>, work: &TestFolder, what: &str) {
    let contents = work.contents();
    assert_eq!(expected.keys().collect::<Vec<_>>(), contents.keys().collect::<Vec<_>>(), "{what}");
    for (name, bytes) in expected {
        let other = &contents[name];
        let at = bytes.iter().zip(other).take_while(|(a, b)| a == b).count();
        let (here, there) = (bytes.len(), other.len());
        assert!(
            bytes == other,
            "{what}: {name} differs from byte {at} on ({here} and {there} bytes)"
        );
    }
}

struct MonitorOfNothing;

impl Monitor for MonitorOfNothing {
    fn started(&mut self, _: u64, _: Option<u64>) {}
    fn progress(&mut self, _: Progress) {}
    fn finished(&mut self, _: &str, _: &Counters) {}
    fn unusable(&mut self, _: &str, _: &str) {}
}

struct StopAfter<'a> {
    left: usize,
    stop: &'a AtomicBool,
}

impl Monitor for StopAfter<'_> {
    fn started(&mut self, _: u64, _: Option<u64>) {}
    fn progress(&mut self, _: Progress) {
        self.left = self.left.saturating_sub(1);
        self.stop.store(self.left == 0, Ordering::Relaxed);
    }
    fn finished(&mut self, _: &str, _: &Counters) {}
    fn unusable(&mut self, _: &str, _: &str) {}
}

struct MeddlingMonitor<F> {
    meddle: Option<F>,
}

impl<F: FnOnce()> Monitor for MeddlingMonitor<F> {
    fn started(&mut self, _: u64, _: Option<u64>) {}
    fn progress(&mut self, _: Progress) {
        if let Some(meddle) = self.meddle.take() {
            meddle();
        }
    }
    fn finished(&mut self, _: &str, _: &Counters) {}
    fn unusable(&mut self, _: &str, _: &str) {}
}

struct Copier<'a> {
    work: &'a Path,
    copies: Vec<TestFolder>,
}

impl Copier<'_> {
    fn copy(&mut self) {
        let copy = TestFolder::new();
        copy_folder(self.work, copy.path());
        self.copies.push(copy);
    }
}

impl Monitor for Copier<'_> {
    fn started(&mut self, _: u64, _: Option<u64>) {
        self.copy();
    }
    fn progress(&mut self, _: Progress) {
        self.copy();
    }
    fn finished(&mut self, _: &str, _: &Counters) {
        self.copy();
    }
    fn unusable(&mut self, _: &str, _: &str) {}
}

pub(crate) fn copy_folder(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let to = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy_folder(&entry.path(), &to);
        } else {
            fs::copy(entry.path(), to).unwrap();
        }
    }
}

/// The bundled archive.
pub(crate) fn sample() -> Vec<u8> {
    fs::read(sample::archive()).unwrap()
}

/// The sample with one member in seven damaged: flipped bytes, a missing half, or junk after it.
pub(crate) fn damaged() -> Vec<u8> {
    let file = sample();
    let mut damaged = Vec::new();
    for (number, (range, _)) in sample::members(&file).into_iter().enumerate() {
        let member = &file[range];
        match number % 21 {
            4 => damaged.extend(flip_middle(member)),
            11 => damaged.extend_from_slice(cut_half(member)),
            18 => damaged.extend_from_slice(&[member, b"between two members"].concat()),
            _ => damaged.extend_from_slice(member),
        }
    }
    damaged
}
