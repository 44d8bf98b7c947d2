//! `huller records` over archives of other projects, with the answers that trusted tools gave.

use crate::support::{Huller, keys, sample, temp};
use huller_testkit::{needs_shared, shared};
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::Path;

needs_shared!(confirmed_answers_are_given, packed_anew_they_give_the_same);

/// Files for which our answer differs, and why.
const EXCEPTIONS: &[(&str, &str)] = &[(
    "CDX-Writer__giant_html.warc.gz",
    "its one record is 431 MB long, over the default limit: too_large",
)];

const FIELDS: [&str; 12] = [
    "offset",
    "length",
    "stream_offset",
    "type",
    "uri",
    "date",
    "status",
    "content_type",
    "payload_len",
    "payload_sha1",
    "html",
    "error",
];

#[test]
fn a_listing_has_the_fields_of_the_contract() {
    let ran = Huller::new().args(["records", "--json"]).arg(sample()).run().exits(0);
    assert_eq!(ran.text().lines().count(), 96);
    for line in ran.text().lines() {
        assert_eq!(keys(line), FIELDS);
    }
    let rows = ran.rows();
    assert!(rows.iter().all(|record| record["error"].is_null()));
    assert_eq!(rows.iter().filter(|record| record["html"] == true).count(), 43);
    let requests = rows.iter().filter(|record| record["type"] == "request");
    assert!(
        requests.clone().count() > 40
            && requests.clone().all(|record| record["payload_sha1"].is_null())
    );
}

#[test]
fn lines_have_their_addresses() {
    let folder = temp();
    let path = folder.path().join("pages.jsonl");
    let lines = r#"{"url":"http://a/","html":"<p>a b","date":"2024-03-01"}
{"html":"<p>c","u":"http://b/","id":"x7"}
"#;
    std::fs::write(&path, lines).unwrap();
    let ran = Huller::new().args(["records", "--json"]).arg(&path).run().exits(0);
    let rows = ran.rows();
    assert_eq!(rows[0]["date"], "2024-03-01");
    assert_eq!([&rows[0]["uri"], &rows[1]["uri"]], ["http://a/", "http://b/"]);
    let some = Huller::new().args(["records", "--url", "b/"]).arg(&path).run().exits(0);
    assert_eq!(some.text().lines().count(), 2);
    for wanted in ["http://b/", "x7"] {
        let explain = Huller::new().args(["explain", "--extractors", "body", "--record", wanted]);
        assert!(explain.arg(&path).run().exits(0).text().contains("  c"), "{wanted}");
    }
}

#[test]
fn a_listing_for_people_has_a_line_a_record() {
    let ran = Huller::new().arg("records").arg(sample()).run().exits(0);
    assert_eq!(ran.text().lines().count(), 97);
    let heading = ran.text().lines().next().unwrap();
    assert_eq!(heading, "      offset   payload type         http URL");
    let with = Huller::new().args(["records", "--digest"]).arg(sample()).run().exits(0);
    let line = |text: &str| {
        text.lines()
            .find(|line| line.contains("marrowbay") && line.contains("response"))
            .unwrap()
            .len()
    };
    assert_eq!(line(with.text()), line(ran.text()) + 41);
    let two = Huller::new().arg("records").args([sample(), sample()]).run().exits(0);
    assert_eq!(two.text().lines().count(), 2 * 98);
    Huller::new()
        .args(["records", "missing.warc"])
        .arg(sample())
        .run()
        .exits(1)
        .says("missing.warc");
}

/// The confirmed answer for a file, if there is one.
fn expected(answer: &Path) -> Option<Value> {
    let answer: Value = serde_json::from_slice(&std::fs::read(answer).unwrap()).unwrap();
    let expected = &answer["expected"];
    (expected["format"] == "warc" && expected["confidence"] == "confirmed")
        .then(|| expected.clone())
}

/// The listing against the answer.
fn compare(path: &Path, expected: &Value) -> Result<(), String> {
    let wanted = expected["records"].as_array().unwrap();
    let ran = Huller::new().args(["records", "--json"]).arg(path).run();
    if wanted.is_empty() && ran.code == Some(1) {
        return Ok(());
    }
    if ran.code != Some(0) {
        return Err(ran.stderr);
    }
    // Bytes that are no record have a line of their own, with nothing but the error.
    let is_record = |row: &Value| !row["type"].is_null() || row["error"].is_null();
    let rows: Vec<_> = ran.rows().into_iter().filter(is_record).collect();
    if rows.len() != wanted.len() {
        return Err(format!("{} records, expected {}", rows.len(), wanted.len()));
    }
    for (place, (row, wanted)) in rows.iter().zip(wanted).enumerate() {
        if row["type"].as_str().unwrap_or_default() != wanted["type"] {
            return Err(format!(
                "record {place}: type {}, expected {}",
                row["type"], wanted["type"]
            ));
        }
        if row["type"] != "request" && row["payload_sha1"] != wanted["payload_sha1"] {
            let [got, wanted] = [row, wanted].map(|of| &of["payload_len"]);
            return Err(format!(
                "record {place} ({}): payload of {got} bytes, expected {wanted}",
                row["type"]
            ));
        }
    }
    let html =
        rows.iter().filter(|record| record["type"] == "response" && record["html"] == true).count();
    if expected["html_responses"] != html {
        return Err(format!("{html} HTML responses, expected {}", expected["html_responses"]));
    }
    Ok(())
}

/// Prints what differs, and fails if that is unknown or too much.
fn judge(failures: &[(String, String)], compared: usize) {
    for (name, why) in failures {
        let known = EXCEPTIONS
            .iter()
            .find(|(file, _)| file == name)
            .map_or("UNKNOWN", |(_, reason)| *reason);
        eprintln!("{name}: {why} [{known}]");
    }
    eprintln!("{compared} files compared, {} differ", failures.len());
    let known: BTreeSet<_> = EXCEPTIONS.iter().map(|(name, _)| *name).collect();
    let unknown: Vec<_> =
        failures.iter().filter(|(name, _)| !known.contains(name.as_str())).collect();
    assert!(unknown.is_empty(), "{unknown:#?}");
    assert!(compared > 0 && failures.len() * 100 <= compared.max(100));
}

fn confirmed_answers_are_given() {
    let folder = shared::path("warc");
    let entries = std::fs::read_dir(folder.join("expected")).unwrap();
    let mut answers: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
    answers.sort();
    let (mut compared, mut failures) = (0, Vec::new());
    for answer in answers {
        let name = answer.file_stem().unwrap().to_str().unwrap().to_owned();
        // lz4 is not among the containers we read.
        if Path::new(&name).extension().is_some_and(|extension| extension == "lz4") {
            continue;
        }
        let Some(expected) = expected(&answer) else { continue };
        compared += 1;
        if let Err(why) = compare(&folder.join("files").join(&name), &expected) {
            failures.push((name, why));
        }
    }
    judge(&failures, compared);
}

fn packed_anew_they_give_the_same() {
    let folder = shared::path("warc/derived");
    let manifest: Value =
        serde_json::from_slice(&std::fs::read(folder.join("manifest.json")).unwrap()).unwrap();
    let (mut compared, mut failures) = (0, Vec::new());
    for entry in manifest.as_array().unwrap() {
        let [file, original, answer] =
            ["file", "derived_from", "expected"].map(|key| entry[key].as_str().unwrap());
        let listed = |path: &Path| {
            let rows = Huller::new().args(["records", "--json"]).arg(path).run().exits(0).rows();
            rows.into_iter()
                .map(|row| (row["type"].clone(), row["uri"].clone(), row["payload_sha1"].clone()))
                .collect::<Vec<_>>()
        };
        assert_eq!(
            listed(&folder.join(file)),
            listed(&folder.join("../files").join(original)),
            "{file}"
        );
        let Some(expected) = expected(&folder.join(answer)) else { continue };
        compared += 1;
        if let Err(why) = compare(&folder.join(file), &expected) {
            failures.push((file.to_owned(), why));
        }
    }
    judge(&failures, compared);
}
