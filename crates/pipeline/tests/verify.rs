//! The folder of a run is complete, or what is wrong with it is said.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

#[expect(dead_code, reason = "the tests of resuming need more of it")]
mod support;

use huller_archive::Limits;
use huller_pipeline::{
    FindingKind, FolderState, RunError, Settings, Severity, SilentMonitor, Verification,
    VerifyError, verify,
};
use huller_row::{Compression, JSONL};
use huller_testkit::pack::gzip;
use huller_testkit::sample::records;
use std::fs::{self, File};
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use support::{TestFolder, sample, settings};

/// Two finished inputs.
struct FinishedRun {
    work: TestFolder,
    inputs: Vec<PathBuf>,
}

impl FinishedRun {
    fn new() -> FinishedRun {
        FinishedRun::with(&settings())
    }

    fn with(settings: &Settings) -> FinishedRun {
        let work = TestFolder::new();
        let inputs = ["a.warc.gz", "b.warc.gz"].map(|name| work.path().join(name)).to_vec();
        fs::write(&inputs[0], sample()).unwrap();
        fs::write(&inputs[1], gzip(&records().concat())).unwrap();
        work.run(&inputs, settings, 2).unwrap();
        FinishedRun { work, inputs }
    }

    fn out(&self, name: &str) -> PathBuf {
        self.work.out(name)
    }

    fn verify(&self) -> Verification {
        verify(&self.out(""), None, &mut SilentMonitor).unwrap()
    }

    /// Changes a file.
    fn change(&self, name: &str, how: impl FnOnce(Vec<u8>) -> Vec<u8>) {
        let path = self.out(name);
        fs::write(&path, how(fs::read(&path).unwrap())).unwrap();
    }

    /// Changes the text of a file.
    fn replace(&self, name: &str, from: &str, to: &str) {
        self.change(name, |bytes| {
            let text = String::from_utf8(bytes).unwrap();
            assert!(text.contains(from), "{name}: {text}");
            text.replacen(from, to, 1).into_bytes()
        });
    }

    /// Checks what is found besides notes.
    #[track_caller]
    fn finds(&self, state: FolderState, expected: &[(FindingKind, &str)]) {
        let verification = self.verify();
        let found: Vec<_> = (verification.findings.iter())
            .filter(|finding| finding.severity != Severity::Note)
            .map(|finding| (finding.kind, finding.path.as_str()))
            .collect();
        assert_eq!(found, expected, "{:#?}", verification.findings);
        assert_eq!(verification.state, state);
    }
}

const A: &str = "a.jsonl.zst";
const B: &str = "b.jsonl.zst";
const JOURNAL: &str = "_huller/run.journal";
const RUN_CONFIG: &str = "_huller/run.config";

#[test]
fn a_finished_run_is_complete_whatever_its_compression() {
    for compression in
        [Compression::Zstd { level: 1 }, Compression::Gzip { level: 1 }, Compression::None]
    {
        let done = FinishedRun::with(&Settings { compression, ..settings() });
        let verification = done.verify();
        assert_eq!(verification.findings, [], "{compression:?}");
        assert_eq!(verification.state, FolderState::Complete);
        assert_eq!((verification.inputs, verification.outputs), (2, 2));
        assert_eq!((verification.rows, verification.total.written), (82, 82));
        let [a, b] = ["a", "b"].map(|stem| {
            let suffix = JSONL.suffix(compression);
            fs::metadata(done.out(&format!("{stem}{suffix}"))).unwrap().len()
        });
        assert_eq!(verification.bytes, a + b);
    }
}

#[test]
fn looking_changes_nothing() {
    let done = FinishedRun::new();
    let before = done.work.contents();
    done.verify();
    support::assert_same(&before, &done.work, "verified");
}

#[test]
fn a_flipped_byte_is_seen_wherever_it_is() {
    let done = FinishedRun::new();
    let whole = fs::read(done.out(A)).unwrap();
    for place in (0..whole.len()).step_by(whole.len() / 40) {
        let mut bytes = whole.clone();
        bytes[place] ^= 0x10;
        fs::write(done.out(A), &bytes).unwrap();
        let verification = done.verify();
        assert_eq!(verification.state, FolderState::Damaged);
        let kinds: Vec<_> = verification.findings.iter().map(|finding| finding.kind).collect();
        assert!(kinds.contains(&FindingKind::Digest), "{place}: {kinds:?}");
        assert!(!kinds.contains(&FindingKind::Size), "{place}: {kinds:?}");
        assert!(verification.findings.iter().all(|finding| finding.path == A));
    }
}

#[test]
fn a_missing_output_is_named() {
    let done = FinishedRun::new();
    fs::remove_file(done.out(B)).unwrap();
    done.finds(FolderState::Damaged, &[(FindingKind::Missing, B)]);
    assert_eq!(done.verify().outputs, 1);
}

#[test]
fn an_output_that_is_cut_is_named_wherever_the_cut_is() {
    let done = FinishedRun::new();
    let whole = fs::read(done.out(A)).unwrap();
    for len in [0, 3, whole.len() / 2, whole.len() - 1] {
        fs::write(done.out(A), &whole[..len]).unwrap();
        let verification = done.verify();
        let kinds: Vec<_> = verification.findings.iter().map(|finding| finding.kind).collect();
        assert!(kinds.starts_with(&[FindingKind::Size, FindingKind::Digest]), "{len}: {kinds:?}");
        // All rows are there if only the last checksum is not.
        assert_eq!(kinds.contains(&FindingKind::Rows), len < whole.len() - 1, "{len}: {kinds:?}");
        assert!(kinds.contains(&FindingKind::Frames), "{len}: {kinds:?}");
    }
}

#[test]
fn a_row_that_is_cut_off_is_missed_though_the_journal_were_changed_to_fit() {
    let done = FinishedRun::with(&Settings { compression: Compression::None, ..settings() });
    let old = fs::read(done.out("a.jsonl")).unwrap();
    let end = old[..old.len() - 1].iter().rposition(|byte| *byte == b'\n').unwrap() + 1;
    fs::write(done.out("a.jsonl"), &old[..end]).unwrap();
    let damage = [FindingKind::Size, FindingKind::Digest, FindingKind::Rows];
    done.finds(FolderState::Damaged, &damage.map(|kind| (kind, "a.jsonl")));

    let digest = done.verify().findings[1].detail.clone();
    let (new_digest, old_digest) = digest.split_once(", but ").unwrap();
    let new_digest = new_digest.trim_start_matches("its digest is ");
    let old_digest = old_digest.trim_end_matches(" in the journal");
    done.replace(JOURNAL, old_digest, new_digest);
    done.replace(JOURNAL, &old.len().to_string(), &end.to_string());
    done.finds(FolderState::Damaged, &[(FindingKind::Rows, "a.jsonl")]);
}

#[test]
fn rows_that_are_no_rows_are_counted() {
    for (bad, is_row) in [
        (&b"{\"id\":\"x\",\"text\":\"y\"}\n"[..], true),
        (b"{\"id\":\"x\",\"text\":\"y\"}", false),
        (b"{\"id\":\"x\"}\n", false),
        (b"{\"id\":\"x\",\"text\":null}\n", false),
        (b"{\"id\":7,\"text\":\"y\"}\n", false),
        (b"{\"id\":\"x\",\"text\":\"y\"\n", false),
        (b"{\"id\":\"x\",\"text\":\"y\",\"z\":\"\xff\"}\n", false),
        (b"\n", false),
        (b"\0\0\0\0\n", false),
    ] {
        let done = FinishedRun::with(&Settings { compression: Compression::None, ..settings() });
        done.change("b.jsonl", |bytes| [&bytes, bad].concat());
        let findings = done.verify().findings;
        let found = findings.iter().any(|finding| finding.kind == FindingKind::Row);
        assert_eq!(found, !is_row, "{}: {findings:#?}", bad.escape_ascii());
    }
}

#[test]
fn a_lost_line_of_the_journal_is_missed() {
    let done = FinishedRun::new();
    let first_line = |bytes: Vec<u8>| {
        let end = bytes.iter().position(|byte| *byte == b'\n').unwrap() + 1;
        bytes[..end].to_vec()
    };
    done.change(JOURNAL, first_line);
    let expected = [(FindingKind::JournalLine, "run.account"), (FindingKind::UnlistedFile, B)];
    let found: Vec<_> = done.verify().findings.iter().map(|f| (f.kind, f.path.clone())).collect();
    for (kind, path) in expected {
        assert!(found.contains(&(kind, path.to_owned())), "{found:?}");
    }
    assert_eq!(done.verify().state, FolderState::Damaged);
}

#[test]
fn a_journal_that_is_gone_or_spoiled_is_damage() {
    let done = FinishedRun::new();
    done.replace(JOURNAL, "{\"input\":\"b", "#\"input\":\"b");
    let findings = done.verify().findings;
    assert!(findings.iter().any(|f| f.kind == FindingKind::Journal && f.detail.contains("line 2")));
    fs::remove_file(done.out(JOURNAL)).unwrap();
    assert_eq!(done.verify().state, FolderState::Damaged);
}

#[test]
fn what_was_entered_twice_or_with_other_settings_is_said() {
    let done = FinishedRun::new();
    done.change(JOURNAL, |bytes| [&bytes[..], &bytes].concat());
    let twice = (FindingKind::DuplicateEntry, "run.journal");
    done.finds(FolderState::Damaged, &[twice; 4]);

    let done = FinishedRun::new();
    let journal = fs::read_to_string(done.out(JOURNAL)).unwrap();
    let hash = journal.split_once("\"config\":\"").unwrap().1[..16].to_owned();
    done.replace(JOURNAL, &hash, "0123456789abcdef");
    done.finds(FolderState::Damaged, &[(FindingKind::Settings, "run.journal")]);
    fs::remove_file(done.out(RUN_CONFIG)).unwrap();
    done.finds(FolderState::Damaged, &[(FindingKind::Settings, "run.journal")]);
}

#[test]
fn an_account_of_the_settings_that_is_not_that_of_the_run_is_said() {
    let done = FinishedRun::new();
    done.replace(RUN_CONFIG, "\"min_chars\": 0", "\"min_chars\": 1");
    done.finds(FolderState::Damaged, &[(FindingKind::Settings, "run.journal")]);
    done.replace(RUN_CONFIG, "{", "");
    done.finds(FolderState::Damaged, &[(FindingKind::Settings, "run.config")]);

    // A run of an earlier version left none, and is no worse for it.
    fs::remove_file(done.out(RUN_CONFIG)).unwrap();
    done.finds(FolderState::Complete, &[]);
    let findings = done.verify().findings;
    assert_eq!(findings.len(), 1, "{findings:#?}");
    assert_eq!((findings[0].kind, &*findings[0].path), (FindingKind::Settings, "run.config"));
    fs::write(done.out("_huller/run.config.new"), "{").unwrap();
    assert!(done.verify().findings.iter().any(|finding| finding.kind == FindingKind::Leftover));
}

#[test]
fn accounts_that_do_not_add_up_or_differ_are_said() {
    let done = FinishedRun::new();
    done.replace(JOURNAL, "\"records\":96", "\"records\":97");
    done.finds(
        FolderState::Damaged,
        &[(FindingKind::Stats, "run.account"), (FindingKind::Counters, "run.journal")],
    );
    let done = FinishedRun::new();
    done.replace("_huller/run.account", "\"total\":{\"bytes\":", "\"total\":{\"bytes\":1");
    done.finds(FolderState::Damaged, &[(FindingKind::Stats, "run.account")]);
    let done = FinishedRun::new();
    done.replace("_huller/run.account.csv", "total", "sum");
    done.finds(FolderState::Damaged, &[(FindingKind::Stats, "run.account.csv")]);
}

#[test]
fn a_stranger_among_the_outputs_is_named_and_other_files_are_noted() {
    let done = FinishedRun::new();
    fs::create_dir(done.out("sub")).unwrap();
    fs::write(done.out("sub/c.jsonl.zst"), b"x").unwrap();
    symlink("/dev/zero", done.out("d.jsonl.zst")).unwrap();
    fs::write(done.out("README.md"), b"mine").unwrap();
    done.finds(
        FolderState::Damaged,
        &[
            (FindingKind::UnlistedFile, "d.jsonl.zst"),
            (FindingKind::UnlistedFile, "sub/c.jsonl.zst"),
        ],
    );
    let note = |kind: FindingKind, path: &str| {
        let findings = done.verify().findings;
        findings.iter().any(|f| f.severity == Severity::Note && f.kind == kind && f.path == path)
    };
    assert!(note(FindingKind::OtherFile, "README.md"));
}

#[test]
fn rejects_that_lie_in_the_folder_are_no_strangers() {
    let settings = Settings { compression: Compression::None, ..settings() };
    let done = FinishedRun::with(&settings);
    fs::copy(done.work.path().join("rejects.jsonl"), done.out("rejects.jsonl")).unwrap();
    done.finds(FolderState::Complete, &[]);
}

#[test]
fn a_journal_cannot_lead_out_of_the_folder() {
    for path in ["../secret.jsonl.zst", "/etc/passwd", "x/../../secret", "", ".", "\\x2e\\x2e/a"] {
        let done = FinishedRun::new();
        fs::write(done.work.path().join("secret.jsonl.zst"), b"x").unwrap();
        done.replace(JOURNAL, A, &path.replace('\\', "\\\\"));
        let findings = done.verify().findings;
        assert!(
            findings.iter().any(|f| f.kind == FindingKind::OutsideFolder),
            "{path}: {findings:#?}"
        );
        assert_eq!(done.verify().outputs, 1, "{path}");
    }
}

#[test]
fn an_output_that_is_no_file_is_not_waited_for() {
    let done = FinishedRun::new();
    fs::remove_file(done.out(A)).unwrap();
    symlink("/dev/zero", done.out(A)).unwrap();
    done.finds(FolderState::Damaged, &[(FindingKind::Unreadable, A)]);
    // One that was moved to where there is room is as good as before.
    let done = FinishedRun::new();
    let elsewhere = done.work.path().join("elsewhere");
    fs::rename(done.out(A), &elsewhere).unwrap();
    symlink(&elsewhere, done.out(A)).unwrap();
    done.finds(FolderState::Complete, &[]);
}

#[test]
fn a_killed_run_is_unfinished_at_every_moment_and_its_remains_are_named() {
    let work = TestFolder::new();
    let input = work.path().join("a.warc.gz");
    fs::write(&input, sample()).unwrap();
    let copies = work.run_and_copy(std::slice::from_ref(&input), &settings());
    let mut parts = 0;
    for (moment, copy) in copies.iter().enumerate() {
        let verification = verify(&copy.out(""), None, &mut SilentMonitor).unwrap();
        assert_eq!(verification.state, FolderState::Unfinished, "{moment}: {verification:#?}");
        let is_part = |path: &str| path == "a.jsonl.zst.part";
        parts += usize::from(verification.findings.iter().any(|f| is_part(&f.path)));
    }
    assert!(parts > 5, "{parts}");
    let last = copies.last().unwrap();
    last.resume(&[input], &settings(), 1).unwrap();
    assert_eq!(
        verify(&last.out(""), None, &mut SilentMonitor).unwrap().state,
        FolderState::Complete
    );
}

#[test]
fn success_that_is_missing_or_comes_too_early_is_said() {
    let done = FinishedRun::new();
    fs::remove_file(done.out("_SUCCESS")).unwrap();
    done.finds(FolderState::Unfinished, &[(FindingKind::Success, "_SUCCESS")]);

    let work = TestFolder::new();
    let input = work.path().join("a.warc.gz");
    fs::write(&input, sample()).unwrap();
    let copies = work.run_and_copy(&[input], &settings());
    let half = &copies[copies.len() / 2];
    File::create(half.out("_SUCCESS")).unwrap();
    let verification = verify(&half.out(""), None, &mut SilentMonitor).unwrap();
    assert_eq!(verification.state, FolderState::Damaged);
    assert_eq!(verification.findings[0].kind, FindingKind::Success);
}

#[test]
fn inputs_that_could_not_be_used_are_named() {
    let done = FinishedRun::new();
    let mut inputs = done.inputs.clone();
    inputs.push(done.work.path().join("missing.warc.gz"));
    done.work.overwrite(&inputs, &settings()).unwrap();
    done.finds(
        FolderState::Unfinished,
        &[(FindingKind::Success, "_SUCCESS"), (FindingKind::Unusable, "run.account")],
    );
}

#[test]
fn identifiers_that_come_twice_are_noted_and_no_fault() {
    let work = TestFolder::new();
    let input = work.path().join("a.warc.gz");
    fs::write(&input, [sample(), sample()].concat()).unwrap();
    work.run(&[input], &settings(), 1).unwrap();
    let verification = verify(&work.out(""), None, &mut SilentMonitor).unwrap();
    assert_eq!(verification.state, FolderState::Complete);
    let [finding] = &verification.findings[..] else { panic!("{verification:#?}") };
    assert_eq!(finding.kind, FindingKind::RepeatedId);
    assert!(finding.detail.starts_with("41 rows"), "{}", finding.detail);
}

#[test]
fn a_run_without_rows_is_complete() {
    let work = TestFolder::new();
    let input = work.path().join("a.warc.gz");
    fs::write(&input, sample()).unwrap();
    let settings = Settings { min_chars: usize::MAX, limits: Limits::default(), ..settings() };
    work.run(&[input], &settings, 1).unwrap();
    let verification = verify(&work.out(""), None, &mut SilentMonitor).unwrap();
    assert_eq!((verification.state, verification.rows), (FolderState::Complete, 0));
}

#[test]
fn a_folder_without_a_run_or_with_one_at_work_is_refused() {
    let refused = |folder: &Path| verify(folder, None, &mut SilentMonitor).unwrap_err();
    let work = TestFolder::new();
    assert!(matches!(refused(work.path()), VerifyError::NoRun { .. }));
    assert!(matches!(refused(&work.path().join("missing")), VerifyError::NoRun { .. }));
    let done = FinishedRun::new();
    let lock = File::options().write(true).open(done.out("_huller/lock")).unwrap();
    lock.try_lock().unwrap();
    assert!(matches!(refused(&done.out("")), VerifyError::Run(RunError::Locked { .. })));
}
