//! One damaged record costs that record and no other.

use crate::support::{
    Huller, assert_balanced, ids_and_texts, json_lines, rows, stats, string, sum, temp,
};
use huller_testkit::damage::{Archive, Container, DamageKind, RECORDS, archives};
use serde_json::Value;
use std::path::Path;

/// A folder with the sound and damaged archives of the test kit, and what must be found in them.
pub(crate) fn damaged() -> (tempfile::TempDir, Vec<Archive>) {
    let (folder, archives) = (temp(), archives());
    for archive in &archives {
        std::fs::write(folder.path().join(&archive.name), &archive.bytes).unwrap();
    }
    (folder, archives)
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
fn sensible(kind: DamageKind, container: Container) -> &'static [&'static str] {
    match (kind, container) {
        (DamageKind::Flipped, Container::Gzip | Container::Zstd | Container::Lz4) => {
            &["corrupt_member"]
        }
        (DamageKind::CutMember, Container::Plain) => &["bad_content_length", "truncated"],
        (DamageKind::CutMember, _) => &["corrupt_member", "truncated"],
        (DamageKind::Flipped | DamageKind::WrongVersion, _) => &["garbage"],
        (_, Container::Plain) => &["truncated"],
        _ => &["truncated", "corrupt_member"],
    }
}

#[test]
fn each_damage_costs_its_own_record_and_is_accounted_for() {
    let (folder, archives) = damaged();
    let work = temp();
    for archive in &archives {
        let name = &archive.name;
        let sound = folder.path().join(format!("whole.{}", archive.container.extension()));
        let whole = extract(
            &sound,
            &work.path().join(format!("whole-for-{name}")),
            &work.path().join("none"),
        );
        let (output, rejects) =
            (work.path().join(name), work.path().join(format!("{name}.rejects")));
        let rows = extract(&folder.path().join(name), &output, &rejects);
        // Rows: the expected ones, with the texts of the undamaged file.
        let ids: Vec<_> = rows.iter().map(|row| string(row, "id")).collect();
        assert_eq!(ids, archive.expected, "{name}");
        let is_expected = |row: &&Value| archive.expected.iter().any(|id| id == string(row, "id"));
        let survivors: Vec<_> = whole.iter().filter(is_expected).cloned().collect();
        assert_eq!(whole.len(), RECORDS, "{name}");
        // A page at the end of a cut file is not whole, and says so.
        let cut = rows.iter().filter(|row| !row["truncated"].is_null()).count();
        let is_cut = matches!(archive.damage, Some((DamageKind::CutFile, _)));
        assert_eq!(cut == 1, is_cut && archive.expected.len() == RECORDS, "{name}");
        let whole_rows = rows.len() - cut;
        assert_eq!(
            ids_and_texts(&rows[..whole_rows]),
            ids_and_texts(&survivors[..whole_rows]),
            "{name}"
        );
        // The account and the rejects: each loss, and nothing else.
        let total = &stats(&output)["total"];
        assert_balanced(total);
        let losses = (RECORDS - archive.expected.len()) as u64;
        assert_eq!(sum(&total["failed"]), losses, "{name}: {total}");
        assert_eq!(total["repaired"]["truncated"].as_u64().unwrap_or(0), cut as u64, "{name}");
        let rejected = json_lines(&std::fs::read(&rejects).unwrap());
        assert_eq!(rejected.len() as u64, losses, "{name}: {rejected:?}");
        for reject in &rejected {
            let reason = string(reject, "reason");
            let (kind, place) = archive.damage.unwrap();
            assert!(sensible(kind, archive.container).contains(&reason), "{name}: {reject}");
            assert_eq!(total["failed"][reason], 1, "{name}");
            assert_eq!(reject["input"], **name);
            assert_eq!(reject["offset"], offset_of(&sound, place), "{name}: {reject}");
            assert!(!string(reject, "detail").is_empty(), "{name}");
        }
    }
    assert_eq!(archives.len(), 24);
}

#[test]
fn strict_turns_damage_into_exit_one_and_keeps_the_rows() {
    let (folder, _) = damaged();
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
    let (folder, _) = damaged();
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
