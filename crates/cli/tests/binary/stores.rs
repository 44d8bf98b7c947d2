//! Inputs at addresses, pages and rows: a server on this machine at which requests go wrong. Needs
//! the feature `remote`.

use crate::support::{
    Huller, assert_balanced, assert_killed_runs_go_on, assert_same, contents, json_lines, plain,
    stats, string, temp,
};
use huller_testkit::sample::{archive as sample, large_archive, repository};
use huller_testkit::server::{FaultRates, Server, ServerCapabilities};
use serde_json::json;
use std::fs;
use std::path::{Path, PathBuf};

/// What lines do at times: one request in five goes wrong.
const BAD_LINE: FaultRates =
    FaultRates { errors: 50, resets: 50, cuts: 50, short: 20, slow: 30, stalls: 0, seed: 3 };

/// A server with these files below `/data`, and a folder with the same.
struct StoreAndFolder {
    server: Server,
    folder: tempfile::TempDir,
    names: Vec<String>,
}

impl StoreAndFolder {
    fn of(files: &[(&str, Vec<u8>)]) -> StoreAndFolder {
        let (server, folder) = (Server::start(), temp());
        fs::create_dir(folder.path().join("data")).unwrap();
        for (name, bytes) in files {
            fs::write(folder.path().join("data").join(name), bytes).unwrap();
            server.put(&format!("/data/{name}"), bytes.clone());
        }
        let names: Vec<String> = files.iter().map(|(name, _)| (*name).to_owned()).collect();
        let list = names.join("\n");
        fs::write(folder.path().join("data/all.paths"), &list).unwrap();
        server.put("/data/all.paths", list.into_bytes());
        StoreAndFolder { server, folder, names }
    }

    fn base(&self) -> String {
        self.server.url("/data/")
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join("data").join(name)
    }

    /// The rows and run files of a run over the folder, and over the server by the same list.
    fn run(&self, options: &[&str]) -> (PathBuf, PathBuf) {
        let (here, there) = (self.folder.path().join("here"), self.folder.path().join("there"));
        let run = |list: &str, output: &Path| {
            Huller::extract(list, output).args(["--overwrite", "-j2"]).args(options).run().exits(0)
        };
        run(self.path("all.paths").to_str().unwrap(), &here);
        run(&self.server.url("/data/all.paths"), &there);
        (here, there)
    }
}

fn read(path: &str) -> Vec<u8> {
    fs::read(repository().join(path)).unwrap()
}

/// One file of every container and kind that the repository has.
fn of_every_kind() -> Vec<(&'static str, Vec<u8>)> {
    let gzip = fs::read(sample()).unwrap();
    let plain = {
        use std::io::Read;
        let mut plain = Vec::new();
        flate2::read::MultiGzDecoder::new(&gzip[..]).read_to_end(&mut plain).unwrap();
        plain
    };
    let mut damaged = gzip.clone();
    let middle = damaged.len() / 2;
    damaged[middle..middle + 40].fill(0xff);
    let page = b"<!DOCTYPE html><title>One</title><p>A page that lies at an address of its own, with some words to be kept.</p>".to_vec();
    vec![
        ("gzip.warc.gz", gzip),
        ("damaged.warc.gz", damaged),
        ("zstd.warc.zst", zstd::encode_all(&plain[..], 3).unwrap()),
        ("plain.warc", plain),
        ("table.parquet", read("crates/archive/tests/tables/scalars-groups.parquet")),
        ("page.html", page),
    ]
}

#[test]
fn rows_and_run_files_are_those_of_the_local_run_whatever_the_line_does() {
    let both = StoreAndFolder::of(&of_every_kind());
    let (here, there) = both.run(&[]);
    assert_same(&contents(&here), &contents(&there));
    assert!(stats(&here)["total"]["written"].as_u64().unwrap() > 100);
    // Few requests are made, so that many of them must go wrong.
    both.server.set_faults(FaultRates { errors: 250, resets: 100, cuts: 100, ..BAD_LINE });
    let (here, there) = both.run(&["--read-ahead", "1M"]);
    assert_same(&contents(&here), &contents(&there));
    assert!(both.server.requests().iter().any(|request| request.status == 500));
}

#[test]
fn a_large_file_on_a_bad_line_gives_the_same_bytes() {
    let both = StoreAndFolder::of(&[("large.warc.gz", large_archive(12 << 20))]);
    both.server.set_faults(FaultRates { stalls: 0, ..BAD_LINE });
    let (here, there) = both.run(&["--read-ahead", "4M"]);
    assert_same(&contents(&here), &contents(&there));
    assert!(both.server.requests().len() > 5);
}

#[test]
fn a_killed_run_goes_on_to_the_same_bytes() {
    let both = StoreAndFolder::of(&[
        ("large.warc.gz", large_archive(6 << 20)),
        ("b.warc.gz", fs::read(sample()).unwrap()),
    ]);
    both.server.set_faults(FaultRates { errors: 50, resets: 50, ..FaultRates::default() });
    let list = both.server.url("/data/all.paths");
    assert_killed_runs_go_on(both.folder.path(), 5, |out| {
        Huller::extract(&list, out).args(["-j2", "-q"])
    });
    // An input that is another now is done anew, and nothing else.
    let out = both.folder.path().join("whole");
    let before = both.server.requests().len();
    Huller::extract(&list, &out).arg("--resume").run().exits(0);
    let asked = both.server.requests()[before..].to_vec();
    assert!(
        asked.iter().all(|request| request.range.clone().is_none_or(|it| it.end <= 64 << 10)),
        "{asked:?}"
    );
    both.server.put("/data/b.warc.gz", read("data/sample.warc.gz")[..40_000].to_vec());
    let ran = Huller::extract(&list, &out).arg("--resume").run();
    assert!(
        ran.stderr.contains("'b.warc.gz'") && ran.stderr.contains("processed again"),
        "{}",
        ran.stderr
    );
    assert!(!ran.stderr.contains("large"), "{}", ran.stderr);
}

#[test]
fn rows_name_the_address_and_nothing_names_what_is_secret() {
    let both = StoreAndFolder::of(&[("a.warc.gz", fs::read(sample()).unwrap())]);
    both.server.set_capabilities(ServerCapabilities {
        authorization: Some("Basic bWU6c2VjcmV0"),
        ..ServerCapabilities::default()
    });
    let address =
        format!("http://me:secret@{}/data/a.warc.gz?X-Amz-Signature=secret", both.server.host());
    let out = both.path("out");
    let ran = Huller::extract(&address, &out).env("RUST_LOG", "trace").run().exits(0);
    assert!(!ran.stderr.contains("secret") && !ran.stderr.contains("bWU6"), "{}", ran.stderr);
    let shown = both.server.url("/data/a.warc.gz");
    let rows = crate::support::rows(out.join("a.jsonl.zst"));
    assert!(rows.iter().all(|row| string(row, "warc_filename") == shown), "{}", rows[0]);
    let files = contents(&out);
    assert!(files.contains_key("_huller/run.journal"));
    for name in files.keys() {
        let text = String::from_utf8(plain(&out.join(name))).unwrap();
        assert!(!text.contains("Signature=secret") && !text.contains("me:secret"), "{name}");
    }
    // Any row leads back to its bytes.
    let offset = rows[3]["warc_record_offset"].to_string();
    let there = Huller::new().args(["get", &address, &offset, "--page"]).run().exits(0).stdout;
    let here =
        Huller::new().arg("get").arg(sample()).args([&*offset, "--page"]).run().exits(0).stdout;
    assert!(!here.is_empty() && here == there);
    let missing = address.replace("a.warc", "none.warc");
    for command in [vec!["records", &missing], vec!["get", &missing, "0"]] {
        let ran =
            Huller::new().args(command).run().exits(1).says("it does not exist (HTTP status 404)");
        assert!(!ran.stderr.contains("secret"), "{}", ran.stderr);
    }
    let denied = shown.clone();
    let ran = Huller::extract(denied, both.path("denied")).run().exits(1);
    ran.says("403").says("credentials come from the environment");
}

#[test]
fn records_are_listed_as_of_the_local_file() {
    let both = StoreAndFolder::of(&[("a.warc.gz", fs::read(sample()).unwrap())]);
    both.server.set_faults(BAD_LINE);
    let list = |input: &str| {
        let ran = Huller::new().args(["records", "--json", input]).run().exits(0);
        json_lines(&ran.stdout)
    };
    assert_eq!(
        list(&format!("{}a.warc.gz", both.base())),
        list(both.path("a.warc.gz").to_str().unwrap())
    );
}

#[test]
fn shares_and_limits_go_by_the_list_alone() {
    let sample = fs::read(sample()).unwrap();
    let both = StoreAndFolder::of(&[
        ("a.warc.gz", sample.clone()),
        ("b.warc.gz", sample.clone()),
        ("c.warc.gz", sample),
    ]);
    let list = both.server.url("/data/all.paths");
    let inputs = |options: &[&str], name: &str| -> Vec<String> {
        let out = both.path(name);
        Huller::extract(&list, &out).args(options).run().exits(0);
        let stats = stats(&out);
        let inputs = stats["inputs"].as_array().unwrap().iter();
        inputs.map(|input| string(input, "input").to_owned()).collect()
    };
    assert_eq!(inputs(&["--limit-inputs", "2"], "two"), both.names[..2]);
    assert_eq!(inputs(&["--shard", "1/2"], "s1"), ["b.warc.gz"]);
    assert_eq!(inputs(&["--shard", "0/2"], "s0"), ["a.warc.gz", "c.warc.gz"]);
    let verified = Huller::new()
        .arg("verify")
        .arg(both.path("s0"))
        .arg(both.path("s1"))
        .args(["--manifest", &list]);
    verified.run().exits(0);
    let again = Huller::new().arg("verify").arg(both.path("two")).args(["--inputs", &list]);
    again.run().exits(0);
    both.server.put("/data/b.warc.gz", read("data/sample.warc.gz")[..40_000].to_vec());
    let again = Huller::new().arg("verify").arg(both.path("two")).args(["--inputs", &list]);
    let again = again.run().exits(1);
    assert!(
        again.text().contains("'b.warc.gz': it has changed since the run read it"),
        "{}",
        again.text()
    );
}

#[test]
fn lists_of_common_crawl_lead_to_the_root_and_others_to_their_folder() {
    let server = Server::start();
    server.put("/crawl-data/CC-1/segments/1/warc/a.warc.gz", fs::read(sample()).unwrap());
    server.put("/crawl-data/CC-1/b.warc.gz", fs::read(sample()).unwrap());
    let list = "crawl-data/CC-1/segments/1/warc/a.warc.gz\nb.warc.gz\n";
    server.put("/crawl-data/CC-1/warc.paths.gz", huller_testkit::pack::gzip(list.as_bytes()));
    let folder = temp();
    let out = folder.path().join("out");
    Huller::extract(server.url("/crawl-data/CC-1/warc.paths.gz"), &out).run().exits(0);
    let stats = stats(&out);
    assert_balanced(&stats["total"]);
    let names: Vec<&str> =
        stats["inputs"].as_array().unwrap().iter().map(|it| string(it, "input")).collect();
    assert_eq!(names, ["crawl-data/CC-1/segments/1/warc/a.warc.gz", "b.warc.gz"]);
}

#[test]
fn an_index_in_a_store_leads_to_its_records() {
    let archive = fs::read(sample()).unwrap();
    let both = StoreAndFolder::of(&[("a.warc.gz", archive)]);
    let listed = Huller::new().args(["records", "--json"]).arg(sample()).run().exits(0);
    let listed = json_lines(&listed.stdout);
    let records = listed.iter().filter(|it| it["uri"].is_string() && it["offset"].is_u64());
    let lines: Vec<String> = records
        .step_by(3)
        .map(|it| {
            let entry = json!({
                "url": it["uri"], "filename": "a.warc.gz", "status": "200",
                "offset": it["offset"].to_string(), "length": it["length"].to_string(),
            });
            format!("key)/ 20200101000000 {entry}")
        })
        .collect();
    let index = lines.join("\n");
    fs::write(both.path("x.cdxj"), &index).unwrap();
    both.server.put("/data/x.cdxj", index.into_bytes());
    both.server.set_faults(BAD_LINE);
    let run = |index: &str, out: &str| {
        let run =
            Huller::new().args(["extract", "--records-from", index, "-o"]).arg(both.path(out));
        run.run().exits(0);
        contents(&both.path(out))
    };
    let here = run(both.path("x.cdxj").to_str().unwrap(), "here");
    let there = run(&both.server.url("/data/x.cdxj"), "there");
    assert_same(&here, &there);
}

#[test]
fn a_file_that_changes_during_the_run_is_a_failed_input() {
    let both = StoreAndFolder::of(&[
        ("a.warc.gz", large_archive(12 << 20)),
        ("b.warc.gz", fs::read(sample()).unwrap()),
    ]);
    // The list takes two requests, the first piece of the file a third.
    both.server.change_at(4, "/data/a.warc.gz", large_archive(13 << 20));
    let out = both.path("out");
    let ran = Huller::extract(both.server.url("/data/all.paths"), &out).run().exits(1);
    ran.says("a.warc.gz").says("it changed while it was being read");
    let stats = stats(&out);
    assert_balanced(&stats["total"]);
    // What follows it is done.
    assert!(stats.to_string().contains("b.warc.gz"), "{stats}");
}

#[test]
fn what_is_not_there_costs_itself_alone() {
    let both = StoreAndFolder::of(&[("a.warc.gz", fs::read(sample()).unwrap())]);
    both.server.put("/data/all.paths", b"none.warc.gz\na.warc.gz\n".to_vec());
    let out = both.path("out");
    let ran = Huller::extract(both.server.url("/data/all.paths"), &out).run().exits(1);
    ran.says("none.warc.gz").says("it does not exist (HTTP status 404)");
    assert!(out.join("a.jsonl.zst").is_file());
    let none = Huller::extract(both.server.url("/data/none.paths"), both.path("none"));
    none.run().exits(2).says("cannot read the manifest").says("404");
}

/// Files of rows of every kind; one is damaged, and lines of one are no rows.
fn of_rows() -> Vec<(&'static str, Vec<u8>)> {
    let rows = |from: usize, lines: &str| {
        let mut text = String::new();
        for n in from..from + 300 {
            // One in five repeats the text of an earlier one, and all of a host share a line.
            let (of, host) = (if n % 5 == 4 { n / 5 } else { n }, n % 9);
            let words: Vec<_> = (0..12).map(|word| format!("word{}", of * 7 + word)).collect();
            let shared = format!("Host {host} sells tickets on the quay from Easter to October.");
            let row = json!({
                "id": n.to_string(),
                "url": format!("http://host{host}.test/{n}"),
                "text": format!("The ferry {of} runs: {}\n{shared}", words.join(" ")),
            });
            text += &format!("{row}\n");
        }
        (text + lines).into_bytes()
    };
    let mut damaged: Vec<u8> =
        (0..6).flat_map(|n| huller_testkit::pack::gzip(&rows(300 * n, ""))).collect();
    let middle = damaged.len() / 2;
    damaged[middle..middle + 40].fill(0xff);
    vec![
        ("plain.jsonl", rows(0, "no row\n")),
        ("gzip.jsonl.gz", huller_testkit::pack::gzip(&rows(200, ""))),
        ("damaged.jsonl.gz", damaged),
        ("zstd.jsonl.zst", zstd::encode_all(&rows(2000, "")[..], 3).unwrap()),
    ]
}

/// The commands that write rows of rows.
const ROW_COMMANDS: [&[&str]; 3] = [
    &["refine", "--stages", "normalise,length,signature", "--set", "length.min_chars=190"],
    &["dedup", "--by", "url,text,near", "--verify", "0.5", "--host-lines", "5"],
    &["dedup", "--by", "url,text,near", "--format", "parquet"],
];

/// A run of a command over a list.
fn over(command: &[&str], list: &str, output: &Path) -> Huller {
    Huller::new().args(command).arg(list).arg("-o").arg(output).args(["-j2", "-q"])
}

#[test]
fn rows_are_refined_and_deduplicated_as_those_of_local_files() {
    let both = StoreAndFolder::of(&of_rows());
    let (here, there) = (both.path("here"), both.path("there"));
    for command in ROW_COMMANDS {
        over(command, both.path("all.paths").to_str().unwrap(), &here)
            .arg("--overwrite")
            .run()
            .exits(0);
        let account = stats(&here);
        assert_balanced(&account["total"]);
        assert!(account.to_string().contains("corrupt_member"), "{account}");
        let whole = contents(&here);
        both.server.set_faults(FaultRates::default());
        for faults in
            [FaultRates::default(), FaultRates { errors: 250, resets: 100, cuts: 100, ..BAD_LINE }]
        {
            both.server.set_faults(faults);
            let list = both.server.url("/data/all.paths");
            over(command, &list, &there).arg("--overwrite").run().exits(0);
            assert_same(&whole, &contents(&there));
        }
    }
    assert!(both.server.requests().iter().any(|request| request.status == 500));
}

#[test]
fn an_index_of_rows_in_a_store_answers_as_one_of_local_files() {
    let both = StoreAndFolder::of(&of_rows());
    let lists = [both.path("all.paths").display().to_string(), both.server.url("/data/all.paths")];
    let answers = lists.map(|list| {
        both.server.set_faults(BAD_LINE);
        let index = both.path(&format!("index-{}", list.len()));
        over(&["index"], &list, &index).run().exits(0);
        let found = Huller::new().arg("search").arg(index).args(["ferry", "--json", "-n", "9999"]);
        let mut lines: Vec<_> = found.run().exits(0).text().lines().map(str::to_owned).collect();
        lines.sort();
        lines
    });
    assert!(answers[0].len() > 1000, "{}", answers[0].len());
    assert_eq!(answers[0], answers[1]);
}

#[test]
fn runs_over_rows_in_a_store_that_are_killed_go_on() {
    let both = StoreAndFolder::of(&of_rows());
    both.server.set_faults(FaultRates { errors: 50, resets: 50, ..FaultRates::default() });
    let list = both.server.url("/data/all.paths");
    for (number, command) in ROW_COMMANDS.iter().enumerate() {
        let folder = both.path(&format!("killed-{number}"));
        fs::create_dir(&folder).unwrap();
        assert_killed_runs_go_on(&folder, 4, |out| over(command, &list, out));
    }
}

#[test]
fn rows_that_are_not_there_at_first_are_taken_in_when_the_run_goes_on() {
    let files = of_rows();
    let both = StoreAndFolder::of(&files);
    let list = both.server.url("/data/all.paths");
    for command in ROW_COMMANDS {
        let [whole, out] = ["whole", "out"].map(|name| both.path(name));
        over(command, &list, &whole).arg("--overwrite").run().exits(0);
        both.server.remove("/data/gzip.jsonl.gz");
        let ran = over(command, &list, &out).arg("--overwrite").run().exits(1);
        let ran = ran.says("gzip.jsonl.gz").says("404");
        assert!(!out.join("_SUCCESS").exists(), "{}", ran.stderr);
        assert!(stats(&out)["total"]["written"].as_u64().unwrap() > 0);
        both.server.put("/data/gzip.jsonl.gz", files[1].1.clone());
        over(command, &list, &out).arg("--resume").run().exits(0);
        let in_order = |folder: &Path| {
            let mut all = contents(folder);
            // These have the order in which inputs were done.
            for name in ["_huller/run.journal", "_huller/dedup.journal"] {
                all.remove(name);
            }
            all
        };
        assert_same(&in_order(&whole), &in_order(&out));
    }
}

#[test]
fn rows_that_change_while_all_inputs_are_compared_end_the_run() {
    let files = of_rows();
    let both = StoreAndFolder::of(&files);
    let list = both.server.url("/data/all.paths");
    let [whole, out] = ["whole", "out"].map(|name| both.path(name));
    over(ROW_COMMANDS[1], &list, &whole).run().exits(0);
    let asked = both.server.requests().len();
    // Late among the requests of a run, so that the input has been signed.
    both.server.change_at(asked + asked * 3 / 5, "/data/plain.jsonl", files[3].1.clone());
    let ran = over(ROW_COMMANDS[1], &list, &out).run().exits(1);
    assert!(!out.join("_SUCCESS").exists(), "{}", ran.stderr);
    ran.says("plain.jsonl");
    both.server.put("/data/plain.jsonl", files[0].1.clone());
    over(ROW_COMMANDS[1], &list, &out).arg("--overwrite").run().exits(0);
    assert_same(&contents(&whole), &contents(&out));
}
