use super::*;
use crate::options::OutputTo;
use crate::plan::Collision;
use huller_archive::{RemoteFile, Store};
use std::fs;
use std::path::Component;
use std::sync::Arc;

fn touch(folder: &Path, names: &[&str]) {
    for name in names {
        let path = folder.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, b"x").unwrap();
    }
}

fn outputs(plan: &Plan) -> Vec<String> {
    plan.jobs.iter().map(|job| job.output.display().to_string()).collect()
}

#[test]
fn a_folder_is_mirrored_and_its_html_joined() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("crawl");
    touch(&root, &["b.warc.gz", "a/x.warc", "a/1.html", "a/2.htm", "top.html", "notes.md"]);
    let plan = Plan::new(&[root], &PlanOptions::default()).unwrap();
    assert_eq!(outputs(&plan), ["a", "a/x", "b", "crawl"]);
    assert_eq!(plan.jobs[1].name, "a/x.warc");
    assert!(matches!(&plan.jobs[0].source, JobSource::Html(files) if files.len() == 2));
    let pages = |job: &Job| match &job.source {
        JobSource::Html(files) => files.iter().map(|file| file.name.clone()).collect(),
        _ => Vec::new(),
    };
    assert_eq!(pages(&plan.jobs[0]), ["a/1.html", "a/2.htm"]);
    assert_eq!(pages(&plan.jobs[3]), ["top.html"]);
}

#[test]
fn listed_files_of_one_name_are_all_done_under_the_names_of_the_list() {
    let folder = tempfile::tempdir().unwrap();
    let names =
        ["crawl/1/x.warc.gz", "crawl/2/x.warc.gz", "crawl/2/y.warc", "3/p/1.html", "4/p/1.html"];
    touch(folder.path(), &names);
    let manifest = folder.path().join("warc.paths");
    fs::write(&manifest, names.join("\n")).unwrap();
    let plan = Plan::new(&[manifest], &PlanOptions::default()).unwrap();
    assert_eq!(outputs(&plan), ["1/x", "2/x", "y", "3/p", "4/p"]);
    let to = OutputTo::Folder(folder.path().join("out"));
    plan.check_outputs(&to, ".jsonl.zst").unwrap();
    let listed: Vec<_> = plan.jobs.iter().map(|job| job.name.as_str()).collect();
    assert_eq!(listed, ["crawl/1/x.warc.gz", "crawl/2/x.warc.gz", "crawl/2/y.warc", "3/p", "4/p"]);
    // A missing file changes nothing for the others.
    fs::remove_file(folder.path().join(names[0])).unwrap();
    let plan = Plan::new(&[folder.path().join("warc.paths")], &PlanOptions::default()).unwrap();
    assert_eq!(outputs(&plan), ["2/x", "y", "3/p", "4/p"]);
    // The message names the remedy, if there is one.
    assert!(plan.unusable[0].1.contains("--base"), "{:?}", plan.unusable);
    let base = Some(folder.path().to_owned());
    let based = PlanOptions { base, ..PlanOptions::default() };
    let plan = Plan::new(&[folder.path().join("warc.paths")], &based).unwrap();
    assert!(!plan.unusable[0].1.contains("--base"), "{:?}", plan.unusable);
    let plan = Plan::new(&[folder.path().join("none.warc")], &PlanOptions::default()).unwrap();
    assert!(!plan.unusable[0].1.contains("--base"), "{:?}", plan.unusable);
}

#[test]
fn files_given_by_themselves_are_told_apart_by_their_paths() {
    let folder = tempfile::tempdir().unwrap();
    touch(folder.path(), &["a/x.jsonl", "b/x.jsonl", "b/y.jsonl", "a/1.html", "b/1.html"]);
    let inputs = ["a/x.jsonl", "b/x.jsonl", "b/y.jsonl"].map(|name| folder.path().join(name));
    let plan = Plan::new(&inputs, &PlanOptions::default()).unwrap();
    let names: Vec<_> = plan.jobs.iter().map(|job| job.name.clone()).collect();
    assert_eq!(names, [name_of(&inputs[0]), name_of(&inputs[1]), "y.jsonl".to_owned()]);
    // The same holds for the pages of two folders.
    let folders = ["a", "b"].map(|name| folder.path().join(name));
    let plan = Plan::new(&folders, &PlanOptions::default()).unwrap();
    let page_names = |plan: &Plan| {
        let files = plan.jobs.iter().flat_map(|job| match &job.source {
            JobSource::Html(files) => files.as_slice(),
            _ => &[],
        });
        files.map(|file| file.name.clone()).collect::<Vec<_>>()
    };
    assert_eq!(page_names(&plan), folders.clone().map(|folder| name_of(&folder.join("1.html"))));
    let of_pages = plan.jobs.iter().filter(|job| matches!(job.source, JobSource::Html(_)));
    let names: Vec<_> = of_pages.map(|job| job.name.clone()).collect();
    assert_eq!(names, folders.clone().map(|folder| name_of(&folder)));
    // All pages of a folder get the same form of name, though the other folder has only one of
    // them.
    touch(folder.path(), &["a/2.html"]);
    let plan = Plan::new(&folders, &PlanOptions::default()).unwrap();
    let pages =
        [&folders[0].join("1.html"), &folders[0].join("2.html"), &folders[1].join("1.html")];
    assert_eq!(page_names(&plan), pages.map(|page| name_of(page)));
}

#[test]
fn inputs_with_one_output_are_told_apart_by_their_folders() {
    let folder = tempfile::tempdir().unwrap();
    touch(
        folder.path(),
        &["mon/x.jsonl", "mon/y/x.jsonl", "tue/x.jsonl", "tue/y/x.jsonl", "tue/z.jsonl"],
    );
    let folders = ["mon", "tue"].map(|name| folder.path().join(name));
    let plan = Plan::new(&folders, &PlanOptions::default()).unwrap();
    assert_eq!(outputs(&plan), ["mon/x", "mon/y/x", "tue/x", "tue/y/x", "z"]);
    assert!(plan.check_outputs(&OutputTo::Folder(folder.path().join("out")), ".jsonl").is_ok());
    // By name, the formats of the files do not matter.
    touch(folder.path(), &["a/x.warc.gz", "b/x.jsonl"]);
    let inputs = [folder.path().join("a/x.warc.gz"), folder.path().join("b/x.jsonl")];
    assert_eq!(outputs(&Plan::new(&inputs, &PlanOptions::default()).unwrap()), ["a/x", "b/x"]);
}

#[test]
fn two_inputs_of_one_folder_with_one_output_are_refused_by_name() {
    let folder = tempfile::tempdir().unwrap();
    touch(folder.path(), &["a/x.warc.gz", "a/x.jsonl"]);
    let [one, other] = ["a/x.warc.gz", "a/x.jsonl"].map(|name| folder.path().join(name));
    for (inputs, is_twice) in [([one.clone(), other], false), ([one.clone(), one], true)] {
        let plan = Plan::new(&inputs, &PlanOptions::default()).unwrap();
        let error = plan
            .check_outputs(&OutputTo::Folder(folder.path().join("out")), ".jsonl.zst")
            .unwrap_err();
        let PlanError::Collisions { collisions } = error else { panic!("{error}") };
        assert_eq!(matches!(&collisions[0], Collision::SameOutput { .. }), !is_twice);
        assert_eq!(matches!(&collisions[0], Collision::GivenTwice { .. }), is_twice);
    }
}

#[test]
fn a_folder_in_which_a_run_works_is_not_read() {
    let folder = tempfile::tempdir().unwrap();
    touch(folder.path(), &["x.jsonl", "_huller/lock"]);
    let lock = fs::File::open(folder.path().join("_huller/lock")).unwrap();
    lock.lock().unwrap();
    let inputs = [folder.path().to_owned()];
    let plan = Plan::new(&inputs, &PlanOptions::default()).unwrap();
    assert!(plan.jobs.is_empty() && plan.unusable[0].1.contains("a run is writing it"));
    drop(lock);
    assert_eq!(outputs(&Plan::new(&inputs, &PlanOptions::default()).unwrap()), ["x"]);
}

#[test]
fn an_output_that_is_an_input_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    touch(folder.path(), &["x.jsonl.zst"]);
    let plan = Plan::new(&[folder.path().join("x.jsonl.zst")], &PlanOptions::default()).unwrap();
    let error =
        plan.check_outputs(&OutputTo::Folder(folder.path().to_owned()), ".jsonl.zst").unwrap_err();
    let PlanError::Collisions { collisions } = error else { panic!("{error}") };
    assert!(matches!(collisions[..], [Collision::OverwritesInput { .. }]));
}

#[test]
fn a_manifest_gives_paths_relative_to_itself_or_to_a_base() {
    let folder = tempfile::tempdir().unwrap();
    touch(folder.path(), &["crawl/1.warc.gz", "crawl/2.warc.gz"]);
    let manifest = folder.path().join("warc.paths");
    fs::write(&manifest, "# mine\ncrawl/1.warc.gz\n\ncrawl/2.warc.gz\ncrawl/3.warc.gz\n").unwrap();
    let plan = Plan::new(std::slice::from_ref(&manifest), &PlanOptions::default()).unwrap();
    assert_eq!(outputs(&plan), ["1", "2"]);
    assert_eq!(plan.unusable.len(), 1);
    let base =
        PlanOptions { base: Some(folder.path().join("elsewhere")), ..PlanOptions::default() };
    assert_eq!(Plan::new(&[manifest], &base).unwrap().unusable.len(), 3);
}

#[test]
fn shards_share_the_inputs_out() {
    let folder = tempfile::tempdir().unwrap();
    touch(folder.path(), &["0.warc", "1.warc", "2.warc", "3.warc", "4.warc"]);
    let shard = |i| {
        let options = PlanOptions { shard: Some((i, 2)), ..PlanOptions::default() };
        outputs(&Plan::new(&[folder.path().to_owned()], &options).unwrap())
    };
    assert_eq!(shard(0), ["0", "2", "4"]);
    assert_eq!(shard(1), ["1", "3"]);
}

#[test]
fn names_that_are_too_long_cost_their_inputs_alone() {
    let folder = tempfile::tempdir().unwrap();
    let (long, longest) =
        (format!("{}.warc", "a".repeat(238)), format!("{}.warc", "b".repeat(239)));
    touch(folder.path(), &[&long, &longest]);
    let outputs_of_run = vec![folder.path().join("out")];
    let plan = Plan::new(
        &[folder.path().to_owned()],
        &PlanOptions { outputs: outputs_of_run, ..PlanOptions::default() },
    );
    let plan = plan.unwrap();
    assert_eq!(outputs(&plan), ["a".repeat(238)]);
    assert_eq!(plan.unusable[0].0, longest);
    // Inputs give no name to standard output.
    assert_eq!(
        Plan::new(&[folder.path().to_owned()], &PlanOptions::default()).unwrap().jobs.len(),
        2
    );
}

#[test]
fn outputs_lie_below_the_output_folder_whatever_inputs_are_called() {
    let folder = tempfile::tempdir().unwrap();
    let names = [
        "...gz",
        ".warc.gz",
        "..warc",
        "...",
        "a\\..\\b.warc",
        "-.warc",
        "x\u{1b}[2J\n.warc",
        " .warc",
    ];
    touch(folder.path(), &names);
    let mut paths: Vec<_> = names.iter().map(|name| folder.path().join(name)).collect();
    paths.push(folder.path().join("sub/../-.warc/../x\u{1b}[2J\n.warc"));
    for path in paths {
        let Ok(plan) = Plan::new(&[path], &PlanOptions::default()) else { continue };
        for job in &plan.jobs {
            let output = job.output_path(Path::new("out"), ".jsonl.zst");
            let parts: Vec<_> = output.components().collect();
            assert_eq!(parts.len(), 2, "{output:?}");
            assert!(parts.iter().all(|part| matches!(part, Component::Normal(_))), "{output:?}");
        }
    }
}

#[test]
fn paths_with_nul_in_a_manifest_are_named_and_the_rest_is_read() {
    let folder = tempfile::tempdir().unwrap();
    touch(folder.path(), &["1.warc"]);
    let manifest = folder.path().join("warc.paths");
    fs::write(&manifest, "a\0b.warc\n../../../../no/such\n1.warc\n").unwrap();
    let plan = Plan::new(&[manifest], &PlanOptions::default()).unwrap();
    assert_eq!(outputs(&plan), ["1"]);
    assert_eq!(plan.unusable.len(), 2);
}

#[test]
fn an_output_that_is_a_folder_of_another_is_refused() {
    for second in ["a.jsonl.zst/b.warc", "a.jsonl.zst.part/b.warc"] {
        let folder = tempfile::tempdir().unwrap();
        touch(folder.path(), &["a.warc", second]);
        let plan = Plan::new(&[folder.path().to_owned()], &PlanOptions::default()).unwrap();
        let to = OutputTo::Folder(folder.path().join("out"));
        let refused = plan.check_outputs(&to, ".jsonl.zst");
        assert!(matches!(refused, Err(PlanError::Collisions { .. })));
        assert!(plan.check_outputs(&to, ".gz").is_ok(), "{second}");
    }
}

#[test]
fn the_run_files_of_an_earlier_run_are_no_inputs() {
    let folder = tempfile::tempdir().unwrap();
    touch(folder.path(), &["a.jsonl.zst", "_huller/run.journal", "b/_huller/x.warc"]);
    let plan = Plan::new(&[folder.path().to_owned()], &PlanOptions::default()).unwrap();
    assert_eq!(outputs(&plan), ["a"]);
}

/// Returns outputs and unusable files for each of two shards of a list.
fn of_two(list: &Path, shard_by: ShardBy) -> [(Vec<String>, Vec<String>); 2] {
    [0, 1].map(|share| {
        let options = PlanOptions {
            manifests: vec![list.to_owned()],
            shard: Some((share, 2)),
            shard_by,
            ..PlanOptions::default()
        };
        let plan = Plan::new(&[], &options).unwrap();
        let name = |path: &str| Path::new(path).file_name().unwrap().display().to_string();
        (outputs(&plan), plan.unusable.iter().map(|(path, _)| name(path)).collect())
    })
}

#[test]
fn case_1_shares_go_by_position_whether_paths_can_be_used_or_not() {
    let folder = tempfile::tempdir().unwrap();
    let names = ["a.warc", "p/1.html", "b.warc", "p/2.html", "c.warc", "d.warc"];
    touch(folder.path(), &names);
    let list = folder.path().join("list");
    fs::write(&list, names.join("\n")).unwrap();
    let whole = of_two(&list, ShardBy::Position);
    assert_eq!(whole[0].0, ["a", "b", "d"]);
    assert_eq!(whole[1].0, ["p", "c"]);
    // A missing file moves no other input, and its own shard reports it.
    for (away, share, stem) in
        [("a.warc", 0, "a"), ("c.warc", 1, "c"), ("d.warc", 0, "d"), ("p/1.html", 1, "")]
    {
        fs::rename(folder.path().join(away), folder.path().join("away")).unwrap();
        let now = of_two(&list, ShardBy::Position);
        for (place, (outputs, unusable)) in now.iter().enumerate() {
            let left: Vec<_> =
                whole[place].0.iter().filter(|output| *output != stem).cloned().collect();
            assert_eq!(*outputs, left, "{away}");
            assert_eq!(unusable.len(), usize::from(place == share), "{away}");
        }
        fs::rename(folder.path().join("away"), folder.path().join(away)).unwrap();
    }
}

#[test]
fn case_21_shares_by_name_stay_as_they_were_when_the_list_grows() {
    let folder = tempfile::tempdir().unwrap();
    let names: Vec<_> = (0..40).map(|number| format!("{number}.warc")).collect();
    touch(folder.path(), &names.iter().map(String::as_str).collect::<Vec<_>>());
    let list = folder.path().join("list");
    fs::write(&list, names[7..].join("\n")).unwrap();
    let before = of_two(&list, ShardBy::Name);
    fs::write(&list, names.join("\n")).unwrap();
    let after = of_two(&list, ShardBy::Name);
    for share in 0..2 {
        assert!(before[share].0.iter().all(|output| after[share].0.contains(output)));
        assert!(after[share].0.len() > 10);
    }
    assert_eq!(after[0].0.len() + after[1].0.len(), 40);
}

#[test]
fn case_11_folders_with_the_output_of_a_run_are_no_inputs_and_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("cr");
    touch(&root, &["x.warc", "old/x.jsonl.zst", "old/_huller/run.journal", "old/deep/y.warc"]);
    let plan = Plan::new(std::slice::from_ref(&root), &PlanOptions::default()).unwrap();
    assert_eq!(outputs(&plan), ["x"]);
    assert_eq!(plan.ignored.outputs, [name_of(&root.join("old"))]);
    assert!(plan.ignored.files.is_empty());
    touch(&root, &["old/_SUCCESS"]);
    let plan = Plan::new(&[root.join("old")], &PlanOptions::default()).unwrap();
    assert!(!plan.jobs.is_empty() && plan.ignored.is_empty());
}

#[test]
fn a_run_whose_journal_cannot_be_read_is_no_input() {
    let folder = tempfile::tempdir().unwrap();
    touch(folder.path(), &["x.jsonl.zst", "x.csv.zst", "_huller/run.journal/no-file"]);
    let plan = Plan::new(&[folder.path().to_owned()], &PlanOptions::default()).unwrap();
    assert!(plan.jobs.is_empty());
    assert_eq!(plan.unusable.len(), 1);
    assert!(plan.unusable[0].1.contains("run.journal"), "{}", plan.unusable[0].1);
}

#[test]
fn case_15_files_of_a_folder_that_are_no_inputs_are_counted() {
    let folder = tempfile::tempdir().unwrap();
    let names = ["x.warc", "a.7z", "a/b.json.gz", "a/c.JSON.gz", "d.pdf", "README"];
    touch(folder.path(), &names);
    let many: Vec<_> = (0..KINDS + 20).map(|number| format!("many/x.e{number}")).collect();
    let plan = |folder: &Path, shard| {
        let options = PlanOptions { shard, ..PlanOptions::default() };
        Plan::new(&[folder.to_owned()], &options).unwrap()
    };
    let counted = plan(folder.path(), None).ignored.files;
    let expected = [(".7z", 1), (".json.gz", 2), (".pdf", 1), ("other", 1)];
    assert_eq!(counted, expected.map(|(kind, count)| (kind.to_owned(), count)).into());
    assert_eq!(plan(folder.path(), Some((0, 2))).ignored.files, counted);
    assert!(plan(folder.path(), Some((1, 2))).ignored.is_empty());
    touch(folder.path(), &many.iter().map(String::as_str).collect::<Vec<_>>());
    let counted = plan(folder.path(), None).ignored;
    assert_eq!((counted.files.len(), counted.count()), (KINDS, 5 + many.len() as u64));
}

#[test]
fn case_15_all_pairs_that_collide_are_named() {
    let folder = tempfile::tempdir().unwrap();
    touch(folder.path(), &["a.warc", "a.warc.gz", "b.warc", "b.jsonl", "c.warc"]);
    let plan = Plan::new(&[folder.path().to_owned()], &PlanOptions::default()).unwrap();
    let to = OutputTo::Folder(folder.path().join("out"));
    let said = plan.check_outputs(&to, ".jsonl.zst").unwrap_err().to_string();
    for pair in ["'a.warc' and 'a.warc.gz'", "'b.jsonl' and 'b.warc'"] {
        assert!(said.contains(pair), "{said}");
    }
}

#[test]
fn a_limit_counts_positions_before_they_are_shared_out() {
    let folder = tempfile::tempdir().unwrap();
    let list = folder.path().join("all.paths");
    fs::write(&list, "gone.warc\na.warc\nb.warc\nc.warc\nd.warc\n").unwrap();
    for name in ["a.warc", "b.warc", "c.warc", "d.warc"] {
        fs::write(folder.path().join(name), "x").unwrap();
    }
    let plan = |limit, shard| {
        let options = PlanOptions { limit: Some(limit), shard, ..PlanOptions::default() };
        let plan = Plan::new(std::slice::from_ref(&list), &options).unwrap();
        let names: Vec<String> = plan.jobs.iter().map(|job| job.name.clone()).collect();
        (names.join(" "), plan.unusable.len())
    };
    assert_eq!(plan(3, None), ("a.warc b.warc".to_owned(), 1));
    assert_eq!(plan(4, Some((1, 2))), ("a.warc c.warc".to_owned(), 0));
    assert_eq!(plan(4, Some((0, 2))), ("b.warc".to_owned(), 1));
    assert_eq!(plan(100, None).0, "a.warc b.warc c.warc d.warc");
}

/// Object storage that panics at any request.
#[derive(Debug)]
struct UnusedStore;

impl Store for UnusedStore {
    fn open(&self, address: &str) -> std::io::Result<Arc<dyn RemoteFile>> {
        panic!("{address} is opened")
    }

    fn max_memory_bytes(&self) -> usize {
        0
    }
}

#[test]
fn addresses_are_planned_without_a_request_and_named_without_what_is_secret() {
    let folder = tempfile::tempdir().unwrap();
    let list = folder.path().join("all.paths");
    fs::write(&list, "s3://b/x/one.warc.gz\ncrawl/two.warc.gz\n").unwrap();
    let given = PathBuf::from("https://me:secret@h/a/three.warc.gz?sig=secret");
    let mut options = PlanOptions { base: Some(PathBuf::from("gs://g")), ..PlanOptions::default() };
    let without = Plan::new(&[given.clone(), list.clone()], &options).unwrap();
    assert_eq!((without.jobs.len(), without.unusable.len()), (0, 3));
    assert!(!format!("{:?}", without.unusable).contains("secret"));
    options.stores = Stores::with_store(Arc::new(UnusedStore));
    let plan = Plan::new(&[given.clone(), list], &options).unwrap();
    let told = |job: &Job| (job.name.clone(), job.output.display().to_string(), job.bytes);
    assert_eq!(
        plan.jobs.iter().map(told).collect::<Vec<_>>(),
        [
            ("https://h/a/three.warc.gz".to_owned(), "three".to_owned(), None),
            ("s3://b/x/one.warc.gz".to_owned(), "one".to_owned(), None),
            ("crawl/two.warc.gz".to_owned(), "two".to_owned(), None),
        ]
    );
    let sources: Vec<_> = plan.jobs.iter().map(|job| job.source.clone()).collect();
    assert_eq!(sources[0], JobSource::File(given));
    assert_eq!(sources[2], JobSource::File(PathBuf::from("gs://g/crawl/two.warc.gz")));
}
