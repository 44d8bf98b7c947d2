//! WARC files of other projects, with the answers of trusted tools.
#![expect(clippy::print_stderr, clippy::unwrap_used, reason = "tests may speak, and panic")]

mod support;

use huller_archive::{FaultReason, Limits};
use huller_testkit::{needs_shared, shared};
use sha1::{Digest, Sha1};
use std::fs;
use std::path::Path;
use support::drive::{Seen, all_ways, words};

needs_shared!(
    records_are_those_that_trusted_tools_find,
    repacked_files_give_the_same_records,
    whatever_the_file_all_ways_agree,
);

/// Files for which this crate gives another answer, and why.
const EXCEPTIONS: &[(&str, &str)] = &[(
    "CDX-Writer__giant_html.warc.gz",
    "its one record is 431 MB long, over the default limit: too_large",
)];

struct Expected {
    kind: String,
    block_sha1: String,
}

fn expected(path: &Path) -> Option<Vec<Expected>> {
    let answer: serde_json::Value = serde_json::from_slice(&fs::read(path).unwrap()).unwrap();
    let expected = &answer["expected"];
    let text = |value: &serde_json::Value| value.as_str().unwrap_or_default().to_owned();
    (expected["format"] == "warc" && expected["confidence"] == "confirmed").then(|| {
        let records = expected["records"].as_array().unwrap();
        let one = |record: &serde_json::Value| Expected {
            kind: text(&record["type"]),
            block_sha1: text(&record["block_sha1"]),
        };
        records.iter().map(one).collect()
    })
}

/// What the tools count as records: whole ones, and those that the end of the file cuts off.
fn records(seen: &[Seen]) -> Vec<&Seen> {
    let truncated = |seen: &&Seen| match seen {
        Seen::Fault(fault) => {
            fault.reason == FaultReason::Truncated && fault.header.ends_with(b"\n\r\n")
        }
        _ => true,
    };
    seen.iter().filter(truncated).collect()
}

fn compare(path: &Path, expected: &[Expected]) -> Result<(), String> {
    let seen = match all_ways(path, &Limits::default()) {
        Ok(seen) => seen,
        Err(_) if expected.is_empty() => return Ok(()),
        Err(error) => return Err(error.to_string()),
    };
    let records = records(&seen);
    if records.len() != expected.len() {
        let (got, wanted) = (records.len(), expected.len());
        return Err(format!("{got} records, expected {wanted}: {}", words(&seen)));
    }
    for (i, (got, wanted)) in records.iter().zip(expected).enumerate() {
        let kind = format!("{:?}", got.record_type()).to_lowercase();
        if kind != format!("some({})", wanted.kind) && kind != "some(other)" {
            return Err(format!("record {i}: {kind}, expected {}", wanted.kind));
        }
        let sha1 = data_encoding::HEXLOWER.encode(&Sha1::digest(got.block()));
        if sha1 != wanted.block_sha1 {
            return Err(format!("record {i}: block differs ({} bytes)", got.block().len()));
        }
    }
    Ok(())
}

fn report(failures: &[(String, String)], compared: usize) {
    for (name, why) in failures {
        eprintln!("{name}: {why}");
    }
    eprintln!("{compared} files compared, {} differ", failures.len());
    let unknown: Vec<_> = failures
        .iter()
        .filter(|(name, _)| EXCEPTIONS.iter().all(|(known, _)| known != name))
        .collect();
    assert!(unknown.is_empty(), "{unknown:?}");
    assert!(EXCEPTIONS.len() * 100 <= compared.max(100), "too many exceptions");
}

fn records_are_those_that_trusted_tools_find() {
    let folder = shared::path("warc");
    let (mut compared, mut failures) = (0, Vec::new());
    let mut answers: Vec<_> =
        fs::read_dir(folder.join("expected")).unwrap().map(|entry| entry.unwrap().path()).collect();
    answers.sort();
    for answer in answers {
        let name = answer.file_stem().unwrap().to_str().unwrap().to_owned();
        // lz4 is a container that this crate does not read.
        if Path::new(&name).extension().is_some_and(|extension| extension == "lz4") {
            continue;
        }
        if let Some(expected) = expected(&answer) {
            compared += 1;
            if let Err(why) = compare(&folder.join("files").join(&name), &expected) {
                failures.push((name, why));
            }
        }
    }
    assert!(compared > 0, "no answers in {}", folder.display());
    report(&failures, compared);
}

fn repacked_files_give_the_same_records() {
    let folder = shared::path("warc/derived");
    let manifest: serde_json::Value =
        serde_json::from_slice(&fs::read(folder.join("manifest.json")).unwrap()).unwrap();
    let (mut compared, mut failures) = (0, Vec::new());
    for entry in manifest.as_array().unwrap() {
        let name = entry["file"].as_str().unwrap();
        if let Some(expected) = expected(&folder.join(entry["expected"].as_str().unwrap())) {
            compared += 1;
            if let Err(why) = compare(&folder.join(name), &expected) {
                failures.push((name.to_owned(), why));
            }
        }
    }
    report(&failures, compared);
}

fn whatever_the_file_all_ways_agree() {
    let folder = shared::path("warc/files");
    for entry in fs::read_dir(folder).unwrap() {
        // Archives of other kinds are refused in all ways.
        let _ = all_ways(&entry.unwrap().path(), &Limits::default());
    }
}
