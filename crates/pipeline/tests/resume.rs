//! A run that was broken off and resumed leaves the same bytes as one that was not.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod formats;
mod several;
mod splits;
mod support;

use huller_archive::Limits;
use huller_pipeline::{Config, RunEnding, RunError, Settings};
use huller_refine::signature::signature_file::Header;
use huller_row::Compression;
use huller_testkit::pack::gzip;
use huller_testkit::sample::{pages, records};
use huller_testkit::tar::{file, tar};
use huller_testkit::zip::{ZipEntry, zip};
use std::fs;
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use support::{TestFolder, assert_same, damaged, sample, settings};

/// Files to read, in a folder of their own.
struct Inputs {
    folder: tempfile::TempDir,
    paths: Vec<PathBuf>,
}

impl Inputs {
    fn new() -> Inputs {
        Inputs { folder: tempfile::tempdir().unwrap(), paths: Vec::new() }
    }

    fn file(mut self, name: &str, bytes: impl AsRef<[u8]>) -> Inputs {
        let path = self.folder.path().join(name);
        fs::write(&path, bytes).unwrap();
        self.paths.push(path);
        self
    }

    fn pages(mut self) -> Inputs {
        let folder = self.folder.path().join("pages");
        fs::create_dir(&folder).unwrap();
        for page in pages() {
            fs::copy(&page, folder.join(page.file_name().unwrap())).unwrap();
        }
        self.paths.push(folder);
        self
    }
}

fn jsonl() -> Vec<u8> {
    let mut lines = Vec::new();
    for (number, page) in pages().iter().enumerate() {
        let Ok(html) = fs::read_to_string(page) else { continue };
        lines.extend(serde_json::to_vec(&serde_json::json!({ "html": html })).unwrap());
        lines.push(b'\n');
        if number % 9 == 5 {
            lines.extend_from_slice(b"{\"no page\": 1}\nno json\n");
        }
    }
    lines
}

fn zstd_frames(records: &[Vec<u8>]) -> Vec<u8> {
    records.iter().flat_map(|record| zstd::encode_all(&record[..], 1).unwrap()).collect()
}

/// Breaks a run off after every batch, as a kill would, and resumes it. Returns how often.
#[track_caller]
fn assert_resumable_everywhere(inputs: &Inputs, settings: &Settings) -> usize {
    let whole = TestFolder::new();
    let copies = whole.run_and_copy(&inputs.paths, settings);
    let expected = whole.contents();
    let moments = copies.len();
    for (moment, copy) in copies.iter().enumerate() {
        let threads = 1 + moment % 3;
        let summary = copy.resume(&inputs.paths, settings, threads).unwrap();
        assert_eq!(summary.ending, RunEnding::Complete);
        assert_same(&expected, copy, &format!("killed at moment {moment} of {moments}"));
    }
    moments
}

#[test]
fn a_gzip_archive_goes_on_from_every_batch() {
    assert!(
        assert_resumable_everywhere(&Inputs::new().file("a.warc.gz", sample()), &settings()) > 20
    );
}

#[test]
fn dropped_rows_are_the_same_however_the_run_went() {
    let inputs = Inputs::new().file("a.warc.gz", damaged()).file("b.jsonl", jsonl());
    let settings = Settings { min_chars: 2000, ..settings() };
    assert!(assert_resumable_everywhere(&inputs, &settings) > 20);
    let work = TestFolder::new();
    work.run(&inputs.paths, &settings, 3).unwrap();
    let dropped = fs::read_to_string(work.path().join("dropped/dropped.jsonl")).unwrap();
    assert_eq!(dropped.matches("{\"dropped\":\"too_short\"").count(), 2);
}

#[test]
fn signatures_are_those_of_the_rows_however_the_run_went() {
    let inputs = Inputs::new().file("a.warc.gz", damaged()).file("b.jsonl", jsonl());
    let config = Config { stages: Some(vec!["signature".to_owned()]), ..Config::default() };
    let stages = config.settings().unwrap().stages;
    let settings = Settings { stages, ..settings() };
    assert!(assert_resumable_everywhere(&inputs, &settings) > 20);
    for limit in [None, Some(7)] {
        let work = TestFolder::new();
        let settings = Settings { limit, ..settings.clone() };
        work.run(&inputs.paths, &settings, 3).unwrap();
        let mut signed = 0;
        for name in ["a.jsonl.zst", "b.jsonl.zst"] {
            let Ok(rows) = fs::read(work.out(name)) else { continue };
            let rows = zstd::decode_all(&rows[..]).unwrap();
            let bytes = fs::read(work.out(&format!("_huller/signatures/{name}.sig"))).unwrap();
            let (header, start) = Header::read(&bytes).unwrap();
            let mut places = header.records(&bytes[start..]).unwrap().map(|record| {
                signed += 1;
                assert!(record.url().is_some() || name.starts_with('b'));
                record.row_position()
            });
            let mut place = 0;
            for line in rows.split_inclusive(|byte| *byte == b'\n') {
                assert_eq!(places.next(), Some(place));
                place += line.len() as u64;
            }
            assert_eq!(places.next(), None);
        }
        assert!(limit.map_or(signed > 40, |limit| signed == limit));
    }
}

#[test]
fn a_damaged_gzip_archive_goes_on_from_every_batch() {
    assert!(
        assert_resumable_everywhere(&Inputs::new().file("a.warc.gz", damaged()), &settings()) > 20
    );
}

#[test]
fn other_containers_go_on_from_every_batch() {
    let records = records();
    let raw = records.concat();
    for (name, bytes) in [
        ("a.warc", raw.clone()),
        ("a.warc.zst", zstd_frames(&records)),
        ("a.warc.zst", zstd::encode_all(&raw[..], 3).unwrap()),
        ("a.warc.gz", gzip(&raw)),
    ] {
        let moments = assert_resumable_everywhere(&Inputs::new().file(name, bytes), &settings());
        // What cannot be cut comes in batches of a fixed size: half a dozen moments here.
        assert!(moments >= 4, "{name}: {moments}");
    }
}

#[test]
fn damaged_zstd_and_plain_archives_go_on_from_every_batch() {
    let records = records();
    let mut frames = zstd_frames(&records);
    let mut raw = records.concat();
    for bytes in [&mut frames, &mut raw] {
        for place in [bytes.len() / 5, bytes.len() / 2, bytes.len() / 4 * 3] {
            bytes[place..place + 40].fill(b'#');
        }
        bytes.truncate(bytes.len() - 10);
    }
    assert_resumable_everywhere(&Inputs::new().file("a.warc.zst", frames), &settings());
    assert_resumable_everywhere(&Inputs::new().file("a.warc", raw), &settings());
}

#[test]
fn lines_of_json_go_on_from_every_batch() {
    assert_resumable_everywhere(&Inputs::new().file("a.jsonl", jsonl()), &settings());
    assert_resumable_everywhere(&Inputs::new().file("a.jsonl.gz", gzip(&jsonl())), &settings());
}

#[test]
fn archives_of_pages_go_on_from_every_batch() {
    let pages: Vec<_> = (0..9)
        .flat_map(|n| pages().into_iter().map(move |page| (n, page)))
        .map(|(n, page)| {
            let name = page.file_name().unwrap().to_str().unwrap();
            (format!("{n}/{name}"), fs::read(&page).unwrap())
        })
        .collect();
    let zip =
        zip(&pages.iter().map(|(name, page)| ZipEntry::deflated(name, page)).collect::<Vec<_>>());
    let mut tar = tar(&pages.iter().map(|(name, page)| file(name, page)).collect::<Vec<_>>());
    let middle = tar.len() / 2;
    tar[middle..middle + 70_000].fill(b'#');
    for (name, bytes) in [("a.zip", zip), ("a.tar", tar.clone()), ("a.tar.gz", gzip(&tar))] {
        let moments = assert_resumable_everywhere(&Inputs::new().file(name, bytes), &settings());
        assert!(moments >= 4, "{name}: {moments}");
    }
}

/// Pages as rows of Parquet, in parts of a few rows.
fn table() -> Vec<u8> {
    let work = TestFolder::new();
    let format = huller_row::formats::find("parquet").unwrap();
    let pages = Settings { format, html: true, ..settings() };
    work.run(&Inputs::new().file("a.warc.gz", sample()).paths, &pages, 1).unwrap();
    fs::read(work.out("a.parquet")).unwrap()
}

#[test]
fn rows_of_parquet_go_on_from_every_batch() {
    let mut damaged = table();
    let inputs = Inputs::new().file("a.parquet", &damaged);
    let whole = TestFolder::new().run(&inputs.paths, &settings(), 1).unwrap().total;
    assert!(whole.written > 40 && assert_resumable_everywhere(&inputs, &settings()) > 5);
    let middle = damaged.len() / 2;
    damaged[middle..middle + 40].fill(b'#');
    let inputs = Inputs::new().file("a.parquet", damaged);
    let total = TestFolder::new().run(&inputs.paths, &settings(), 2).unwrap().total;
    assert!(total.written < whole.written && total.is_balanced());
    assert_resumable_everywhere(&inputs, &settings());
}

#[test]
fn a_limit_cuts_rows_of_parquet_where_it_cuts_those_of_an_archive() {
    let inputs = Inputs::new().file("a.parquet", table());
    let plain = Settings { compression: Compression::None, ..settings() };
    let whole = TestFolder::new();
    whole.run(&inputs.paths, &plain, 1).unwrap();
    let whole = fs::read_to_string(whole.out("a.jsonl")).unwrap();
    let whole: Vec<_> = whole.lines().collect();
    for limit in [1, 10, 29] {
        let settings = Settings { limit: Some(limit), ..plain.clone() };
        for threads in [1, 3] {
            let work = TestFolder::new();
            work.run(&inputs.paths, &settings, threads).unwrap();
            let rows = fs::read_to_string(work.out("a.jsonl")).unwrap();
            assert_eq!(rows.lines().collect::<Vec<_>>(), whole[..limit as usize]);
        }
        assert_resumable_everywhere(&inputs, &settings);
    }
}

#[test]
fn a_folder_of_pages_goes_on_from_every_batch() {
    assert!(assert_resumable_everywhere(&Inputs::new().pages(), &settings()) > 10);
}

#[test]
fn pages_longer_than_the_limit_dont_look_like_a_changed_input() {
    let settings = Settings { max_page_bytes: 3000, ..settings() };
    assert_resumable_everywhere(&Inputs::new().pages(), &settings);
}

#[test]
fn several_inputs_go_on_from_every_batch() {
    let inputs = Inputs::new()
        .file("a.warc.gz", damaged())
        .file("b.jsonl", jsonl())
        .pages()
        .file("c.warc.gz", sample());
    assert_resumable_everywhere(&inputs, &settings());
}

#[test]
fn a_limit_counts_the_rows_of_the_broken_run() {
    let alone = Inputs::new().file("a.warc.gz", damaged());
    let rows = TestFolder::new().run(&alone.paths, &settings(), 1).unwrap().total.written;
    let inputs = alone.file("b.warc.gz", sample());
    for limit in [1, rows - 1, rows, rows + 1, 1000] {
        let settings = Settings { limit: Some(limit), ..settings() };
        assert_resumable_everywhere(&inputs, &settings);
    }
}

#[test]
fn other_compressions_go_on_from_every_batch() {
    let inputs = Inputs::new().file("a.warc.gz", damaged());
    for compression in [Compression::Gzip { level: 1 }, Compression::None] {
        assert_resumable_everywhere(&inputs, &Settings { compression, ..settings() });
    }
}

#[test]
fn a_run_that_is_stopped_again_and_again_comes_to_the_same_end() {
    let inputs = Inputs::new().file("a.warc.gz", damaged()).file("b.warc.gz", sample());
    let whole = TestFolder::new();
    whole.run(&inputs.paths, &settings(), 2).unwrap();
    for batches in [1, 2, 7] {
        let work = TestFolder::new();
        let mut runs = 1;
        while work.resume_until(&inputs.paths, &settings(), batches).ending
            == RunEnding::Interrupted
        {
            assert!(!work.out("_SUCCESS").exists());
            runs += 1;
            assert!(runs < 200, "no progress is made");
        }
        assert!(runs > 2, "{runs}");
        assert_same(
            &whole.contents(),
            &work,
            &format!("stopped every {batches} batches, {runs} runs"),
        );
    }
}

/// A run killed in the middle of its only input, and what it should have come to.
fn killed_in_the_middle(
    inputs: &Inputs,
) -> (TestFolder, std::collections::BTreeMap<String, Vec<u8>>) {
    let whole = TestFolder::new();
    let mut copies = whole.run_and_copy(&inputs.paths, &settings());
    let middle = copies.len() / 2;
    (copies.swap_remove(middle), whole.contents())
}

type Spoil = fn(&mut Vec<u8>);

#[test]
fn a_part_that_is_not_what_was_noted_is_used_as_far_as_it_is_right() {
    let inputs = Inputs::new().file("a.warc.gz", damaged());
    let spoils: [(&str, Spoil); 6] = [
        ("shorter", |part| part.truncate(part.len() / 2)),
        ("a byte shorter", |part| part.truncate(part.len() - 1)),
        ("empty", Vec::clear),
        ("longer", |part| part.extend_from_slice(&[0xAB; 5000])),
        ("flipped at the start", |part| part[10] ^= 1),
        ("flipped near the end", |part| {
            let at = part.len() - 10;
            part[at] ^= 1;
        }),
    ];
    for (what, spoil) in spoils {
        let (work, expected) = killed_in_the_middle(&inputs);
        let path = work.out("a.jsonl.zst.part");
        let mut part = fs::read(&path).unwrap();
        assert!(part.len() > 1000, "{what}");
        spoil(&mut part);
        fs::write(&path, part).unwrap();
        work.resume(&inputs.paths, &settings(), 1).unwrap();
        assert_same(&expected, &work, what);
    }
}

#[test]
fn a_part_or_its_notes_may_be_gone() {
    let inputs = Inputs::new().file("a.warc.gz", damaged());
    for name in ["a.jsonl.zst.part", "_huller/run.checkpoint", "_huller/run.journal"] {
        let (work, expected) = killed_in_the_middle(&inputs);
        fs::remove_file(work.out(name)).unwrap();
        work.resume(&inputs.paths, &settings(), 1).unwrap();
        assert_same(&expected, &work, name);
    }
}

#[test]
fn a_checkpoint_line_cut_by_the_kill_does_not_count() {
    let inputs = Inputs::new().file("a.warc.gz", damaged());
    for cut in [1, 2, 40, 300, 1000] {
        let (work, expected) = killed_in_the_middle(&inputs);
        let path = work.out("_huller/run.checkpoint");
        let mut log = fs::read(&path).unwrap();
        log.truncate(log.len().saturating_sub(cut));
        fs::write(&path, log).unwrap();
        work.resume(&inputs.paths, &settings(), 1).unwrap();
        assert_same(&expected, &work, &format!("{cut} bytes cut"));
    }
}

/// A run killed just after its first input was entered in the journal.
fn killed_after_the_first(
    inputs: &Inputs,
) -> (TestFolder, std::collections::BTreeMap<String, Vec<u8>>) {
    let whole = TestFolder::new();
    let copies = whole.run_and_copy(&inputs.paths, &settings());
    let entered = |copy: &TestFolder| {
        fs::metadata(copy.out("_huller/run.journal")).is_ok_and(|file| file.len() > 0)
    };
    (copies.into_iter().find(entered).unwrap(), whole.contents())
}

#[test]
fn an_input_that_got_its_name_and_no_entry_is_done_again() {
    let inputs = Inputs::new().file("a.warc.gz", damaged()).file("b.warc.gz", sample());
    for cut in [1, 20, usize::MAX] {
        let (work, expected) = killed_after_the_first(&inputs);
        let path = work.out("_huller/run.journal");
        let mut journal = fs::read(&path).unwrap();
        journal.truncate(journal.len().saturating_sub(cut));
        fs::write(&path, journal).unwrap();
        assert!(work.out("a.jsonl.zst").exists());
        work.resume(&inputs.paths, &settings(), 1).unwrap();
        assert_same(&expected, &work, &format!("{cut} bytes of the journal cut"));
    }
}

#[test]
fn other_settings_are_refused() {
    let inputs = Inputs::new().file("a.warc.gz", sample());
    for finished in [false, true] {
        let other = [
            (Settings { min_chars: 5, ..settings() }, "min_chars is 5, was 0"),
            (Settings { limit: Some(3), ..settings() }, "limit is 3, was not set"),
            (
                Settings { profile: huller_extract::Profile::Paper, judge: true, ..settings() },
                "judge is true, was false; profile is paper, was tuned",
            ),
            (
                Settings { compression: Compression::Zstd { level: 2 }, ..settings() },
                "level is 2, was 1",
            ),
            (
                Settings {
                    limits: Limits { record_bytes: 1 << 20, ..settings().limits },
                    ..settings()
                },
                "max_record_bytes is 1048576, was 134217728",
            ),
        ];
        for (other, difference) in other {
            let (work, _) = killed_in_the_middle(&inputs);
            if finished {
                work.resume(&inputs.paths, &settings(), 1).unwrap();
            }
            let before = work.contents();
            let error = work.resume(&inputs.paths, &other, 1).unwrap_err();
            assert!(matches!(error, RunError::CannotResume { .. }), "{error}");
            let expected = format!(
                "cannot resume: the settings differ from those of the run in the folder: {difference}"
            );
            assert_eq!(error.to_string(), expected);
            let mut after = work.contents();
            // A refusal loses nothing: the mark of a finished run goes away only after the run
            // continues.
            after.entry("out/_SUCCESS".to_owned()).or_default();
            let mut before = before;
            before.entry("out/_SUCCESS".to_owned()).or_default();
            assert!(before == after);
        }
    }
}

#[test]
fn a_run_that_noted_no_settings_is_refused_and_can_be_overwritten() {
    let inputs = Inputs::new().file("a.warc.gz", sample());
    for finished in [false, true] {
        let (work, expected) = killed_in_the_middle(&inputs);
        if finished {
            work.resume(&inputs.paths, &settings(), 1).unwrap();
        }
        fs::remove_file(work.out("_huller/run.config")).unwrap();
        let before = work.contents();
        let error = work.resume(&inputs.paths, &settings(), 1).unwrap_err();
        assert!(matches!(error, RunError::EarlierVersion { .. }), "{error}");
        assert_same(&before, &work, "refused");
        work.overwrite(&inputs.paths, &settings()).unwrap();
        assert_same(&expected, &work, "overwritten");
    }
}

#[test]
fn an_unreadable_account_of_the_settings_is_refused() {
    let inputs = Inputs::new().file("a.warc.gz", sample());
    let (work, _) = killed_in_the_middle(&inputs);
    fs::write(work.out("_huller/run.config"), "{").unwrap();
    let error = work.resume(&inputs.paths, &settings(), 1).unwrap_err();
    assert!(matches!(error, RunError::CannotResume { .. }), "{error}");
    assert!(error.to_string().contains("run.config' is damaged"), "{error}");
}

#[test]
fn what_other_settings_left_in_the_run_files_is_not_gone_on_with() {
    let inputs = Inputs::new().file("a.warc.gz", damaged());
    let change_hash = |work: &TestFolder, name: &str| {
        let text = fs::read_to_string(work.out(name)).unwrap();
        let hash = text.split_once("\"config\":\"").unwrap().1[..16].to_owned();
        fs::write(work.out(name), text.replace(&hash, "0123456789abcdef")).unwrap();
    };
    let (work, expected) = killed_in_the_middle(&inputs);
    change_hash(&work, "_huller/run.checkpoint");
    work.resume(&inputs.paths, &settings(), 1).unwrap();
    assert_same(&expected, &work, "checkpoints");
    change_hash(&work, "_huller/run.journal");
    let error = work.resume(&inputs.paths, &settings(), 1).unwrap_err();
    let expected = "cannot resume: 'a.warc.gz' was processed with other settings than those in '";
    assert!(error.to_string().starts_with(expected), "{error}");
}

#[test]
fn a_run_of_which_nothing_was_done_may_be_resumed_with_other_settings() {
    let inputs = Inputs::new().file("a.warc.gz", sample());
    let begun = TestFolder::new().run_and_copy(&inputs.paths, &settings()).swap_remove(0);
    assert!(begun.out("_huller/run.config").exists(), "it is there before any row");
    let other = Settings { min_chars: 200, ..settings() };
    begun.resume(&inputs.paths, &other, 1).unwrap();
    let fresh = TestFolder::new();
    fresh.run(&inputs.paths, &other, 1).unwrap();
    assert_same(&fresh.contents(), &begun, "resumed");
}

#[test]
fn an_input_that_has_changed_is_done_anew() {
    let inputs = Inputs::new().file("a.warc.gz", sample()).file("b.warc.gz", sample());
    let (work, _) = killed_after_the_first(&inputs);
    fs::write(&inputs.paths[0], [sample(), sample()].concat()).unwrap();
    let summary = work.resume(&inputs.paths, &settings(), 1).unwrap();
    assert_eq!((summary.resumed, summary.ending), (0, RunEnding::Complete));
    let fresh = TestFolder::new();
    fresh.run(&inputs.paths, &settings(), 1).unwrap();
    assert_same(&fresh.contents(), &work, "resumed");
}

#[test]
fn an_input_that_has_changed_while_it_was_half_done_is_done_anew() {
    let inputs = Inputs::new().file("a.warc.gz", sample());
    let (work, _) = killed_in_the_middle(&inputs);
    fs::write(&inputs.paths[0], [sample(), sample()].concat()).unwrap();
    work.resume(&inputs.paths, &settings(), 1).unwrap();
    let fresh = TestFolder::new();
    fresh.run(&inputs.paths, &settings(), 1).unwrap();
    assert_same(&fresh.contents(), &work, "resumed");
}

#[test]
fn a_finished_run_has_nothing_to_go_on_with() {
    let inputs = Inputs::new().file("a.warc.gz", damaged()).pages();
    let work = TestFolder::new();
    work.run(&inputs.paths, &settings(), 2).unwrap();
    let before = work.contents();
    let written = |name| fs::metadata(work.out(name)).unwrap().modified().unwrap();
    let at = written("a.jsonl.zst");
    let summary = work.resume(&inputs.paths, &settings(), 1).unwrap();
    assert_eq!((summary.resumed, summary.ending), (2, RunEnding::Complete));
    assert_same(&before, &work, "resumed");
    assert_eq!(written("a.jsonl.zst"), at);
}

#[test]
fn overwriting_begins_anew() {
    let inputs = Inputs::new().file("a.warc.gz", damaged());
    let (work, _) = killed_in_the_middle(&inputs);
    let other = Settings { min_chars: 200, ..settings() };
    work.overwrite(&inputs.paths, &other).unwrap();
    let fresh = TestFolder::new();
    fresh.run(&inputs.paths, &other, 1).unwrap();
    assert_same(&fresh.contents(), &work, "over a broken run");
    work.overwrite(&inputs.paths, &settings()).unwrap();
    let fresh = TestFolder::new();
    fresh.run(&inputs.paths, &settings(), 1).unwrap();
    assert_same(&fresh.contents(), &work, "over a finished run");
}

#[test]
fn rejects_that_cannot_be_written_leave_what_was_there() {
    let inputs = Inputs::new().file("a.warc.gz", damaged());
    let (broken, _) = killed_in_the_middle(&inputs);
    let finished = TestFolder::new();
    finished.run(&inputs.paths, &settings(), 1).unwrap();
    let refused = |work: &TestFolder, result: Result<_, RunError>, before: &_| {
        let error = result.unwrap_err();
        assert!(error.to_string().contains("rejects.jsonl"), "{error}");
        assert_same(before, work, "after a run that could not begin");
    };
    for work in [&broken, &finished] {
        let rejects = work.path().join("rejects.jsonl");
        fs::remove_file(&rejects).unwrap();
        fs::create_dir(&rejects).unwrap();
        let before = work.contents();
        refused(work, work.overwrite(&inputs.paths, &settings()), &before);
    }
    let before = finished.contents();
    refused(&finished, finished.resume(&inputs.paths, &settings(), 1), &before);
}

#[test]
fn a_resume_that_is_refused_does_not_cut_the_part() {
    let inputs = Inputs::new().file("a.warc.gz", damaged());
    let (work, _) = killed_in_the_middle(&inputs);
    let part = work.out("a.jsonl.zst.part");
    let mut longer = fs::read(&part).unwrap();
    longer.extend_from_slice(b"written after the last checkpoint");
    fs::write(&part, &longer).unwrap();
    let rejects = work.path().join("rejects.jsonl");
    fs::remove_file(&rejects).unwrap();
    fs::create_dir(&rejects).unwrap();
    work.resume(&inputs.paths, &settings(), 1).unwrap_err();
    assert_eq!(fs::read(&part).unwrap(), longer);
}

#[test]
fn an_output_that_is_there_is_refused() {
    let inputs = Inputs::new().file("a.warc.gz", sample());
    let (broken, expected) = killed_in_the_middle(&inputs);
    let error = broken.run(&inputs.paths, &settings(), 1).unwrap_err();
    assert!(matches!(error, RunError::OutputExists { .. }), "{error}");
    broken.resume(&inputs.paths, &settings(), 1).unwrap();
    assert_same(&expected, &broken, "after it was refused");
    let error = broken.run(&inputs.paths, &settings(), 1).unwrap_err();
    assert!(matches!(error, RunError::OutputExists { .. }), "{error}");
}

/// The lines of the rejects file, in any order: an input that was given up is done last.
fn rejected(work: &TestFolder) -> Vec<String> {
    let text = fs::read_to_string(work.path().join("rejects.jsonl")).unwrap();
    let mut lines: Vec<_> = text.lines().map(str::to_owned).collect();
    lines.sort();
    lines
}

fn grow(path: &std::path::Path) {
    let mut file = fs::OpenOptions::new().append(true).open(path).unwrap();
    file.write_all(&sample()).unwrap();
}

#[test]
fn an_input_that_grew_during_the_run_is_given_up_and_done_anew() {
    let inputs = Inputs::new().file("a.warc.gz", damaged()).file("b.warc.gz", damaged());
    let work = TestFolder::new();
    let summary = work.run_and_meddle(&inputs.paths, &settings(), || grow(&inputs.paths[0]));
    let [unusable] = &summary.unusable[..] else { panic!("{:?}", summary.unusable) };
    assert!(unusable.error.contains("a.warc.gz' changed during the run"), "{}", unusable.error);
    assert!(!work.out("a.jsonl.zst").exists() && !work.out("_SUCCESS").exists());
    let summary = work.resume(&inputs.paths, &settings(), 1).unwrap();
    assert_eq!((summary.unusable.len(), summary.resumed), (0, 1));
    let whole = TestFolder::new();
    whole.run(&inputs.paths, &settings(), 1).unwrap();
    for name in ["a.jsonl.zst", "b.jsonl.zst", "_huller/run.account", "_SUCCESS"] {
        assert_eq!(fs::read(work.out(name)).unwrap(), fs::read(whole.out(name)).unwrap(), "{name}");
    }
}

#[test]
fn a_folder_of_pages_that_changed_during_the_run_is_given_up_and_done_anew() {
    let changes: [fn(&std::path::Path); 2] = [grow, |page| fs::remove_file(page).unwrap()];
    for change in changes {
        let inputs = Inputs::new().pages();
        let last = fs::read_dir(&inputs.paths[0]).unwrap().map(|entry| entry.unwrap().path()).max();
        let work = TestFolder::new();
        let summary = work.run_and_meddle(&inputs.paths, &settings(), || change(&last.unwrap()));
        let [unusable] = &summary.unusable[..] else { panic!("{:?}", summary.unusable) };
        assert!(unusable.error.contains("'pages' changed during the run"), "{}", unusable.error);
        let summary = work.resume(&inputs.paths, &settings(), 1).unwrap();
        assert_eq!((summary.unusable.len(), summary.resumed), (0, 0));
    }
}

#[test]
fn an_input_that_changed_before_the_limit_cut_it_is_given_up() {
    let inputs = Inputs::new().file("a.warc.gz", damaged());
    let settings = Settings { limit: Some(30), ..settings() };
    let work = TestFolder::new();
    let summary = work.run_and_meddle(&inputs.paths, &settings, || grow(&inputs.paths[0]));
    let [unusable] = &summary.unusable[..] else { panic!("{:?}", summary.unusable) };
    assert!(unusable.error.contains("a.warc.gz' changed during the run"), "{}", unusable.error);
    assert!(!work.out("_SUCCESS").exists());
    let summary = work.resume(&inputs.paths, &settings, 1).unwrap();
    assert_eq!((summary.unusable.len(), summary.total.written), (0, 30));
}

#[test]
fn an_input_that_was_given_up_lists_its_rejects_once() {
    let inputs = Inputs::new().file("a.warc.gz", damaged()).file("b.warc.gz", damaged());
    let work = TestFolder::new();
    work.run_and_meddle(&inputs.paths, &settings(), || grow(&inputs.paths[0]));
    assert!(rejected(&work).iter().all(|line| line.contains("b.warc.gz")), "only b is done");
    work.resume(&inputs.paths, &settings(), 1).unwrap();
    let whole = TestFolder::new();
    whole.run(&inputs.paths, &settings(), 1).unwrap();
    assert_eq!(rejected(&work), rejected(&whole));
}

#[test]
fn a_limit_does_not_count_the_rows_of_an_input_that_was_given_up() {
    let inputs = Inputs::new().file("a.warc.gz", sample()).file("b.warc.gz", sample());
    let settings = Settings { limit: Some(60), ..settings() };
    let work = TestFolder::new();
    let summary = work.run_and_meddle(&inputs.paths, &settings, || {
        // Padding, which holds no rows.
        let mut file = fs::OpenOptions::new().append(true).open(&inputs.paths[0]).unwrap();
        file.write_all(&[0; 512]).unwrap();
    });
    // The 41 rows of the first are taken back, so that the second may give all of its own.
    assert_eq!((summary.unusable.len(), summary.total.written), (1, 41));
}

#[test]
fn a_half_done_input_goes_on_before_one_that_was_given_up() {
    let inputs = Inputs::new().file("a.warc.gz", b"no archive").file("b.warc.gz", damaged());
    let whole = TestFolder::new();
    let mut copies = whole.run_and_copy(&inputs.paths, &settings());
    let work = copies.swap_remove(copies.len() * 2 / 3);
    fs::write(&inputs.paths[0], damaged()).unwrap();
    // Killed once more: what was noted then must fit as well.
    let again = work.resume_and_copy(&inputs.paths, &settings());
    let whole = TestFolder::new();
    whole.run(&inputs.paths, &settings(), 1).unwrap();
    for copy in again.iter().chain([&work]) {
        copy.resume(&inputs.paths, &settings(), 1).unwrap();
        assert_eq!(rejected(copy), rejected(&whole));
        for name in ["a.jsonl.zst", "b.jsonl.zst", "_huller/run.account"] {
            let of = |work: &TestFolder| fs::read(work.out(name)).unwrap();
            assert_eq!(of(copy), of(&whole), "{name}");
        }
    }
}

#[test]
fn rejects_that_are_not_what_was_noted_are_made_anew() {
    let inputs = Inputs::new().file("a.warc.gz", damaged());
    let spoils: [(&str, Spoil); 3] = [
        ("zeros", |rejects| rejects.fill(0)),
        ("shorter", |rejects| rejects.truncate(rejects.len() / 2)),
        ("empty", Vec::clear),
    ];
    for (what, spoil) in spoils {
        let (work, expected) = killed_in_the_middle(&inputs);
        let path = work.path().join("rejects.jsonl");
        let mut rejects = fs::read(&path).unwrap();
        assert!(!rejects.is_empty());
        spoil(&mut rejects);
        fs::write(&path, rejects).unwrap();
        work.resume(&inputs.paths, &settings(), 1).unwrap();
        assert_same(&expected, &work, what);
    }
}

/// Puts other bytes in the place of some in the first half.
fn overwrite(path: &Path) {
    let mut file = fs::OpenOptions::new().read(true).write(true).open(path).unwrap();
    let (from, to) = (file.metadata().unwrap().len() / 3, file.metadata().unwrap().len() / 2);
    let mut bytes = vec![0; (to - from) as usize];
    file.seek(SeekFrom::Start(from)).unwrap();
    file.read_exact(&mut bytes).unwrap();
    bytes.reverse();
    file.seek(SeekFrom::Start(from)).unwrap();
    file.write_all(&bytes).unwrap();
}

#[test]
fn case_20_an_input_overwritten_in_place_after_a_kill_is_done_anew() {
    let folder = |work: &TestFolder| {
        let path = work.path().join("a.warc.gz");
        fs::write(&path, sample()).unwrap();
        [path]
    };
    let jsonl = Inputs::new().file("a.jsonl", jsonl());
    let pages = Inputs::new().pages();
    let page = pages.paths[0].join("01-news-ferry.html");
    for (inputs, changed) in [(&jsonl, &jsonl.paths[0]), (&pages, &page)] {
        let then = fs::read(changed).unwrap();
        let (work, _) = killed_in_the_middle(inputs);
        overwrite(changed);
        work.resume(&inputs.paths, &settings(), 1).unwrap();
        let whole = TestFolder::new();
        whole.run(&inputs.paths, &settings(), 1).unwrap();
        assert_same(&whole.contents(), &work, "overwritten");
        fs::write(changed, then).unwrap();
    }
    // The part that was read then is the same: the run goes on.
    let whole = TestFolder::new();
    let inputs = folder(&whole);
    let work = whole.run_and_copy(&inputs, &settings()).swap_remove(3);
    let mut bytes = sample();
    let end = bytes.len() - 50;
    bytes[end..].fill(b'x');
    fs::write(&inputs[0], bytes).unwrap();
    let batches = fs::read_to_string(work.out("_huller/run.checkpoint")).unwrap();
    assert!(batches.contains("input_digest"), "{batches}");
    work.resume(&inputs, &settings(), 1).unwrap();
    let fresh = TestFolder::new();
    fresh.run(&inputs, &settings(), 1).unwrap();
    assert_eq!(
        fs::read(work.out("a.jsonl.zst")).unwrap(),
        fs::read(fresh.out("a.jsonl.zst")).unwrap()
    );
}

#[test]
fn case_20_an_input_overwritten_in_place_during_the_run_is_given_up() {
    let inputs = Inputs::new().file("a.warc.gz", sample()).file("b.warc.gz", sample());
    let work = TestFolder::new();
    let meddle = || overwrite(&inputs.paths[0]);
    let summary = work.run_and_meddle(&inputs.paths, &settings(), meddle);
    let [unusable] = &summary.unusable[..] else { panic!("{:?}", summary.unusable) };
    assert!(unusable.error.contains("a.warc.gz' changed during the run"), "{}", unusable.error);
    assert!(!work.out("a.jsonl.zst").exists() && !work.out("_SUCCESS").exists());
}

#[test]
fn case_20_a_limit_leaves_no_digest_of_what_was_not_read() {
    let inputs = Inputs::new().file("a.warc.gz", sample()).file("b.warc.gz", sample());
    let settings = Settings { limit: Some(50), ..settings() };
    let whole = TestFolder::new();
    whole.run(&inputs.paths, &settings, 3).unwrap();
    let journal = fs::read_to_string(whole.out("_huller/run.journal")).unwrap();
    let has: Vec<_> = journal.lines().map(|line| line.contains("input_digest")).collect();
    assert_eq!(has, [true, false]);
}
