//! `huller train`, and models other than those that ship.

use crate::support::{Huller, repository, sample, temp};
use serde_json::Value;
use std::path::Path;

/// `huller train nb` on the bundled sample.
fn train_on_sample() -> Huller {
    let gold = repository().join("data/gold.jsonl");
    Huller::new().args(["train", "nb", "--pages"]).arg(sample()).arg("--gold").arg(gold)
}

fn model(path: &Path) -> Value {
    serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap()
}

#[test]
fn a_model_is_trained_added_up_and_used() {
    let folder = temp();
    let (one, two) = (folder.path().join("one.json"), folder.path().join("two.json"));
    train_on_sample().arg("-o").arg(&one).run().exits(0).says("41 pages");
    let again = train_on_sample().args(["-o", "-"]).run().exits(0);
    assert_eq!(again.stdout, std::fs::read(&one).unwrap(), "the same bytes every time");

    let add = Huller::new().args(["train", "nb", "--add"]).arg(&one).arg(&one).arg("-o").arg(&two);
    add.run().exits(0).says("82 pages");
    let blocks = |path| model(path)["tuned"]["theme"]["blocks"].as_u64().unwrap();
    assert!(blocks(&one) > 0);
    assert_eq!(blocks(&two), 2 * blocks(&one));

    let extract = |arguments: &[&str]| {
        let ran = Huller::extract(sample(), "-").args(["--extractor", "nb"]).args(arguments).run();
        ran.exits(0).rows().iter().map(|row| row["text"].clone()).collect::<Vec<_>>()
    };
    let with_one = extract(&["--model", one.to_str().unwrap()]);
    assert_eq!(with_one, extract(&["--model", two.to_str().unwrap()]), "the same shares");
    assert_ne!(with_one, extract(&[]), "the model that ships learned from other pages");
}

#[test]
fn cross_validation_gives_a_text_for_every_page() {
    let folder = temp();
    train_on_sample().args(["--folds", "5", "--predictions"]).arg(folder.path()).run().exits(0);
    for name in ["nb-paper", "nb-tuned", "nb-table-paper", "nb-table-tuned"] {
        let rows = std::fs::read_to_string(folder.path().join(format!("{name}.jsonl"))).unwrap();
        assert_eq!(rows.lines().count(), 41, "{name}");
        let first: Value = serde_json::from_str(rows.lines().next().unwrap()).unwrap();
        assert!(first["id"].as_str().unwrap().starts_with("sample/"), "{first}");
    }
}

#[test]
fn what_cannot_be_trained_or_used_is_refused() {
    let folder = temp();
    let bad = folder.path().join("bad.json");
    std::fs::write(&bad, "{\"format\":\"huller-nb\",\"version\":99}").unwrap();
    let extract = |method: &str| {
        Huller::extract(sample(), "-").args(["--extractor", method, "--model"]).arg(&bad).run()
    };
    extract("nb").exits(1).says("bad.json");
    let missing =
        Huller::extract(sample(), "-").args(["--extractor", "nb", "--model", "none.json"]);
    missing.run().exits(2).says("error: cannot read the model 'none.json': No such file");
    extract("pvalue")
        .exits(2)
        .says("--model is for the methods hull, nb, nb-table, dvps and ceds alone");
    let train = |arguments: &[&str]| Huller::new().args(["train", "nb"]).args(arguments).run();
    train(&["--add", bad.to_str().unwrap(), "-o", "-"]).exits(1).says("bad.json");
    train(&["-o", "-"]).exits(2);
    train(&["--pages", "x", "-o", "-"]).exits(2);
    let gold = folder.path().join("gold.jsonl");
    std::fs::write(&gold, "{\"id\":\"none\",\"dataset\":\"none\",\"text\":\"Rain.\"}").unwrap();
    let none = Huller::new().args(["train", "nb", "--pages"]).arg(sample()).arg("--gold").arg(gold);
    none.args(["-o", "-"]).run().exits(1).says("no page to learn from has a gold text");
}
