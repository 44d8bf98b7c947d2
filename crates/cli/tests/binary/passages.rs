//! `--passages`: the passages of rows beside the rows, through resumes, limits, damage and refusals;
//! and indexes of passages.

use crate::support::{
    Huller, assert_killed_runs_go_on, assert_same, contents, json_lines, plain, rows, sample,
    string, temp,
};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

/// Settings that need no tokenizer and give most pages several passages.
const SMALL: [&str; 6] = [
    "--passages-set",
    "tokenizer=characters",
    "--passages-set",
    "max_tokens=600",
    "--passages-set",
    "min_tokens=100",
];

/// Returns a run over the sample whose rows and passages have folders of these names in `folder`.
fn extract(folder: &Path) -> Huller {
    let (rows, passages) = (folder.join("rows"), folder.join("passages"));
    Huller::extract(sample(), rows).arg("--passages").arg(passages).args(SMALL)
}

/// Returns the texts of each page's passages, joined.
fn joined(passages: &[Value]) -> BTreeMap<String, String> {
    let mut texts: BTreeMap<String, String> = BTreeMap::new();
    for passage in passages {
        texts
            .entry(string(passage, "parent_id").to_owned())
            .or_default()
            .push_str(string(passage, "text"));
    }
    texts
}

fn passages_of(folder: &Path) -> Vec<Value> {
    rows(folder.join("passages/sample.jsonl.zst"))
}

#[test]
fn passages_are_the_markdown_of_the_rows_whatever_the_number_of_threads() {
    let [one, four] = [temp(), temp()];
    let ran = extract(one.path()).args(["--markdown", "-j1"]).run().exits(0);
    extract(four.path()).args(["--markdown", "-j4"]).run().exits(0);
    assert_same(&contents(one.path()), &contents(four.path()));
    let (pages, passages) =
        (rows(one.path().join("rows/sample.jsonl.zst")), passages_of(one.path()));
    let texts = joined(&passages);
    assert!(passages.len() > pages.len());
    ran.says(&format!("  {:<26}{:>16}\n", "  passages of these", passages.len()));
    let mut expected = pages.iter().filter(|page| !string(page, "text").is_empty());
    for page in expected.by_ref() {
        let markdown = string(page, "markdown");
        let whole = if markdown.is_empty() { string(page, "text") } else { markdown };
        assert_eq!(texts[string(page, "id")], whole);
    }
    let parents: Vec<_> = passages.iter().map(|passage| string(passage, "parent_id")).collect();
    let order: Vec<_> = pages.iter().map(|page| string(page, "id")).collect();
    assert!(parents.is_sorted_by_key(|parent| order.iter().position(|id| id == parent)));
    for passage in &passages {
        let with =
            ["prefix", "context", "text"].map(|name| passage[name].as_str().unwrap_or_default());
        let chars = with.concat().chars().count() as u64;
        assert_eq!(passage["tokens"], chars);
        assert!(chars <= 600, "{passage}");
    }
    assert!(passages.iter().any(|passage| passage["anchor"].is_string()));
    // Without `--markdown`, the passages are the same, and the rows lack it.
    let without = temp();
    extract(without.path()).run().exits(0);
    assert_eq!(passages_of(without.path()), passages);
    assert!(rows(without.path().join("rows/sample.jsonl.zst"))[0].get("markdown").is_none());
}

#[test]
fn refined_rows_have_passages_of_their_markdown_or_of_their_text() {
    let folder = temp();
    let at = |name: &str| folder.path().join(name);
    extract(folder.path()).arg("--markdown").run().exits(0);
    let refine = |input: &Path, out: &str| {
        let refine = Huller::new().arg("refine").arg(input).arg("-o").arg(at(out));
        let passages = at(&format!("p-{out}"));
        refine.arg("--passages").arg(&passages).args(SMALL).run().exits(0);
        rows(passages.join("sample.jsonl.zst"))
    };
    let again = refine(&at("rows/sample.jsonl.zst"), "same");
    let first = passages_of(folder.path());
    // Rows do not keep the identifiers of headings, so links lead to pages.
    let comparable = |passages: &[Value]| {
        let mut passages = passages.to_vec();
        for passage in &mut passages {
            passage["anchor"] = Value::Null;
        }
        passages
    };
    assert_eq!(comparable(&first), comparable(&again));

    Huller::extract(sample(), at("texts")).args(["--fields", "id,url,text"]).run().exits(0);
    let plain = refine(&at("texts/sample.jsonl.zst"), "plain");
    let texts = joined(&plain);
    for row in rows(at("texts/sample.jsonl.zst")) {
        let text = string(&row, "text");
        assert_eq!(texts.get(string(&row, "id")).map_or("", String::as_str), text);
    }
    assert!(plain.iter().all(|passage| passage["start"].is_null()));
    assert!(plain.iter().all(|passage| passage["headings"].as_array().unwrap().is_empty()));
}

#[test]
fn a_killed_run_resumes_to_the_same_rows_and_passages() {
    let inputs = temp();
    for name in ["a", "b", "c"] {
        fs::copy(sample(), inputs.path().join(format!("{name}.warc.gz"))).unwrap();
    }
    let trials = if std::env::var_os("HULLER_FULL").is_some() { 50 } else { 4 };
    for format in ["jsonl", "parquet"] {
        let work = temp();
        assert_killed_runs_go_on(work.path(), trials, |out| {
            let run = Huller::extract(inputs.path(), out.join("rows"));
            run.arg("--passages").arg(out.join("passages")).args(["--format", format]).args(SMALL)
        });
    }
}

#[test]
fn passages_end_with_the_rows_at_a_limit() {
    let folder = temp();
    extract(folder.path()).args(["--limit", "7"]).run().exits(0);
    let pages = rows(folder.path().join("rows/sample.jsonl.zst"));
    let passages = passages_of(folder.path());
    assert_eq!(pages.len(), 7);
    let ids: Vec<_> = pages.iter().map(|page| string(page, "id").to_owned()).collect();
    assert_eq!(joined(&passages).keys().collect::<Vec<_>>(), {
        let mut ids: Vec<_> = ids.iter().collect();
        ids.sort();
        ids
    });
    Huller::new().arg("verify").arg(folder.path().join("rows")).run().exits(0);
}

#[test]
fn a_resumed_run_makes_lost_passages_again_and_refuses_other_settings() {
    let folder = temp();
    extract(folder.path()).run().exits(0);
    let before = contents(folder.path());
    fs::remove_file(folder.path().join("passages/sample.jsonl.zst")).unwrap();
    extract(folder.path()).arg("--resume").run().exits(0);
    assert_same(&before, &contents(folder.path()));
    let other = extract(folder.path()).args(["--resume", "--passages-set", "overlap=50"]);
    other.run().exits(3).says("cannot resume").says("passages_settings");
    let elsewhere = Huller::extract(sample(), folder.path().join("rows")).arg("--resume");
    let elsewhere = elsewhere.arg("--passages").arg(folder.path().join("other")).args(SMALL);
    elsewhere.run().exits(3).says("passages is ../other, was ../passages");
    assert_same(&before, &contents(folder.path()));
}

#[test]
fn overwriting_removes_the_passages_of_the_earlier_run_and_no_other_file() {
    let folder = temp();
    let at = |name: &str| folder.path().join(name);
    extract(folder.path()).run().exits(0);
    fs::write(at("passages/notes.txt"), "mine").unwrap();
    let run = || Huller::extract(sample(), at("rows")).arg("--overwrite").args(SMALL);
    run().arg("--passages").arg(at("other")).run().exits(0);
    let files = |name: &str| -> Vec<PathBuf> {
        let entries = fs::read_dir(at(name)).unwrap();
        entries.map(|entry| entry.unwrap().file_name().into()).collect()
    };
    assert_eq!(files("passages"), [PathBuf::from("notes.txt")]);
    assert_eq!(files("other"), [PathBuf::from("sample.jsonl.zst")]);
    // A file of the user in the place of an output stays.
    fs::write(at("passages/sample.jsonl.zst"), "mine").unwrap();
    let refused = run().arg("--passages").arg(at("passages")).run().exits(2);
    refused.says("passages/sample.jsonl.zst");
    assert_eq!(fs::read(at("passages/sample.jsonl.zst")).unwrap(), b"mine");
    // So does a changed file of the run.
    fs::write(at("other/sample.jsonl.zst"), "changed").unwrap();
    run().arg("--passages").arg(at("third")).run().exits(2).says("other/sample.jsonl.zst");
    assert_eq!(fs::read(at("other/sample.jsonl.zst")).unwrap(), b"changed");
    let fresh = temp();
    fs::create_dir(fresh.path().join("passages")).unwrap();
    fs::write(fresh.path().join("passages/sample.jsonl.zst"), "mine").unwrap();
    extract(fresh.path()).run().exits(2).says("passages/sample.jsonl.zst' exists");
}

#[test]
fn verify_reports_passages_that_are_missing_changed_or_strange() {
    let verify = |folder: &Path| Huller::new().arg("verify").arg(folder.join("rows")).run();
    let damaged = |damage: &dyn Fn(&Path), expected: &str| {
        let folder = temp();
        extract(folder.path()).args(["--compress", "none"]).run().exits(0);
        verify(folder.path()).exits(0);
        damage(&folder.path().join("passages"));
        let found = verify(folder.path());
        assert!(found.text().contains(expected), "no `{expected}` in {}", found.text());
        found.exits(1);
    };
    let file = |passages: &Path| passages.join("sample.jsonl");
    damaged(&|passages| fs::remove_file(file(passages)).unwrap(), "../passages/sample.jsonl");
    damaged(
        &|passages| {
            let mut bytes = fs::read(file(passages)).unwrap();
            let middle = bytes.len() / 2;
            bytes[middle] ^= 1;
            fs::write(file(passages), bytes).unwrap();
        },
        "its digest is",
    );
    damaged(
        &|passages| {
            let bytes = fs::read(file(passages)).unwrap();
            let end = bytes.iter().rposition(|byte| *byte == b'{').unwrap();
            fs::write(file(passages), &bytes[..end]).unwrap();
        },
        "in the statistics",
    );
    damaged(
        &|passages| _ = fs::copy(file(passages), passages.join("more.jsonl")).unwrap(),
        "../passages/more.jsonl",
    );
}

#[test]
fn passages_go_only_to_a_folder_beside_the_rows() {
    let folder = temp();
    let at = |name: &str| folder.path().join(name);
    let run = |out: &str, passages: &str| {
        Huller::extract(sample(), out).arg("--passages").arg(passages).args(SMALL).run()
    };
    let (rows, inside) = (at("rows"), at("rows/passages"));
    let (rows, inside) = (rows.to_str().unwrap(), inside.to_str().unwrap());
    run("-", at("passages").to_str().unwrap()).exits(2).says("local folder");
    run(rows, inside).exits(2).says("lie in one another");
    run(inside, rows).exits(2).says("lie in one another");
    assert!(!at("rows").exists() || fs::read_dir(at("rows")).unwrap().next().is_none());
    // The part of a file would be written through a link.
    fs::create_dir(at("passages")).unwrap();
    fs::write(at("victim"), "mine").unwrap();
    symlink(at("victim"), at("passages/sample.jsonl.zst.part")).unwrap();
    run(rows, at("passages").to_str().unwrap()).exits(5).says("is a symbolic link");
    assert_eq!(fs::read(at("victim")).unwrap(), b"mine");
}

#[test]
fn passages_in_an_input_folder_are_no_input() {
    let folder = temp();
    let at = |name: &str| folder.path().join(name);
    fs::create_dir(at("in")).unwrap();
    fs::write(at("in/a.jsonl"), "{\"id\":\"1\",\"text\":\"Rain fell all day long.\"}\n").unwrap();
    let refine = || {
        let refine = Huller::new().arg("refine").arg(at("in")).arg("-o").arg(at("out"));
        refine.arg("--passages").arg(at("in/passages")).args(SMALL)
    };
    refine().run().exits(0);
    refine().arg("--overwrite").run().exits(0);
    assert_eq!(json_lines(&plain(&at("out/a.jsonl.zst"))).len(), 1);
    assert_eq!(rows(at("in/passages/a.jsonl.zst")).len(), 1);
}

/// Pages of three passages each. Every passage has the word `rain`, and one word of its own.
fn rainy_passages(pages: usize) -> String {
    let mut lines = String::new();
    for page in 0..pages {
        for ordinal in 0..3 {
            let passage = json!({
                "id": format!("{page}-{ordinal}"),
                "parent_id": format!("page {page}"),
                "ordinal": ordinal,
                "of": 3,
                "url": format!("https://site.test/{page}?q=1#top"),
                "anchor": if ordinal == 2 { Some(format!("part {ordinal}")) } else { None },
                "title": format!("Weather {page}"),
                "headings": [format!("Weather {page}"), format!("Heading {ordinal}")],
                "language": "eng",
                "prefix": format!("Weather {page}\nHeading {ordinal}\n\n"),
                "text": format!("rain {} word{page}x{ordinal}\n", "rain ".repeat(ordinal)),
            });
            lines += &(passage.to_string() + "\n");
        }
    }
    lines
}

#[test]
fn an_index_of_passages_groups_hits_by_page_and_links_to_the_place() {
    let folder = temp();
    let at = |name: &str| folder.path().join(name);
    fs::write(at("passages.jsonl"), rainy_passages(30)).unwrap();
    let index = |corpus: &str| {
        Huller::new().arg("index").arg(at(corpus)).arg("-o").arg(at("index")).arg("--passages")
    };
    index("passages.jsonl").run().exits(0);
    let search = |query: &str, limit: &str| {
        let search = Huller::new().arg("search").arg(at("index")).arg(query);
        search.args(["--json", "-n", limit]).run().exits(0).rows()
    };
    // One hit of each page, whatever the limit.
    for (limit, expected) in [("10", 10), ("30", 30), ("1000", 30), ("all", 30)] {
        let hits = search("rain", limit);
        let parents: BTreeSet<_> = hits.iter().map(|hit| string(hit, "parent_id")).collect();
        assert_eq!((hits.len(), parents.len()), (expected, expected), "{limit}");
    }
    let [hit] = search("word7x2", "10").try_into().unwrap();
    assert_eq!((string(&hit, "parent_id"), &hit["ordinal"]), ("page 7", &json!(2)));
    assert_eq!(string(&hit, "link"), "https://site.test/7?q=1#part%202");
    assert_eq!(hit["headings"], json!(["Weather 7", "Heading 2"]));
    // The words of the headings count.
    assert_eq!(search("+\"heading 1\" +word5x1", "10").len(), 1);
    let shown = Huller::new().arg("search").arg(at("index")).arg("word7x2").run().exits(0);
    assert!(shown.text().contains("https://site.test/7?q=1#part%202\n   Heading 2\n"));

    fs::write(at("pages.jsonl"), "{\"id\":\"1\",\"text\":\"rain\"}\n").unwrap();
    index("pages.jsonl").arg("--resume").run().exits(0).says("not_a_passage");
    let pages = Huller::new().arg("index").arg(at("pages.jsonl")).arg("-o").arg(at("index"));
    pages.arg("--resume").run().exits(2).says("the index has passages: add --passages");
}
