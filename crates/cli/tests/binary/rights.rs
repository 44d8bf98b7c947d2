//! The option `--rights` and the stage `rights`, by the archive of `docs/rights.md` and by real
//! archives.

use crate::support::{Huller, ProgramResult, repository, rows, stats, temp};
use huller_testkit::pack::gzip;
use huller_testkit::warc::{Http, Record};
use huller_testkit::{needs_shared, shared};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

needs_shared!(rules_of_a_real_server_are_found);

fn archive() -> PathBuf {
    repository().join("examples/rights.warc")
}

/// The options of the stage with the files of the archive's servers.
fn stage(drop: &[&str]) -> Vec<String> {
    let robots = json!([archive()]);
    let drop = json!(drop);
    let options = ["--stages", "rights", "--set"].map(str::to_owned);
    let set = [format!("rights.robots={robots}"), "--set".into(), format!("rights.drop={drop}")];
    options.into_iter().chain(set).collect()
}

fn refine(input: &Path, output: &Path) -> Huller {
    Huller::new().arg("refine").arg(input).arg("-o").arg(output)
}

/// Returns `signal value` of each statement of a row.
fn statements(row: &Value) -> Vec<String> {
    let of = |statement: &Value, member: &str| statement[member].as_str().unwrap().to_owned();
    let list = row["rights"].as_array().unwrap().iter();
    list.map(|each| of(each, "signal") + " " + &of(each, "value")).collect()
}

fn skipped(output: &Path) -> Value {
    stats(output)["total"]["skipped"].clone()
}

#[test]
fn rows_have_the_statements_of_pages_and_servers_with_their_places() {
    let out = temp();
    let found = Huller::extract(archive(), "-").args(stage(&[])).run().exits(0).rows();
    let all: Vec<_> = found.iter().map(statements).collect();
    assert_eq!(all[0], ["license CC-BY-SA-4.0", "search yes", "ai-train no"]);
    assert_eq!(all[1], ["disallow /private/", "search yes", "ai-train no"]);
    assert_eq!(all[3], ["noai noai", "noimageai noimageai"]);
    // Each statement leads to the record of its evidence.
    let get = |offset: &Value| -> ProgramResult {
        let offset = offset.to_string();
        Huller::new().arg("get").arg(archive()).args([&offset, "--record"]).run().exits(0)
    };
    let places = found.iter().flat_map(|row| row["rights"].as_array().unwrap());
    let mut count = 0;
    for statement in places {
        assert_eq!(statement["file"], "rights.warc");
        let record = get(&statement["offset"]);
        let value = match statement["signal"].as_str().unwrap() {
            "license" => "licenses/by-sa/4.0/",
            "tdm-reservation" => "\"tdm-reservation\": 1",
            _ => statement["value"].as_str().unwrap(),
        };
        assert!(record.text().contains(value), "{statement}");
        count += 1;
    }
    assert_eq!(count, 13);
    // Without the option rows have no such field.
    Huller::extract(archive(), out.path()).run().exits(0);
    assert!(rows(out.path().join("rights.jsonl.zst"))[0].get("rights").is_none());
}

#[test]
fn extract_and_refine_give_the_same_rows_in_any_format_and_with_any_threads() {
    let [at_once, plain, later, table, of_table] = [(); 5].map(|()| temp());
    let drop = ["tdm-reservation", "disallow"];
    Huller::extract(archive(), at_once.path()).args(stage(&drop)).run().exits(0);
    Huller::extract(archive(), plain.path()).args(["--rights", "-j", "3"]).run().exits(0);
    refine(plain.path(), later.path()).args(stage(&drop)).run().exits(0);
    let file = "rights.jsonl.zst";
    let expected = std::fs::read(at_once.path().join(file)).unwrap();
    assert_eq!(std::fs::read(later.path().join(file)).unwrap(), expected);
    let expected = json!({"rights:disallow": 1, "rights:tdm-reservation": 1});
    for (output, others) in [(at_once.path(), 3), (later.path(), 0)] {
        let mut counts = skipped(output);
        let counts = counts.as_object_mut().unwrap();
        let of_stage: Value = expected
            .as_object()
            .unwrap()
            .keys()
            .map(|key| (key.clone(), counts.remove(key).unwrap()))
            .collect::<serde_json::Map<_, _>>()
            .into();
        assert_eq!(of_stage, expected);
        assert_eq!(counts.values().map(|count| count.as_u64().unwrap()).sum::<u64>(), others);
    }
    let options = ["--rights", "--format", "parquet"];
    Huller::extract(archive(), table.path()).args(options).run().exits(0);
    let to_lines = ["--format", "jsonl"];
    refine(table.path(), of_table.path()).args(stage(&drop)).args(to_lines).run().exits(0);
    let of = |path: &Path| -> Vec<_> { rows(path.join(file)).iter().map(statements).collect() };
    assert_eq!(of(of_table.path()), of(later.path()));
}

#[test]
fn licences_select_pages_and_other_robots_count_only_by_name() {
    let [out, bots] = [(); 2].map(|()| temp());
    let keep = ["--stages", "rights", "--set", "rights.keep_licenses=[\"CC-BY-*\"]"];
    Huller::extract(archive(), out.path()).args(keep).run().exits(0);
    assert_eq!(rows(out.path().join("rights.jsonl.zst")).len(), 1);
    assert_eq!(skipped(out.path())["rights:license"], 3);
    let named = ["--set", "rights.agents=[\"GPTBot\"]"];
    let found = Huller::extract(archive(), bots.path()).args(stage(&["noindex"])).args(named);
    found.run().exits(0);
    assert_eq!(skipped(bots.path())["rights:noindex"], 1);
    let wrong = ["--stages", "rights", "--set", "rights.drop=[\"noise\"]"];
    Huller::extract(archive(), "-").args(wrong).run().exits(2).says("no signal 'noise'");
}

#[test]
fn hostile_statements_cost_little_and_leave_other_pages_alone() {
    let work = temp();
    let path = work.path().join("hostile.warc.gz");
    let text = Http::page(format!("user-agent: *\n{}", "disallow: /*a*b*c*d*e$\n".repeat(25_000)));
    let metas = "<meta name=onebot content='noai, noindex'>".repeat(10_000);
    let deep = format!("http://a.test/{}", "ab".repeat(30_000));
    let record = |url: &str, http: &Http| {
        gzip(&Record::new("response", http.to_bytes()).uri(url.as_bytes()).to_bytes())
    };
    let header = format!("X-Robots-Tag: {}", "onebot: noai, ".repeat(4600));
    let records = [
        record("http://a.test/robots.txt", &text.content_type("text/plain")),
        record("http://b.test/.well-known/tdmrep.json", &Http::page("[".repeat(400_000))),
        record(&deep, &Http::page("<p>one").field(&header)),
        record("http://a.test/2", &Http::page(format!("{metas}<p>two"))),
        record("http://b.test/3", &Http::page("<meta name=robots content=noai><p>three")),
    ];
    std::fs::write(&path, records.concat()).unwrap();
    let set = format!("rights.robots={}", json!([path]));
    let found = Huller::extract(&path, "-").args(["--stages", "rights", "--set", &set]);
    let found = found.run().exits(0).rows();
    let counts: Vec<_> = found.iter().map(|row| statements(row).len()).collect();
    assert_eq!(counts[counts.len() - 3..], [1, 2, 1]);
}

fn rules_of_a_real_server_are_found() {
    let path = shared::path("warc/files/warcbench__fb.warc.gz");
    let set = format!("rights.robots={}", json!([path]));
    let agents = "rights.agents=[\"GPTBot\", \"Googlebot\"]";
    let options = ["--stages", "rights", "--set", &set, "--set", agents];
    let found = Huller::extract(&path, "-").args(options).run().exits(0).rows();
    assert_eq!(statements(&found[0]), ["noarchive noarchive", "disallow /"]);
    assert_eq!(found[0]["rights"][1]["agent"], "GPTBot");
    let robots = found[0]["rights"][1]["offset"].to_string();
    let record = Huller::new().arg("get").arg(&path).args([&robots, "--record"]).run().exits(0);
    assert!(record.text().contains("User-agent: GPTBot"), "{}", record.text());
}
