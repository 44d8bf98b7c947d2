//! Tables (Parquet, CSV) as inputs of `extract`, `refine` and `dedup`.

use crate::support::{
    Huller, assert_balanced, ids_and_texts, plain, repository, rows, sample, stats, string, temp,
};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};

/// A table of pages that another program wrote.
fn table(name: &str) -> PathBuf {
    repository().join("crates/archive/tests/tables").join(name)
}

fn command(name: &str, input: &Path, output: &Path) -> Huller {
    Huller::new().arg(name).arg(input).arg("-o").arg(output)
}

#[test]
fn pages_of_a_parquet_file_become_rows_whoever_wrote_it_and_with_any_number_of_workers() {
    let [one, two, lines] = [(); 3].map(|()| temp());
    let keys = ["--keep-keys", "i,day,s,nothing"];
    Huller::extract(table("duckdb-v1-snappy.parquet"), one.path())
        .args(keys)
        .args(["-j", "1"])
        .run()
        .exits(0);
    let other = two.path().join("duckdb-v1-snappy.parquet");
    fs::copy(table("duckdb-v2-zstd.parquet"), &other).unwrap();
    let out = two.path().join("out");
    Huller::extract(&other, &out).args(keys).args(["-j", "2"]).run().exits(0);
    let file = "duckdb-v1-snappy.jsonl.zst";
    let found = rows(one.path().join(file));
    assert_eq!(plain(&one.path().join(file)), plain(&out.join(file)));
    assert_eq!(found.len(), 60);
    assert_eq!((string(&found[7], "id"), &found[7]["stream_offset"]), ("row-7", &Value::from(7)));
    assert!(string(&found[7], "text").ends_with("duck 7"), "{}", found[7]);
    assert_eq!(found[7]["source"]["s"]["b"], "b7");
    assert_eq!(found[7]["source"]["day"], "2020-01-08");
    assert_balanced(&stats(one.path())["total"]);
    // The same rows as lines give the same texts.
    let pages = fs::read(table("duckdb.jsonl")).unwrap();
    let input = lines.path().join("duckdb.jsonl");
    fs::write(&input, pages).unwrap();
    let out = lines.path().join("out");
    Huller::extract(&input, &out).run().exits(0);
    assert_eq!(ids_and_texts(&rows(out.join("duckdb.jsonl.zst"))), ids_and_texts(&found));
}

#[test]
fn our_own_parquet_is_refined_to_the_bytes_that_our_own_lines_are() {
    let [lines, table, of_lines, of_table] = [(); 4].map(|()| temp());
    let forms = [
        "--markdown",
        "--html",
        "--blocks",
        "--extractors",
        "hull,body",
        "--signals",
        "--stages",
        "language",
    ];
    Huller::extract(sample(), lines.path()).args(forms).run().exits(0);
    Huller::extract(sample(), table.path())
        .args(forms)
        .args(["--format", "parquet"])
        .run()
        .exits(0);
    let stages = ["--stages", "normalise,gopher-quality,mask"];
    command("refine", lines.path(), of_lines.path()).args(stages).run().exits(0);
    command("refine", table.path(), of_table.path()).args(stages).run().exits(0);
    let [of_lines, of_table] =
        [of_lines, of_table].map(|folder| plain(&folder.path().join("sample.jsonl.zst")));
    assert!(of_lines.len() > 100_000);
    assert_eq!(String::from_utf8(of_lines).unwrap(), String::from_utf8(of_table).unwrap());
}

#[test]
fn csv_is_read_with_its_quotes_and_its_faulty_rows_are_counted() {
    let folder = temp();
    let page =
        "<h1>Ferry</h1><p>The ferry, \"\"Anna\"\", leaves at eight,\nand comes back at nine.</p>";
    let table = format!(
        "id,url,html,who\na,http://h.test/,\"{page}\",Ann\nb,two values\nc,,<p>Third</p>,\n"
    );
    let input = folder.path().join("pages.csv");
    fs::write(&input, table).unwrap();
    let out = folder.path().join("out");
    let args = ["--extractor", "body", "--keep-keys", "who"];
    Huller::extract(&input, &out).args(args).run().exits(0);
    let found = rows(out.join("pages.jsonl.zst"));
    let expected = "Ferry\nThe ferry, \"Anna\", leaves at eight, and comes back at nine.";
    assert_eq!(ids_and_texts(&found), [("a", expected), ("c", "Third")]);
    assert_eq!(
        (&found[0]["source"]["who"], &found[1]["source"]["who"]),
        (&Value::from("Ann"), &Value::Null)
    );
    assert_eq!(stats(&out)["total"]["failed"]["bad_row"], 1);
    assert_balanced(&stats(&out)["total"]);
}

#[test]
fn a_corpus_is_made_as_parquet_by_two_commands() {
    let [corpus, kept, lines, kept_lines, read_back] = [(); 5].map(|()| temp());
    let stages = ["--stages", "language,signature"];
    // Two inputs with the same pages, so that half of them are duplicates.
    let inputs = temp();
    for name in ["a.warc.gz", "b.warc.gz"] {
        fs::copy(sample(), inputs.path().join(name)).unwrap();
    }
    Huller::extract(inputs.path(), corpus.path())
        .args(stages)
        .args(["--format", "parquet"])
        .run()
        .exits(0);
    Huller::new().arg("verify").arg(corpus.path()).run().exits(0);
    command("dedup", corpus.path(), kept.path()).args(["--format", "parquet"]).run().exits(0);
    Huller::extract(inputs.path(), lines.path()).args(stages).run().exits(0);
    Huller::new().arg("verify").arg(kept.path()).run().exits(0);
    command("dedup", lines.path(), kept_lines.path()).run().exits(0);
    let names = |folder: &Path| {
        let names = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name());
        names
            .filter_map(|name| name.into_string().ok())
            .filter(|name| name.contains('.'))
            .collect::<Vec<_>>()
    };
    assert_eq!(names(kept.path()), ["a.parquet"]);
    command("refine", kept.path(), read_back.path()).args(["--stages", "length"]).run().exits(0);
    let file = "a.jsonl.zst";
    let [of_table, of_lines] =
        [read_back.path(), kept_lines.path()].map(|folder| rows(folder.join(file)));
    assert!(of_lines.len() > 10);
    // A table has all fields of existing rows, null where a row lacks them.
    let mut of_table = of_table;
    for (row, line) in of_table.iter_mut().zip(&of_lines) {
        let (row, line) = (row.as_object_mut().unwrap(), line.as_object().unwrap());
        row.retain(|name, value| line.contains_key(name) || !value.is_null());
    }
    assert_eq!(of_table, of_lines);
    // What is kept has its signatures beside it, and nothing of it is dropped again.
    let again = temp();
    let ran = command("dedup", kept.path(), again.path()).args(["--format", "parquet"]).run();
    ran.exits(0);
    assert_eq!(
        fs::read(again.path().join("a.parquet")).unwrap(),
        fs::read(kept.path().join("a.parquet")).unwrap()
    );
}

#[test]
fn damage_in_a_parquet_file_is_counted_and_the_rest_is_read() {
    let folder = temp();
    let mut bytes = fs::read(table("scalars-groups.parquet")).unwrap();
    let middle = bytes.len() / 4;
    bytes[middle..middle + 400].fill(0xA5);
    let input = folder.path().join("damaged.parquet");
    fs::write(&input, &bytes).unwrap();
    let [one, two] = ["one", "two"].map(|name| folder.path().join(name));
    for (out, workers) in [(&one, "1"), (&two, "2")] {
        Huller::extract(&input, out).args(["-j", workers]).run().exits(0);
        let total = &stats(out)["total"];
        assert!(total["failed"]["corrupt_rows"].as_u64() > Some(0), "{total}");
        assert!(total["written"].as_u64() > Some(20), "{total}");
        assert_balanced(total);
    }
    let file = "damaged.jsonl.zst";
    assert_eq!(plain(&one.join(file)), plain(&two.join(file)));
    bytes.truncate(middle);
    fs::write(&input, &bytes).unwrap();
    Huller::extract(&input, folder.path().join("cut"))
        .run()
        .exits(1)
        .says("this is a Parquet file, but it does not end like a Parquet file");
    Huller::extract("-", folder.path().join("pipe"))
        .stdin(bytes)
        .run()
        .exits(1)
        .says("give huller the file itself");
}

#[test]
fn a_table_of_text_decides_as_lines_with_typed_values_do() {
    let folder = temp();
    let at = |name: &str| folder.path().join(name);
    let table = "id,url,text,score,has_article,status,status,\n\
        1,http://k.test/,one two three,0.2,TRUE,200.0,x,\n\
        2,http://k.test/,one two three,0.9,FALSE,404.0,y,\n";
    fs::write(at("t.csv"), table).unwrap();
    let ids = |out: &Path, file: &str| -> Vec<_> {
        rows(out.join(file)).iter().map(|row| string(row, "id").to_owned()).collect()
    };
    for (set, kept) in [("page.min_score=0.5", "2"), ("page.require_article=true", "1")] {
        let out = at(set);
        let args = ["--stages", "page", "--set", set];
        command("refine", &at("t.csv"), &out).args(args).run().exits(0);
        assert_eq!(ids(&out, "t.jsonl.zst"), [kept], "{set}");
    }
    let (out, args) = (at("best"), ["--by", "url", "--keep", "score", "--format", "jsonl"]);
    command("dedup", &at("t.csv"), &out).args(args).run().exits(0);
    assert_eq!(ids(&out, "t.jsonl.zst"), ["2"]);
    let found = rows(out.join("t.jsonl.zst"));
    assert_eq!(found[0]["status_2"], "y");
    assert!(found[0].get("").is_none(), "a column without name and values: {}", found[0]);
    let (out, args) = (at("typed"), ["--stages", "normalise", "--fields", "id,status,has_article"]);
    command("refine", &at("t.csv"), &out).args(args).run().exits(0);
    let found = rows(out.join("t.jsonl.zst"));
    assert_eq!((&found[0]["status"], &found[0]["has_article"]), (&200.into(), &true.into()));
}

#[test]
fn rows_of_loaders_and_metadata_as_text_are_read_by_every_command() {
    let folder = temp();
    let at = |name: &str| folder.path().join(name);
    let text = r#"{"text":"three","metadata":"{\"url\":\"http://k.test/3\",\"title\":\"Tea\"}"}"#;
    let twin = r#"{"text":"four","metadata":"{\"url\":\"http://k.test/3\",\"title\":\"Tea\"}"}"#;
    fs::write(at("text.jsonl"), format!("{text}\n{twin}\n")).unwrap();
    let out = at("text");
    command("dedup", &at("text.jsonl"), &out).args(["--by", "url"]).run().exits(0);
    assert_eq!(fs::read_to_string(out.join("text.jsonl")).unwrap(), format!("{text}\n"));
    let index = at("text.index");
    command("index", &at("text.jsonl"), &index).run().exits(0);
    let hits = Huller::new().arg("search").arg(&index).args(["title:tea", "--json"]).run().exits(0);
    assert_eq!(hits.rows().len(), 2, "{}", hits.text());
    for schema in ["vespa", "qdrant"] {
        let made = at(schema);
        let args = ["--schema", schema, "--compress", "none"];
        Huller::extract(sample(), &made).args(args).run().exits(0);
        let (refined, again) = (at(&format!("{schema}-r")), at(&format!("{schema}-d")));
        let args = ["--stages", "normalise", "--compress", "none"];
        command("refine", &made, &refined).args(args).run().exits(0);
        let lines = fs::read_to_string(made.join("sample.jsonl")).unwrap();
        let refined_lines = fs::read_to_string(refined.join("sample.jsonl")).unwrap();
        assert_eq!(refined_lines.lines().count(), lines.lines().count(), "{schema}");
        assert!(refined_lines.lines().next().unwrap()[..20] == lines[..20], "{schema}");
        command("dedup", &made, &again).run().exits(0);
        assert!(stats(&again)["total"]["written"].as_u64().unwrap() > 30, "{schema}");
        let index = at(&format!("{schema}-i"));
        command("index", &made, &index).run().exits(0);
    }
}
