//! What a run that was stopped leaves, and how it goes on.

use crate::support::{TestFolders, dedup, random, row, threads, tree, words};
use huller_dedup::{
    DedupError, DedupStep, Options, OutputFormat, Outputs, RowsFormat, Settings, run,
};
use huller_row::{Compression, Layout, find_schema, formats};
use huller_run::counters::Counters;
use huller_run::error::RunError;
use huller_run::monitor::{Monitor, Progress, SilentMonitor};
use huller_run::verify::verify;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Files of rows, some of which are near to others.
fn corpus(place: &TestFolders) {
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
        by: DedupStep::ALL.to_vec(),
        verify: Some(0.5),
        outputs: Outputs::KeptWithSizes,
        ..Settings::default()
    }
}

/// Stops the run at its so many-th call.
struct StoppingMonitor {
    left: u64,
    stop: Arc<AtomicBool>,
}

impl StoppingMonitor {
    fn count(&mut self) {
        self.left = self.left.saturating_sub(1);
        if self.left == 0 {
            self.stop.store(true, Ordering::Relaxed);
        }
    }
}

impl Monitor for StoppingMonitor {
    fn started(&mut self, _: u64, _: Option<u64>) {}
    fn finished(&mut self, _: &str, _: &Counters) {}
    fn phase(&mut self, _: &'static str, _: Option<u64>) {
        self.count();
    }
    fn progress(&mut self, _: Progress) {
        self.count();
    }
    fn unusable(&mut self, input: &str, error: &str) {
        panic!("{input}: {error}");
    }
}

/// Moves a file away when a phase begins.
struct FileMover<'a> {
    phase: &'static str,
    from: &'a Path,
    to: &'a Path,
    notes: Vec<String>,
}

impl Monitor for FileMover<'_> {
    fn started(&mut self, _: u64, _: Option<u64>) {}
    fn finished(&mut self, _: &str, _: &Counters) {}
    fn phase(&mut self, name: &'static str, _: Option<u64>) {
        if name == self.phase {
            fs::rename(self.from, self.to).unwrap();
        }
    }
    fn progress(&mut self, _: Progress) {}
    fn unusable(&mut self, _: &str, _: &str) {}
    fn note(&mut self, note: &str) {
        self.notes.push(note.to_owned());
    }
}

fn without_lock(root: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut files = tree(root);
    files.remove("_huller/lock");
    files
}

#[test]
fn a_run_that_is_stopped_anywhere_goes_on_to_the_same_bytes() {
    let place = TestFolders::new();
    corpus(&place);
    let corpora = [place.path("in")];
    dedup(&corpora, &place.path("whole"), &settings(), &threads(2)).unwrap();
    let whole = without_lock(&place.path("whole"));
    let mut stops = 0;
    for left in 1.. {
        let out = place.path(&format!("out{left}"));
        let stop = Arc::new(AtomicBool::new(false));
        let mut monitor = StoppingMonitor { left, stop: Arc::clone(&stop) };
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
    let place = TestFolders::new();
    corpus(&place);
    let corpora = [place.path("in")];
    let out = place.path("out");
    dedup(&corpora, &out, &settings(), &threads(2)).unwrap();
    let whole = without_lock(&out);
    // As if the run had been killed with so much of a journal on the disk. Signatures of inputs are
    // gone by then, and are made again.
    for name in ["_huller/dedup.journal", "_huller/run.journal"] {
        let journal = fs::read(out.join(name)).unwrap();
        for cut in (0..journal.len()).step_by(197) {
            fs::write(out.join(name), &journal[..cut]).unwrap();
            fs::remove_file(out.join("_SUCCESS")).unwrap();
            if cut == 0 && name.ends_with("run.journal") {
                fs::write(out.join("a.jsonl.part"), "a piece").unwrap();
            }
            dedup(&corpora, &out, &settings(), &Options { resume: true, ..threads(2) }).unwrap();
            let resumed = without_lock(&out);
            let differing: Vec<_> = whole
                .iter()
                .filter(|(name, bytes)| resumed.get(*name) != Some(bytes))
                .map(|(name, _)| name)
                .collect();
            assert!(resumed == whole, "{name} cut at {cut}: {differing:?}");
        }
    }
}

#[test]
fn an_output_that_is_gone_is_made_again_and_an_input_that_changed_is_noticed() {
    let place = TestFolders::new();
    corpus(&place);
    let corpora = [place.path("in")];
    let out = place.path("out");
    dedup(&corpora, &out, &settings(), &threads(1)).unwrap();
    let whole = without_lock(&out);
    fs::remove_file(out.join("a.jsonl")).unwrap();
    let resume = Options { resume: true, ..threads(1) };
    dedup(&corpora, &out, &settings(), &resume).unwrap();
    let resumed = without_lock(&out);
    // The journal has the input that was done again last.
    let differing = whole.iter().filter(|(name, bytes)| resumed.get(*name) != Some(bytes));
    let differing: Vec<_> = differing.map(|(name, _)| name.as_str()).collect();
    assert_eq!(differing, ["_huller/run.journal"]);
    // Other bytes of the same number.
    let input = place.path("in/a.jsonl");
    let rows = fs::read_to_string(&input).unwrap();
    fs::write(&input, rows.replacen("\"w", "\"v", 1)).unwrap();
    let refused = dedup(&corpora, &out, &settings(), &resume).unwrap_err();
    assert!(
        refused
            .to_string()
            .starts_with("cannot resume: 'a.jsonl' has changed since its signatures"),
        "{refused}"
    );
    assert!(without_lock(&out) == resumed, "nothing is removed");
}

#[test]
fn a_list_whose_inputs_were_entered_in_part_goes_on() {
    let place = TestFolders::new();
    corpus(&place);
    let outputs = Outputs::List(place.path("drop.jsonl"));
    let by = vec![DedupStep::Url, DedupStep::Text, DedupStep::Near];
    let settings = Settings { by, outputs, ..settings() };
    let (corpora, out) = ([place.path("in")], place.path("out"));
    dedup(&corpora, &out, &settings, &threads(2)).unwrap();
    let (whole, list) = (without_lock(&out), fs::read(place.path("drop.jsonl")).unwrap());
    let journal = fs::read(out.join("_huller/run.journal")).unwrap();
    let ends = (0..).zip(&journal).filter(|(_, byte)| **byte == b'\n').map(|(at, _)| at + 1);
    let ends: Vec<usize> = ends.collect();
    assert_eq!(ends.len(), 4);
    for end in ends {
        fs::write(out.join("_huller/run.journal"), &journal[..end]).unwrap();
        fs::remove_file(out.join("_SUCCESS")).unwrap();
        dedup(&corpora, &out, &settings, &Options { resume: true, ..threads(2) }).unwrap();
        assert!(without_lock(&out) == whole, "{end} bytes of the journal");
        assert_eq!(fs::read(place.path("drop.jsonl")).unwrap(), list);
    }
}

#[test]
fn an_input_that_cannot_be_read_between_signing_and_writing_ends_the_run() {
    let place = TestFolders::new();
    corpus(&place);
    let corpora = [place.path("in")];
    let settings = settings();
    dedup(&corpora, &place.path("whole"), &settings, &threads(2)).unwrap();
    let whole = without_lock(&place.path("whole"));
    let [input, away] = ["in/b/d.jsonl.gz", "away.jsonl.gz"].map(|name| place.path(name));
    for phase in ["reading texts to verify", "counting lines", "comparing paragraphs"] {
        let out = place.path(phase);
        let mut monitor = FileMover { phase, from: &input, to: &away, notes: Vec::new() };
        let stop = AtomicBool::new(false);
        let ended = run(&corpora, &[], &out, &settings, &threads(1), &mut monitor, &stop);
        let error = ended.unwrap_err().to_string();
        assert!(error.starts_with("'b/d.jsonl.gz' cannot be read again: "), "{phase}: {error}");
        assert!(!out.join("a.jsonl").exists() && !out.join("_SUCCESS").exists());
        fs::rename(&away, &input).unwrap();
        let resume = Options { resume: true, ..threads(2) };
        dedup(&corpora, &out, &settings, &resume).unwrap();
        assert!(without_lock(&out) == whole, "{phase}");
    }
}

#[test]
fn an_input_that_could_not_be_signed_is_taken_in_when_the_run_goes_on() {
    for outputs in [Outputs::KeptWithSizes, Outputs::List("drop.jsonl".into())] {
        let place = TestFolders::new();
        corpus(&place);
        let is_list = matches!(outputs, Outputs::List(_));
        let settings_of = |list: &str| Settings {
            by: vec![DedupStep::Url, DedupStep::Text, DedupStep::Near],
            outputs: if is_list { Outputs::List(place.path(list)) } else { outputs.clone() },
            ..settings()
        };
        let corpora = [place.path("in")];
        dedup(&corpora, &place.path("whole"), &settings_of("whole.jsonl"), &threads(2)).unwrap();
        let whole = without_lock(&place.path("whole"));
        let [input, away, out] = ["in/a.jsonl", "away.jsonl", "out"].map(|name| place.path(name));
        let settings = settings_of("drop.jsonl");
        let mut monitor =
            FileMover { phase: "signing", from: &input, to: &away, notes: Vec::new() };
        let stop = AtomicBool::new(false);
        let summary =
            run(&corpora, &[], &out, &settings, &threads(1), &mut monitor, &stop).unwrap();
        assert_eq!((summary.unusable.len(), summary.inputs.len()), (1, 3));
        fs::rename(&away, &input).unwrap();
        let resume = Options { resume: true, ..threads(2) };
        let mut monitor = FileMover { phase: "", from: &input, to: &away, notes: Vec::new() };
        run(&corpora, &[], &out, &settings, &resume, &mut monitor, &stop).unwrap();
        assert!(monitor.notes[0].contains("all outputs are written again"), "{:?}", monitor.notes);
        let resumed = without_lock(&out);
        let differing = whole.iter().filter(|(name, bytes)| resumed.get(*name) != Some(bytes));
        let differing: Vec<_> = differing.map(|(name, _)| name.as_str()).collect();
        // It has both decisions, and the input that was signed last.
        assert_eq!(differing, ["_huller/dedup.journal"]);
        assert_eq!(resumed.len(), whole.len());
        if is_list {
            let [made, wanted] = ["drop.jsonl", "whole.jsonl"].map(|name| place.path(name));
            assert_eq!(fs::read(made).unwrap(), fs::read(wanted).unwrap());
        }
        let again = dedup(&corpora, &out, &settings, &resume).unwrap();
        assert_eq!(again.inputs.len(), 4);
        assert!(without_lock(&out) == resumed);
    }
}

#[test]
fn an_input_is_never_overwritten_or_removed() {
    let place = TestFolders::new();
    corpus(&place);
    let out = place.path("out");
    dedup(&[place.path("in")], &out, &settings(), &threads(1)).unwrap();
    let whole = without_lock(&out);
    let overwrite = Options { overwrite: true, ..threads(1) };
    // Outputs of the earlier run as inputs.
    assert!(dedup(&[out.join("a.jsonl")], &out, &settings(), &overwrite).is_err());
    // An output in whose place someone has put something else.
    fs::write(out.join("a.jsonl"), "mine").unwrap();
    let refused = dedup(&[place.path("in")], &out, &settings(), &overwrite).unwrap_err();
    assert!(matches!(refused, DedupError::Run(RunError::Changed { .. })), "{refused}");
    assert_eq!(fs::read(out.join("a.jsonl")).unwrap(), b"mine");
    fs::write(out.join("a.jsonl"), &whole["a.jsonl"]).unwrap();
    // A list of rows to drop in the place of an input.
    let input = place.path("in/a.jsonl");
    let before = fs::read(&input).unwrap();
    let by = vec![DedupStep::Text];
    let list = Settings { by, outputs: Outputs::List(input.clone()), ..Settings::default() };
    assert!(dedup(&[place.path("in")], &place.path("list"), &list, &overwrite).is_err());
    assert_eq!(fs::read(&input).unwrap(), before);
    let foreign = place.write("notes.jsonl", b"mine");
    let list = Settings { outputs: Outputs::List(foreign.clone()), ..list };
    assert!(dedup(&[place.path("in")], &place.path("list"), &list, &overwrite).is_err());
    assert_eq!(fs::read(foreign).unwrap(), b"mine");
    // What would have been removed is still there.
    assert!(without_lock(&out) == whole);
}

#[test]
fn files_of_one_name_in_two_folders_have_two_outputs() {
    let place = TestFolders::new();
    for (day, n) in [("mon", 0), ("tue", 1)] {
        place.write_rows(&format!("{day}/crawl.jsonl"), &[row(n, &format!("a text of {day}"))]);
    }
    let corpora = ["mon", "tue"].map(|day| place.path(day));
    let summary = dedup(&corpora, &place.path("out"), &Settings::default(), &threads(1)).unwrap();
    assert_eq!((summary.total.written, summary.unusable.len()), (2, 0));
    for day in ["mon", "tue"] {
        assert!(place.path(&format!("out/{day}/crawl.jsonl")).exists());
    }
}

#[test]
fn an_earlier_run_is_refused_resumed_or_replaced() {
    let place = TestFolders::new();
    corpus(&place);
    let corpora = [place.path("in")];
    let out = place.path("out");
    dedup(&corpora, &out, &settings(), &threads(1)).unwrap();
    let whole = without_lock(&out);
    assert!(matches!(
        dedup(&corpora, &out, &settings(), &threads(1)),
        Err(DedupError::Run(RunError::OutputExists { .. }))
    ));
    let (resume, overwrite) =
        (Options { resume: true, ..threads(1) }, Options { overwrite: true, ..threads(1) });
    let done = dedup(&corpora, &out, &settings(), &resume).unwrap();
    assert_eq!((done.inputs.len(), done.table.rows), (4, 800));
    let other = Settings { host_lines: 99, ..settings() };
    let refused = dedup(&corpora, &out, &other, &resume).unwrap_err();
    assert_eq!(
        refused.to_string(),
        "cannot resume: the settings differ from those of the run in the folder: host_lines is 99, was 10"
    );
    dedup(&corpora, &out, &other, &overwrite).unwrap();
    dedup(&corpora, &out, &settings(), &overwrite).unwrap();
    assert!(without_lock(&out) == whole);
    // What another command wrote is not touched.
    fs::create_dir_all(place.path("other")).unwrap();
    fs::write(place.path("other/notes.txt"), "mine").unwrap();
    assert!(matches!(
        dedup(&corpora, &place.path("other"), &settings(), &overwrite),
        Err(DedupError::Run(RunError::NoRunOfOurs { .. }))
    ));
    assert_eq!(fs::read(place.path("other/notes.txt")).unwrap(), b"mine");
    fs::create_dir_all(place.path("full")).unwrap();
    fs::write(place.path("full/a.jsonl"), "mine").unwrap();
    assert!(matches!(
        dedup(&corpora, &place.path("full"), &settings(), &threads(1)),
        Err(DedupError::Run(RunError::OutputExists { .. }))
    ));
    assert_eq!(fs::read(place.path("full/a.jsonl")).unwrap(), b"mine");
}

#[test]
fn nothing_is_written_or_removed_outside_the_folder() {
    let place = TestFolders::new();
    corpus(&place);
    let corpora = [place.path("in")];
    let [out, elsewhere] = ["out", "elsewhere"].map(|name| place.path(name));
    fs::create_dir_all(&out).unwrap();
    fs::create_dir_all(&elsewhere).unwrap();
    std::os::unix::fs::symlink(&elsewhere, out.join("b")).unwrap();
    let refused = dedup(&corpora, &out, &settings(), &threads(1)).unwrap_err();
    assert!(refused.to_string().contains("is a symbolic link"), "{refused}");
    assert_eq!(fs::read_dir(&elsewhere).unwrap().count(), 0);
    fs::remove_file(out.join("b")).unwrap();
    dedup(&corpora, &out, &settings(), &threads(1)).unwrap();
    // A journal that names a file elsewhere.
    let path = out.join("_huller/run.journal");
    let journal = fs::read_to_string(&path).unwrap();
    fs::write(&path, journal.replace("\"a.jsonl\"", "\"../mine.jsonl\"")).unwrap();
    let mine = place.write("mine.jsonl", b"mine");
    fs::remove_file(out.join("a.jsonl")).unwrap();
    dedup(&corpora, &out, &settings(), &Options { overwrite: true, ..threads(1) }).unwrap();
    assert_eq!(fs::read(mine).unwrap(), b"mine");
}

#[test]
fn two_runs_do_not_write_one_folder() {
    let place = TestFolders::new();
    corpus(&place);
    let out = place.path("out");
    fs::create_dir_all(out.join("_huller")).unwrap();
    let lock = fs::File::create(out.join("_huller/lock")).unwrap();
    lock.lock().unwrap();
    let refused = dedup(&[place.path("in")], &out, &settings(), &threads(1));
    assert!(matches!(refused, Err(DedupError::Run(RunError::Locked { .. }))));
}

/// Runs until inputs are signed and nothing is written, and stops there.
fn stop_after_signing(place: &TestFolders, settings: &Settings, options: &Options) -> PathBuf {
    for left in 1..100 {
        let out = place.path(&format!("signed{}-{left}", settings.signatures.seed));
        let stop = Arc::new(AtomicBool::new(false));
        let mut monitor = StoppingMonitor { left, stop: Arc::clone(&stop) };
        let corpora = [place.path("in")];
        let summary = run(&corpora, &[], &out, settings, options, &mut monitor, &stop).unwrap();
        assert!(summary.is_interrupted, "it has written all rows");
        let lines = |name: &str| fs::read(out.join("_huller").join(name)).unwrap();
        if !lines("dedup.journal").is_empty() && lines("run.journal").is_empty() {
            return out;
        }
    }
    panic!("no input is signed");
}

#[test]
fn what_was_signed_with_other_settings_is_refused_and_stays() {
    let place = TestFolders::new();
    corpus(&place);
    let corpora = [place.path("in")];
    let out = stop_after_signing(&place, &settings(), &threads(1));
    let stopped = without_lock(&out);
    let resume = Options { resume: true, ..threads(1) };
    let mut other = settings();
    other.signatures.seed += 1;
    let refused = dedup(&corpora, &out, &other, &resume).unwrap_err();
    assert!(refused.to_string().contains("signatures.seed is 2, was 1"), "{refused}");
    let refused = dedup(&corpora, &out, &settings(), &threads(1)).unwrap_err();
    assert!(matches!(refused, DedupError::Run(RunError::EarlierRun { .. })), "{refused}");
    // An input that was signed has other bytes now.
    let input = place.path("in/a.jsonl");
    let rows = fs::read_to_string(&input).unwrap();
    fs::write(&input, rows.replacen("\"w", "\"v", 1)).unwrap();
    let refused = dedup(&corpora, &out, &settings(), &resume).unwrap_err();
    assert!(
        refused.to_string().contains("'a.jsonl' has changed since its signatures"),
        "{refused}"
    );
    assert!(without_lock(&out) == stopped);
}

#[test]
fn signatures_of_a_run_that_was_to_be_replaced_are_not_used() {
    let place = TestFolders::new();
    corpus(&place);
    let corpora = [place.path("in")];
    let out = stop_after_signing(&place, &settings(), &threads(1));
    let mut other = settings();
    other.signatures.seed += 1;
    // As if the run that replaces it had been killed after it wrote its settings.
    let config = stop_after_signing(&place, &other, &threads(2)).join("_huller/run.config");
    fs::copy(config, out.join("_huller/run.config")).unwrap();
    dedup(&corpora, &out, &other, &Options { resume: true, ..threads(1) }).unwrap();
    let fresh = place.path("fresh");
    dedup(&corpora, &fresh, &other, &threads(1)).unwrap();
    assert!(without_lock(&out) == without_lock(&fresh));
}

#[test]
fn inputs_in_another_order_are_refused() {
    let place = TestFolders::new();
    for (name, n) in [("a.jsonl", 0), ("b.jsonl", 1)] {
        place.write_rows(name, &[row(n, "one text in two files"), row(n + 2, &format!("own {n}"))]);
    }
    let [a, b] = ["a.jsonl", "b.jsonl"].map(|name| place.path(name));
    let out = place.path("out");
    dedup(&[a.clone(), b.clone()], &out, &Settings::default(), &threads(1)).unwrap();
    let whole = without_lock(&out);
    let resume = Options { resume: true, ..threads(1) };
    let refused = dedup(&[b.clone(), a.clone()], &out, &Settings::default(), &resume).unwrap_err();
    assert!(refused.to_string().contains("input_order is "), "{refused}");
    assert!(without_lock(&out) == whole);
    dedup(&[a, b], &out, &Settings::default(), &resume).unwrap();
}

#[test]
fn any_format_has_the_same_bytes_however_the_run_went() {
    let place = TestFolders::new();
    corpus(&place);
    let corpora = [place.path("in")];
    let fields = Layout { chosen: Some(vec!["source", "text", "id"]), ..Layout::default() };
    let plain = Layout { compression: Compression::None, ..Layout::default() };
    let gzip = Layout { compression: Compression::DEFAULT_GZIP, ..Layout::default() };
    let dolma = Layout { schema: find_schema("dolma"), ..Layout::default() };
    for (name, layout) in [
        ("jsonl", gzip.clone()),
        ("jsonl", fields.clone()),
        ("jsonl", dolma),
        ("parquet", Layout::default()),
        ("arrow", fields),
        ("csv", plain.clone()),
        ("tsv", Layout::default()),
        ("wet", gzip),
        ("text", plain),
    ] {
        let place = TestFolders::new();
        let format =
            OutputFormat::Rows(Box::new(RowsFormat::new(formats::find(name).unwrap(), layout)));
        let settings = Settings { format, ..settings() };
        dedup(&corpora, &place.path("whole"), &settings, &threads(2)).unwrap();
        let whole = without_lock(&place.path("whole"));
        let verified = verify(&place.path("whole"), None, &mut SilentMonitor).unwrap();
        assert!(verified.findings.is_empty() && verified.rows > 40, "{name}: {verified:?}");
        for left in [4, 9, 14] {
            let out = place.path(&format!("out{left}"));
            let stop = Arc::new(AtomicBool::new(false));
            let mut monitor = StoppingMonitor { left, stop: Arc::clone(&stop) };
            run(&corpora, &[], &out, &settings, &threads(1), &mut monitor, &stop).unwrap();
            let resume = Options { resume: true, ..threads(3) };
            dedup(&corpora, &out, &settings, &resume).unwrap();
            assert!(without_lock(&out) == whole, "{name}: stopped at call {left}");
        }
        // Other formats are other runs.
        let out = place.path("out4");
        let resume = Options { resume: true, ..threads(1) };
        let refused =
            dedup(&corpora, &out, &Settings { format: OutputFormat::Lines, ..settings }, &resume);
        assert!(refused.is_err(), "{name}");
    }
}

#[test]
fn rows_of_a_list_are_dropped_however_the_run_went() {
    let place = TestFolders::new();
    corpus(&place);
    let corpora = [place.path("in")];
    let list = place
        .write("drop.txt.gz", b"00000000-0000-4000-8000-000000000007\nhttp://host1.test/1\nx9\n");
    let options = |threads| Options { drop: Some(list.clone()), ..self::threads(threads) };
    dedup(&corpora, &place.path("whole"), &settings(), &options(2)).unwrap();
    let whole = without_lock(&place.path("whole"));
    for left in 1..12 {
        let out = place.path(&format!("out{left}"));
        let stop = Arc::new(AtomicBool::new(false));
        let mut monitor = StoppingMonitor { left, stop: Arc::clone(&stop) };
        run(&corpora, &[], &out, &settings(), &options(1), &mut monitor, &stop).unwrap();
        let resume = Options { resume: true, ..options(2) };
        dedup(&corpora, &out, &settings(), &resume).unwrap();
        assert!(without_lock(&out) == whole, "stopped at call {left}");
    }
    let other = place.write("other.txt", b"x9\n");
    let resume = Options { resume: true, drop: Some(other), ..threads(1) };
    let refused = dedup(&corpora, &place.path("whole"), &settings(), &resume).unwrap_err();
    assert!(refused.to_string().contains("drop is"), "{refused}");
}
