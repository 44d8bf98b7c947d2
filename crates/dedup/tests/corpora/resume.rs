//! What a run that was stopped leaves, and how it goes on.

use crate::support::{Place, dedup, random, row, threads, tree, words};
use huller_dedup::{DedupError, Monitor, Options, Outputs, Phase, Settings, Step, run};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Files of rows, some of which are near to others.
fn corpus(place: &Place) {
    let mut state = 11;
    let originals: Vec<_> = (0..40).map(|_| words(60, &mut state)).collect();
    for (file, name) in
        ["a.jsonl", "b/c.jsonl.zst", "b/d.jsonl.gz", "e.jsonl.zst"].into_iter().enumerate()
    {
        let rows: Vec<_> = (0..200)
            .map(|n| {
                let mut text = originals[(random(&mut state) % 40) as usize].clone();
                text[7] = format!("w{}", n % 9);
                row(n + 1000 * file as u64, &text.join(" "))
            })
            .collect();
        place.write_rows(&format!("in/{name}"), &rows);
    }
}

fn settings() -> Settings {
    Settings {
        by: Step::ALL.to_vec(),
        verify: Some(0.5),
        outputs: Outputs::KeptWithSizes,
        ..Settings::default()
    }
}

/// Stops the run at its so many-th call.
struct Stopping {
    left: u64,
    stop: Arc<AtomicBool>,
}

impl Stopping {
    fn count(&mut self) {
        self.left = self.left.saturating_sub(1);
        if self.left == 0 {
            self.stop.store(true, Ordering::Relaxed);
        }
    }
}

impl Monitor for Stopping {
    fn phase(&mut self, _: Phase, _: Option<u64>) {
        self.count();
    }
    fn progress(&mut self, _: u64) {
        self.count();
    }
    fn unusable(&mut self, input: &str, error: &str) {
        panic!("{input}: {error}");
    }
}

fn without_lock(root: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut files = tree(root);
    files.remove("_huller/lock");
    files
}

#[test]
fn a_run_that_is_stopped_anywhere_goes_on_to_the_same_bytes() {
    let place = Place::new();
    corpus(&place);
    let corpora = [place.path("in")];
    dedup(&corpora, &place.path("whole"), &settings(), &threads(2)).unwrap();
    let whole = without_lock(&place.path("whole"));
    let mut stops = 0;
    for left in 1.. {
        let out = place.path(&format!("out{left}"));
        let stop = Arc::new(AtomicBool::new(false));
        let mut monitor = Stopping { left, stop: Arc::clone(&stop) };
        let summary =
            run(&corpora, &[], &out, &settings(), &threads(1), &mut monitor, &stop).unwrap();
        if !summary.is_interrupted {
            break;
        }
        stops += 1;
        assert!(!out.join("_SUCCESS").exists());
        let resume = Options { resume: true, ..threads(2) };
        dedup(&corpora, &out, &settings(), &resume).unwrap();
        assert!(without_lock(&out) == whole, "stopped at call {left}");
    }
    assert!(stops >= 3, "{stops}");
}

#[test]
fn whatever_part_of_the_run_files_is_lost_the_bytes_are_the_same() {
    let place = Place::new();
    corpus(&place);
    let corpora = [place.path("in")];
    let out = place.path("out");
    dedup(&corpora, &out, &settings(), &threads(2)).unwrap();
    let whole = without_lock(&out);
    let journal = fs::read(out.join("_huller/dedup.journal")).unwrap();
    // As if the run had been killed with so much of the journal on the disk. Signatures of inputs are gone by then, and are made again.
    for cut in (0..journal.len()).step_by(97) {
        fs::write(out.join("_huller/dedup.journal"), &journal[..cut]).unwrap();
        fs::remove_file(out.join("_SUCCESS")).unwrap();
        if cut == 0 {
            fs::write(out.join("a.jsonl.part"), "a piece").unwrap();
        }
        dedup(&corpora, &out, &settings(), &Options { resume: true, ..threads(2) }).unwrap();
        let resumed = without_lock(&out);
        let differing: Vec<_> = whole
            .iter()
            .filter(|(name, bytes)| resumed.get(*name) != Some(bytes))
            .map(|(name, _)| name)
            .collect();
        assert!(resumed == whole, "cut at {cut}: {differing:?}");
    }
}

#[test]
fn an_earlier_run_is_refused_resumed_or_replaced() {
    let place = Place::new();
    corpus(&place);
    let corpora = [place.path("in")];
    let out = place.path("out");
    dedup(&corpora, &out, &settings(), &threads(1)).unwrap();
    let whole = without_lock(&out);
    assert!(matches!(
        dedup(&corpora, &out, &settings(), &threads(1)),
        Err(DedupError::Exists { .. })
    ));
    let (resume, overwrite) =
        (Options { resume: true, ..threads(1) }, Options { overwrite: true, ..threads(1) });
    let done = dedup(&corpora, &out, &settings(), &resume).unwrap();
    assert_eq!((done.inputs.len(), done.table.rows), (4, 800));
    let other = Settings { host_lines: 99, ..settings() };
    let refused = dedup(&corpora, &out, &other, &resume).unwrap_err();
    assert_eq!(refused.to_string(), "cannot resume: settings.host_lines is 99, was 10");
    dedup(&corpora, &out, &other, &overwrite).unwrap();
    dedup(&corpora, &out, &settings(), &overwrite).unwrap();
    assert!(without_lock(&out) == whole);
    // What another command wrote is not touched.
    fs::create_dir_all(place.path("run/_huller")).unwrap();
    fs::write(place.path("run/_huller/run.config"), "{}").unwrap();
    assert!(matches!(
        dedup(&corpora, &place.path("run"), &settings(), &overwrite),
        Err(DedupError::Usage(_))
    ));
    fs::create_dir_all(place.path("full")).unwrap();
    fs::write(place.path("full/a.jsonl"), "mine").unwrap();
    assert!(matches!(
        dedup(&corpora, &place.path("full"), &settings(), &threads(1)),
        Err(DedupError::Exists { .. })
    ));
    assert_eq!(fs::read(place.path("full/a.jsonl")).unwrap(), b"mine");
}

#[test]
fn nothing_is_written_or_removed_outside_the_folder() {
    let place = Place::new();
    corpus(&place);
    let corpora = [place.path("in")];
    let [out, elsewhere] = ["out", "elsewhere"].map(|name| place.path(name));
    fs::create_dir_all(&out).unwrap();
    fs::create_dir_all(&elsewhere).unwrap();
    std::os::unix::fs::symlink(&elsewhere, out.join("b")).unwrap();
    let refused = dedup(&corpora, &out, &settings(), &threads(1)).unwrap_err();
    assert!(refused.to_string().contains("write through"), "{refused}");
    assert_eq!(fs::read_dir(&elsewhere).unwrap().count(), 0);
    fs::remove_file(out.join("b")).unwrap();
    dedup(&corpora, &out, &settings(), &threads(1)).unwrap();
    // A journal that names a file elsewhere.
    let path = out.join("_huller/dedup.journal");
    let journal = fs::read_to_string(&path).unwrap();
    fs::write(&path, journal.replace("\"a.jsonl\"", "\"../mine.jsonl\"")).unwrap();
    let mine = place.write("mine.jsonl", b"mine");
    fs::remove_file(out.join("a.jsonl")).unwrap();
    dedup(&corpora, &out, &settings(), &Options { overwrite: true, ..threads(1) }).unwrap();
    assert_eq!(fs::read(mine).unwrap(), b"mine");
}

#[test]
fn two_runs_do_not_write_one_folder() {
    let place = Place::new();
    corpus(&place);
    let out = place.path("out");
    fs::create_dir_all(out.join("_huller")).unwrap();
    let lock = fs::File::create(out.join("_huller/lock")).unwrap();
    lock.lock().unwrap();
    let refused = dedup(&[place.path("in")], &out, &settings(), &threads(1));
    assert!(matches!(refused, Err(DedupError::Locked { .. })));
}
