use super::*;
use std::fs;

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
    assert!(matches!(&plan.jobs[0].source, Source::Html(files) if files.len() == 2));
}

#[test]
fn two_inputs_with_one_output_are_refused_by_name() {
    let folder = tempfile::tempdir().unwrap();
    touch(folder.path(), &["a/x.warc.gz", "b/x.jsonl"]);
    let inputs = [folder.path().join("a/x.warc.gz"), folder.path().join("b/x.jsonl")];
    let plan = Plan::new(&inputs, &PlanOptions::default()).unwrap();
    let error =
        plan.check_outputs(&OutputTo::Folder(folder.path().join("out")), ".zst").unwrap_err();
    assert!(
        matches!(&error, PlanError::SameOutput { first, second, .. } if first == "x.warc.gz" && second == "x.jsonl")
    );
}

#[test]
fn an_output_that_is_an_input_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    touch(folder.path(), &["x.jsonl.zst"]);
    let plan = Plan::new(&[folder.path().join("x.jsonl.zst")], &PlanOptions::default()).unwrap();
    let error =
        plan.check_outputs(&OutputTo::Folder(folder.path().to_owned()), ".zst").unwrap_err();
    assert!(matches!(error, PlanError::OverwritesInput { .. }));
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
        (format!("{}.warc", "a".repeat(240)), format!("{}.warc", "b".repeat(241)));
    touch(folder.path(), &[&long, &longest]);
    let output = Some(folder.path().join("out"));
    let plan =
        Plan::new(&[folder.path().to_owned()], &PlanOptions { output, ..PlanOptions::default() });
    let plan = plan.unwrap();
    assert_eq!(outputs(&plan), ["a".repeat(240)]);
    assert_eq!(plan.unusable[0].0, longest);
    // Nothing is named after an input on standard output.
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
            let output = job.output_path(Path::new("out"), ".zst");
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
        assert!(matches!(plan.check_outputs(&to, ".zst"), Err(PlanError::SameOutput { .. })));
        assert!(plan.check_outputs(&to, ".gz").is_ok(), "{second}");
    }
}

#[test]
fn the_run_files_of_an_earlier_run_are_no_inputs() {
    let folder = tempfile::tempdir().unwrap();
    touch(folder.path(), &["a.jsonl.zst", "_huller/journal.jsonl", "b/_huller/x.warc"]);
    let plan = Plan::new(&[folder.path().to_owned()], &PlanOptions::default()).unwrap();
    assert_eq!(outputs(&plan), ["a"]);
}
