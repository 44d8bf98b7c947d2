//! `huller bench`. No time is asserted: shapes, sums, digests and errors are.

use crate::support::{Huller, ProgramResult, sample, temp};
use serde_json::Value;
use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Command, Stdio};

/// `huller bench` over the sample, two runs of each by the cheapest extractor.
fn bench() -> Huller {
    let command = Huller::new().arg("bench").arg(sample());
    command.args(["--busy", "--quiet", "--runs", "2", "--extractors", "body"])
}

fn json(folder: &Path) -> Value {
    serde_json::from_slice(&fs::read(folder.join("bench.json")).unwrap()).unwrap()
}

/// The lines of a table, from its heading to the next empty line.
fn section(text: &str, heading: &str) -> Vec<String> {
    let lines = text.lines().skip_while(|line| !line.starts_with(heading)).skip(1);
    lines.take_while(|line| !line.is_empty()).map(str::to_owned).collect()
}

#[track_caller]
fn assert_fits(ran: &ProgramResult, columns: usize) {
    for line in ran.text().lines() {
        assert!(line.chars().count() <= columns, "over {columns} columns: {line}");
    }
}

#[test]
fn every_worker_count_is_a_line_and_every_run_stands_in_json_and_csv() {
    let folder = temp();
    let out = folder.path().join("b");
    let ran = bench().args(["-j", "2,1", "--format", "jsonl", "-o"]).arg(&out).run().exits(0);
    assert_fits(&ran, 80);
    let table = section(ran.text(), "Throughput: body to jsonl");
    let first = |line: &String| line.split_whitespace().next().unwrap().to_owned();
    assert_eq!(table[..3].iter().map(first).collect::<Vec<_>>(), ["workers", "1", "2"]);
    let bench = json(&out);
    let digest = bench["corpus"]["digest"].as_str().unwrap();
    assert_eq!((&bench["corpus"]["records"], &bench["corpus"]["inputs"]), (&96.into(), &1.into()));
    let packed = fs::metadata(sample()).unwrap().len();
    assert_eq!(bench["corpus"]["packed_bytes"].as_u64(), Some(packed));
    // The start over one small page, one worker and two: each as often as asked.
    let series = bench["series"].as_array().unwrap();
    assert_eq!(series.len(), 3);
    for series in series {
        assert_eq!(series["runs"].as_array().unwrap().len(), 2);
    }
    for run in series[1..].iter().flat_map(|series| series["runs"].as_array().unwrap()) {
        assert_eq!((&run["records"], &run["rows"]), (&96.into(), &41.into()), "{run}");
        let part = |name: &str| run[name].as_f64().unwrap();
        let parts = ["reader_cpu", "workers_cpu", "writer_cpu", "digests_cpu"].map(part);
        let parts: f64 = parts.iter().sum();
        assert!(parts > 0.0 && parts <= part("user_s") + part("system_s") + 0.01, "{run}");
        assert!(run["batches"].as_u64() >= Some(1) && run["peak_bytes"].as_u64() > Some(1 << 20));
    }
    // The serial parts with synthetic workers, at least five times.
    let parts = bench["serial_parts"].as_array().unwrap();
    assert_eq!((parts.len(), &parts[0]["extractor"]), (1, &"body".into()));
    let runs = parts[0]["runs"].as_array().unwrap();
    assert_eq!(runs.len(), 5);
    for run in runs {
        let part = |name: &str| run[name].as_f64().unwrap();
        assert!(part("writer_cpu") > 0.0 && run["batches"] == 1, "{run}");
    }
    let costs = &bench["rooflines"][0]["never_waiting_costs"];
    assert_eq!(costs["workers_s"], bench["rooflines"][0]["crowded_costs"]["workers_s"]);
    assert_ne!(costs["writer_s"], bench["rooflines"][0]["crowded_costs"]["writer_s"]);
    let mut table = csv::Reader::from_path(out.join("bench.csv")).unwrap();
    let columns = table.headers().unwrap().clone();
    let place = |name: &str| columns.iter().position(|column| column == name).unwrap();
    let lines: Vec<csv::StringRecord> = table.records().map(Result::unwrap).collect();
    assert_eq!(lines.len(), 6);
    let of_corpus = lines.iter().filter(|line| &line[place("corpus_digest")] == digest);
    assert_eq!(of_corpus.count(), 4);
    assert!(lines.iter().all(|line| line[place("version")].starts_with("huller ")));
    let page = fs::read_to_string(out.join("bench.html")).unwrap();
    for shown in [digest, "<svg class=\"chart\"", "MODELLED", "default-src 'none'"] {
        assert!(page.contains(shown), "{shown} is missing");
    }
    assert!(!page.contains("<script") && ran.text().contains(digest));
    assert!(
        page.contains("the corpus has 1 batches, too few for 2 workers"),
        "the sample is small, and it says so"
    );
    // Machine, version and settings stand in all three.
    let kernel = bench["machine"]["kernel"].as_str().unwrap();
    assert!(page.contains(kernel) && ran.text().contains("kernel: "));
    assert_eq!(bench["asked"]["workers"], serde_json::json!([1, 2]));
    let left = fs::read_dir(&out).unwrap().count();
    assert_eq!(left, 3, "nothing but the three files is left");
}

#[test]
fn the_same_bytes_have_the_same_digest_whatever_their_name() {
    let folder = temp();
    let [copy, other, one, two] =
        ["x.warc.gz", "y.warc.gz", "1", "2"].map(|n| folder.path().join(n));
    fs::copy(sample(), &copy).unwrap();
    let digest = |input: &Path, out: &Path| {
        let command = Huller::new().arg("bench").arg(input);
        let command = command.args(["--busy", "-q", "--runs", "1", "--extractors", "body"]);
        command.args(["-j1", "-o"]).arg(out).run().exits(0);
        json(out)["corpus"]["digest"].clone()
    };
    let first = digest(&sample(), &one);
    assert_eq!(digest(&copy, &two), first);
    Huller::new().args(["bench", "--make-corpus", "1", "-o"]).arg(&other).run().exits(0);
    assert_ne!(digest(&other, &folder.path().join("3")), first);
}

#[test]
fn modelled_and_measured_stand_apart_and_what_bounds_is_named() {
    let ran = bench().args(["-j1"]).run().exits(0);
    let table = section(ran.text(), "More cores: body to jsonl");
    assert!(table[0].contains("measured") && table[0].contains("modelled"), "{table:?}");
    let cells: Vec<Vec<&str>> =
        table[1..9].iter().map(|line| line.split_whitespace().collect()).collect();
    let cores: Vec<&str> = cells.iter().map(|cells| cells[0]).collect();
    assert_eq!(cores, ["1", "2", "4", "8", "16", "32", "64", "128"]);
    assert_ne!(cells[0][1], "-", "one core was measured");
    for modelled in &cells[1..] {
        assert_eq!(modelled[1], "-", "what was not measured is no figure: {modelled:?}");
        assert!(["workers", "reader", "writer", "digests"].contains(&modelled[4]), "{modelled:?}");
    }
    assert_eq!(section(ran.text(), "Check of the model")[1].split_whitespace().next(), Some("1"));
}

#[test]
fn stages_of_every_extractor_format_and_filter_stand_apart() {
    let folder = temp();
    let out = folder.path().join("b");
    let command = Huller::new().arg("bench").arg(sample()).args(["--busy", "-q", "--runs", "1"]);
    let command = command.args(["-j1", "--stages", "--extractors", "pvalue,body", "-o"]).arg(&out);
    let ran = command.args(["--formats", "jsonl,parquet", "--", "--preset", "fineweb"]);
    let ran = ran.run().exits(0);
    assert_fits(&ran, 80);
    let stages = json(&out)["stages"].clone();
    assert_eq!((&stages["pages"], &stages["panicked"]), (&41.into(), &0.into()));
    let costs = stages["costs"].as_array().unwrap();
    let name = |cost: &Value| cost["name"].as_str().unwrap().to_owned();
    let names: Vec<String> = costs.iter().map(name).collect();
    let start = ["reading and cutting", "inflating alone, the limit", "inflating, cutting records"];
    assert_eq!(names[..3], start);
    for wanted in [
        "charset",
        "parsing",
        "metadata",
        "method pvalue",
        "method body",
        "rendering body",
        "stage gopher-quality",
        "encoding jsonl",
        "compressing parquet",
    ] {
        assert!(names.iter().any(|name| name == wanted), "{wanted} is not in {names:?}");
    }
    let in_sum = |name: &str| {
        let place = names.iter().position(|known| known == name).unwrap();
        costs[place]["is_in_sum"].as_bool().unwrap()
    };
    assert!(in_sum("method pvalue") && in_sum("encoding jsonl"));
    assert!(!in_sum("method body") && !in_sum("encoding parquet") && !in_sum(start[1]));
    // Records of the sample, as every run reads them.
    assert_eq!(stages["raw_bytes"], json(&out)["corpus"]["raw_bytes"]);
    let series = json(&out)["series"].as_array().unwrap().len();
    assert_eq!(series, 5, "the start, and two extractors with two formats");
}

#[test]
fn growth_is_fitted_over_pages_that_are_all_extracted() {
    let folder = temp();
    let out = folder.path().join("b");
    let ran = bench().args(["-j1", "--growth=1", "-o"]).arg(&out).run().exits(0);
    assert!(ran.text().contains("R²"), "{}", ran.text());
    let growth = json(&out)["growth"].clone();
    let points = growth["points"].as_array().unwrap();
    assert_eq!(points.len(), 12, "a MB holds eight pages of four sizes, three amounts of each");
    for point in points {
        let [page, records, raw] =
            ["page_bytes", "records", "raw_bytes"].map(|name| point[name].as_u64().unwrap());
        assert!(raw > page * records && raw < (page + 1024) * records, "{point}");
    }
    assert!(growth["plane"]["r2"].as_f64().is_some_and(|r2| r2 <= 1.0), "{growth}");
    assert_eq!(growth["totals"], serde_json::json!([]));
}

#[test]
fn growth_needs_no_input_and_compares_files_of_several_sizes_with_many() {
    let folder = temp();
    let [work, out] = ["work", "b"].map(|name| folder.path().join(name));
    fs::create_dir(&work).unwrap();
    let command = Huller::new().args(["bench", "--growth=1", "--growth-files", "20", "--busy"]);
    let command = command.args(["--quiet", "--runs", "1", "--extractors", "body", "--work"]);
    let ran = command.arg(&work).arg("-o").arg(&out).run().exits(0);
    assert_fits(&ran, 80);
    let bench = json(&out);
    for empty in ["series", "rooflines", "serial_parts"] {
        assert_eq!(bench[empty], serde_json::json!([]), "nothing else is measured");
    }
    let totals = bench["growth"]["totals"].as_array().unwrap();
    let of = |name: &str| -> Vec<u64> {
        totals.iter().map(|point| point[name].as_u64().unwrap()).collect()
    };
    assert_eq!(of("files"), [1, 1, 1, 20]);
    assert_eq!(of("records"), [15, 30, 300, 300]);
    let raw = of("raw_bytes");
    assert!(raw[2] == raw[3] && raw[1] > raw[0], "many files have the records of one: {raw:?}");
    let table = section(ran.text(), "Sizes and numbers of files");
    assert!(table[0].contains("ns a byte") && table.len() >= 7, "{table:?}");
    assert!(ran.text().contains("Each of 20 files adds"), "{}", ran.text());
    assert!(!ran.text().contains("corpus digest"), "there is no corpus");
    assert_eq!(fs::read_dir(&work).unwrap().count(), 0);
    Huller::new().args(["bench", "--growth", "--stages"]).run().exits(2);
    Huller::new().args(["bench", "--growth-files", "9"]).run().exits(2);
}

#[test]
fn one_command_is_measured_and_its_output_passed_on() {
    let folder = temp();
    let file = folder.path().join("used");
    let process = || Huller::new().args(["bench", "--process"]).arg(&file);
    let line = "i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done; echo done; echo said >&2";
    let ran = process().args(["--", "sh", "-c", line]).run().exits(0);
    assert_eq!((ran.text(), &*ran.stderr), ("done\n", ""));
    let used: Value = serde_json::from_slice(&fs::read(&file).unwrap()).unwrap();
    let seconds = |name: &str| used[name].as_f64().unwrap();
    assert!(seconds("user_s") + seconds("system_s") > 0.0 && seconds("wall_s") > 0.0, "{used}");
    assert!(used["peak_bytes"].as_u64() > Some(100_000), "{used}");
    assert!(used.get("others_cores").is_some() && used["rows"].is_null(), "{used}");
    let failing = process().args(["--", "sh", "-c", "echo no such page >&2; exit 3"]);
    failing.run().exits(1).says("exit status: 3").says("no such page");
    process().args(["--", "/nowhere/at-all"]).run().exits(1).says("/nowhere/at-all");
    process().run().exits(2);
    let gone = folder.path().join("no/such/file");
    let command = Huller::new().args(["bench", "--process"]).arg(&gone);
    command.args(["--", "true"]).run().exits(5).says("no/such/file");
}

#[test]
fn a_survey_has_the_machine_and_what_the_inputs_hold() {
    let survey = |inputs: &[&Path]| -> Value {
        let command = Huller::new().args(["bench", "--survey"]).args(inputs);
        serde_json::from_str(command.run().exits(0).text()).unwrap()
    };
    let known = survey(&[]);
    assert!(known["machine"]["processors"].as_u64() >= Some(1), "{known}");
    assert!(known["most_others_cores"].as_f64() > Some(0.1) && known["corpus"].is_null());
    let corpus = survey(&[&sample()])["corpus"].clone();
    let packed = fs::metadata(sample()).unwrap().len();
    assert_eq!(corpus["packed_bytes"].as_u64(), Some(packed), "{corpus}");
    assert_eq!((&corpus["records"], &corpus["pages"]), (&96.into(), &41.into()), "{corpus}");
    let nowhere = Huller::new().args(["bench", "--survey", "/nowhere.warc.gz"]).run();
    assert!(matches!(nowhere.code, Some(1 | 2)), "{nowhere:?}");
}

#[test]
fn another_program_runs_in_alternation_and_its_failure_is_told() {
    let folder = temp();
    let out = folder.path().join("b");
    let copies = "gzip -dc {} > {out}/plain && test -s {out}/plain";
    let command = bench().args(["-j1", "--against", copies, "--against", "cat", "-o"]).arg(&out);
    let ran = command.run().exits(0);
    let table = section(ran.text(), "Against other programs");
    assert!(table[1].starts_with("huller body, jsonl, -j1"), "{table:?}");
    assert!(table[2].starts_with("gzip") && table[3].starts_with("cat"), "{table:?}");
    let series = json(&out)["series"].clone();
    assert_eq!(series[2]["subject"]["other"]["command"], copies);
    assert_eq!(series[2]["runs"].as_array().unwrap().len(), 2);
    let failing = bench().args(["-j1", "--against", "echo no such corpus >&2; exit 7 #"]);
    failing.run().exits(1).says("exit status: 7").says("no such corpus");
}

#[test]
fn what_cannot_be_measured_is_refused_with_its_reason() {
    let folder = temp();
    let input = |path: &Path| Huller::new().arg("bench").arg(path).args(["--busy", "-q", "-j1"]);
    let nowhere = folder.path().join("nowhere.warc.gz");
    let ran = input(&nowhere).run();
    assert!(matches!(ran.code, Some(1 | 2)) && ran.stderr.contains("nowhere.warc.gz"), "{ran:?}");
    let empty = folder.path().join("empty.warc.gz");
    fs::write(&empty, "").unwrap();
    input(&empty).run().exits(1).says("empty");
    let without = folder.path().join("without.warc");
    fs::write(&without, "WARC/1.1\r\nWARC-Type: warcinfo\r\nContent-Length: 0\r\n\r\n\r\n\r\n")
        .unwrap();
    input(&without).run().exits(1).says("its only record is not a page");
    Huller::new().args(["bench", "-", "--busy"]).run().exits(2).says("cannot be measured");
    Huller::new().arg("bench").run().exits(2);
    for threads in ["0", "100000", "1,x", "-1"] {
        let ran = bench().arg(format!("-j={threads}")).run().exits(2);
        assert!(ran.stderr.contains("on this machine"), "{threads}: {}", ran.stderr);
    }
    bench().args(["--runs", "0"]).run().exits(2);
    bench().args(["--", "-o", "x"]).run().exits(2).says("bench sets it for every run");
    bench().args(["--", "--no-such-option"]).run().exits(2).says("--no-such-option");
    let gone = folder.path().join("no/such/folder");
    bench().arg("-j1").arg("--work").arg(&gone).run().exits(5).says("no/such/folder");
}

#[test]
fn files_that_exist_are_kept_unless_told() {
    let folder = temp();
    fs::write(folder.path().join("bench.csv"), "mine").unwrap();
    let ran = bench().args(["-j1", "-o"]).arg(folder.path()).run().exits(2);
    assert!(ran.stderr.contains("--overwrite"), "{}", ran.stderr);
    assert_eq!(fs::read(folder.path().join("bench.csv")).unwrap(), b"mine");
    let more = bench().args(["-j1", "--overwrite", "-o"]).arg(folder.path());
    more.run().exits(0);
    assert_ne!(fs::read(folder.path().join("bench.csv")).unwrap(), b"mine");
}

#[test]
fn narrow_terminals_get_narrow_tables_and_a_closed_pipe_is_no_error() {
    let ran = bench().args(["-j1", "--stages"]).env("COLUMNS", "40").run().exits(0);
    assert_fits(&ran, 40);
    assert!(ran.text().contains("Columns left out to fit the width"));
    let mut child = bench().arg("-j1").spawn();
    drop(child.stdout.take());
    assert_eq!(child.wait().unwrap().code(), Some(0));
    let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    bench().arg("-j1").run_into(Stdio::from(full)).exits(5);
}

#[test]
fn a_corpus_is_made_of_archives_or_of_the_sample_and_extracts_to_its_pages() {
    let folder = temp();
    let [one, two, out] = ["1.warc.gz", "2.warc.gz", "out"].map(|name| folder.path().join(name));
    let make = |path: &Path| Huller::new().args(["bench", "--make-corpus", "2", "-o"]).arg(path);
    let said = make(&one).run().exits(0);
    assert!(said.text().contains("digest xxh128"), "{}", said.text());
    make(&one).run().exits(2).says("--overwrite");
    make(&two).arg(sample()).run().exits(0);
    assert!(fs::read(&one).unwrap() == fs::read(&two).unwrap(), "the sample is the bundled one");
    let measured = folder.path().join("b");
    let bench = Huller::new().arg("bench").arg(&one).args(["--busy", "-q", "--runs", "1"]);
    bench.args(["-j1", "--extractors", "body", "-o"]).arg(&measured).run().exits(0);
    let digest = json(&measured)["corpus"]["digest"].as_str().unwrap().to_owned();
    assert!(said.text().contains(&digest), "{digest} is not in {}", said.text());
    Huller::extract(&one, &out).arg("-q").run().exits(0);
    let account = crate::support::stats(&out)["total"].clone();
    assert_eq!(account["written"], account["records"], "every record is a page: {account}");
    assert!(account["records"].as_u64() > Some(41));
    let same =
        Huller::new().arg("bench").arg(&one).args(["--make-corpus", "1", "--overwrite", "-o"]);
    same.arg(&one).run().exits(2).says("is an input");
}

#[test]
fn an_interrupted_measurement_leaves_nothing_behind() {
    let folder = temp();
    let [work, out] = ["work", "b"].map(|name| folder.path().join(name));
    fs::create_dir(&work).unwrap();
    let command = Huller::new().arg("bench").arg(sample()).args(["--busy", "--runs", "1000"]);
    let command = command.args(["-j1", "--extractors", "body", "--work"]).arg(&work);
    let mut child = command.arg("-o").arg(&out).spawn();
    let mut said = BufReader::new(child.stderr.take().unwrap());
    let mut line = String::new();
    while !line.starts_with("round 2 ") {
        line.clear();
        assert_ne!(said.read_line(&mut line).unwrap(), 0, "it ended before it was interrupted");
    }
    let kill = format!("kill -TERM {}", child.id());
    assert!(Command::new("sh").args(["-c", &kill]).status().unwrap().success());
    // Its progress has to be read, or it waits for a reader.
    let mut rest = String::new();
    said.read_to_string(&mut rest).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(143), "{rest}");
    assert_eq!(fs::read_dir(&work).unwrap().count(), 0, "{rest}");
    assert!(!out.exists());
}
