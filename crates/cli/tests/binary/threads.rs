//! The number of workers changes the time of a run and nothing else.

use crate::damage::damaged;
use crate::support::{Huller, assert_same, contents, repository, sample, temp};
use huller_testkit::damage::{Container, large_archive};
use huller_testkit::pack::gzip;
use huller_testkit::sample;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Everything a run leaves, rejects included.
fn run(inputs: &[PathBuf], threads: usize, more: &[&str]) -> BTreeMap<String, Vec<u8>> {
    let work = temp();
    let (output, rejects) = (work.path().join("out"), work.path().join("rejects.jsonl"));
    Huller::new()
        .arg("extract")
        .args(inputs)
        .arg("-o")
        .arg(&output)
        .arg("--rejects")
        .arg(&rejects)
        .arg(format!("-j{threads}"))
        .args(more)
        .run()
        .exits(0);
    let mut all = contents(&output);
    all.insert("rejects".to_owned(), std::fs::read(rejects).unwrap());
    all
}

#[track_caller]
fn assert_threads_dont_show(inputs: &[PathBuf], more: &[&str]) {
    let one = run(inputs, 1, more);
    for threads in [2, 4] {
        assert_same(&one, &run(inputs, threads, more));
    }
}

#[test]
fn the_sample_gives_the_same_with_one_two_and_four_workers() {
    assert_threads_dont_show(&[sample()], &[]);
    assert_threads_dont_show(&[sample()], &["--limit", "17", "--compress", "gzip"]);
}

#[test]
fn damaged_files_give_the_same_with_one_two_and_four_workers() {
    let (folder, files) = damaged();
    // The outputs would have the same name in one run, so every container has a run of its own.
    for container in Container::ALL {
        let of = files.iter().filter(|file| file.container == container);
        let paths: Vec<_> = of.map(|file| folder.path().join(&file.name)).collect();
        assert_eq!(paths.len(), 6);
        assert_threads_dont_show(&paths, &[]);
    }
}

#[test]
fn a_large_archive_with_damage_gives_the_same_with_one_two_and_four_workers() {
    let folder = temp();
    let path = folder.path().join("large.warc.gz");
    std::fs::write(&path, large_archive(30_000_000)).unwrap();
    assert_threads_dont_show(&[path], &[]);
}

#[test]
fn rows_on_standard_output_come_in_the_same_order() {
    let folder = temp();
    let path = folder.path().join("large.warc.gz");
    std::fs::write(&path, large_archive(8_000_000)).unwrap();
    let one = Huller::extract(&path, "-").arg("-j1").run().exits(0).stdout;
    let four = Huller::extract(&path, "-").arg("-j4").run().exits(0).stdout;
    assert!(one == four && one.len() > 100_000);
}

/// A folder with every kind of input, and a list that names others.
pub(crate) fn mixed(root: &Path) -> Vec<PathBuf> {
    let crawl = root.join("crawl");
    let pages = crawl.join("pages");
    std::fs::create_dir_all(&pages).unwrap();
    let records = sample::records();
    std::fs::copy(sample(), crawl.join("a.warc.gz")).unwrap();
    std::fs::write(crawl.join("b.warc"), records.concat()).unwrap();
    let frames: Vec<_> =
        records.iter().map(|record| zstd::encode_all(&record[..], 1).unwrap()).collect();
    std::fs::write(crawl.join("c.warc.zst"), frames.concat()).unwrap();
    std::fs::write(crawl.join("d.warc.gz"), gzip(&records.concat())).unwrap();
    let mut lines = Vec::new();
    for entry in std::fs::read_dir(repository().join("data/pages")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "html") {
            std::fs::copy(&path, pages.join(path.file_name().unwrap())).unwrap();
            if let Ok(html) = std::fs::read_to_string(&path) {
                lines.push(serde_json::json!({ "html": html, "url": format!("http://x.test/{}", lines.len()) }));
            }
        }
    }
    lines.push(serde_json::json!({ "nothing": 1 }));
    let lines = lines.iter().fold(String::new(), |text, line| text + &line.to_string() + "\n");
    std::fs::write(crawl.join("e.jsonl.gz"), gzip(lines.as_bytes())).unwrap();
    std::fs::write(root.join("listed.warc.gz"), std::fs::read(sample()).unwrap()).unwrap();
    std::fs::write(root.join("more.paths"), "listed.warc.gz\n").unwrap();
    vec![crawl, root.join("more.paths")]
}

#[test]
fn several_inputs_of_all_kinds_give_the_same_with_one_two_and_four_workers() {
    let folder = temp();
    let inputs = mixed(folder.path());
    let all = run(&inputs, 1, &[]);
    for name in ["a", "b", "c", "d", "e", "pages", "listed"] {
        assert!(all.contains_key(&format!("{name}.jsonl.zst")), "{name}: {:?}", all.keys());
    }
    assert_threads_dont_show(&inputs, &[]);
    assert_threads_dont_show(&inputs, &["--limit", "150"]);
}
