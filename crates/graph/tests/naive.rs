//! Compares graphs of random links with those of a naive implementation in memory.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use flate2::read::MultiGzDecoder;
use huller_graph::{GRAPH_FILE_NAMES, GraphError, GraphOptions, GraphSummary, build};
use huller_refine::RejectionKind;
use huller_run::counters::Counters;
use huller_run::monitor::SilentMonitor;
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

/// A link: the page's number, the hosts of page and target, the role.
type Link = (u8, &'static str, &'static str, &'static str);

const HOSTS: [&str; 7] =
    ["a.test", "www.a.test", "a-b.test", "b.example.org", "127.0.0.1", "org", "a.test.b"];

fn links() -> impl Strategy<Value = Vec<Link>> {
    let host = || prop::sample::select(&HOSTS[..]);
    let role = prop::sample::select(&["content", "footer", "related"][..]);
    prop::collection::vec((0_u8..9, host(), host(), role), 1..400)
}

fn reversed(host: &str) -> String {
    if host == "127.0.0.1" {
        return host.to_owned();
    }
    host.split('.').rev().collect::<Vec<_>>().join(".")
}

/// Returns the texts of the three files.
fn naive(links: &[Link], role: Option<&str>) -> [String; 3] {
    let (mut pages, mut sums) = (BTreeMap::new(), BTreeMap::new());
    for (page, from, to, link_role) in links {
        if role.is_some_and(|role| role != *link_role) {
            continue;
        }
        let (from, to) = (reversed(from), reversed(to));
        pages.entry(to.clone()).or_insert_with(BTreeSet::new);
        pages.entry(from.clone()).or_insert_with(BTreeSet::new).insert(page);
        if from != to {
            *sums.entry((from, to)).or_insert_with(BTreeMap::new).entry(link_role).or_insert(0) +=
                1;
        }
    }
    let number = |host: &String| pages.keys().position(|known| known == host).unwrap();
    let mut texts = [String::new(), String::new(), "from_id,to_id,role,links\n".to_owned()];
    for (at, (host, pages)) in pages.iter().enumerate() {
        writeln!(texts[0], "{at}\t{host}\t{}", pages.len()).unwrap();
    }
    for ((from, to), roles) in &sums {
        let (from, to) = (number(from), number(to));
        writeln!(texts[1], "{from}\t{to}").unwrap();
        for (role, links) in roles {
            writeln!(texts[2], "{from},{to},{role},{links}").unwrap();
        }
    }
    texts
}

fn write_links(folder: &Path, links: &[Link]) -> PathBuf {
    let path = folder.join("links");
    fs::create_dir_all(&path).unwrap();
    for (part, name) in links.chunks(links.len().div_ceil(2).max(1)).zip(["a", "b"]) {
        let mut rows = String::new();
        for (page, from, to, role) in part {
            let id = serde_json::json!({
                "parent_id": format!("{from}-{page}"), "url": format!("http://{from}/{page}"),
                "target": format!("https://{to}/"), "role": role, "kept": page % 2 == 0,
            });
            writeln!(rows, "{id}").unwrap();
        }
        fs::write(path.join(format!("{name}.jsonl")), rows).unwrap();
    }
    path
}

fn graph(links: &Path, out: &Path, options: &GraphOptions) -> Result<GraphSummary, GraphError> {
    let stop = AtomicBool::new(false);
    build(&[links.to_owned()], out, options, &mut SilentMonitor, &stop)
}

fn texts(out: &Path) -> [String; 3] {
    GRAPH_FILE_NAMES.map(|name| {
        let mut text = String::new();
        let file = File::open(out.join(name)).unwrap();
        MultiGzDecoder::new(file).read_to_string(&mut text).unwrap();
        text
    })
}

fn bytes(out: &Path) -> [Vec<u8>; 3] {
    GRAPH_FILE_NAMES.map(|name| fs::read(out.join(name)).unwrap())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, ..ProptestConfig::default() })]
    #[test]
    fn graphs_are_those_of_a_naive_implementation(links in links()) {
        let folder = tempfile::tempdir().unwrap();
        let input = write_links(folder.path(), &links);
        let mut first = None;
        // Without memory each record goes to the disk on its own.
        for (run, (memory, threads)) in [0, 1 << 14, 1 << 26].into_iter().flat_map(|m| [(m, 1), (m, 3)]).enumerate() {
            let out = folder.path().join(format!("out{run}"));
            let options = GraphOptions { threads, memory, ..GraphOptions::default() };
            let summary = graph(&input, &out, &options).unwrap();
            let mut total = Counters::default();
            summary.inputs.iter().for_each(|input| total += &input.counters);
            prop_assert!(total.is_balanced() && total.records == links.len() as u64);
            let same = links.iter().filter(|(_, from, to, _)| from == to).count() as u64;
            prop_assert_eq!(total.total(RejectionKind::Skipped), same);
            prop_assert_eq!(&texts(&out), &naive(&links, None));
            prop_assert_eq!(names(&out).len(), 3);
            prop_assert_eq!(&bytes(&out), first.get_or_insert_with(|| bytes(&out)));
        }
    }
}

/// Returns the names of the files in a folder, without its run files.
fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name());
    let names = entries.map(|name| name.into_string().unwrap());
    names.filter(|name| name != "_huller").collect()
}

#[test]
fn roles_and_kept_links_are_selected() {
    let folder = tempfile::tempdir().unwrap();
    let links = [
        (0, "a.test", "b.example.org", "content"),
        (1, "a.test", "org", "content"),
        (2, "a.test", "org", "footer"),
    ];
    let (input, out) = (write_links(folder.path(), &links), folder.path().join("out"));
    let roles = vec!["content".to_owned()];
    let mut options = GraphOptions { roles, ..GraphOptions::default() };
    graph(&input, &out, &options).unwrap();
    assert_eq!(texts(&out), naive(&links, Some("content")));
    assert!(matches!(graph(&input, &out, &options), Err(GraphError::Exists { .. })));
    (options.kept_only, options.overwrite) = (true, true);
    fs::write(out.join("other"), "stays").unwrap();
    graph(&input, &out, &options).unwrap();
    assert_eq!(texts(&out), naive(&links[..1], None));
    assert_eq!(names(&out).len(), 4);
}

#[test]
fn outputs_never_replace_inputs_or_follow_links() {
    let folder = tempfile::tempdir().unwrap();
    let input = write_links(folder.path(), &[(0, "a.test", "org", "content")]);
    let options = GraphOptions { overwrite: true, ..GraphOptions::default() };
    for out in [input.clone(), input.join("graph"), input.join("x/../../links/y")] {
        assert!(matches!(graph(&input, &out, &options), Err(GraphError::Usage(_))), "{out:?}");
    }
    assert_eq!(fs::read_dir(&input).unwrap().count(), 1);
    let (out, victim) = (folder.path().join("out"), folder.path().join("victim"));
    fs::create_dir(&out).unwrap();
    fs::write(&victim, "stays").unwrap();
    std::os::unix::fs::symlink(&victim, out.join("edges.txt.gz.part")).unwrap();
    assert!(matches!(graph(&input, &out, &options), Err(GraphError::Run(_))));
    assert_eq!(fs::read_to_string(&victim).unwrap(), "stays");
}

#[test]
fn an_interrupted_run_leaves_no_file() {
    let folder = tempfile::tempdir().unwrap();
    let input = write_links(folder.path(), &[(0, "a.test", "org", "content")]);
    let out = folder.path().join("out");
    let stop = AtomicBool::new(true);
    let options = GraphOptions::default();
    let summary = build(&[input], &out, &options, &mut SilentMonitor, &stop).unwrap();
    assert!(summary.is_interrupted);
    assert_eq!(names(&out), [""; 0]);
}

#[test]
fn inputs_without_links_are_named_and_replace_no_graph() {
    let folder = tempfile::tempdir().unwrap();
    let input = write_links(folder.path(), &[(0, "a.test", "org", "content")]);
    let out = folder.path().join("out");
    let options = GraphOptions { overwrite: true, ..GraphOptions::default() };
    graph(&input, &out, &options).unwrap();
    let written = bytes(&out);
    let (empty, rows) = (folder.path().join("empty.jsonl"), folder.path().join("rows.jsonl"));
    fs::write(&empty, "").unwrap();
    assert_eq!(graph(&empty, &out, &options).unwrap().unusable.len(), 1);
    assert_eq!(bytes(&out), written);
    fs::write(&rows, "{\"url\":\"http://a.test/\",\"text\":\"a\"}\n").unwrap();
    let summary = graph(&rows, &out, &options).unwrap();
    assert!(summary.unusable[0].error.starts_with("none of its 1 rows is a link"));
    assert!(!summary.is_written);
    assert_eq!(bytes(&out), written);
}

#[test]
fn files_that_a_killed_run_named_are_replaced_and_those_of_others_are_not() {
    let folder = tempfile::tempdir().unwrap();
    let input = write_links(folder.path(), &[(0, "a.test", "org", "content")]);
    let options = GraphOptions::default();
    let whole = folder.path().join("whole");
    graph(&input, &whole, &options).unwrap();
    // The hosts get their name last, so each of these states is one of a kill.
    for (named, parts) in [
        (&GRAPH_FILE_NAMES[1..2], vec![0, 2]),
        (&GRAPH_FILE_NAMES[1..], vec![0]),
        (&[], vec![0, 1]),
    ] {
        let out = tempfile::tempdir().unwrap();
        graph(&input, out.path(), &options).unwrap();
        for name in GRAPH_FILE_NAMES.iter().filter(|name| !named.contains(name)) {
            fs::remove_file(out.path().join(name)).unwrap();
        }
        for part in parts {
            fs::write(out.path().join(format!("{}.part", GRAPH_FILE_NAMES[part])), "cut").unwrap();
        }
        graph(&input, out.path(), &options).unwrap();
        assert_eq!(bytes(out.path()), bytes(&whole));
        assert_eq!(names(out.path()).len(), 3);
    }
    // Without a journal the file may be another program's.
    let out = tempfile::tempdir().unwrap();
    fs::write(out.path().join(GRAPH_FILE_NAMES[1]), "mine").unwrap();
    fs::write(out.path().join(format!("{}.part", GRAPH_FILE_NAMES[1])), "mine").unwrap();
    assert!(matches!(graph(&input, out.path(), &options), Err(GraphError::Exists { .. })));
    assert_eq!(fs::read_to_string(out.path().join(GRAPH_FILE_NAMES[1])).unwrap(), "mine");
}

#[test]
fn a_graph_that_cannot_get_its_names_leaves_the_earlier_one() {
    let folder = tempfile::tempdir().unwrap();
    let input = write_links(folder.path(), &[(0, "a.test", "org", "content")]);
    let out = folder.path().join("out");
    let options = GraphOptions { overwrite: true, ..GraphOptions::default() };
    graph(&input, &out, &options).unwrap();
    let read = |path: PathBuf| fs::read(path).unwrap();
    let before: Vec<_> = GRAPH_FILE_NAMES[..2].iter().map(|name| read(out.join(name))).collect();
    // A file cannot replace a folder.
    fs::remove_file(out.join(GRAPH_FILE_NAMES[2])).unwrap();
    fs::create_dir(out.join(GRAPH_FILE_NAMES[2])).unwrap();
    assert!(matches!(graph(&input, &out, &options), Err(GraphError::Run(_))));
    assert_eq!(
        GRAPH_FILE_NAMES[..2].iter().map(|name| read(out.join(name))).collect::<Vec<_>>(),
        before
    );
    assert_eq!(names(&out).len(), 3);
}
