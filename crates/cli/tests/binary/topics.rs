//! `huller train topics` and `huller classify`.

use crate::support::{Huller, plain, rows, temp};
use serde_json::{Value, json};
use std::path::Path;

const LABELLED: &str = r#"{"text":"The team won the match","label":"sport"}
{"text":"The match ended in a draw","label":"sport"}
{"text":"Parliament passed the budget","label":"politics"}
{"text":"The budget of the ministry","label":"politics"}
"#;

/// A folder with labelled rows and a model made of them.
fn trained() -> tempfile::TempDir {
    let folder = temp();
    std::fs::write(folder.path().join("labelled.jsonl"), LABELLED).unwrap();
    train(folder.path(), &["labelled.jsonl"]).exits(0).says("4 texts, 13 terms, 2 classes");
    folder
}

fn train(folder: &Path, args: &[&str]) -> crate::support::ProgramResult {
    let train = Huller::new().current_dir(folder).args(["train", "topics", "-o", "model.json"]);
    train.args(args).run()
}

fn classify(folder: &Path, args: &[&str]) -> crate::support::ProgramResult {
    let classify = Huller::new().current_dir(folder).args(["classify", "--model", "model.json"]);
    classify.args(args).run()
}

#[test]
fn rows_get_a_topic_and_stay_as_they_were() {
    let folder = trained();
    let odd = "{\"z\": 1e400,\"topic\":\"old\",\"text\":\"a match\\u00e9 match\",\"a\":{\"b\":[1.0]}}\n{\"text\":7}\n";
    std::fs::write(folder.path().join("rows.jsonl"), odd).unwrap();
    let ran = classify(folder.path(), &["rows.jsonl"]).exits(0);
    assert_eq!(
        ran.text(),
        "{\"z\":1e400,\"text\":\"a match\\u00e9 match\",\"a\":{\"b\":[1.0]},\"topic\":\"sport\",\"topic_score\":1.0000}\n\
         {\"text\":7,\"topic\":null,\"topic_score\":0.0000}\n"
    );
    for name in ["out.jsonl.zst", "out.jsonl.gz", "out.jsonl"] {
        classify(folder.path(), &["rows.jsonl", "-o", name]).exits(0);
        assert_eq!(plain(&folder.path().join(name)), ran.stdout, "{name}");
        assert!(!folder.path().join(format!("{name}.part")).exists());
        // The compressed rows can be read again, though they have topics by now.
        assert_eq!(classify(folder.path(), &[name]).exits(0).stdout, ran.stdout, "{name}");
    }
}

#[test]
fn models_are_read_as_they_were_written_compressed_by_name() {
    let folder = trained();
    let row = "{\"text\":\"a match\"}\n";
    std::fs::write(folder.path().join("rows.jsonl"), row).unwrap();
    let expected = classify(folder.path(), &["rows.jsonl"]).exits(0).stdout;
    for name in ["model.json.zst", "model.json.gz"] {
        let with = |args: &[&str]| Huller::new().current_dir(folder.path()).args(args).run();
        with(&["train", "topics", "labelled.jsonl", "-o", name]).exits(0);
        assert_ne!(std::fs::read(folder.path().join(name)).unwrap()[0], b'{', "{name}");
        let ran = with(&["classify", "--model", name, "rows.jsonl"]).exits(0);
        assert_eq!(ran.stdout, expected, "{name}");
        let cut = std::fs::read(folder.path().join(name)).unwrap();
        std::fs::write(folder.path().join(name), &cut[..cut.len() / 2]).unwrap();
        with(&["classify", "--model", name, "rows.jsonl"]).exits(1).says("cannot use 'model.json.");
    }
}

#[test]
fn a_report_says_how_well_topics_agree_with_labels() {
    let folder = trained();
    let test = r#"{"t":"match draw","l":"sport"}
{"t":"budget","l":"sport"}
{"t":"parliament","l":"politics"}
{"t":"rain","l":"politics"}
{"t":"rain"}
"#;
    std::fs::write(folder.path().join("test.jsonl"), test).unwrap();
    let args = ["test.jsonl", "--text-key", "t", "--label-key", "l", "--report"];
    let ran = classify(folder.path(), &args).exits(0);
    assert_eq!(
        ran.text(),
        "4 texts, macro precision 0.7500, recall 0.5000, F1 0.6000\n\n\
         label      texts  precision  recall  politics   sport  (none)\n\
         politics       2     0.5000  0.5000         1       0       1\n\
         sport          2     1.0000  0.5000         1       1       0\n"
    );
    let output = folder.path().join("rows.jsonl");
    let with_rows = classify(folder.path(), &[&args[..], &["-o", "rows.jsonl"]].concat()).exits(0);
    assert_eq!(with_rows.text(), ran.text());
    let topics: Vec<_> = rows(&output).into_iter().map(|mut row| row["topic"].take()).collect();
    assert_eq!(
        topics,
        [json!("sport"), json!("politics"), json!("politics"), Value::Null, Value::Null]
    );
    let to_stdout = classify(folder.path(), &[&args[..], &["-o", "-"]].concat()).exits(0);
    assert_eq!(to_stdout.stdout, std::fs::read(output).unwrap());
    assert_eq!(to_stdout.stderr, ran.text());
    classify(folder.path(), &["test.jsonl", "--report"]).exits(1).says("no row has a `label`");
}

#[test]
fn damaged_rows_are_told_and_passed_over() {
    let folder = temp();
    let rows = format!("{LABELLED}{{\"text\":\"x\"}}\n{{\"text\":\n[1]\n");
    std::fs::write(folder.path().join("rows.jsonl"), rows).unwrap();
    let ran = train(folder.path(), &["rows.jsonl", "absent.jsonl"]).exits(1);
    let ran = ran.says("row 6 is damaged").says("(2 such lines)").says("absent.jsonl");
    ran.says("1 rows without `text` or `label`").says("4 texts");
    assert!(folder.path().join("model.json").exists());
    let ran = classify(folder.path(), &["rows.jsonl"]).exits(1).says("row 6 is damaged");
    assert_eq!(ran.rows().len(), 5);
}

#[test]
fn what_cannot_be_used_is_refused() {
    let folder = trained();
    let sample = crate::support::sample();
    let sample = sample.to_str().unwrap();
    classify(folder.path(), &[sample]).exits(1).says("run `huller extract` on it first");
    std::fs::write(folder.path().join("empty.jsonl"), "").unwrap();
    classify(folder.path(), &["empty.jsonl"]).exits(1).says("it is empty");
    let before = std::fs::read(folder.path().join("model.json")).unwrap();
    train(folder.path(), &["empty.jsonl"]).exits(1).says("no labelled text was given");
    assert_eq!(std::fs::read(folder.path().join("model.json")).unwrap(), before);
    train(folder.path(), &["labelled.jsonl", "--neighbours", "0"]).exits(2);
    let model = String::from_utf8(before).unwrap().replace("\"version\":1", "\"version\":9");
    std::fs::write(folder.path().join("model.json"), model).unwrap();
    let ran = classify(folder.path(), &["labelled.jsonl"]).exits(1);
    ran.says("'model.json'").says("version 9").says("train it again");
    std::fs::remove_file(folder.path().join("model.json")).unwrap();
    classify(folder.path(), &["labelled.jsonl"]).exits(1).says("cannot use 'model.json'");
    let no_folder = ["labelled.jsonl", "-o", "no/such/folder"];
    let train = Huller::new().current_dir(folder.path()).args(["train", "topics"]);
    train.args(no_folder).run().exits(5).says("no/such/folder");
}

/// A row of a run with two extractors over a source with labels.
fn row(label: &str, body: &str, hull: &str) -> String {
    let row =
        json!({"text": hull, "texts": {"body": body, "hull": hull}, "source": {"label": label}});
    format!("{row}\n")
}

#[test]
fn texts_of_extractors_are_compared_by_the_number_of_neighbours() {
    let folder = temp();
    let write = |name: &str, rows: &[String]| {
        std::fs::write(folder.path().join(name), rows.concat()).unwrap();
    };
    // The menu of a site is the same on its pages of both classes, so raw text finds the site and
    // not the topic.
    let train = [
        row("sport", "home alpha match", "match"),
        row("sport", "start alpha match goal", "match goal"),
        row("politics", "home beta budget", "budget"),
        row("politics", "start beta budget vote", "budget vote"),
    ];
    write("train.jsonl", &train);
    let test = [
        row("sport", "beta beta beta goal", "goal"),
        row("politics", "beta vote", "vote"),
        row("politics", "none", ""),
        json!({"text": "no label"}).to_string() + "\n",
    ];
    write("test.jsonl", &test);
    let compare = |args: &[&str]| {
        let all = ["classify", "test.jsonl", "--label-key", "source.label"];
        Huller::new().current_dir(folder.path()).args(all).args(args).run()
    };
    let args = ["--compare", "body,hull", "--train", "train.jsonl", "--most-neighbours", "2"];
    let ran =
        compare(&args).exits(0).says("1 rows without `source.label` or `texts.body`, `texts.hull`");
    // By body: sport is taken for politics, one of two others is right, one has no topic. By hull:
    // both right, one without.
    let body = "3,0.2500,0.2500,0.2500,0.5000,0.3333,0.4000";
    let hull = "3,1.0000,0.7500,0.8571,1.0000,0.6667,0.8000";
    let expected = format!(
        "method,neighbours,texts,macro_p,macro_r,macro_f,micro_p,micro_r,micro_f\n\
         body,1,{body}\nbody,2,{body}\nhull,1,{hull}\nhull,2,{hull}\n"
    );
    assert_eq!(ran.text(), expected);
    // Beta 2: 5 P R / (4 P + R) = 5 * .75 / 4.75 and 5 * .6667 / 4.6667.
    let twice = compare(&[&args[..], &["--beta", "2", "-o", "table.csv"]].concat()).exits(0);
    assert_eq!(twice.text(), "");
    let table = std::fs::read_to_string(folder.path().join("table.csv")).unwrap();
    assert!(table.ends_with("hull,2,3,1.0000,0.7500,0.7895,1.0000,0.6667,0.7143\n"), "{table}");
    // A model is learned from the texts of any of them.
    let keys = ["--text-key", "texts.hull", "--label-key", "source.label"];
    train_with(folder.path(), &keys).exits(0).says("4 texts, 4 terms, 2 classes");
    let report = compare(&[&keys[..2], &["--model", "model.json", "--report"]].concat()).exits(0);
    assert!(report.text().starts_with("3 texts, macro precision 1.0000, recall 0.7500"));
    compare(&["--compare", "body"]).exits(2);
    compare(&[]).exits(2).says("--model <FILE>");
    compare(&["--compare", "vips", "--train", "train.jsonl"])
        .exits(1)
        .says("the texts of 'vips': ");
}

fn train_with(folder: &Path, keys: &[&str]) -> crate::support::ProgramResult {
    train(folder, &[&["train.jsonl"], keys].concat())
}
