//! `huller eval` over the bundled pages.

use crate::support::{Huller, repository, sample, string, temp};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use unicode_width::UnicodeWidthStr;

fn gold() -> PathBuf {
    repository().join("data/gold.jsonl")
}

/// `huller eval` of the sample, without what differs from run to run.
fn eval() -> Huller {
    Huller::new().arg("eval").arg(sample()).arg("--gold").arg(gold()).args([
        "--no-speed",
        "--extractors",
        "body",
    ])
}

/// Rows of a CSV file by the columns' names.
fn table(text: &[u8]) -> Vec<BTreeMap<String, String>> {
    let mut reader = csv::Reader::from_reader(text);
    reader.deserialize().map(|row| row.unwrap()).collect()
}

#[test]
fn gold_without_a_page_is_an_error() {
    let folder = temp();
    let empty = folder.path().join("empty.jsonl");
    fs::write(&empty, "").unwrap();
    let ran = Huller::new().arg("eval").arg(sample()).arg("--gold").arg(empty).run();
    assert!(ran.exits(1).says("no page").text().is_empty());
}

#[test]
fn the_forms_are_what_they_were() {
    for format in ["terminal", "markdown", "csv", "json"] {
        let ran = eval()
            .args(["--by", "dataset,lang,page_type,length", "--format", format])
            .run()
            .exits(0);
        assert_eq!(ran.stderr, "41 of 41 gold pages found\n");
        insta::assert_snapshot!(format!("eval_{format}"), ran.text());
    }
}

#[test]
fn tables_for_people_fit_eighty_columns() {
    let ran = Huller::new()
        .arg("eval")
        .arg(sample())
        .arg("--gold")
        .arg(gold())
        .args(["--profile", "both", "--pairs", "--worst", "5", "--rouge", "--levenshtein"])
        .run()
        .exits(0);
    for line in ran.text().lines() {
        // Marks above and below letters take no column.
        assert!(line.width() <= 80, "over 80 columns: {line}");
    }
    for what in ["ROUGE-LSum", "Pairs", "Worst pages of pvalue/paper", "Worst pages of body/tuned"]
    {
        assert!(ran.text().contains(what), "{what}");
    }
}

#[test]
fn the_csv_begins_with_the_columns_of_the_contract() {
    let ran = Huller::new()
        .arg("eval")
        .arg(sample())
        .arg("--gold")
        .arg(gold())
        .args(["--format", "csv"])
        .run()
        .exits(0);
    let head = "extractor,profile,dataset,pages,lcs_p,lcs_r,lcs_f1,sh_p,sh_r,sh_f1,bag_f1,snip_f1,empty,mb_per_cpu_s,";
    assert!(ran.text().starts_with(head), "{}", ran.text());
    for row in table(&ran.stdout) {
        assert!(row["mb_per_cpu_s"].parse::<f64>().unwrap() > 0.0);
        assert!(row["snip_f1"].is_empty() && row["profile"] == "tuned" && row["pages"] == "41");
    }
}

#[test]
fn any_number_of_threads_gives_the_same() {
    let with = |threads: &str| {
        eval()
            .args(["--format", "json", "--worst", "41", "--pairs", "--rouge", "-j", threads])
            .run()
            .exits(0)
            .stdout
    };
    assert_eq!(with("1"), with("3"));
}

#[test]
fn texts_are_those_of_extract() {
    let folder = temp();
    for extractor in huller_extract::EXTRACTORS {
        let rows =
            Huller::extract(sample(), "-").args(["--extractor", extractor.name()]).run().exits(0);
        let predictions = folder.path().join("rows.jsonl");
        fs::write(&predictions, &rows.stdout).unwrap();
        let pages = folder.path().join("pages.csv");
        let ran = Huller::new()
            .arg("eval")
            .arg(sample())
            .arg("--gold")
            .arg(gold())
            .args([
                "--extractor",
                extractor.name(),
                "--format",
                "json",
                "--worst",
                "41",
                "--predictions",
            ])
            .arg(&predictions)
            .arg("--per-page")
            .arg(&pages)
            .run()
            .exits(0)
            .says("rows: 41 of 41 gold pages predicted");
        let all: Value = serde_json::from_slice(&ran.stdout).unwrap();
        let worst = all["worst"].as_array().unwrap();
        let (ours, theirs) = worst.split_at(41);
        for (a, b) in ours.iter().zip(theirs) {
            assert_eq!((string(a, "id"), string(a, "text")), (string(b, "id"), string(b, "text")));
        }
        let rows = table(&fs::read(&pages).unwrap());
        let (ours, theirs) = rows.split_at(41);
        for (a, b) in ours.iter().zip(theirs) {
            assert_eq!(
                (a["system"].as_str(), b["system"].as_str()),
                (&*format!("{}/tuned", extractor.name()), "rows")
            );
            assert!(
                a.iter()
                    .filter(|(name, _)| *name != "system")
                    .all(|(name, value)| b[name] == *value)
            );
        }
    }
}

#[test]
fn predictions_need_no_pages() {
    let folder = temp();
    let predictions = folder.path().join("none.jsonl");
    fs::write(&predictions, "{\"id\":\"other\",\"text\":\"x\"}\n").unwrap();
    let ran = Huller::new()
        .args(["eval", "--format", "csv", "--gold"])
        .arg(gold())
        .arg("--predictions")
        .arg(&predictions);
    let ran = ran.run().exits(0).says("none: 0 of 41 gold pages predicted");
    let rows = table(&ran.stdout);
    assert_eq!(rows.len(), 2);
    // An empty gold text asks for an empty text.
    assert_eq!((rows[1]["empty"].as_str(), rows[1]["profile"].as_str()), ("41", ""));
    let empty =
        crate::support::rows(gold()).iter().filter(|page| string(page, "text").is_empty()).count();
    let share: f64 = rows[1]["lcs_f1"].parse().unwrap();
    assert!((share * 41.0 - empty as f64).abs() < 1e-4);
}

#[test]
fn pages_without_gold_and_gold_without_pages_are_counted() {
    let folder = temp();
    let path = folder.path().join("gold.jsonl");
    let text = fs::read_to_string(gold()).unwrap();
    let ten: Vec<_> = text.lines().take(10).collect();
    let missing =
        r#"{"id":"x/1","dataset":"x","warc_record_id":"<urn:uuid:0>","text":"Not there."}"#;
    fs::write(&path, format!("{}\n{missing}\n", ten.join("\n"))).unwrap();
    let ran =
        Huller::new().arg("eval").arg(sample()).arg("--gold").arg(&path).args(["--format", "csv"]);
    let ran = ran.run().exits(0);
    let ran = ran
        .says("10 of 11 gold pages found")
        .says("1 missing from all archives")
        .says("31 pages without gold");
    let rows = table(&ran.stdout);
    let row = rows.iter().find(|row| row["dataset"] == "x").unwrap();
    assert_eq!((row["empty"].as_str(), row["lcs_f1"].as_str()), ("1", "0.000000"));
}

#[test]
fn a_baseline_holds_figures_up() {
    let folder = temp();
    let path = folder.path().join("before.csv");
    let out = |path: &Path| eval().args(["--format", "csv", "-o"]).arg(path);
    assert!(out(&path).run().exits(0).stdout.is_empty());
    eval().arg("--baseline").arg(&path).run().exits(0);
    let row = table(&fs::read(&path).unwrap()).remove(0);
    let better = fs::read_to_string(&path).unwrap().replace(&row["sh_f1"], "0.999999");
    fs::write(&path, better).unwrap();
    let ran = eval().arg("--baseline").arg(&path).run().exits(1);
    let ran = ran.says("worse: body tuned sample: sh_f1 was 0.999999, is ");
    assert_eq!(ran.stderr.lines().filter(|line| line.starts_with("worse: ")).count(), 2);
    fs::write(&path, "x\n").unwrap();
    eval()
        .arg("--baseline")
        .arg(&path)
        .run()
        .exits(1)
        .says("before.csv': line 1: no column `extractor`");
}

#[test]
fn faults_are_named() {
    let says = |ran: Huller, code: i32, what: &str| {
        let ran = ran.run().exits(code).says(what);
        assert!(ran.stdout.is_empty());
    };
    let with_gold =
        |path: &Path| Huller::new().arg("eval").arg(sample()).arg("--gold").arg(path).arg("-q");
    says(Huller::new().arg("eval").arg(sample()), 2, "--gold");
    says(
        Huller::new().args(["eval", "--gold"]).arg(gold()),
        2,
        "nothing to score: give PAGES or \
        --predictions",
    );
    says(Huller::new().args(["eval", "--gold"]).arg(sample()), 2, "no gold file given");
    says(Huller::new().args(["eval", "--extractor", "nobody"]), 2, "unknown extractor");
    says(eval().args(["--by", "colour"]), 2, "colour");
    says(eval().args(["--format", "csv", "--worst", "3"]), 2, "--worst cannot be used with");
    says(with_gold(Path::new("no-such.jsonl")), 1, "cannot read 'no-such.jsonl': No such file");
    says(with_gold(&repository().join("README.md")), 1, "README.md': line 1: expected value");
    says(Huller::new().args(["eval", "no-such.warc", "--gold"]).arg(gold()), 1, "no-such.warc");
    says(
        eval().args(["-o", "/no/such/folder/x"]),
        5,
        "cannot write '/no/such/folder/x': No such file",
    );
}

#[test]
fn pages_and_gold_may_come_in_any_order() {
    let first = eval().run().exits(0).stdout;
    let second = Huller::new()
        .args(["eval", "--no-speed", "--extractors", "body", "--gold"])
        .arg(gold())
        .arg(sample());
    assert_eq!(second.run().exits(0).stdout, first);
}
