//! Compares the lines of random corpora with those of a naive counter in memory.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use huller_refine::RejectionKind;
use huller_run::counters::Counters;
use huller_run::monitor::SilentMonitor;
use huller_site::{SiteError, SiteOptions, SiteSummary, find};
use proptest::prelude::*;
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

/// A page: its host, and its lines.
type Page = (&'static str, Vec<&'static str>);

/// A line with its host and pages.
type Found = (String, String, u64);

const HOSTS: [&str; 4] = ["a.test", "www.a.test", "b.test", "10.0.0.1"];

const LINES: [&str; 8] =
    ["Share it", "About Ann", " Share it\t", "ab", "", "über uns", "Ann \u{1}", "\"\\ \u{1F600}"];

fn pages() -> impl Strategy<Value = Vec<Page>> {
    let host = prop::sample::select(&HOSTS[..]);
    let lines = prop::collection::vec(prop::sample::select(&LINES[..]), 0..7);
    prop::collection::vec((host, lines), 1..200)
}

/// Writes the pages as two files of rows.
fn write(folder: &Path, pages: &[Page]) -> PathBuf {
    let rows = folder.join("rows");
    fs::create_dir(&rows).unwrap();
    for (half, name) in pages.chunks(pages.len().div_ceil(2)).zip(["a.jsonl", "b.jsonl"]) {
        let row = |(host, lines): &Page| {
            let row = json!({"url": format!("http://{host}:80/x"), "text": lines.join("\n")});
            format!("{row}\n")
        };
        fs::write(rows.join(name), half.iter().map(row).collect::<String>()).unwrap();
    }
    rows
}

fn naive(pages: &[Page], least_pages: u64, share: f64, least_chars: usize) -> Vec<Found> {
    let mut hosts: BTreeMap<&str, BTreeSet<Vec<String>>> = BTreeMap::new();
    let mut texts: BTreeMap<(&str, &str), BTreeSet<Vec<String>>> = BTreeMap::new();
    for (host, lines) in pages {
        // Pages are equal if their words are.
        let words = lines.iter().flat_map(|line| line.split_whitespace());
        let words: Vec<_> = words.map(str::to_owned).collect();
        hosts.entry(host).or_default().insert(words.clone());
        for line in lines {
            let line = line.trim();
            if !line.is_empty() && line.chars().count() >= least_chars {
                texts.entry((host, line)).or_default().insert(words.clone());
            }
        }
    }
    texts
        .into_iter()
        .map(|((host, line), texts)| (host.to_owned(), line.to_owned(), texts.len() as u64))
        .filter(|(_, _, pages)| *pages >= least_pages)
        .filter(|(host, _, pages)| *pages as f64 >= share * hosts[&**host].len() as f64)
        .collect()
}

fn found(input: &Path, options: &SiteOptions) -> Result<(SiteSummary, Vec<Found>), SiteError> {
    let out = options.folder.join("list.jsonl");
    let stop = AtomicBool::new(false);
    let (summary, lines) = find(&[input.to_owned()], &out, options, &mut SilentMonitor, &stop)?;
    let mut found = Vec::new();
    if let Some(lines) = lines {
        lines.for_each(|line| {
            found.push((line.host.to_string(), line.line.to_string(), line.pages));
            Ok::<_, SiteError>(())
        })?;
    }
    Ok((summary, found))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]
    #[test]
    fn lines_are_those_of_a_naive_counter(
        pages in pages(), least_pages in 0_u64..5, share in 0.0..0.6, chars in 0_u64..9
    ) {
        let folder = tempfile::tempdir().unwrap();
        let input = write(folder.path(), &pages);
        let expected = naive(&pages, least_pages, share, chars as usize);
        let hosts: BTreeSet<_> = expected.iter().map(|(host, _, _)| host).collect();
        // In little memory each record goes to the disk on its own.
        for (memory, threads) in [(1 << 12, 1), (1 << 12, 3), (1 << 26, 1), (1 << 26, 3)] {
            let work = tempfile::tempdir().unwrap();
            let options = SiteOptions {
                pages: least_pages, share, chars, threads, memory, folder: work.path().to_owned(), ..SiteOptions::default()
            };
            let (summary, lines) = found(&input, &options).unwrap();
            prop_assert_eq!(&lines, &expected);
            prop_assert_eq!((summary.lines, summary.hosts), (lines.len() as u64, hosts.len() as u64));
            let mut total = Counters::default();
            summary.inputs.iter().for_each(|input| total += &input.counters);
            prop_assert!(total.is_balanced() && total.written == pages.len() as u64);
            prop_assert_eq!(fs::read_dir(work.path()).unwrap().count(), 0);
        }
    }
}

fn options(folder: &Path) -> SiteOptions {
    SiteOptions { folder: folder.to_owned(), ..SiteOptions::default() }
}

#[test]
fn a_page_counts_a_line_once_and_its_mirrors_count_as_one_page() {
    let folder = tempfile::tempdir().unwrap();
    let line = "Ann writes about ferries for this paper since 2001.";
    let page = |number: usize| {
        let text = format!("Story {number}\n{line}\n{line}");
        json!({"url": format!("http://a.test/{number}"), "text": text}).to_string()
    };
    let mirror =
        json!({"url": "http://a.test/print", "text": format!("Story 1\n\n{line}  {line}")});
    let mut rows: Vec<_> = (1..6).map(page).collect();
    rows.extend((0..9).map(|_| mirror.to_string()));
    let input = folder.path().join("rows.jsonl");
    fs::write(&input, rows.join("\n")).unwrap();
    assert_eq!(found(&input, &options(folder.path())).unwrap().1, []);
    rows.push(page(6));
    fs::write(&input, rows.join("\n")).unwrap();
    let expected = ("a.test".to_owned(), line.to_owned(), 6);
    assert_eq!(found(&input, &options(folder.path())).unwrap().1, [expected]);
}

#[test]
fn lines_of_blocks_count_too() {
    let folder = tempfile::tempdir().unwrap();
    let (notice, teaser) =
        ("This notice is on all pages of the site, in its footer.", "x".repeat(40));
    let row = |number: usize, blocks: serde_json::Value| {
        let row =
            json!({"url": "http://a.test/", "text": format!("Story {number}"), "blocks": blocks});
        format!("{row}\n")
    };
    let blocks =
        json!([{"path": "p", "text": format!("{teaser}\n{notice} ")}, {"text": "short"}, {}]);
    let mut rows: String = (0..6).map(|number| row(number, blocks.clone())).collect();
    rows.extend([json!(null), json!("text"), json!([3]), json!({})].map(|odd| row(9, odd)));
    let input = folder.path().join("rows.jsonl");
    fs::write(&input, rows).unwrap();
    let (summary, lines) = found(&input, &options(folder.path())).unwrap();
    let expected = [notice, &teaser].map(|line| ("a.test".to_owned(), line.to_owned(), 6));
    assert_eq!((summary.inputs[0].counters.written, lines), (10, expected.to_vec()));
}

#[test]
fn hostile_rows_are_counted_or_cost_linear_time() {
    let folder = tempfile::tempdir().unwrap();
    let page = |number: usize, url: &str, text: &str| {
        json!({"url": url, "text": format!("Story {number}\n{text}")}).to_string()
    };
    let (long, many) = ("x".repeat(10 << 20), "A line that is repeated on all pages. And on.\n");
    let mut rows = Vec::new();
    for number in 0..6 {
        rows.push(page(number, "http://a.test/", &long));
        rows.push(page(number, "http://b.test/", &many.repeat(1 << 17)));
        rows.push(page(number, &format!("http://{}test/", "a.".repeat(9000)), "x"));
        rows.push(page(number, "mailto:a@a.test", "x"));
    }
    rows.extend(
        ["{\"text\":\"no address\"}", "{\"url\":\"http://a.test/\"}", "no row"].map(str::to_owned),
    );
    let input = folder.path().join("rows.jsonl");
    fs::write(&input, rows.join("\n")).unwrap();
    let (summary, lines) = found(&input, &options(folder.path())).unwrap();
    assert_eq!(lines, [("b.test".to_owned(), many.trim().to_owned(), 6)]);
    let counters = &summary.inputs[0].counters;
    let count = |name| counters.count_of(name);
    assert_eq!((counters.written, count("no_host"), count("no_url")), (12, 12, 1));
    assert_eq!((count("no_text_key"), counters.total(RejectionKind::Skipped)), (1, 13));
    // Rows of more than a thirty-second of the memory are not read.
    let small = SiteOptions { memory: 1 << 26, ..options(folder.path()) };
    let (summary, lines) = found(&input, &small).unwrap();
    assert_eq!((summary.inputs[0].counters.count_of("too_large"), lines.len()), (12, 0));
}

#[test]
fn more_lines_than_fit_are_an_error_and_not_a_shorter_list() {
    let folder = tempfile::tempdir().unwrap();
    let text = (0..4000).map(|line| format!("line {line}")).collect::<Vec<_>>().join("\n");
    let input = folder.path().join("rows.jsonl");
    fs::write(&input, json!({"url": "http://a.test/", "text": text}).to_string()).unwrap();
    let of = |memory| SiteOptions { pages: 1, chars: 1, memory, ..options(folder.path()) };
    let error = found(&input, &of(1 << 18)).unwrap_err();
    assert!(matches!(error, SiteError::TooMany(3120)), "{error}");
    assert_eq!(found(&input, &of(1 << 20)).unwrap().1.len(), 4000);
}

#[test]
fn unusable_inputs_and_interrupts_give_no_lines() {
    let folder = tempfile::tempdir().unwrap();
    let (summary, lines) = found(&folder.path().join("none"), &options(folder.path())).unwrap();
    assert_eq!((summary.unusable.len(), lines.len()), (1, 0));
    let input = write(folder.path(), &[("a.test", vec!["x"])]);
    let stop = AtomicBool::new(true);
    let out = folder.path().join("list");
    let options = options(folder.path());
    let stopped =
        find(std::slice::from_ref(&input), &out, &options, &mut SilentMonitor, &stop).unwrap();
    assert!(stopped.0.is_interrupted && stopped.1.is_none());
    let inside = input.join("list.jsonl");
    let refused = find(&[input], &inside, &options, &mut SilentMonitor, &stop);
    assert!(matches!(refused, Err(SiteError::Usage(_))));
}
