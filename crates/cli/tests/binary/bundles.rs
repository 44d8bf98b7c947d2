//! ZIP and tar files of pages as inputs.

use crate::support::{
    Huller, assert_balanced, assert_killed_runs_go_on, json_lines, plain, rows, stats, string, temp,
};
use huller_testkit::pack::{gzip, zstd};
use huller_testkit::sample::pages;
use huller_testkit::tar::{file, tar};
use huller_testkit::zip::{ZipEntry, zip};
use serde_json::Value;
use std::fs;
use std::path::Path;

/// The pages of the sample with their names, and two files that are none.
fn files() -> Vec<(String, Vec<u8>)> {
    let mut files: Vec<_> = pages()
        .iter()
        .map(|page| {
            let name = page.file_name().unwrap().to_str().unwrap();
            (format!("pages/{name}"), fs::read(page).unwrap())
        })
        .collect();
    files.insert(1, ("pages/style.css".to_owned(), b"body {}".repeat(2000)));
    files.insert(
        5,
        ("old/site.zip".to_owned(), zip(&[ZipEntry::stored("a.html", b"<p>a".to_vec())])),
    );
    files
}

fn zipped(files: &[(String, Vec<u8>)]) -> Vec<u8> {
    let entry = |(name, bytes): &(String, Vec<u8>)| ZipEntry::deflated(name, bytes);
    zip(&files.iter().map(entry).collect::<Vec<_>>())
}

fn tarred(files: &[(String, Vec<u8>)]) -> Vec<u8> {
    tar(&files.iter().map(|(name, bytes)| file(name, bytes)).collect::<Vec<_>>())
}

/// The file name of a page, its text and its title.
fn told(row: &Value) -> (String, String, Value) {
    let name = string(row, "file_path").rsplit('/').next().unwrap().to_owned();
    (name, string(row, "text").to_owned(), row["title"].clone())
}

#[test]
fn an_archive_of_pages_gives_the_rows_of_its_folder() {
    let work = temp();
    let files = files();
    let (folder, crawl) = (work.path().join("folder"), work.path().join("crawl"));
    for (name, bytes) in &files {
        let path = folder.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }
    Huller::extract(folder.join("pages"), work.path().join("whole")).run().exits(0);
    let wanted = rows(work.path().join("whole/pages.jsonl.zst"));
    assert!(wanted.len() > 20);
    fs::create_dir_all(crawl.join("sub")).unwrap();
    let plain_tar = tarred(&files);
    for (name, bytes) in [
        ("a.zip", zipped(&files)),
        ("b.tar", plain_tar.clone()),
        ("c.tar.gz", gzip(&plain_tar)),
        ("d.tgz", gzip(&plain_tar)),
        ("sub/e.tar.zst", zstd(&plain_tar)),
    ] {
        fs::write(crawl.join(name), bytes).unwrap();
    }
    let outs = ["-j1", "-j2"].map(|workers| {
        let out = work.path().join(format!("out{workers}"));
        Huller::extract(&crawl, &out).arg(workers).run().exits(0);
        let verify = Huller::new().args(["verify", "-q"]).arg(&out).arg("--inputs").arg(&crawl);
        verify.run().exits(0);
        let total = &stats(&out)["total"];
        assert_balanced(total);
        assert_eq!(total["records"], 5 * files.len());
        assert_eq!(total["skipped"]["not_html"], 5);
        assert_eq!(total["skipped"]["nested_archive"], 5);
        out
    });
    for (input, output) in [
        ("a.zip", "a"),
        ("b.tar", "b"),
        ("c.tar.gz", "c"),
        ("d.tgz", "d"),
        ("sub/e.tar.zst", "sub/e"),
    ] {
        let [one, two] = outs.each_ref().map(|out| plain(&out.join(format!("{output}.jsonl.zst"))));
        assert!(one == two, "{input}");
        let found = json_lines(&one);
        let sorted = |rows: &[Value]| {
            let mut rows: Vec<_> = rows.iter().map(told).collect();
            rows.sort_by(|one, other| one.0.cmp(&other.0));
            rows
        };
        assert_eq!(sorted(&found), sorted(&wanted), "{input}");
        for row in &found {
            assert_eq!(string(row, "warc_filename"), input);
            assert!(string(row, "file_path").starts_with(&format!("{input}/pages/")), "{row}");
            assert!(row["url"].is_null());
        }
        let ids: std::collections::HashSet<_> = found.iter().map(|row| string(row, "id")).collect();
        assert_eq!(ids.len(), found.len());
        for row in found.iter().step_by(6) {
            let (offset, in_stream) = match row["warc_record_offset"].as_u64() {
                Some(offset) => (offset, false),
                None => (row["stream_offset"].as_u64().unwrap(), true),
            };
            let get = |what: &str| {
                let get = Huller::new().arg("get").arg(crawl.join(input)).arg(offset.to_string());
                get.arg(what).args(in_stream.then_some("--stream")).run().exits(0).stdout
            };
            let name = string(row, "file_path").strip_prefix(&format!("{input}/")).unwrap();
            let (_, bytes) = files.iter().find(|(file, _)| file == name).unwrap();
            assert!(get("--page") == *bytes && get("--record") == *bytes, "{input}: {name}");
            let text = String::from_utf8(get("--text")).unwrap();
            assert_eq!(text.trim_end(), string(row, "text").trim_end(), "{input}: {name}");
        }
        let listed =
            Huller::new().args(["records", "--json"]).arg(crawl.join(input)).run().exits(0);
        let listed = listed.rows();
        assert_eq!(listed.len(), files.len(), "{input}");
        for row in &found {
            let is_it = |record: &&Value| {
                record["offset"] == row["warc_record_offset"]
                    && (record["stream_offset"] == row["stream_offset"]
                        || !record["offset"].is_null())
            };
            let record = listed.iter().find(is_it).unwrap();
            assert!(string(row, "file_path").ends_with(string(record, "uri")), "{input}");
        }
    }
    // The same from a pipe.
    let piped = Huller::extract("-", "-").stdin(plain_tar).run().exits(0);
    assert_eq!(piped.rows().len(), wanted.len());
    let zip = Huller::extract("-", "-").stdin(zipped(&files)).run().exits(1);
    zip.says("a ZIP archive").says("not a pipe");
}

#[test]
fn shares_of_archives_of_pages_add_up() {
    let work = temp();
    let (files, crawl) = (files(), work.path().join("crawl"));
    fs::create_dir(&crawl).unwrap();
    for (at, files) in files.chunks(9).enumerate() {
        let (name, bytes) =
            if at % 2 == 0 { ("zip", zipped(files)) } else { ("tar", tarred(files)) };
        fs::write(crawl.join(format!("{at}.{name}")), bytes).unwrap();
    }
    let records = ["0/2", "1/2"].map(|share| {
        let out = work.path().join(share.replace('/', "-"));
        Huller::extract(&crawl, &out).args(["--shard", share]).run().exits(0);
        stats(&out)["total"]["records"].as_u64().unwrap()
    });
    assert_eq!(records.iter().sum::<u64>(), files.len() as u64);
    assert!(records.iter().all(|records| *records > 0));
}

#[test]
fn an_archive_without_pages_and_a_hostile_one_are_told() {
    let work = temp();
    let [none, bad, good] = ["none.zip", "bad.zip", "good.zip"].map(|name| work.path().join(name));
    fs::write(&none, zip(&[ZipEntry::stored("word/document.xml", b"<?xml?><w/>".to_vec())]))
        .unwrap();
    let page = || ZipEntry::stored("../../x.html", b"<p>x".to_vec());
    fs::write(&bad, zip(&[page()])).unwrap();
    fs::write(&good, zipped(&files())).unwrap();
    let out = work.path().join("out");
    let ran = Huller::extract(&none, &out).arg(&bad).arg(&good).run().exits(1);
    ran.says("its only record is not a page").says("is refused").says("leads out");
    assert_eq!(stats(&out)["total"]["records"], files().len() + 1);
    assert!(!work.path().join("x.html").exists());
}

#[test]
fn a_run_over_archives_of_pages_that_was_killed_goes_on_to_the_same_bytes() {
    let work = temp();
    let many: Vec<_> = (0..12)
        .flat_map(|n| files().into_iter().map(move |(name, bytes)| (format!("{n}/{name}"), bytes)))
        .collect();
    for (input, bytes) in [("a.zip", zipped(&many)), ("a.tar.gz", gzip(&tarred(&many)))] {
        let folder = work.path().join(input.replace('.', "-"));
        fs::create_dir(&folder).unwrap();
        let input = folder.join(input);
        fs::write(&input, bytes).unwrap();
        let run = |out: &Path| Huller::extract(&input, out).args(["-q", "-j2"]);
        assert_killed_runs_go_on(&folder, 3, run);
    }
}
