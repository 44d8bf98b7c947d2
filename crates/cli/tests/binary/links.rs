//! `huller links`: the graph of hosts that tables of links of a run make.

use crate::support::{Huller, assert_same, contents, plain, rows, sample, string, temp};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::time::Duration;

const NAMES: [&str; 3] = ["vertices.txt.gz", "edges.txt.gz", "roles.csv.gz"];

/// A paragraph with a link to another host, which an article has in its text.
const LINKED: &str = "<p>The ferry crossed twice a day with letters and flour, as <a \
    href='https://Other.test:8/a'>the paper of the other town</a> wrote in the autumn, when the \
    masons had left and the bridge was new.";

/// Writes the links of the sample and of a page to the folder `links`.
fn extract(folder: &Path, format: &str) {
    let page =
        format!("<nav><a href=//nav.test>x</a></nav><article>{}</article>", LINKED.repeat(5));
    let line = json!({"url": "http://town.test/1", "html": page}).to_string();
    fs::write(folder.join("page.jsonl"), line).unwrap();
    let run = Huller::extract(sample(), folder.join("rows")).arg(folder.join("page.jsonl"));
    let run = run.args(["--links-format", format]);
    run.arg("--links").arg(folder.join("links")).run().exits(0);
}

/// Returns all links in JSON Lines.
fn link_rows(folder: &Path) -> Vec<Value> {
    let of = |name| rows(folder.join(format!("links/{name}.jsonl.zst")));
    ["sample", "page"].into_iter().flat_map(of).collect()
}

fn links(folder: &Path, out: &str) -> Huller {
    Huller::new().arg("links").arg(folder.join("links")).arg("-o").arg(folder.join(out))
}

fn lines(folder: &Path, name: &str) -> Vec<String> {
    let text = String::from_utf8(plain(&folder.join(name))).unwrap();
    text.lines().map(str::to_owned).collect()
}

/// Returns the host of a URL of the sample with its labels in reverse order.
fn host(url: &str) -> String {
    let host = url.split('/').nth(2).unwrap().split(':').next().unwrap().to_lowercase();
    host.split('.').rev().collect::<Vec<_>>().join(".")
}

/// Returns the number of links by hosts and role.
fn naive(rows: &[Value], is_used: impl Fn(&Value) -> bool) -> BTreeMap<(String, String), u64> {
    let mut sums = BTreeMap::new();
    for row in rows.iter().filter(|row| is_used(row)) {
        let (from, to) = (host(string(row, "url")), host(string(row, "target")));
        if from != to {
            let role = string(row, "role");
            *sums.entry((format!("{from} {to}"), role.to_owned())).or_default() += 1;
        }
    }
    sums
}

/// Reads the same from a graph.
fn read(graph: &Path) -> BTreeMap<(String, String), u64> {
    let vertices = lines(graph, NAMES[0]);
    let fields = vertices.iter().map(|line| line.split('\t').collect::<Vec<_>>());
    let hosts: BTreeMap<_, _> = fields.map(|fields| (fields[0], fields[1])).collect();
    let pair = |from: &str, to: &str| format!("{} {}", hosts[from], hosts[to]);
    let roles = lines(graph, NAMES[2]);
    let mut sums = BTreeMap::new();
    for line in roles.iter().skip(1) {
        let fields: Vec<_> = line.split(',').collect();
        let key = (pair(fields[0], fields[1]), fields[2].to_owned());
        assert!(sums.insert(key, fields[3].parse().unwrap()).is_none(), "{line}");
    }
    let edges = lines(graph, NAMES[1]);
    let edges: Vec<_> = edges.iter().map(|line| line.split_once('\t').unwrap()).collect();
    let found: BTreeSet<_> = edges.iter().map(|(from, to)| pair(from, to)).collect();
    assert_eq!(found.len(), edges.len());
    assert_eq!(found, sums.keys().map(|(edge, _)| edge.clone()).collect());
    sums
}

#[test]
fn links_of_a_run_give_one_graph_in_every_format_and_for_any_threads() {
    let json = temp();
    extract(json.path(), "jsonl");
    let ran = links(json.path(), "graph").run().exits(0);
    let rows = link_rows(json.path());
    let expected = naive(&rows, |_| true);
    assert!(expected.len() > 5, "{expected:?}");
    assert_eq!(read(&json.path().join("graph")), expected);
    let used: u64 = expected.values().sum();
    ran.says(&format!("  {:<26}{used:>16}\n", "used"));
    let graph = contents(&json.path().join("graph"));
    // The three files and their journal.
    assert_eq!(graph.len(), 4);
    links(json.path(), "one").args(["-j1", "--memory", "256M", "-q"]).run().exits(0);
    assert_same(&graph, &contents(&json.path().join("one")));
    for format in ["csv", "tsv", "parquet"] {
        let other = temp();
        extract(other.path(), format);
        links(other.path(), "graph").run().exits(0);
        assert_same(&graph, &contents(&other.path().join("graph")));
    }
}

#[test]
fn links_by_role_and_links_in_texts_are_those_of_the_rows() {
    let (json, csv) = (temp(), temp());
    extract(json.path(), "jsonl");
    extract(csv.path(), "csv");
    let graph = |folder: &Path, out: &str, args: &[&str]| {
        links(folder, out).args(args).run().exits(0);
        read(&folder.join(out))
    };
    let rows = link_rows(json.path());
    let is_of = |row: &Value| ["navigation", "footer"].contains(&string(row, "role"));
    let roles = graph(json.path(), "roles", &["--roles", "navigation,footer"]);
    assert_eq!(roles, naive(&rows, is_of));
    let kept = graph(json.path(), "kept", &["--kept"]);
    assert_eq!(kept, naive(&rows, |row| row["kept"] == true));
    let all = naive(&rows, |_| true);
    assert!(!roles.is_empty() && !kept.is_empty() && roles != all && kept != all, "{kept:?}");
    assert_eq!(graph(csv.path(), "kept", &["--kept"]), kept);
    links(json.path(), "none").args(["--roles", "a b"]).run().exits(2).says("'a b' is not");
    assert!(!json.path().join("none").exists());
}

#[test]
fn a_graph_is_replaced_only_when_asked_and_other_files_stay() {
    let folder = temp();
    extract(folder.path(), "jsonl");
    links(folder.path(), "graph").run().exits(0);
    let graph = folder.path().join("graph");
    let before = contents(&graph);
    let refused = links(folder.path(), "graph").arg("--kept").run().exits(2);
    refused.says("graph/vertices.txt.gz' exists").says("--overwrite");
    assert_same(&before, &contents(&graph));
    fs::write(graph.join("mine"), "mine").unwrap();
    links(folder.path(), "graph").args(["--kept", "--overwrite", "-q"]).run().exits(0);
    let after = contents(&graph);
    assert_eq!(after["mine"], b"mine");
    assert_eq!(after.len(), 5);
    assert_ne!(before[NAMES[1]], after[NAMES[1]]);
}

#[test]
fn only_files_that_the_journal_names_are_replaced() {
    let folder = temp();
    extract(folder.path(), "jsonl");
    let graph = folder.path().join("graph");
    fs::create_dir(&graph).unwrap();
    let other_files = [NAMES[1].to_owned(), NAMES[2].to_owned(), format!("{}.part", NAMES[0])];
    for name in &other_files {
        fs::write(graph.join(name), "of another program").unwrap();
    }
    let before = contents(&graph);
    let run = |options: &[&str]| links(folder.path(), "graph").args(options).run();
    run(&[]).exits(2).says("graph/edges.txt.gz' exists");
    run(&["--overwrite"]).exits(2).says("contains files but no run of huller");
    assert_same(&before, &contents(&graph));
    for name in &other_files[..2] {
        fs::remove_file(graph.join(name)).unwrap();
    }
    run(&[]).exits(2).says("contains files but no run of huller");
    fs::remove_file(graph.join(&other_files[2])).unwrap();
    run(&[]).exits(0);
    let whole = contents(&graph);
    // A kill between the names leaves edges without hosts.
    fs::remove_file(graph.join(NAMES[0])).unwrap();
    fs::write(graph.join(&other_files[2]), "cut").unwrap();
    run(&[]).exits(0);
    assert_same(&whole, &contents(&graph));
    fs::write(graph.join(NAMES[2]), "changed by the user").unwrap();
    let changed = contents(&graph);
    run(&["--overwrite"]).exits(2).says("graph/roles.csv.gz', which was changed");
    assert_same(&changed, &contents(&graph));
}

#[test]
fn inputs_that_are_no_links_are_named_and_leave_an_earlier_graph() {
    let folder = temp();
    extract(folder.path(), "jsonl");
    let at = |name: &str| folder.path().join(name);
    links(folder.path(), "graph").run().exits(0);
    let before = contents(&at("graph"));
    fs::write(at("empty.jsonl"), "").unwrap();
    let again = |input: &str| {
        let run = Huller::new().arg("links").arg(at(input)).arg("-o").arg(at("graph"));
        run.arg("--overwrite").run()
    };
    for (input, what) in [
        ("missing", "No such file or directory"),
        ("empty.jsonl", "no graph was written"),
        ("rows", "`huller extract --links` writes links"),
    ] {
        again(input).exits(1).says(what).says("no graph was written");
        assert_same(&before, &contents(&at("graph")));
    }
    // An archive of pages holds no rows.
    let run = Huller::new().arg("links").arg(sample()).arg("-o").arg(at("graph"));
    run.arg("--overwrite").run().exits(1).says("sample.warc.gz");
    assert_same(&before, &contents(&at("graph")));
}

#[test]
fn damage_and_odd_lines_are_counted_and_the_graph_has_the_sound_links() {
    let folder = temp();
    extract(folder.path(), "jsonl");
    let at = |name: &str| folder.path().join(name);
    links(folder.path(), "whole").run().exits(0);
    fs::write(at("links/odd.jsonl"), b"{\"url\":3}\nno row\n\xff\0\n[]\n").unwrap();
    let odd = links(folder.path(), "odd").run().exits(0);
    odd.says("  invalid_json").says(&format!("  {:<26}{:>16}\n", "  no_url", 1));
    assert_same(&contents(&at("whole")), &contents(&at("odd")));
    // A damaged member alone leaves the exit status, as in other commands.
    let file = at("links/sample.jsonl.zst");
    let bytes = fs::read(&file).unwrap();
    fs::write(&file, &bytes[..bytes.len() / 2]).unwrap();
    let cut = links(folder.path(), "cut").run().exits(0);
    cut.says(&format!("  {:<26}{:>16}\n", "  corrupt_member", 1));
    let (cut, whole) = (read(&at("cut")), read(&at("whole")));
    assert!(!cut.is_empty() && cut.len() < whole.len());
    assert!(cut.iter().all(|(edge, links)| *links <= whole[edge]));
}

#[test]
fn outputs_among_the_inputs_and_unusable_folders_are_refused() {
    let folder = temp();
    extract(folder.path(), "jsonl");
    let before = contents(folder.path());
    links(folder.path(), "links").run().exits(2).says("choose another -o");
    links(folder.path(), "links/graph").run().exits(2).says("choose another -o");
    let file = links(folder.path(), "links/sample.jsonl.zst").run();
    file.exits(2);
    assert_same(&before, &contents(folder.path()));
    fs::write(folder.path().join("file"), "mine").unwrap();
    links(folder.path(), "file").run().exits(5).says("file");
    let low = links(folder.path(), "graph").args(["--memory", "1M"]).run().exits(2);
    low.says("must be at least");
    Huller::new().args(["links", "-o", "x"]).run().exits(2);
}

#[test]
fn a_killed_run_leaves_a_whole_graph_or_none_and_can_be_repeated() {
    let whole = temp();
    extract(whole.path(), "jsonl");
    links(whole.path(), "graph").run().exits(0);
    let expected = contents(&whole.path().join("graph"));
    let trials = if std::env::var_os("HULLER_FULL").is_some() { 60 } else { 8 };
    for trial in 0..trials {
        let folder = temp();
        fs::create_dir(folder.path().join("links")).unwrap();
        for name in ["sample", "page"] {
            let file = format!("links/{name}.jsonl.zst");
            fs::copy(whole.path().join(&file), folder.path().join(&file)).unwrap();
        }
        let mut child = links(folder.path(), "graph").spawn();
        std::thread::park_timeout(Duration::from_millis(trial * 60 / trials));
        child.kill().unwrap();
        child.wait().unwrap();
        let out = folder.path().join("graph");
        if out.join(NAMES[0]).exists() {
            let mut found = contents(&out);
            // A kill after the names may leave a new journal.
            found.remove("_huller/graph.journal.new");
            assert_eq!(found.len(), expected.len());
            for name in NAMES {
                assert_eq!(found[name], expected[name], "{name}");
            }
        } else {
            links(folder.path(), "graph").run().exits(0);
            assert_same(&expected, &contents(&out));
        }
    }
}
