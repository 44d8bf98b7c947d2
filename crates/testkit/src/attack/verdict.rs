//! Checks the outputs of a run over an attack.

use super::definition::{Attack, ExpectedOutcome, Scale};
use super::records::{ALPHA, OMEGA, PARAGRAPH};
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader};
use std::path::Path;

/// The good pages and their URIs. In JSONL the URI ends with the marker itself.
const GOOD_PAGES: [(&str, &str); 2] =
    [(ALPHA, "http://example.test/alpha"), (OMEGA, "http://example.test/omega")];

/// Extracted attacks whose only pages are the good ones.
const WITHOUT_PAGE: [&str; 4] =
    ["warc-block-size-edges", "file-plain-named-gz", "file-gz-named-plain", "file-bom-before"];

/// Reasons that are counted but not listed among the rejects, since such records are not pages.
const NOT_PAGES: [&str; 8] = [
    "warcinfo",
    "request",
    "metadata",
    "revisit",
    "conversion",
    "continuation",
    "other_type",
    "not_html",
];

/// Returns the program's options for an attack.
pub fn flags(attack: &Attack) -> &'static [&'static str] {
    match attack.name {
        // Pages are cut at 16 MB by default; the text that must be found comes after 100 MB.
        "html-huge-attr" => &["--max-page-bytes", "128M"],
        _ => &[],
    }
}

/// The results of a run, beside its outputs.
#[derive(Debug)]
pub struct RunArtifacts<'a> {
    /// The folder of its outputs.
    pub out: &'a Path,
    /// The list of rejects.
    pub rejects: &'a Path,
    /// The exit status; `None` after a signal.
    pub status: Option<i32>,
    /// The standard error of the program.
    pub stderr: &'a str,
}

/// Returns all faults in the results of a run.
///
/// # Errors
///
/// If an output, the rejects or the statistics cannot be read.
pub fn faults(
    attack: &Attack,
    scale: Scale,
    artifacts: &RunArtifacts<'_>,
) -> io::Result<Vec<String>> {
    let mut faults = faults_of_end(attack, artifacts);
    let mut rows = Rows::default();
    for entry in fs::read_dir(artifacts.out)? {
        let path = entry?.path();
        match path.extension().and_then(|extension| extension.to_str()) {
            Some("jsonl") => rows.add_file(&path)?,
            Some("part") => faults.push("an unfinished output was left".to_owned()),
            _ => {}
        }
    }
    faults.extend(rows.faults(attack));
    let mut rejects = BTreeMap::new();
    for line in BufReader::new(File::open(artifacts.rejects)?).lines() {
        let reject: Reject = serde_json::from_str(&line?)?;
        *rejects.entry(reject.reason).or_default() += 1;
    }
    let stats: Stats =
        serde_json::from_slice(&fs::read(artifacts.out.join("_huller/run.account"))?)?;
    faults.extend(faults_of_counters(attack, scale, &stats, rows.count, &rejects));
    Ok(faults)
}

/// Returns the faults in how the program ended.
fn faults_of_end(attack: &Attack, artifacts: &RunArtifacts<'_>) -> Vec<String> {
    let mut faults = Vec::new();
    let expected = i32::from(attack.must == ExpectedOutcome::Fatal);
    if artifacts.status != Some(expected) {
        let status = artifacts.status.map_or("by a signal".to_owned(), |status| status.to_string());
        faults.push(format!(
            "exit status {status}, {expected} expected: {}",
            artifacts.stderr.trim()
        ));
    }
    if artifacts.stderr.contains("panicked") {
        faults.push("it panicked".to_owned());
    }
    if attack.must == ExpectedOutcome::Fatal && !artifacts.stderr.contains(&attack.file_name()) {
        faults.push("no message names the file".to_owned());
    }
    faults
}

/// The rows of a run, sorted by the page that they belong to.
#[derive(Debug, Default)]
pub struct Rows {
    count: u64,
    good: BTreeMap<&'static str, u32>,
    /// Texts of rows that are not good pages.
    others: Vec<String>,
    spoilt: Vec<String>,
}

#[derive(Deserialize)]
struct Row {
    url: Option<Value>,
    /// In an archive of pages without URLs, the path ends with the marker.
    file_path: Option<String>,
    text: Option<String>,
}

#[derive(Deserialize)]
struct Reject {
    reason: String,
}

#[derive(Deserialize)]
struct Stats {
    total: RunCounters,
    unusable: Vec<Value>,
}

#[derive(Debug, Deserialize)]
struct RunCounters {
    records: u64,
    written: u64,
    skipped: BTreeMap<String, u64>,
    failed: BTreeMap<String, u64>,
    repaired: BTreeMap<String, u64>,
}

impl Rows {
    /// Adds the rows of a JSON Lines file.
    ///
    /// # Errors
    ///
    /// If the file cannot be read.
    pub fn add_file(&mut self, path: &Path) -> io::Result<()> {
        let mut lines = BufReader::new(File::open(path)?);
        let mut line = Vec::new();
        while lines.read_until(b'\n', &mut line)? > 0 {
            self.add(&line);
            line.clear();
        }
        Ok(())
    }

    fn add(&mut self, line: &[u8]) {
        self.count += 1;
        let number = self.count;
        // The parser refuses invalid UTF-8 and lone surrogates.
        let row: Row = match serde_json::from_slice(line) {
            Ok(row) => row,
            Err(error) => {
                self.spoilt.push(format!("row {number} is no JSON in UTF-8: {error}"));
                return;
            }
        };
        // Line breaks in the text do not matter here.
        let text = squeezed(&row.text.unwrap_or_default());
        let url = row.url.as_ref().and_then(Value::as_str).unwrap_or_default();
        let path = row.file_path.unwrap_or_default();
        let page = GOOD_PAGES.iter().find(|(mark, page)| {
            url == *page
                || url == format!("http://example.test/{mark}")
                || path.ends_with(&format!("/{mark}.html"))
        });
        let Some((mark, _)) = page else {
            self.others.push(text);
            return;
        };
        let is_missing = |n: &usize| !text.contains(&format!("{mark} {PARAGRAPH} {n}."));
        let missing: Vec<_> = (0..6).filter(is_missing).collect();
        if !missing.is_empty() {
            self.spoilt.push(format!("{mark} lost paragraphs {missing:?}"));
        }
        *self.good.entry(mark).or_default() += 1;
    }

    /// Returns the number of good pages of an attack that are missing.
    pub fn count_missing(&self, attack: &Attack) -> usize {
        attack.good.iter().filter(|mark| !self.good.contains_key(*mark)).count()
    }

    /// Returns the number of rows that are not JSON or lack a part of a good page.
    pub fn count_spoilt(&self) -> usize {
        self.spoilt.len()
    }

    fn faults(&self, attack: &Attack) -> Vec<String> {
        let mut faults = self.spoilt.clone();
        for mark in attack.good {
            let times = self.good.get(mark).copied().unwrap_or_default();
            if times != 1 {
                faults.push(format!("{mark} came out {times} times"));
            }
        }
        let must_have_row =
            attack.must == ExpectedOutcome::Extract && !WITHOUT_PAGE.contains(&attack.name);
        if must_have_row && self.others.is_empty() {
            faults.push("no row for the attack".to_owned());
        }
        for marker in attack.must_contain {
            let has = |text: &String| format!("{text} ").contains(marker);
            if !self.others.iter().any(has) {
                faults.push(format!("the text lacks `{}`", marker.trim()));
            }
        }
        for secret in attack.must_not_contain {
            if self.others.iter().any(|text| text.contains(secret)) {
                faults.push(format!("`{secret}` is in the text"));
            }
        }
        faults
    }
}

/// Returns the text with each run of white space as one space.
fn squeezed(text: &str) -> String {
    let mut squeezed = String::with_capacity(text.len());
    for c in text.chars() {
        if !c.is_whitespace() {
            squeezed.push(c);
        } else if !squeezed.ends_with(' ') {
            squeezed.push(' ');
        }
    }
    squeezed
}

/// Returns the faults in the statistics of a run with this number of rows. `rejects` counts the
/// listed reasons.
fn faults_of_counters(
    attack: &Attack,
    scale: Scale,
    stats: &Stats,
    rows: u64,
    rejects: &BTreeMap<String, u64>,
) -> Vec<String> {
    let mut faults = Vec::new();
    let (counters, unusable) = (&stats.total, stats.unusable.len());
    let mut lost = counters.skipped.clone();
    lost.extend(counters.failed.clone());
    if counters.records != counters.written + lost.values().sum::<u64>() {
        faults.push(format!("the statistics do not add up: {counters:?}"));
    }
    if counters.written != rows {
        faults.push(format!("{} rows in the statistics, {rows} in the output", counters.written));
    }
    let mut listed = lost.clone();
    listed.retain(|reason, _| !NOT_PAGES.contains(&reason.as_str()));
    if listed != *rejects {
        faults.push(format!("the statistics have {listed:?}, the rejects {rejects:?}"));
    }
    // Each byte range outside records is counted as a record, but the file has no such record.
    let records = counters.records - counters.failed.get("garbage").copied().unwrap_or_default();
    if let Some(expected) = attack.records.filter(|expected| *expected != records) {
        faults.push(format!("{records} records, {expected} expected"));
    }
    // A small attack may stay within the limits. Then it is an ordinary page.
    let is_page = scale.0 < 1.0 && rows > attack.good.len() as u64;
    let is_counted = !lost.is_empty() || !counters.repaired.is_empty();
    if attack.must == ExpectedOutcome::Skip && !is_counted && !is_page {
        faults.push("the attack is in none of the counts".to_owned());
    }
    if attack.must == ExpectedOutcome::Fatal && (unusable != 1 || counters.records != 0) {
        faults.push("the file should count as unusable".to_owned());
    }
    if attack.must != ExpectedOutcome::Fatal && unusable != 0 {
        faults.push("the file counts as unusable".to_owned());
    }
    faults
}

#[cfg(test)]
mod tests {
    use super::*;

    fn attack(name: &str) -> &'static Attack {
        super::super::list::all().find(|attack| attack.name == name).expect("an attack")
    }

    fn row(url: &str, text: &str) -> Vec<u8> {
        serde_json::json!({ "url": url, "text": text }).to_string().into_bytes()
    }

    fn whole(mark: &str) -> String {
        let paragraphs = (0..6).map(|n| format!("{mark}\u{a0}{PARAGRAPH}\n\n{n}.\n"));
        paragraphs.collect::<Vec<_>>().concat()
    }

    fn rows(rows: &[Vec<u8>]) -> Rows {
        let mut all = Rows::default();
        for row in rows {
            all.add(row);
        }
        all
    }

    fn stats(json: &str) -> Stats {
        serde_json::from_str(json).expect("an account")
    }

    #[test]
    fn good_pages_and_marks_in_the_text_are_right() {
        let attack = attack("html-open-script");
        let [alpha, omega] = GOOD_PAGES.map(|(mark, url)| row(url, &whole(mark)));
        let page = row("http://example.test/attack", "BEFORETEXT");
        let right = rows(&[alpha.clone(), page.clone(), omega.clone()]);
        assert_eq!((right.faults(attack), right.count_missing(attack)), (vec![], 0));
        let twice = rows(&[alpha.clone(), alpha.clone(), page, omega.clone()]);
        assert_eq!(twice.faults(attack), ["GOODALPHA came out 2 times"]);
        let shows = rows(&[alpha.clone(), row("x", "SECRETSCRIPT"), omega.clone()]);
        let wrong = ["the text lacks `BEFORETEXT`", "`SECRETSCRIPT` is in the text"];
        assert_eq!(shows.faults(attack), wrong);
        let lost = rows(&[alpha, omega]);
        assert_eq!(lost.faults(attack)[0], "no row for the attack");
    }

    #[test]
    fn cut_pages_and_broken_json_are_wrong() {
        let cut = whole(ALPHA).replace(" 4.", "").replace("\n\n4.", "");
        let all = rows(&[
            row(GOOD_PAGES[0].1, &cut),
            b"{\"text\":\"\xff\"}".to_vec(),
            br#"{"text":"\ud800"}"#.to_vec(),
        ]);
        assert_eq!((all.count_spoilt(), all.count_missing(attack("html-empty"))), (3, 1));
        assert_eq!(all.spoilt[0], "GOODALPHA lost paragraphs [4]");
    }

    #[test]
    fn the_account_must_add_up_and_hold_the_attack() {
        let attack = attack("warc-garbage-between");
        let right = stats(
            r#"{"total":{"records":3,"written":2,"skipped":{},"failed":{"garbage":1},"repaired":{}},"unusable":[]}"#,
        );
        let rejects = BTreeMap::from([("garbage".to_owned(), 1)]);
        assert!(faults_of_counters(attack, Scale::FULL, &right, 2, &rejects).is_empty());
        assert_eq!(faults_of_counters(attack, Scale::FULL, &right, 1, &BTreeMap::new()).len(), 2);
        let silent = stats(
            r#"{"total":{"records":2,"written":2,"skipped":{},"failed":{},"repaired":{}},"unusable":[]}"#,
        );
        let faults = faults_of_counters(attack, Scale::FULL, &silent, 2, &BTreeMap::new());
        assert_eq!(faults, ["the attack is in none of the counts"]);
    }

    #[test]
    fn the_end_must_be_said() {
        let attack = attack("file-png");
        let artifacts = |status, stderr| RunArtifacts {
            out: Path::new(""),
            rejects: Path::new(""),
            status,
            stderr,
        };
        assert!(
            faults_of_end(attack, &artifacts(Some(1), "file-png.warc.gz: no archive")).is_empty()
        );
        assert_eq!(faults_of_end(attack, &artifacts(None, "thread panicked")).len(), 3);
    }
}
