//! What the program says to people: the fault in their words, and the remedy.

use crate::support::{Huller, json_lines, sample, string, temp};
use std::fs;

#[cfg(not(feature = "remote"))]
#[test]
fn a_url_is_no_missing_file() {
    let folder = temp();
    let list = folder.path().join("warc.paths");
    fs::write(&list, "s3://commoncrawl/a.warc.gz\n").unwrap();
    let output = folder.path().join("out");
    let says =
        "'s3://commoncrawl/a.warc.gz': URLs are read only by `extract`, `refine`, `dedup`, `index`";
    Huller::extract("s3://commoncrawl/a.warc.gz", &output).run().exits(1).says(says);
    Huller::extract(&list, &output).arg("--overwrite").run().exits(1).says(says);
    let based = Huller::extract(&list, &output).args(["--overwrite", "--base", "https://host"]);
    based.run().exits(1).says(says);
    fs::write(&list, "a.warc.gz\n").unwrap();
    let based = Huller::extract(&list, &output).args(["--overwrite", "--base", "https://host/b"]);
    based.run().exits(1).says("'https://host/b/a.warc.gz': URLs are read only by");
    Huller::new()
        .args(["records", "gs://a/b.warc"])
        .run()
        .exits(1)
        .says("built with the feature `remote`");
}

#[cfg(not(feature = "remote"))]
#[test]
fn nothing_is_written_to_a_folder_named_like_a_url() {
    let folder = temp();
    let extract = || Huller::extract(sample(), "s3://bucket/out").current_dir(folder.path());
    extract()
        .run()
        .exits(2)
        .says("cannot write to 's3://bucket/out': this program was built without the feature `remote`")
        .says("pipe the output of -o -");
    let rejects = Huller::extract(sample(), "out").args(["--rejects", "s3://b/r"]);
    rejects.current_dir(folder.path()).run().exits(2).says("cannot write to 's3://b/r'");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn a_negative_limit_is_no_number_of_rows() {
    let ran = |arguments: [&str; 2]| Huller::extract(sample(), "-").args(arguments).run().exits(2);
    ran(["--limit", "-5"]).says("'-5'").says("--limit").says("not a number of rows");
    ran(["--limit", "many"]).says("not a number of rows");
    ran(["--min-chars", "-5"]).says("not a number of characters");
}

#[test]
fn rejects_name_the_flag_of_a_limit_and_the_keys_of_a_line() {
    let folder = temp();
    let rejects = folder.path().join("rejects.jsonl");
    let listed = |input: &std::path::Path, arguments: &[&str], status: i32| {
        let ran = Huller::extract(input, "-").args(arguments).arg("--rejects").arg(&rejects).run();
        ran.exits(status);
        json_lines(&fs::read(&rejects).unwrap())
    };
    let cases = [
        (["--max-record-bytes", "2000"], "too_large", 0),
        // Every header is longer, so that the input has no page.
        (["--max-header-bytes", "200"], "header_too_large", 1),
        (["--max-body-bytes", "2000"], "body_too_large", 0),
    ];
    for ([flag, value], reason, status) in cases {
        let all = listed(&sample(), &[flag, value], status);
        let mut of_it = all.iter().filter(|reject| reject["reason"] == reason).peekable();
        assert!(of_it.peek().is_some(), "{reason}");
        for reject in of_it {
            let detail = string(reject, "detail");
            assert!(detail.ends_with(&format!("; {flag} sets the limit")), "{detail}");
        }
    }
    let lines = folder.path().join("pages.jsonl");
    fs::write(
        &lines,
        "{\"page\": \"<p>x\", \"address\": \"http://a.test/\"}\n{\"html\": \"<p>x\"}\n",
    )
    .unwrap();
    let all = listed(&lines, &[], 0);
    assert_eq!(string(&all[0], "reason"), "no_html_key");
    let detail = string(&all[0], "detail");
    let keys = "; its keys: 'page', 'address'; --html-key names the key of the page";
    assert!(detail.ends_with(keys), "{detail}");
}
