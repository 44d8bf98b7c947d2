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
    let extract = |extractor: &str| {
        Huller::extract(sample(), "-").args(["--extractor", extractor, "--model"]).arg(&bad).run()
    };
    extract("nb").exits(1).says("bad.json");
    let missing =
        Huller::extract(sample(), "-").args(["--extractor", "nb", "--model", "none.json"]);
    missing.run().exits(2).says("error: cannot read the model 'none.json': No such file");
    extract("pvalue")
        .exits(2)
        .says("--model works only with the extractors hull, nb, nb-table, dvps and ceds");
    let train = |arguments: &[&str]| Huller::new().args(["train", "nb"]).args(arguments).run();
    train(&["--add", bad.to_str().unwrap(), "-o", "-"]).exits(1).says("bad.json");
    train(&["-o", "-"]).exits(2);
    train(&["--pages", "x", "-o", "-"]).exits(2);
    let gold = folder.path().join("gold.jsonl");
    std::fs::write(&gold, "{\"id\":\"none\",\"dataset\":\"none\",\"text\":\"Rain.\"}").unwrap();
    let none = Huller::new().args(["train", "nb", "--pages"]).arg(sample()).arg("--gold").arg(gold);
    none.args(["-o", "-"]).run().exits(1).says("no training page has a gold text");
}

#[test]
fn a_model_of_overlapping_blocks_is_trained_used_and_not_added_to_others() {
    let folder = temp();
    let path = |name: &str| folder.path().join(name);
    let (partition, overlap) = (path("partition.json"), path("overlap.json"));
    train_on_sample().arg("-o").arg(&partition).run().exits(0);
    train_on_sample().args(["--overlap", "-o"]).arg(&overlap).run().exits(0);
    assert_eq!(model(&overlap)["overlap"], true);
    assert!(model(&partition).get("overlap").is_none());
    assert_ne!(model(&overlap)["tuned"], model(&partition)["tuned"]);
    let add = Huller::new().args(["train", "nb", "-o", "-", "--add"]).arg(&partition).arg(&overlap);
    add.run().exits(1).says("one of the two models counts overlapping blocks, the other does not");
    let more = path("more.json");
    train_on_sample().args(["--more-tags", "-o"]).arg(&more).run().exits(0);
    assert_eq!(model(&more)["more_tags"], true);
    assert_eq!(model(&more)["table_tuned"], model(&partition)["table_tuned"]);
    assert_ne!(model(&more)["tuned"], model(&partition)["tuned"]);
    let add = Huller::new().args(["train", "nb", "-o", "-", "--add"]).arg(&partition).arg(&more);
    add.run().exits(1).says("one of the two models counts blocks of more tags");
    let twice = Huller::new().args(["train", "nb", "-o", "-", "--add"]).arg(&overlap).arg(&overlap);
    let twice: Value = serde_json::from_str(twice.run().exits(0).text()).unwrap();
    assert_eq!(twice["overlap"], true);
    // Probabilities of blocks stand in the rows; every text stands there once.
    let rows = Huller::extract(sample(), "-").args(["--extractor", "nb", "--blocks", "--model"]);
    for row in rows.arg(&overlap).run().exits(0).rows() {
        for block in row["blocks"].as_array().unwrap() {
            let Some(score) = block["methods"]["nb"]["score"].as_f64() else { continue };
            let probability = block["methods"]["nb"]["probability"].as_f64().unwrap();
            assert!((probability - 1.0 / (1.0 + (-score).exp())).abs() < 1e-5, "{block}");
        }
    }
}

#[test]
fn settings_are_given_in_place_of_a_model_and_measured_beside_those_that_ship() {
    let folder = temp();
    let path = |name: &str| folder.path().join(name);
    let inner = r#"{"format":"huller-ceds","version":1,"paper":{"nesting":"innermost"},"tuned":{"nesting":"innermost"}}"#;
    std::fs::write(path("inner.json"), inner).unwrap();
    let texts = |args: &[&str]| {
        let run = Huller::extract(sample(), "-").args(["--extractor", "ceds"]).args(args);
        run.current_dir(folder.path()).run().exits(0).rows()
    };
    assert_ne!(texts(&[]), texts(&["--model", "inner.json"]));
    let gold = repository().join("data/gold.jsonl");
    let eval = |args: &[&str]| {
        let run = Huller::new().arg("eval").arg(sample()).arg("--gold").arg(&gold).args(args);
        run.args(["--format", "csv", "--no-speed", "--quiet"]).current_dir(folder.path()).run()
    };
    let ran = eval(&["--extractors", "ceds,pvalue", "--model", "inner.json"]).exits(0);
    for system in ["ceds,tuned,", "pvalue,tuned,", "ceds:inner,tuned,"] {
        assert!(ran.text().lines().any(|line| line.starts_with(system)), "{system}");
    }
    let says = "'inner.json' is neither a model nor a settings file of any of these extractors";
    eval(&["--extractors", "pvalue", "--model", "inner.json"]).exits(2).says(says);
    std::fs::write(path("wrong.json"), inner.replace("innermost", "inmost")).unwrap();
    eval(&["--extractors", "ceds", "--model", "wrong.json"])
        .exits(1)
        .says("unknown variant `inmost`");
    let dvps = ["--extractor", "dvps", "--model", "inner.json"];
    Huller::extract(sample(), "-").args(dvps).current_dir(folder.path()).run().exits(2).says(says);
}

#[test]
fn a_thesaurus_of_the_user_marks_function_blocks_and_is_part_of_the_run() {
    let folder = temp();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    let page = "<div>Nach oben und Merkliste, and never again what you have read in here</div><div><p><a href=x>Rain.</a></div>";
    write("page.html", page);
    write("mine.txt", "# ours\nnach oben\nMerkliste\n");
    write("none.txt", "# nothing\n");
    let run = |output: &str, args: &[&str]| {
        Huller::extract("page.html", output).args(args).current_dir(folder.path()).run()
    };
    let row = |args: &[&str]| {
        let all = ["--extractor", "dvps", "--profile", "paper", "--blocks"];
        run("-", &[&all[..], args].concat()).exits(0).rows().remove(0)
    };
    let (shipped, mine) = (row(&[]), row(&["--thesaurus", "mine.txt"]));
    let role =
        |row: &Value, block: usize| row["blocks"][block]["role"].as_str().unwrap().to_owned();
    assert!(shipped["text"].as_str().unwrap().starts_with("Nach oben"));
    assert_eq!((mine["text"].as_str(), role(&mine, 0)), (Some("Rain."), "function".to_owned()));
    // With settings of the user the phrases come on top of theirs.
    write("own.json", r#"{"format":"huller-dvps","version":1,"paper":{"phrases":["again"]}}"#);
    let both = row(&["--thesaurus", "mine.txt", "--model", "own.json"]);
    assert_eq!(both["text"], "Rain.");
    // Roles are told so with any extractor.
    let story = "<p>Rain fell all day long, and the roads along the river were shut.</p>".repeat(3);
    write(
        "story.html",
        &format!(
            "<div>{story}</div><div><a href=/top/of/the/page>Nach oben</a> <a href=/list/of/things>Merkliste</a></div>"
        ),
    );
    let by_pvalue = |args: &[&str]| {
        let run = Huller::extract("story.html", "-").args(["--extractor", "pvalue", "--blocks"]);
        role(&run.args(args).current_dir(folder.path()).run().exits(0).rows()[0], 3)
    };
    assert_eq!(by_pvalue(&[]), "other");
    assert_eq!(by_pvalue(&["--thesaurus", "mine.txt"]), "function");

    run("-", &["--thesaurus", "none.txt", "--blocks"]).exits(2).says("it has no phrase");
    run("-", &["--thesaurus", "gone.txt", "--blocks"]).exits(2).says("cannot use 'gone.txt'");
    run("-", &["--thesaurus", "mine.txt"])
        .exits(2)
        .says("only with --blocks or the extractor dvps");
    run("out", &["--blocks", "--thesaurus", "mine.txt"]).exits(0);
    run("out", &["--blocks", "--resume"]).exits(3).says("thesaurus");
}
