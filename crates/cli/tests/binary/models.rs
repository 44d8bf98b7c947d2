//! Stages with models and benchmarks of the user: `fasttext`, `language.model`, `perplexity`,
//! `decontaminate`.

use crate::support::{Huller, plain, rows, sample, stats, temp};
use huller_testkit::fasttext::FastTextModel;
use huller_testkit::perplexity::{PLAIN_PIECES, WORDS, model as model_of_words};
use serde_json::{Value, json};
use std::fs;
use std::path::Path;

fn refine(input: &Path, output: &Path) -> Huller {
    Huller::new().arg("refine").arg(input).arg("-o").arg(output)
}

/// Writes a model with these labels, and returns the option that names it.
fn model(path: &Path, labels: [&str; 2]) {
    let labels = labels.map(|label| (format!("__label__{label}"), 1)).to_vec();
    fs::write(path, FastTextModel { labels, ..FastTextModel::default() }.bytes()).unwrap();
}

#[test]
fn classes_are_the_same_in_extract_and_refine_and_another_model_is_another_run() {
    let [plain_rows, at_once, later, files] = [(); 4].map(|()| temp());
    let path = files.path().join("quality.bin");
    model(&path, ["hq", "cc"]);
    let set = format!("fasttext.models.q.path={}", path.display());
    let stages = ["--stages", "fasttext,mask", "--set", &set];
    let keep = ["--set", "fasttext.models.q.keep.hq=0.6", "--signals"];
    Huller::extract(sample(), plain_rows.path()).run().exits(0);
    Huller::extract(sample(), at_once.path()).args(stages).args(keep).run().exits(0);
    refine(plain_rows.path(), later.path()).args(stages).args(keep).run().exits(0);
    let file = "sample.jsonl.zst";
    let written = rows(later.path().join(file));
    let (first, second) = (rows(at_once.path().join(file)), &written);
    assert_eq!(first, *second);
    assert!(!written.is_empty() && written.len() < 41);
    for row in &written {
        let class = &row["classes"]["q"];
        assert_eq!(class["label"], "hq", "{row}");
        assert!(class["score"].as_f64().unwrap() >= 0.6, "{row}");
        assert_eq!(class["score"], row["signals"]["fasttext.q.hq"]);
    }
    let skipped = &stats(later.path())["total"]["skipped"]["fasttext:q"];
    assert_eq!(skipped.as_u64(), Some(41 - written.len() as u64));
    // The run is known by the contents of the model.
    let again = || refine(plain_rows.path(), later.path()).args(stages).args(keep).arg("--resume");
    again().run().exits(0);
    model(&path, ["cc", "hq"]);
    again().run().exits(3).says("cannot resume");
}

#[test]
fn the_preset_dclm_takes_a_model_and_names_the_option_without_it() {
    let files = temp();
    let remedy = "--set fasttext.models.quality.path=FILE";
    let preset = || Huller::extract(sample(), "-").args(["--preset", "dclm"]);
    preset().run().exits(2).says(remedy);
    let path = files.path().join("quality.ftz");
    let set = format!("fasttext.models.quality.path={}", path.display());
    preset().args(["--set", &set]).run().exits(2).says("No such file").says(remedy);
    model(&path, ["good", "cc"]);
    preset().args(["--set", &set]).run().exits(2).says("no label 'hq'; its labels are good, cc");
    model(&path, ["hq", "cc"]);
    let found = preset().args(["--set", &set]).run().exits(0).rows();
    assert!(found.iter().all(|row| row["classes"]["quality"]["label"] == "hq"));
    let cut = fs::read(&path).unwrap();
    fs::write(&path, &cut[..cut.len() - 9]).unwrap();
    preset().args(["--set", &set]).run().exits(2).says("damaged at byte");
    // A file may set what the preset leaves open, and change one of its settings.
    fs::write(&path, cut).unwrap();
    let config = files.path().join("huller.toml");
    let text = format!(
        "preset = 'dclm'\n[stage.fasttext.models.quality]\npath = '{}'\nkeep = {{ hq = 2 }}",
        path.display()
    );
    fs::write(&config, text).unwrap();
    assert!(
        Huller::extract(sample(), "-")
            .arg("--config")
            .arg(&config)
            .run()
            .exits(0)
            .rows()
            .is_empty()
    );
    let printed = Huller::extract(sample(), "-").arg("--config").arg(&config).arg("--print-config");
    assert!(printed.run().exits(0).text().contains("splitlines"));
}

#[test]
fn a_fasttext_model_identifies_the_language() {
    let files = temp();
    let path = files.path().join("lid.bin");
    model(&path, ["en", "gsw_Latn"]);
    let set = format!("language.model={}", path.display());
    let found = Huller::extract(sample(), "-").args(["--stages", "language", "--set", &set]);
    let found = found.run().exits(0).rows();
    assert!(found.iter().any(|row| row["language"] == "eng" && row["language_script"] == "Zyyy"));
    assert!(found.iter().all(|row| row["language"] == "eng"
        || row["language"] == "gsw"
        || row["language"].is_null()));
}

#[test]
fn benchmarks_are_counted_by_task_and_dropped_rows_name_the_ngram() {
    let folder = temp();
    let [rows_path, tasks, out, dropped] =
        ["rows.jsonl", "tasks.jsonl", "out", "dropped"].map(|name| folder.path().join(name));
    let answer =
        "the northern ferry leaves at nine and returns shortly before midnight on all days";
    let line = |text: &str| json!({ "text": text }).to_string() + "\n";
    let texts = [format!("I wrote: {answer}."), "Nothing of it.".to_owned()];
    fs::write(&rows_path, texts.map(|text| line(&text)).concat()).unwrap();
    fs::write(&tasks, json!({"label": answer, "query": "When?", "task": "boats"}).to_string())
        .unwrap();
    let set = format!("decontaminate.against=['{}']", tasks.display());
    let stages = ["--stages", "decontaminate", "--set", &set];
    let run = refine(&rows_path, &out).args(stages).arg("--dropped").arg(&dropped);
    run.run().exits(0).says("decontaminate:boats");
    assert_eq!(stats(&out)["total"]["skipped"]["decontaminate:boats"], 1);
    let found: Value =
        serde_json::from_str(plain_text(&dropped.join("dropped.jsonl")).trim()).unwrap();
    let signals = &found["signals"];
    assert_eq!(signals["decontaminate.task"], "boats");
    assert_eq!(signals["decontaminate.matches"], 3.0);
    let first = "the northern ferry leaves at nine and returns shortly before midnight on";
    assert_eq!(signals["decontaminate.ngram"], first);
    let missing = refine(&rows_path, Path::new("-")).args(["--stages", "decontaminate"]);
    missing.run().exits(2).says("--set 'decontaminate.against=[\"tasks.jsonl\"]'");
}

fn plain_text(path: &Path) -> String {
    String::from_utf8(plain(path)).unwrap()
}

/// Writes the models of a language into a folder.
fn models_of(folder: &Path, language: &str) {
    for (bytes, ending) in [(PLAIN_PIECES, "sp.model"), (WORDS, "arpa.bin")] {
        fs::write(folder.join(format!("{language}.{ending}")), bytes).unwrap();
    }
}

#[test]
fn perplexities_are_the_same_in_extract_and_refine_and_buckets_are_counted() {
    let [plain_rows, at_once, later, files] = [(); 4].map(|()| temp());
    models_of(files.path(), "en");
    let cutoffs = files.path().join("cutoff.csv");
    fs::write(&cutoffs, ",en,de\n30,37.5,1\n60,41.5,2\n").unwrap();
    let set = |name: &str, path: &Path| format!("perplexity.{name}={}", path.display());
    let sets = [set("models", files.path()), set("cutoffs", &cutoffs)];
    let with_models = |run: Huller, more: &[&str]| {
        let run = run.args(["--stages", "language,perplexity"]).args(more);
        sets.iter().fold(run, |run, set| run.args(["--set", set]))
    };
    Huller::extract(sample(), plain_rows.path()).run().exits(0);
    with_models(Huller::extract(sample(), at_once.path()), &[]).run().exits(0);
    with_models(refine(plain_rows.path(), later.path()), &[]).run().exits(0);
    let file = "sample.jsonl.zst";
    let found = rows(at_once.path().join(file));
    assert_eq!(found, rows(later.path().join(file)));
    let mut counts = std::collections::BTreeMap::new();
    for row in &found {
        let (perplexity, bucket) = (row["perplexity"].as_f64(), row["bucket"].as_str().unwrap());
        let expected = match perplexity {
            Some(perplexity) if perplexity < 37.5 => "head",
            Some(perplexity) if perplexity < 41.5 => "middle",
            Some(_) => "tail",
            None => "all",
        };
        assert_eq!(bucket, expected, "{row}");
        assert_eq!(perplexity.is_some(), row["language"] == "eng" && row["text"] != "", "{row}");
        *counts.entry(bucket.to_owned()).or_insert(0u64) += 1;
    }
    assert_eq!(counts.len(), 4, "{counts:?}");
    let kept = temp();
    let keep = ["--set", "perplexity.keep=['head', 'all']", "--schema", "ccnet"];
    with_models(Huller::extract(sample(), kept.path()), &keep).run().exits(0);
    let kept_rows = rows(kept.path().join(file));
    assert!(kept_rows.iter().all(|row| row["bucket"] == "head" || row["bucket"] == "all"));
    assert_eq!(kept_rows.len() as u64, counts.get("head").unwrap_or(&0) + counts["all"]);
    let skipped = &stats(kept.path())["total"]["skipped"];
    let tail = skipped["perplexity:tail"].as_u64().unwrap_or_default();
    assert_eq!(tail, counts.get("tail").copied().unwrap_or_default());
    // The run is known by the contents of the models.
    let again = || with_models(refine(plain_rows.path(), later.path()), &["--resume"]);
    again().run().exits(0);
    fs::write(files.path().join("en.arpa.bin"), model_of_words("order-6")).unwrap();
    again().run().exits(3).says("cannot resume");
}

#[test]
fn the_preset_ccnet_takes_a_folder_and_names_the_option_without_it() {
    let files = temp();
    let remedy = "--set perplexity.models=FOLDER";
    let preset = || Huller::extract(sample(), "-").args(["--preset", "ccnet"]);
    preset().run().exits(2).says(remedy);
    let set = format!("perplexity.models={}", files.path().display());
    let preset = || preset().args(["--set", &set]);
    preset().run().exits(2).says("has no LANG.sp.model").says(remedy);
    models_of(files.path(), "eng");
    let found = preset().run().exits(0).rows();
    assert!(!found.is_empty());
    for row in &found {
        assert!(row["language_score"].as_f64().unwrap() >= 0.5, "{row}");
        assert_eq!(row["perplexity"].is_f64(), row["language"] == "eng", "{row}");
        assert_eq!(row["bucket"], "all");
    }
    let wanted = preset().args(["--set", "perplexity.languages=['fr']"]);
    wanted.run().exits(2).says("fr.sp.model").says("No such file");
    let keep = preset().args(["--set", "perplexity.keep=['head']"]);
    keep.run().exits(2).says("--set perplexity.cutoffs=FILE");
    let words = files.path().join("eng.arpa.bin");
    let mut trie = WORDS.to_vec();
    trie[96] = 2;
    fs::write(&words, trie).unwrap();
    preset().run().exits(2).says("a trie of KenLM").says("build_binary probing");
    fs::write(&words, &WORDS[..WORDS.len() / 2]).unwrap();
    preset().run().exits(2).says("damaged at byte");
}

#[test]
fn two_files_measure_all_texts_or_those_of_a_language() {
    let files = temp();
    models_of(files.path(), "x");
    let set =
        |name: &str, file: &str| format!("perplexity.{name}={}", files.path().join(file).display());
    let sets = [set("pieces", "x.sp.model"), set("words", "x.arpa.bin")];
    let run = |more: &[&str]| {
        let run = Huller::extract(sample(), "-").args(["--stages", "language,perplexity"]);
        run.args(["--set", &sets[0]]).args(more)
    };
    run(&[]).run().exits(2).says("give either `models`, or both `pieces` and `words`");
    let count = |rows: &[Value]| rows.iter().filter(|row| row["perplexity"].is_f64()).count();
    let all = run(&["--set", &sets[1]]).run().exits(0).rows();
    assert_eq!(count(&all), all.iter().filter(|row| row["text"] != "").count());
    let german = run(&["--set", &sets[1], "--set", "perplexity.languages=['de']"]);
    let german = german.run().exits(0).rows();
    assert_eq!(count(&german), german.iter().filter(|row| row["language"] == "deu").count());
    assert!(count(&german) > 0 && count(&german) < count(&all));
}
