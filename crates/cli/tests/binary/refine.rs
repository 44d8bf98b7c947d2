//! Stages: in `extract`, in `refine`, from files and presets.

use crate::support::{Huller, assert_balanced, plain, rows, sample, stats, string, temp};
use huller_row::{FIELDS, FieldContent};
use serde_json::Value;
use std::fs;
use std::path::Path;

const STAGES: &[&str] = &[
    "--stages",
    "normalise,language,gopher-repetition,gopher-quality,c4,fineweb,lines,mask",
    "--set",
    "gopher-quality.min_words=30",
    "--set",
    "mask.phones=true",
];

/// Every form of a row, so that stages have something to rewrite.
const FORMS: &[&str] =
    &["--markdown", "--html", "--blocks", "--extractors", "hull,body", "--signals"];

fn refine(input: &Path, output: &Path) -> Huller {
    Huller::new().arg("refine").arg(input).arg("-o").arg(output)
}

#[test]
fn rows_refined_have_the_bytes_of_rows_extracted_with_the_same_stages() {
    let [plain_rows, at_once, later, one, lines] = [(); 5].map(|()| temp());
    let forms = &FORMS[..5];
    Huller::extract(sample(), plain_rows.path()).args(forms).run().exits(0);
    Huller::extract(sample(), at_once.path()).args(forms).args(STAGES).run().exits(0);
    refine(plain_rows.path(), later.path()).args(STAGES).args(["-j", "2"]).run().exits(0);
    refine(plain_rows.path(), one.path()).args(STAGES).args(["-j", "1"]).run().exits(0);
    let file = "sample.jsonl.zst";
    let [at_once_rows, later_rows, one_rows] =
        [&at_once, &later, &one].map(|folder| plain(&folder.path().join(file)));
    assert!(at_once_rows.len() > 100_000);
    assert_eq!(at_once_rows, later_rows);
    assert_eq!(one_rows, later_rows);
    let (extracted, refined) = (stats(at_once.path()), stats(later.path()));
    assert_balanced(&refined["total"]);
    assert_eq!(refined["total"]["records"], 41);
    assert_eq!(refined["total"]["written"], extracted["total"]["written"]);
    for (reason, count) in refined["total"]["skipped"].as_object().unwrap() {
        assert!(reason.contains(':'), "{reason}");
        assert_eq!(extracted["total"]["skipped"][reason], *count);
    }
    // Refined again, nothing more is changed.
    refine(later.path(), lines.path()).args(STAGES).run().exits(0);
    let again = rows(lines.path().join(file));
    assert!(again.len() + 2 >= rows(later.path().join(file)).len());
}

#[test]
fn rejects_of_lines_have_addresses() {
    let folder = temp();
    let rejects = folder.path().join("rejects.jsonl");
    let listed = |input: &Path, command: &str, args: &[&str]| -> Vec<Value> {
        let run = Huller::new().arg(command).arg(input).args(["-o", "-", "-q"]).args(args);
        run.arg("--rejects").arg(&rejects).run().exits(0);
        let listed = fs::read_to_string(&rejects).unwrap();
        listed.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    };
    let input = folder.path().join("rows.jsonl");
    let lines = r#"{"url":"http://a/","text":"short"}
{"metadata":{"url":"http://b/"},"text":"short"}
{"url":"http://c/","title":"no text"}
{"text":"short"}
no row
"#;
    fs::write(&input, lines).unwrap();
    let stages = ["--stages", "length", "--set", "length.min_words=2"];
    let urls: Vec<_> =
        listed(&input, "refine", &stages).iter().map(|it| it["url"].clone()).collect();
    assert_eq!(
        urls,
        [
            Value::from("http://a/"),
            "http://b/".into(),
            "http://c/".into(),
            Value::Null,
            Value::Null
        ]
    );
    let pages = r#"{"url":"http://a/","html":"<p>short"}
{"u":"http://b/","html":"<p>short"}
{"url":"http://c/"}
"#;
    fs::write(&input, pages).unwrap();
    let urls: Vec<_> = listed(&input, "extract", &["--min-chars", "20"])
        .iter()
        .map(|it| it["url"].clone())
        .collect();
    assert_eq!(urls, ["http://a/", "http://b/", "http://c/"]);
}

#[test]
fn a_corpus_without_a_text_is_an_error() {
    let folder = temp();
    let (input, output) = (folder.path().join("rows.jsonl"), folder.path().join("out"));
    fs::write(&input, "{\"body\":\"a\"}\n{\"body\":\"b\"}\n").unwrap();
    let run = |input: &Path| refine(input, &output).args(["--stages", "mask", "--overwrite"]).run();
    let ran = run(&input).exits(1).says("none of its 2 records is a row with text (no_text_key 2)");
    ran.says("--text-key").says("1 of them could not be used");
    assert!(!output.join("_SUCCESS").exists());
    let with_key = refine(&input, &output).args(["--stages", "mask", "--overwrite"]);
    with_key.args(["--text-key", "body"]).run().exits(0);
    run(sample().as_ref()).exits(1).says("run `huller extract` on it first");
}

#[test]
fn what_is_masked_in_the_text_stands_in_no_other_form() {
    let folder = temp();
    let page = "<html><title>Write to ann@site.org</title><body><h1>Contact</h1><p>Write to ann@site.org, or call \
        from 203.0.114.7, and say that the ferry sent you, since the harbour master reads his letters at night.</p>\
        <p>He has read them at night for eleven years, with a lamp and a pot of tea, and answers all but the bills.</p>";
    let input = folder.path().join("page.html");
    fs::write(&input, page).unwrap();
    let forms = ["--markdown", "--html", "--source-html", "--blocks", "--extractors", "hull,body"];
    let ran = Huller::extract(&input, "-").args(forms).args(["--stages", "mask"]).run().exits(0);
    assert!(!ran.text().contains("ann@site.org") && !ran.text().contains("203.0.114.7"));
    assert!(ran.text().matches("email@example.com").count() >= 6, "{}", ran.text());
    let row = &ran.rows()[0];
    assert!(row["blocks"].as_array().unwrap().iter().all(|block| block["start"].is_null()));
}

/// The table of fields says what stages reach, and `extract` reaches all of it.
#[test]
fn what_is_masked_stands_in_no_field_that_holds_words_or_the_users_own() {
    let [folder, later] = [(); 2].map(|()| temp());
    let words = "and say that the ferry sent you, since the harbour master reads his letters at night, with a lamp and a pot of tea";
    let paragraph = format!(
        "<p>Write to ann@site.org, {words}, and answers all but the bills, which he burns.</p>"
    );
    let comment = format!(
        "<li class=comment><cite>Bo</cite><p>I wrote to ann@site.org too, {words}, as he always did.</p></li>"
    );
    let html = format!(
        "<html><head><title>Write to ann@site.org</title><meta name=author content='Ann ann@site.org'>\
         <meta property=og:site_name content='Site of ann@site.org'><meta name=description content='Ask ann@site.org at night'></head>\
         <body><article><h1>Write to ann@site.org</h1>{}</article>\
         <section id=comments class=comments><h2>Comments</h2><ol class=comment-list>{}</ol></section></body></html>",
        paragraph.repeat(6),
        comment.repeat(4),
    );
    let line = serde_json::json!({"url": "http://site.org/ann@site.org", "html": html, "own": {"note": "of ann@site.org", "tags": ["ann@site.org"]}});
    let input = folder.path().join("pages.jsonl");
    fs::write(&input, format!("{line}\n")).unwrap();
    let forms = [
        "--markdown",
        "--html",
        "--source-html",
        "--blocks",
        "--extractors",
        "hull,body",
        "--keep-keys",
        "own",
    ];
    let mask = ["--stages", "mask"];
    Huller::extract(&input, later.path()).args(forms).run().exits(0);
    let masked = Huller::extract(&input, "-").args(forms).args(mask).run().exits(0);
    let row = &masked.rows()[0];
    for field in FIELDS {
        let value = row[field.name].to_string();
        match field.content {
            FieldContent::MainText | FieldContent::PageText | FieldContent::Own => assert!(
                value.contains("email@example.com") && !value.contains("ann@site.org"),
                "{}: {value}",
                field.name
            ),
            FieldContent::Reference | FieldContent::Figure => {
                assert!(!value.contains("email@example.com"), "{}: {value}", field.name);
            }
        }
    }
    let refined = refine(&later.path().join("pages.jsonl.zst"), Path::new("-"));
    assert_eq!(refined.args(mask).run().exits(0).text(), masked.text());
}

#[test]
fn languages_are_told_and_kept() {
    let all = Huller::extract(sample(), "-").args(["--stages", "language"]).run().exits(0).rows();
    assert_eq!(all.len(), 41);
    let told = all.iter().filter(|row| row["language"].is_string());
    assert!(told.clone().count() > 35);
    assert!(told.clone().all(|row| row["language_score"].as_f64().unwrap() > 0.0));
    let chinese = Huller::extract(sample(), "-").args(["--lang", "zho"]).run().exits(0).rows();
    let expected = told.filter(|row| row["language"] == "zho").count();
    assert!(expected > 0 && chinese.len() == expected);
    let wrong = Huller::extract(sample(), "-").args(["--lang", "chinese"]).run();
    wrong.exits(2).says("'chinese' is not a supported language");
}

#[test]
fn a_file_describes_a_run_and_flags_override_it() {
    let folder = temp();
    let config = folder.path().join("huller.toml");
    let output = folder.path().join("out");
    let text = format!(
        "inputs = ['{}']\noutput = '{}'\nmarkdown = true\nstages = ['length']\n[stage.length]\nmin_chars = 1500\n",
        sample().display(),
        output.display()
    );
    fs::write(&config, text).unwrap();
    Huller::new().arg("extract").arg("--config").arg(&config).run().exits(0);
    let long = rows(output.join("sample.jsonl.zst"));
    assert!(!long.is_empty() && long.len() < 41);
    assert!(long.iter().all(|row| string(row, "text").chars().count() >= 1500));
    assert!(long.iter().all(|row| row["markdown"].is_string()));
    let shorter = Huller::new().arg("extract").arg("--config").arg(&config);
    let shorter = shorter.args(["-o", "-", "--set", "length.min_chars=500"]).run().exits(0).rows();
    assert!(shorter.len() > long.len());

    let printed =
        Huller::new().arg("extract").arg("--config").arg(&config).arg("--print-config").run();
    let printed = printed.exits(0).text().to_owned();
    assert!(
        printed.contains("markdown = true") && printed.contains("min_chars = 1500"),
        "{printed}"
    );
    assert!(printed.contains("# Least number of Unicode scalars."), "{printed}");
    let again = folder.path().join("again.toml");
    fs::write(&again, printed).unwrap();
    let same =
        Huller::new().arg("extract").arg("--config").arg(&again).arg(sample()).args(["-o", "-"]);
    assert_eq!(same.run().exits(0).rows().len(), long.len());

    fs::write(&config, "min_char = 3").unwrap();
    let wrong =
        Huller::new().arg("extract").arg("--config").arg(&config).arg(sample()).args(["-o", "-"]);
    wrong.run().exits(2).says("unknown field `min_char`");
}

#[test]
fn a_printed_configuration_names_its_command() {
    for command in ["extract", "refine"] {
        let printed = Huller::new().arg(command).arg("--print-config").run().exits(0);
        assert!(printed.text().contains(&format!(": huller {command} --config FILE")));
    }
}

#[test]
fn presets_can_be_used_and_printed() {
    let listed = Huller::new().arg("stages").arg("--presets").run().exits(0).text().to_owned();
    for preset in ["fineweb", "fineweb2", "gopher", "c4", "dclm-heuristics", "search"] {
        assert!(listed.contains(preset));
        let rows = Huller::extract(sample(), "-").args(["--preset", preset]).run().exits(0).rows();
        assert!(!rows.is_empty() && rows.len() <= 41, "{preset}");
        let printed = Huller::new().arg("stages").args(["--presets", preset]).run().exits(0);
        let file = temp();
        let path = file.path().join("preset.toml");
        fs::write(&path, printed.text()).unwrap();
        let from_file = Huller::extract(sample(), "-").arg("--config").arg(&path).run().exits(0);
        assert_eq!(from_file.rows(), rows, "{preset}");
    }
    Huller::extract(sample(), "-").args(["--preset", "best"]).run().exits(2).says("unknown preset");
    let long = Huller::new().arg("stages").arg("--long").run().exits(0).text().to_owned();
    assert!(long.contains("[stage.gopher-quality]") && long.contains("min_words = 50"));
}

#[test]
fn the_account_tells_what_each_stage_left() {
    let output = temp();
    let stages = ["--stages", "url,language,gopher-quality,c4", "--set", "url.exclude=['wiki']"];
    let ran = Huller::extract(sample(), output.path()).args(stages).run().exits(0);
    assert!(ran.stderr.contains("characters left"), "{}", ran.stderr);
    let total = &stats(output.path())["total"];
    let waterfall = &total["waterfall"];
    let counts = waterfall["stages"].as_array().unwrap();
    let number = |stage: &Value, name: &str| stage[name].as_u64().unwrap();
    let names: Vec<_> = counts.iter().map(|stage| string(stage, "stage")).collect();
    assert_eq!(names, ["url", "language", "gopher-quality", "c4"]);
    for pair in counts.windows(2) {
        assert_eq!(
            number(&pair[0], "rows") - number(&pair[0], "dropped"),
            number(&pair[1], "rows")
        );
    }
    let written = rows(output.path().join("sample.jsonl.zst"));
    let last = counts.last().unwrap();
    assert_eq!(number(last, "rows") - number(last, "dropped"), written.len() as u64);
    let chars = written.iter().map(|row| string(row, "text").chars().count() as u64);
    assert_eq!(number(last, "chars_left"), chars.sum::<u64>());
    for stage in counts {
        let reasons = total["skipped"].as_object().unwrap().iter();
        let of_stage = format!("{}:", string(stage, "stage"));
        let dropped = reasons.filter(|(reason, _)| reason.starts_with(&of_stage));
        assert_eq!(
            dropped.map(|(_, n)| n.as_u64().unwrap()).sum::<u64>(),
            number(stage, "dropped")
        );
    }
    let languages = waterfall["languages"].as_object().unwrap();
    let english = written.iter().filter(|row| row["language"] == "eng").count() as u64;
    let left = languages["eng"].as_array().unwrap().last().unwrap();
    assert_eq!(number(left, "rows") - number(left, "dropped"), english);

    // With a limit the account ends where the rows do.
    let few = temp();
    Huller::extract(sample(), few.path()).args(stages).args(["--limit", "3"]).run().exits(0);
    let total = &stats(few.path())["total"];
    assert_balanced(total);
    let last = total["waterfall"]["stages"].as_array().unwrap().last().unwrap().clone();
    assert_eq!(number(&last, "rows") - number(&last, "dropped"), 3);
}

#[test]
fn dropped_rows_are_kept_to_look_at() {
    let [folder, all_rows] = [(); 2].map(|()| temp());
    let output = folder.path().join("out");
    let dropped = folder.path().join("dropped");
    let stages = ["--stages", "url,page,length,gopher-quality", "--set", "length.min_chars=600"];
    let more = ["--set", "page.min_score=0.5", "--set", "url.exclude=['wiki']"];
    let run = |input: &Path, more: &[&str]| {
        Huller::extract(input, &output).args(stages).args(more).arg("--dropped").arg(&dropped)
    };
    run(&sample(), &more).args(["--dropped-rows", "all"]).run().exits(0);
    let total = stats(&output)["total"].clone();
    let listed = rows(dropped.join("dropped.jsonl"));
    let of_stages = total["skipped"].as_object().unwrap().iter();
    let of_stages = of_stages.filter(|(reason, _)| reason.contains(':'));
    assert!(of_stages.clone().count() >= 4, "{total}");
    for (reason, count) in of_stages {
        let rows = listed.iter().filter(|row| row["dropped"] == reason.as_str());
        assert_eq!(rows.count() as u64, count.as_u64().unwrap(), "{reason}");
    }
    Huller::extract(sample(), all_rows.path()).run().exits(0);
    let whole = rows(all_rows.path().join("sample.jsonl.zst"));
    for row in &listed {
        let same = whole.iter().find(|whole| whole["id"] == row["id"]).unwrap();
        assert_eq!(row["text"], same["text"], "{}", row["dropped"]);
        assert!(row["signals"].is_object());
    }
    let short = listed.iter().find(|row| row["dropped"] == "length:few_chars").unwrap();
    assert!(short["signals"]["length.chars"].as_f64().unwrap() < 600.);

    // Of refined rows the lines are kept as they are; the first of each reason alone if so many are
    // asked for.
    let (refined, two) = (folder.path().join("refined"), folder.path().join("two"));
    let input = all_rows.path().join("sample.jsonl.zst");
    refine(&input, &refined)
        .args(stages)
        .args(["--dropped-rows", "2", "-j", "2", "--dropped"])
        .arg(&two)
        .run()
        .exits(0);
    let listed = rows(two.join("dropped.jsonl"));
    let short: Vec<_> = listed.iter().filter(|row| row["dropped"] == "length:few_chars").collect();
    assert_eq!(short.len(), 2);
    assert!(whole.iter().any(|row| row["id"] == short[0]["id"] && row["text"] == short[0]["text"]));

    // They must not lie among the rows, nor be written over something else, nor be left out when
    // the run goes on.
    let inside = output.join("dropped");
    Huller::extract(sample(), &output)
        .args(stages)
        .arg("--overwrite")
        .arg("--dropped")
        .arg(&inside)
        .run()
        .exits(2)
        .says("must not be inside the output");
    Huller::extract(sample(), &output)
        .args(stages)
        .args(more)
        .arg("--resume")
        .run()
        .exits(3)
        .says("give --dropped");
    fs::write(dropped.join("dropped.jsonl"), "precious\n").unwrap();
    run(&sample(), &more).arg("--overwrite").run().exits(2).says("other data than dropped rows");
}

#[test]
fn signals_say_what_was_measured() {
    let ran = Huller::extract(sample(), "-").args(["--stages", "gopher-quality", "--signals"]);
    for row in ran.run().exits(0).rows() {
        let words = row["signals"]["gopher_quality.words"].as_f64().unwrap();
        assert!(words >= 50.0);
    }
}

#[test]
fn rows_of_other_schemas_keep_their_fields() {
    let folder = temp();
    let input = folder.path().join("dolma.jsonl");
    let line = r#"{"id":"7","source":"x","text":"Mail bob@site.org today.","metadata":{"url":"http://a.test/","n":[1.50,null]},"added":"2020"}"#;
    let other = r#"{"id":"8","text":7}"#;
    fs::write(&input, format!("{line}\n{other}\nnot json\n")).unwrap();
    let ran = refine(&input, Path::new("-"))
        .args(["--stages", "url,mask", "--set", "url.exclude=['b[.]test']"])
        .run()
        .exits(0);
    assert_eq!(ran.text().trim_end(), line.replace("bob@site.org", "email@example.com"));
    let dropped = refine(&input, Path::new("-")).args([
        "--stages",
        "url",
        "--set",
        "url.exclude=['a[.]test']",
    ]);
    assert_eq!(dropped.run().exits(0).text(), "");
}

#[test]
fn what_cannot_be_refined_is_said() {
    let output = temp();
    refine(&sample(), output.path()).run().exits(2).says("no stages given");
    refine(&sample(), output.path())
        .args(["--stages", "masks"])
        .run()
        .exits(2)
        .says("unknown stage");
    let archive = refine(&sample(), output.path()).args(["--stages", "mask"]).run();
    archive.exits(1).says("an archive, not JSONL with texts: run `huller extract` on it first");
    let unused = Huller::extract(sample(), "-").args(["--set", "length.min_chars=3"]).run();
    unused.exits(2).says("add length to --stages");
}

#[test]
fn tokens_are_counted_the_same_in_extract_and_refine_and_add_up_in_the_waterfall() {
    let [plain_rows, at_once, later, fineweb] = [(); 4].map(|()| temp());
    let stages = ["--stages", "language,c4,mask,tokens"];
    Huller::extract(sample(), plain_rows.path()).run().exits(0);
    let ran = Huller::extract(sample(), at_once.path()).args(stages).run().exits(0);
    assert!(ran.stderr.contains("tokens left"), "{}", ran.stderr);
    refine(plain_rows.path(), later.path()).args(stages).run().exits(0);
    let file = "sample.jsonl.zst";
    assert_eq!(plain(&at_once.path().join(file)), plain(&later.path().join(file)));
    assert_eq!(
        stats(at_once.path())["total"]["waterfall"],
        stats(later.path())["total"]["waterfall"]
    );
    let written = rows(later.path().join(file));
    let tokens = |name: &str, rows: &[Value]| -> Vec<u64> {
        rows.iter().map(|row| row[name].as_u64().unwrap()).collect()
    };
    let counts = tokens("tokens", &written);
    let waterfall = stats(later.path())["total"]["waterfall"]["stages"].clone();
    let last = waterfall.as_array().unwrap().last().unwrap();
    assert_eq!(last["tokens_left"].as_u64(), Some(counts.iter().sum()));
    // FineWeb's rows have a name of their own for it.
    let schema = ["--schema", "fineweb"];
    Huller::extract(sample(), fineweb.path()).args(stages).args(schema).run().exits(0);
    let fineweb = rows(fineweb.path().join(file));
    assert_eq!(tokens("token_count", &fineweb), counts);

    // A text that is changed and not counted again has no count.
    let row = temp();
    let path = row.path().join("row.jsonl");
    fs::write(&path, "{\"text\":\"Write to ann@site.org\",\"tokens\":7}\n").unwrap();
    let masked = refine(&path, Path::new("-")).args(["--stages", "mask"]).run().exits(0);
    assert_eq!(masked.text(), "{\"text\":\"Write to email@example.com\",\"tokens\":null}\n");

    let missing = refine(&path, Path::new("-")).args([
        "--stages",
        "tokens",
        "--set",
        "tokens.tokenizer=llama",
    ]);
    missing.run().exits(2).says("read `llama`").says("`gpt2`, which is built in");
}

#[test]
fn rows_in_another_format_are_those_that_extract_writes() {
    let folder = temp();
    let path = |name: &str| folder.path().join(name);
    Huller::extract(sample(), path("lines")).run().exits(0);
    // The order of the fields is the user's.
    let fields = ["--fields", "text,id,score,url,has_article,status", "--compress", "none"];
    for (format, suffix) in [("csv", "csv"), ("tsv", "tsv"), ("jsonl", "jsonl")] {
        let args = [&["--format", format], &fields[..]].concat();
        Huller::extract(sample(), path(format)).args(&args).run().exits(0);
        let again = path(&format!("{format}-again"));
        refine(&path("lines"), &again).args(&args).run().exits(0);
        let read = |of: &Path| fs::read_to_string(of.join(format!("sample.{suffix}"))).unwrap();
        assert_eq!(read(&again), read(&path(format)), "{format}");
        Huller::new().arg("verify").arg(&again).run().exits(0);
    }
    let header = fs::read_to_string(path("csv").join("sample.csv")).unwrap();
    assert!(header.starts_with("text,id,score,url,has_article,status\n"));
    let schema = ["--schema", "datatrove", "--compress", "none"];
    Huller::extract(sample(), path("nested")).args(schema).run().exits(0);
    let back = ["--format", "jsonl", "--fields", fields[1], "--compress", "none"];
    refine(&path("nested"), &path("flat")).args(back).run().exits(0);
    let read = |name: &str| fs::read(path(name).join("sample.jsonl")).unwrap();
    assert!(read("flat") == read("jsonl"), "fields of a schema are found where it has them");
}

#[test]
fn a_format_that_needs_pages_is_refused_with_the_remedy() {
    let folder = temp();
    let out = folder.path().join("out");
    refine(&sample(), &out)
        .args(["--format", "warc"])
        .run()
        .exits(2)
        .says("--format warc needs the records of pages")
        .says("dedup --archives DIR");
    refine(&sample(), &out).args(["--fields", "id,nothing"]).run().exits(2).says("unknown field");
    refine(&sample(), &out).args(["--format", "jsonl"]).run().exits(2).says("no stages given");
}

#[test]
fn rules_of_the_user_decide_about_pages_and_rows() {
    let folder = temp();
    let path = |name: &str| folder.path().join(name);
    fs::write(path("words.txt"), "milk lorry\nprivacy policy\n").unwrap();
    let file = format!("match.rules.words.word_files={:?}", path("words.txt"));
    let stages = ["--stages", "match", "--signals", "--set", &file, "--set"];
    let url = "match.rules.host={fields = 'url', patterns = '^https?://[^/]*[.]org', action = 'annotate'}";
    let title = "match.rules.title={fields = ['title'], words = ['The'], action = 'annotate'}";
    let args = [&stages[..], &[url, "--set", title]].concat();
    Huller::extract(sample(), path("pages")).args(&args).run().exits(0);
    Huller::extract(sample(), path("all")).run().exits(0);
    refine(&path("all"), &path("rows")).args(&args).run().exits(0);
    let of = |name: &str| {
        let rows = rows(path(name).join("sample.jsonl.zst"));
        let signal = |row: &Value| (row["id"].clone(), row["signals"].clone());
        let found = rows.iter().map(signal).collect::<Vec<_>>();
        (found, stats(&path(name))["total"]["skipped"]["match:words"].as_u64())
    };
    assert_eq!(of("pages"), of("rows"));
    let (signals, dropped) = of("pages");
    assert!(dropped.is_some_and(|dropped| dropped > 0) && !signals.is_empty());
    let sum = |name: &str| signals.iter().map(|(_, row)| row[name].as_f64().unwrap()).sum::<f64>();
    assert!(sum("match.host") > 0. && sum("match.title") > 0. && sum("match.words") == 0.);
    let names = stats(&path("pages"))["total"]["waterfall"].to_string();
    for stage in ["match.url", "match.fields", "match.text"] {
        assert!(names.contains(&format!("\"{stage}\"")), "{names}");
    }
    let unknown = ["--stages", "match", "--set", "match.rules.a={fields = 'subject', words = 'x'}"];
    let said = "looks at the field 'subject', which pages do not have";
    Huller::extract(sample(), path("none")).args(unknown).run().exits(2).says(said);
    refine(&path("all"), &path("subject")).args(unknown).run().exits(0);
    // Another list is another run.
    fs::write(path("words.txt"), "lorry\n").unwrap();
    let resumed = Huller::extract(sample(), path("pages")).args(&args).arg("--resume").run();
    resumed.exits(3).says("match.rules");
}

#[test]
fn inputs_of_a_file_may_be_patterns() {
    let folder = temp();
    for name in ["crawl/b.warc.gz", "crawl/a.warc.gz", "crawl/deep/c.warc.gz", "crawl/notes.txt"] {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::copy(sample(), path).unwrap();
    }
    let run = |inputs: &str| {
        let config = folder.path().join("huller.toml");
        fs::write(&config, format!("inputs = {inputs}\noutput = \"out\"")).unwrap();
        let args = ["extract", "--config", "huller.toml", "--dry-run"];
        Huller::new().args(args).current_dir(folder.path()).run()
    };
    let listed = run("[\"crawl/*.gz\", \"crawl/deep/c.warc.gz\"]").exits(0);
    let names: Vec<_> =
        listed.text().lines().filter_map(|line| line.split(" -> ").next()).collect();
    assert_eq!(names, ["a.warc.gz", "b.warc.gz", "c.warc.gz"]);
    let all = run("[\"crawl/**/*.gz\"]").exits(0);
    assert_eq!(all.text().lines().count(), 3);
    run("[\"crawl/*.arc\"]").exits(2).says("no path matches the pattern 'crawl/*.arc'");
    run("[\"crawl/[\"]").exits(2).says("is not valid");
}
