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
