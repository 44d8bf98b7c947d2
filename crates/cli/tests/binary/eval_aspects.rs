//! `huller eval`: HTML, differences of the worst pages, judgements of pages, choice of runs,
//! metadata.

use crate::support::{Huller, repository, sample, string, temp};
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};
use unicode_width::UnicodeWidthStr;

fn eval(gold: &Path) -> Huller {
    Huller::new().arg("eval").arg(sample()).arg("--gold").arg(gold).arg("--no-speed")
}

fn bundled() -> PathBuf {
    repository().join("data/gold.jsonl")
}

/// The bundled gold of pages whose identifier begins so, changed by `change`.
fn gold_of(folder: &Path, begins: &[&str], change: impl Fn(&mut Value)) -> PathBuf {
    let path = folder.join("gold.jsonl");
    let mut lines = String::new();
    for mut page in crate::support::rows(bundled()) {
        if begins.iter().any(|begin| string(&page, "id").starts_with(begin)) {
            change(&mut page);
            lines += &page.to_string();
            lines.push('\n');
        }
    }
    fs::write(&path, lines).unwrap();
    path
}

#[test]
fn html_is_one_safe_page_with_all_systems_and_worst_pages() {
    let folder = temp();
    let gold = gold_of(folder.path(), &["sample/"], |page| {
        let id = format!("<script>{}", string(page, "id"));
        page["id"] = id.into();
    });
    let path = folder.path().join("report.html");
    eval(&gold).args(["--profile", "both", "--format", "html", "-o"]).arg(&path).run().exits(0);
    let page = fs::read_to_string(&path).unwrap();
    assert!(page.starts_with("<!doctype html>") && page.ends_with("</html>\n"));
    assert!(!page.contains("<script"), "an identifier became markup");
    for extractor in huller_extract::EXTRACTORS {
        let name = format!("<bdi>{}</bdi> <small>paper</small>", extractor.name());
        assert!(page.contains(&name), "{name}");
    }
    let worst = page.matches("<div class=\"diff\"").count();
    assert_eq!(worst, 5 * 2 * huller_extract::EXTRACTORS.len(), "five a system if not told");
    let text = eval(&gold).args(["--extractors", "td", "--format", "html", "--worst", "2"]);
    let text = text.run().exits(0);
    assert_eq!(text.text().matches("<div class=\"diff\"").count(), 2);
    assert!(text.text().contains("<del>") && text.text().contains("<ins>"));
}

#[test]
fn worst_pages_come_with_what_is_missing_and_extra() {
    let folder = temp();
    let gold = gold_of(folder.path(), &["sample/01", "sample/30", "sample/24"], |page| {
        let text = format!("\u{1b}[2JGoldonly {}", string(page, "text"));
        page["text"] = text.into();
    });
    let worst = || eval(&gold).args(["--extractors", "body", "--worst", "3"]);
    let ran = worst().run().exits(0);
    let text = ran.text();
    assert!(text.contains("Worst pages of body/tuned") && text.contains("{+"), "{text}");
    assert!(text.contains("[-\\u{1b}[2JGoldonly"), "{text}");
    assert!(!text.contains('\u{1b}'), "no colours where no terminal is, and none from the gold");
    for line in text.lines() {
        assert!(line.width() <= 80, "over 80 columns: {line}");
    }
    let ran = worst().args(["--format", "markdown"]).run().exits(0);
    assert!(ran.text().contains("\n#### body/tuned: sample/01"), "{}", ran.text());
    assert!(ran.text().contains("[-\u{241b}[2JGoldonly") && !ran.text().contains('\u{1b}'));
    assert_eq!(ran.text().matches("\n```text\n").count(), 3);
}

#[test]
fn pages_are_judged_against_the_length_of_their_text() {
    let judge = || eval(&bundled()).args(["--judge", "--profile", "both"]);
    let ran = judge().args(["--format", "json"]).run().exits(0).says("30 of 30 gold pages found");
    let all: Value = serde_json::from_slice(&ran.stdout).unwrap();
    assert_eq!((&all["with_article"], &all["without_article"]), (&json!(26), &json!(4)));
    assert_eq!(all["majority_accuracy"], json!(26.0 / 30.0));
    let systems = all["systems"].as_array().unwrap();
    let system = |name: &str, profile: &str| {
        let found =
            systems.iter().find(|one| one["extractor"] == name && one["profile"] == profile);
        found.unwrap_or_else(|| panic!("no {name}/{profile}")).clone()
    };
    for profile in ["paper", "tuned"] {
        let pvalue = system("pvalue", profile);
        assert!(pvalue["judging"]["accuracy"].is_number());
        let gain =
            pvalue["judging"]["auc"].as_f64().unwrap() - all["baseline"]["auc"].as_f64().unwrap();
        assert!((pvalue["auc_gain"].as_f64().unwrap() - gain).abs() < 1e-12);
    }
    let tsd = system("tsd", "tuned");
    assert!(tsd["judging"]["accuracy"].is_null() && tsd["judging"]["auc"].is_number());
    let roc = tsd["judging"]["roc"].as_array().unwrap();
    assert_eq!((&roc[0]["tpr"], &roc[0]["threshold"]), (&json!(0.0), &Value::Null));
    assert_eq!(
        (&roc[roc.len() - 1]["tpr"], &roc[roc.len() - 1]["fpr"]),
        (&json!(1.0), &json!(1.0))
    );
    assert!(
        all["baseline"]["accuracy"].is_null() && all["baseline"]["best"]["threshold"].is_number()
    );

    for line in judge().run().exits(0).text().lines() {
        assert!(line.width() <= 80, "over 80 columns: {line}");
    }
    let csv = judge().args(["--format", "csv"]).run().exits(0);
    let mut reader = csv::Reader::from_reader(&csv.stdout[..]);
    let rows: Vec<std::collections::BTreeMap<String, String>> =
        reader.deserialize().map(|row| row.unwrap()).collect();
    let of = |what: &str| rows.iter().filter(|row| row["what"] == what).count();
    assert_eq!(of("verdict"), 4, "hull and pvalue alone have verdicts");
    assert_eq!(of("best"), systems.len() + 1);
    assert!(of("roc") > 2 * of("best"));
    let markdown = judge().args(["--format", "markdown"]).run().exits(0);
    assert!(
        markdown.text().contains("| text-length |") && markdown.text().contains("| pvalue/paper |")
    );
}

#[test]
fn types_of_pages_can_be_chosen() {
    let judge = |positive: &str, negative: &str| {
        eval(&bundled()).args(["--judge", "-q", "--positive", positive, "--negative", negative])
    };
    let ran = judge("article,forum", "other,product").run().exits(0);
    assert!(
        ran.text()
            .starts_with("article          29 pages: article, forum\nno article        5 pages")
    );
    judge("article", "weather").run().exits(1).says("page_type of --negative (weather)");
    judge("article", "listing,article").run().exits(2).says("'article' is in --positive and in");
    judge("article", "listing")
        .args(["--format", "html"])
        .run()
        .exits(2)
        .says("cannot be used with");
    eval(&bundled()).args(["--positive", "forum"]).run().exits(2).says("--judge");
    eval(&bundled()).args(["--judge", "--blocks"]).run().exits(2).says("cannot be used with");
}

#[test]
fn the_choice_of_runs_is_scored_where_the_gold_has_html() {
    let folder = temp();
    let source = repository().join("data/pages/34-body-direct-knots.html");
    let source = fs::read_to_string(source).unwrap();
    let gold = gold_of(folder.path(), &["sample/34", "sample/01"], |page| {
        if string(page, "id").starts_with("sample/34") {
            page["gold_html"] = source.clone().into();
        }
    });
    let blocks = || eval(&gold).args(["--blocks", "--extractors", "body,pvalue"]);
    let ran = blocks().args(["--format", "json"]).run().exits(0).says("1 of 1 gold pages found");
    let all: Value = serde_json::from_slice(&ran.stdout).unwrap();
    assert_eq!((&all["pages"], &all["unmatched_runs"]), (&json!(1), &json!(0)));
    let rows = all["rows"].as_array().unwrap();
    assert_eq!(rows.len(), 4, "two extractors, one data set and all pages");
    // The gold is the whole page, so an extractor that keeps all text is right.
    assert_eq!(rows[0]["extractor"], "body");
    assert_eq!(rows[0]["runs"]["p"], json!(1.0));
    let (all_text, some) = (&rows[0]["scalars"], &rows[1]["scalars"]);
    assert!(all_text["r"].as_f64().unwrap() >= some["r"].as_f64().unwrap());
    assert!(some["r"].as_f64().unwrap() > 0.0 && some["p"] == json!(1.0));
    for line in blocks().run().exits(0).text().lines() {
        assert!(line.width() <= 80, "over 80 columns: {line}");
    }
    let csv = blocks().args(["--format", "csv"]).run().exits(0);
    assert!(
        csv.text()
            .starts_with("extractor,profile,dataset,pages,run_p,run_r,run_f1,run_acc,scalar_p")
    );
    assert!(csv.text().contains("\nbody,tuned,ALL,1,1.000000,"), "{}", csv.text());
    let markdown = blocks().args(["--format", "markdown"]).run().exits(0);
    assert!(
        markdown.text().contains("### sample (1 page)")
            && markdown.text().contains("| body/tuned | 1.000 |")
    );
    eval(&bundled()).arg("--blocks").run().exits(1).says("no gold page has a `gold_html`");
}

#[test]
fn titles_authors_and_dates_are_scored_beside_those_of_others() {
    let folder = temp();
    let gold = gold_of(folder.path(), &["sample/01", "sample/06"], |page| {
        let first = string(page, "id").starts_with("sample/01");
        let title =
            if first { "chain ferry RETURNS after eleven months in dry dock" } else { "No" };
        page["title"] = title.into();
        page["date"] = "2026-1-12 09:00".into();
    });
    let predictions = folder.path().join("other.jsonl");
    let line = json!({"id": "sample/06-news-liveblog", "title": "No!", "published": "2026-01-13"});
    fs::write(&predictions, line.to_string()).unwrap();
    let fields = || eval(&gold).args(["--fields", "--predictions"]).arg(&predictions);
    let csv = fields().args(["--format", "csv"]).run().exits(0);
    let lines: Vec<&str> = csv.text().lines().collect();
    let head = "system,dataset,field,pages,found,exact,near,precision,recall,near_share,f1,without_gold,found_without_gold";
    assert_eq!(lines[0], head);
    assert_eq!(lines.len(), 1 + 2 * 2 * 2, "two groups, fields and systems: {}", csv.text());
    assert_eq!(lines[1], "huller,sample,title,2,2,1,1,0.500000,0.500000,0.500000,0.500000,0,0");
    assert_eq!(lines[4], "other,sample,published,2,1,0,1,0.000000,0.000000,0.500000,0.000000,0,0");
    let ran = fields().args(["--format", "json"]).run().exits(0);
    let all: Value = serde_json::from_slice(&ran.stdout).unwrap();
    assert_eq!((&all["rows"][0]["exact"], &all["missing"]), (&json!(1), &json!(0)));
    for line in fields().run().exits(0).text().lines() {
        assert!(line.width() <= 80, "over 80 columns: {line}");
    }
    let markdown = fields().args(["--format", "markdown"]).run().exits(0);
    let row = "| sample | other | 2 | 1 | 0 | 1 | 0.000 | 0.000 | 0.000 | 0 of 0 |";
    assert!(markdown.text().contains("### title") && markdown.text().contains(row));
    eval(&gold).args(["--fields", "--format", "html"]).run().exits(2).says("cannot be used with");
    eval(&gold).args(["--fields", "--judge"]).run().exits(2).says("cannot be used with");
    eval(&bundled()).arg("--fields").run().exits(1).says("no gold page has a `title`");
}
