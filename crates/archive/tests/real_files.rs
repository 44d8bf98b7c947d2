//! WARC files of other projects, with the answers of trusted tools.
#![expect(clippy::print_stderr, clippy::unwrap_used, reason = "tests may speak, and panic")]

mod support;

use huller_archive::{FaultReason, Limits, RecordType, WarcHeader};
use huller_testkit::{needs_shared, shared};
use sha1::{Digest, Sha1};
use std::fs;
use std::path::Path;
use support::drive::{ShownEntry, all_ways, words};

needs_shared!(
    records_are_those_that_trusted_tools_find,
    arc_records_are_those_that_warcio_finds,
    records_of_a_wacz_are_those_of_the_archives_in_it,
    repacked_files_give_the_same_records,
    whatever_the_file_all_ways_agree,
);

/// Files for which this crate gives another answer, and why.
const EXCEPTIONS: &[(&str, &str)] = &[(
    "CDX-Writer__giant_html.warc.gz",
    "its one record is 431 MB long, over the default limit: too_large",
)];

struct ExpectedRecord {
    kind: String,
    block_sha1: String,
}

/// What warcio finds in the archives of a WACZ, where it finds no error.
fn expected_of_wacz(path: &Path) -> Option<Vec<ExpectedRecord>> {
    let answer: serde_json::Value = serde_json::from_slice(&fs::read(path).unwrap()).unwrap();
    let archives = answer["inner"].as_object().filter(|_| answer["kind"] == "wacz")?;
    let mut all = Vec::new();
    for found in archives.values().map(|archive| &archive["warcio"]) {
        if !found["error"].is_null() {
            return None;
        }
        let text = |value: &serde_json::Value| value.as_str().unwrap_or_default().to_owned();
        all.extend(found["records"].as_array()?.iter().map(|record| ExpectedRecord {
            kind: text(&record["type"]),
            block_sha1: text(&record["block_sha1"]),
        }));
    }
    (!all.is_empty()).then_some(all)
}

fn expected(path: &Path) -> Option<Vec<ExpectedRecord>> {
    let answer: serde_json::Value = serde_json::from_slice(&fs::read(path).unwrap()).unwrap();
    let expected = &answer["expected"];
    let text = |value: &serde_json::Value| value.as_str().unwrap_or_default().to_owned();
    (expected["format"] == "warc" && expected["confidence"] == "confirmed").then(|| {
        let records = expected["records"].as_array().unwrap();
        let one = |record: &serde_json::Value| ExpectedRecord {
            kind: text(&record["type"]),
            block_sha1: text(&record["block_sha1"]),
        };
        records.iter().map(one).collect()
    })
}

/// What the tools count as records: whole ones, and those that the end of the file cuts off.
fn records(seen: &[ShownEntry]) -> Vec<&ShownEntry> {
    let truncated = |seen: &&ShownEntry| match seen {
        ShownEntry::Fault(fault) => {
            fault.reason == FaultReason::Truncated && fault.header.ends_with(b"\n\r\n")
        }
        _ => true,
    };
    seen.iter().filter(truncated).collect()
}

fn compare(path: &Path, expected: &[ExpectedRecord]) -> Result<(), String> {
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

fn records_of_a_wacz_are_those_of_the_archives_in_it() {
    let folder = shared::path("warc");
    let (mut compared, mut failures) = (0, Vec::new());
    for answer in fs::read_dir(folder.join("expected")).unwrap() {
        let answer = answer.unwrap().path();
        let name = answer.file_stem().unwrap().to_str().unwrap().to_owned();
        if let Some(expected) = expected_of_wacz(&answer) {
            compared += 1;
            if let Err(why) = compare(&folder.join("files").join(&name), &expected) {
                failures.push((name, why));
            }
        }
    }
    assert!(compared >= 6, "{compared} files in {}", folder.display());
    report(&failures, compared);
}

/// ARC files for which this crate gives another answer, and why.
const ARC_EXCEPTIONS: &[(&str, &str)] = &[
    (
        "CDX-Writer__negative_content_length.arc.gz",
        "a length of -2046788874: a record without a block to warcio, bad_content_length here",
    ),
    (
        "aut__badexample.arc.gz",
        "all records in one gzip member: warcio reads the first one alone, five are there",
    ),
    (
        "siegfried__fmt-410-signature-id-580.arc",
        "a version block whose length is zeros: a record to warcio, bad_content_length here",
    ),
    (
        "webarchive__hello-world2.arc",
        "version 2, and the first record's length is wrong: warcio gives up after it, both are there",
    ),
    (
        "jwat__test-arc-1.0-invalid-fields.arc",
        "the version block has the length `one`: empty to warcio, bad_content_length here",
    ),
];

/// As [`compare`]. Of the version block warcio gives what follows its first two lines.
fn compare_arc(path: &Path, records: &[serde_json::Value]) -> Result<(), String> {
    let seen = match all_ways(path, &Limits::default()) {
        Ok(seen) => seen,
        Err(_) if records.is_empty() => return Ok(()),
        Err(error) => return Err(error.to_string()),
    };
    let found = self::records(&seen);
    if found.len() != records.len() {
        return Err(format!(
            "{} records, expected {}: {}",
            found.len(),
            records.len(),
            words(&seen)
        ));
    }
    for (i, (got, wanted)) in found.iter().zip(records).enumerate() {
        let header = WarcHeader::parse(got.header()).ok_or(format!("record {i} has no header"))?;
        // Where URLs are no UTF-8 warcio takes their bytes for scalars.
        let url = wanted["uri"].as_str().unwrap();
        let found = header.target_uri().unwrap_or_default();
        let is_latin = || url.chars().eq(found.iter().map(|byte| char::from(*byte)));
        if found != url.as_bytes() && !is_latin() {
            return Err(format!("record {i}: URL {}, not {url}", found.escape_ascii()));
        }
        let is_version_block = wanted["type"] == "arc_header";
        if is_version_block != (got.record_type() == Some(RecordType::Warcinfo)) {
            return Err(format!("record {i}: {:?}", got.record_type()));
        }
        let len = wanted["block_len"].as_u64().unwrap() as usize;
        let from = if is_version_block { got.block().len().saturating_sub(len) } else { 0 };
        let sha1 = data_encoding::HEXLOWER.encode(&Sha1::digest(&got.block()[from..]));
        if sha1 != wanted["block_sha1"].as_str().unwrap() {
            return Err(format!("record {i}: block differs ({} bytes)", got.block().len()));
        }
    }
    Ok(())
}

fn arc_records_are_those_that_warcio_finds() {
    let folder = shared::path("warc");
    let (mut compared, mut failures) = (0, Vec::new());
    let mut answers: Vec<_> =
        fs::read_dir(folder.join("expected")).unwrap().map(|entry| entry.unwrap().path()).collect();
    answers.sort();
    for answer in answers {
        let name = answer.file_stem().unwrap().to_str().unwrap().to_owned();
        let answer: serde_json::Value = serde_json::from_slice(&fs::read(answer).unwrap()).unwrap();
        let expected = &answer["expected"];
        if expected["format"] == "arc" {
            compared += 1;
            let records = expected["records"].as_array().unwrap();
            if let Err(why) = compare_arc(&folder.join("files").join(&name), records) {
                failures.push((name, why));
            }
        }
    }
    assert!(compared > 20, "{compared} answers in {}", folder.display());
    let unknown: Vec<_> = failures
        .iter()
        .filter(|(name, _)| ARC_EXCEPTIONS.iter().all(|(known, _)| known != name))
        .collect();
    assert!(unknown.is_empty(), "{unknown:#?}");
    assert_eq!(failures.len(), ARC_EXCEPTIONS.len(), "stale exceptions");
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
