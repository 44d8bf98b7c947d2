//! `huller site-lines` and the stage `site-lines`: lines that recur on the pages of a host.

use crate::support::{Huller, contents, json_lines, plain, rows, stats, string, temp};
use serde_json::{Value, json};
use std::fs;
use std::path::Path;
use std::time::Duration;

const NOTICE: &str = "Ann Miller writes about ferries and harbours for this paper.";

/// Lines of different stories.
const STORY: &str = "The ferry crossed twice a day with letters and flour until the autumn storms.";

/// Writes pages of two hosts as rows. One host has a notice on all of them.
fn write_rows(folder: &Path) {
    fs::create_dir(folder.join("rows")).unwrap();
    let row = |number: usize| {
        let host = ["http://a.test", "http://b.test"][number % 2];
        let notice = if number.is_multiple_of(2) { NOTICE } else { "" };
        let text = format!("Story {number}\n{STORY} {number}\n\n{notice}");
        let title = if number == 4 { NOTICE } else { "Story" };
        format!("{}\n", json!({"url": format!("{host}/{number}"), "title": title, "text": text}))
    };
    for (name, numbers) in [("a", 0..8), ("b", 8..14)] {
        let rows: String = numbers.map(row).collect();
        fs::write(folder.join(format!("rows/{name}.jsonl")), rows).unwrap();
    }
}

fn site_lines(folder: &Path, out: &str) -> Huller {
    let run = Huller::new().arg("site-lines").arg(folder.join("rows"));
    run.arg("-o").arg(folder.join(out))
}

/// The stage with this list.
fn with_list(run: Huller, list: &Path) -> Huller {
    run.args(["--stages", "site-lines", "--set"])
        .arg(format!("site-lines.lists=['{}']", list.display()))
}

#[test]
fn lines_that_recur_are_listed_and_left_out_of_rows() {
    let folder = temp();
    write_rows(folder.path());
    let ran = site_lines(folder.path(), "list.jsonl.zst").run().exits(0);
    ran.says("2 inputs").says(&format!("  {:<26}{:>16}\n", "rows read", 14));
    let list = folder.path().join("list.jsonl.zst");
    assert_eq!(rows(&list), [json!({"host": "a.test", "line": NOTICE, "pages": 7})]);
    let out = folder.path().join("out");
    let refine = Huller::new().arg("refine").arg(folder.path().join("rows")).arg("-o").arg(&out);
    with_list(refine.arg("--signals"), &list).run().exits(0).says("site-lines");
    let (before, after) = (folder.path().join("rows/a.jsonl"), out.join("a.jsonl.zst"));
    for (old, new) in json_lines(&plain(&before)).iter().zip(rows(&after)) {
        let (text, url) = (string(old, "text"), string(old, "url"));
        // The page whose headline is the line keeps it.
        let loses = url.starts_with("http://a.test") && string(old, "title") != NOTICE;
        let expected = if loses { text.trim_end_matches(&format!("\n\n{NOTICE}")) } else { text };
        assert_eq!(string(&new, "text"), expected, "{url}");
        assert_eq!(new["signals"]["site_lines.removed"], f64::from(u8::from(loses)));
    }
    let waterfall = &stats(&out)["total"]["waterfall"];
    let stages = serde_json::to_string(waterfall).unwrap();
    assert!(stages.contains("\"site-lines\""), "{stages}");
    // Tighter settings list and remove nothing.
    let none = folder.path().join("none.jsonl");
    site_lines(folder.path(), "none.jsonl").args(["--pages", "8"]).run().exits(0);
    assert_eq!(plain(&none), b"");
    let refine = || Huller::new().arg("refine").arg(&before).args(["-o", "-", "-q"]);
    let unchanged = json_lines(&plain(&before));
    assert_eq!(with_list(refine(), &none).run().exits(0).rows(), unchanged);
    let eight = with_list(refine(), &list).args(["--set", "site-lines.min_pages=8"]);
    assert_eq!(eight.run().exits(0).rows(), unchanged);
}

#[test]
fn extract_and_refine_remove_the_same_lines() {
    let folder = temp();
    let at = |name: &str| folder.path().join(name);
    let page = |number: usize| {
        let story = format!("<p>{STORY} It was the year {number}.</p>").repeat(4);
        let html = format!("<article><h1>Story {number}</h1>{story}<p>{NOTICE}</p></article>");
        format!("{}\n", json!({"url": format!("http://a.test/{number}"), "html": html}))
    };
    fs::write(at("pages.jsonl"), (0..7).map(page).collect::<String>()).unwrap();
    Huller::extract(at("pages.jsonl"), at("rows")).args(["--blocks", "-q"]).run().exits(0);
    site_lines(folder.path(), "list.jsonl").run().exits(0);
    let listed = rows(at("list.jsonl"));
    assert!(listed.iter().any(|row| string(row, "line") == NOTICE), "{listed:?}");
    let list = at("list.jsonl");
    with_list(Huller::extract(at("pages.jsonl"), at("extracted")), &list).run().exits(0);
    let refine = Huller::new().arg("refine").arg(at("rows")).arg("-o").arg(at("refined"));
    with_list(refine, &list).run().exits(0);
    let texts = |folder: &str| {
        let rows = rows(at(folder).join("pages.jsonl.zst"));
        rows.iter().map(|row| string(row, "text").to_owned()).collect::<Vec<_>>()
    };
    let (before, extracted) = (texts("rows"), texts("extracted"));
    assert_eq!(extracted, texts("refined"));
    for (old, new) in before.iter().zip(&extracted) {
        assert!(old.contains(NOTICE) && !new.contains(NOTICE), "{old}");
    }
}

#[test]
fn the_list_is_the_same_for_any_threads_memory_and_format() {
    let folder = temp();
    write_rows(folder.path());
    let at = |name: &str| folder.path().join(name);
    site_lines(folder.path(), "list.jsonl").run().exits(0);
    let expected = plain(&at("list.jsonl"));
    let options = ["-j1", "--memory", "256M", "-q"];
    site_lines(folder.path(), "one.jsonl.gz").args(options).run().exits(0);
    assert_eq!(plain(&at("one.jsonl.gz")), expected);
    let refine = Huller::new().arg("refine").arg(at("rows")).arg("-o").arg(at("tables"));
    refine.args(["--format", "parquet", "-q"]).run().exits(0);
    // Standard output lies in no folder of inputs.
    let run = Huller::new().current_dir(&at("tables")).args(["site-lines", ".", "-o", "-", "-q"]);
    assert_eq!(run.run().exits(0).stdout, expected);
}

#[test]
fn only_lists_are_replaced_and_only_when_asked() {
    let folder = temp();
    write_rows(folder.path());
    let at = |name: &str| folder.path().join(name);
    site_lines(folder.path(), "list.jsonl").run().exits(0);
    let before = contents(folder.path());
    site_lines(folder.path(), "list.jsonl").run().exits(2).says("list.jsonl' exists: use --over");
    let again = site_lines(folder.path(), "list.jsonl").args(["--overwrite", "--pages", "2"]);
    again.run().exits(0);
    assert_eq!(contents(folder.path()), before);
    fs::write(at("other"), "of another program").unwrap();
    site_lines(folder.path(), "other").arg("--overwrite").run().exits(2).says("no list of lines");
    for inside in ["rows/list.jsonl", "rows/a.jsonl"] {
        let run = site_lines(folder.path(), inside).arg("--overwrite").run();
        assert_eq!(run.code, Some(2), "{}", run.stderr);
    }
    site_lines(folder.path(), "missing/list.jsonl").run().exits(5).says("create its folder first");
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(at("list.jsonl"), at("link")).unwrap();
        site_lines(folder.path(), "link").arg("--overwrite").run().exits(2).says("is a link");
        fs::remove_file(at("link")).unwrap();
    }
    fs::remove_file(at("other")).unwrap();
    assert_eq!(contents(folder.path()), before);
}

#[test]
fn inputs_without_rows_are_named_and_leave_an_earlier_list() {
    let folder = temp();
    write_rows(folder.path());
    let at = |name: &str| folder.path().join(name);
    site_lines(folder.path(), "list.jsonl").run().exits(0);
    let before = plain(&at("list.jsonl"));
    fs::write(at("links.jsonl"), "{\"url\":\"http://a.test/\"}\n").unwrap();
    for (input, what) in [("missing", "No such file"), ("links.jsonl", "no_text_key")] {
        let run = Huller::new().arg("site-lines").arg(at(input)).arg("-o").arg(at("list.jsonl"));
        run.arg("--overwrite").run().exits(1).says(what).says("no list was written");
        assert_eq!(plain(&at("list.jsonl")), before);
    }
    assert!(!at("list.jsonl.part").exists());
    let refine = || Huller::new().arg("refine").arg(at("rows")).args(["-o", "-"]);
    refine().args(["--stages", "site-lines"]).run().exits(2).says("huller site-lines");
    with_list(refine(), &at("rows/a.jsonl")).run().exits(2).says("row 1 is no row with `host`");
    with_list(refine(), &at("missing")).run().exits(2).says("missing");
}

#[test]
fn a_killed_run_leaves_a_whole_list_or_none() {
    let folder = temp();
    write_rows(folder.path());
    site_lines(folder.path(), "whole.jsonl").run().exits(0);
    let expected = plain(&folder.path().join("whole.jsonl"));
    for trial in 0..8 {
        let list = folder.path().join("list.jsonl");
        let mut child = site_lines(folder.path(), "list.jsonl").spawn();
        std::thread::park_timeout(Duration::from_millis(trial * 5));
        child.kill().unwrap();
        child.wait().unwrap();
        if !list.exists() {
            site_lines(folder.path(), "list.jsonl").run().exits(0);
        }
        assert_eq!(plain(&list), expected);
        fs::remove_file(&list).unwrap();
    }
    let names: Vec<Value> = contents(folder.path()).into_keys().map(Value::from).collect();
    assert_eq!(names, ["rows/a.jsonl", "rows/b.jsonl", "whole.jsonl"]);
}
