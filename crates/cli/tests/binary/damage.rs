//! One damaged record costs that record and no other.

use crate::support::{
    Huller, assert_balanced, ids_and_texts, json_lines, python, rows, stats, string, sum, temp,
};
use serde_json::Value;
use std::path::Path;

/// The archives of scripts/make-damaged.py.
pub(crate) fn damaged() -> Option<(tempfile::TempDir, Vec<Value>)> {
    let folder = temp();
    python("scripts/make-damaged.py", &[folder.path().as_os_str()], &["zstd"])?;
    let manifest: Value =
        serde_json::from_slice(&std::fs::read(folder.path().join("manifest.json")).unwrap())
            .unwrap();
    let files = manifest["files"].as_array().unwrap().clone();
    Some((folder, files))
}

fn stem(file: &str) -> &str {
    file.rsplit_once(".warc").unwrap().0
}

fn extract(input: &Path, output: &Path, rejects: &Path) -> Vec<Value> {
    let name = input.file_name().unwrap().to_str().unwrap();
    Huller::extract(input, output).arg("--rejects").arg(rejects).run().exits(0);
    rows(output.join(format!("{}.jsonl.zst", stem(name))))
}

/// Where record number `place` lies in the undamaged file.
fn offset_of(file: &Path, place: usize) -> Value {
    let listing = Huller::new().args(["records", "--json"]).arg(file).run().exits(0).rows();
    let record = &listing[place];
    if record["offset"].is_null() {
        record["stream_offset"].clone()
    } else {
        record["offset"].clone()
    }
}

/// What the reject of a damaged record may say.
fn sensible(kind: &str, container: &str) -> &'static [&'static str] {
    match (kind, container) {
        ("flipped", "warc.gz" | "warc.zst") => &["corrupt_member"],
        ("cut-member", "warc") => &["bad_content_length", "truncated"],
        ("cut-member", _) => &["corrupt_member", "truncated"],
        ("flipped" | "wrong-version", _) => &["garbage"],
        (_, "warc") => &["truncated"],
        _ => &["truncated", "corrupt_member"],
    }
}

#[test]
fn each_damage_costs_its_own_record_and_is_accounted_for() {
    let Some((folder, files)) = damaged() else { return };
    let work = temp();
    let mut counts = Vec::new();
    for file in &files {
        let (name, kind, container) =
            (string(file, "file"), string(file, "kind"), string(file, "container"));
        let sound = folder.path().join(format!("whole.{container}"));
        let whole = extract(
            &sound,
            &work.path().join(format!("whole-for-{name}")),
            &work.path().join("none"),
        );
        let (output, rejects) =
            (work.path().join(name), work.path().join(format!("{name}.rejects")));
        let rows = extract(&folder.path().join(name), &output, &rejects);
        // Rows: the expected ones, with the texts of the undamaged file.
        let expected: Vec<_> =
            file["expected"].as_array().unwrap().iter().map(|id| id.as_str().unwrap()).collect();
        let ids: Vec<_> =
            rows.iter().map(|row| format!("<urn:uuid:{}>", string(row, "id"))).collect();
        assert_eq!(ids, expected, "{name}");
        let lost = file["damaged"]["warc_record_id"].as_str().unwrap_or_default();
        let is_lost = |row: &&Value| kind != "content-length" && lost.contains(string(row, "id"));
        let survivors: Vec<_> = whole.iter().filter(|row| !is_lost(row)).cloned().collect();
        assert_eq!(ids_and_texts(&rows), ids_and_texts(&survivors), "{name}");
        // The account and the rejects: each loss, and nothing else.
        let total = &stats(&output)["total"];
        assert_balanced(total);
        let losses = 20 - expected.len() as u64;
        assert_eq!(sum(&total["failed"]), losses, "{name}: {total}");
        let rejected = json_lines(&std::fs::read(&rejects).unwrap());
        assert_eq!(rejected.len() as u64, losses, "{name}: {rejected:?}");
        for reject in &rejected {
            let reason = string(reject, "reason");
            assert!(sensible(kind, container).contains(&reason), "{name}: {reject}");
            assert_eq!(total["failed"][reason], 1, "{name}");
            assert_eq!(reject["input"], *name);
            let place = file["damaged"]["position"].as_u64().unwrap() as usize;
            assert_eq!(reject["offset"], offset_of(&sound, place), "{name}: {reject}");
            assert!(!string(reject, "detail").is_empty(), "{name}");
        }
        counts.push(format!("{name} {}", rows.len()));
    }
    assert_eq!(files.len(), 18, "{counts:?}");
}

#[test]
fn strict_turns_damage_into_exit_one_and_keeps_the_rows() {
    let Some((folder, _)) = damaged() else { return };
    let work = temp();
    let output = work.path().join("out");
    Huller::extract(folder.path().join("flipped.warc.gz"), &output).arg("--strict").run().exits(1);
    assert_eq!(rows(output.join("flipped.jsonl.zst")).len(), 19);
    assert!(output.join("_SUCCESS").exists(), "the run is complete all the same");
    let sound = work.path().join("sound");
    Huller::extract(folder.path().join("whole.warc.gz"), sound).arg("--strict").run().exits(0);
}

#[test]
fn a_listing_says_where_the_damage_is_and_goes_on() {
    let Some((folder, _)) = damaged() else { return };
    for file in ["flipped.warc.gz", "flipped.warc", "flipped.warc.zst"] {
        let listing = Huller::new()
            .args(["records", "--json"])
            .arg(folder.path().join(file))
            .run()
            .exits(0)
            .rows();
        let errors: Vec<_> = listing.iter().filter(|record| !record["error"].is_null()).collect();
        assert_eq!((listing.len(), errors.len()), (20, 1), "{file}");
    }
}
