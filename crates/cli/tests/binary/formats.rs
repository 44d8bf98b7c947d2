//! Runs that write each input in several formats.

use crate::support::{
    Huller, assert_killed_runs_go_on, assert_same, contents, json_lines, plain, sample, stats, temp,
};
use huller_testkit::sample::large_archive;
use std::fs;
use std::path::Path;

const FORMATS: [(&str, &str); 4] = [
    ("jsonl", "sample.jsonl.zst"),
    ("parquet", "sample.parquet"),
    ("wet", "sample.warc.wet.gz"),
    ("tsv", "sample.tsv.zst"),
];

#[test]
fn each_format_has_the_bytes_that_it_has_alone() {
    let work = temp();
    let all = work.path().join("all");
    let formats = ["--format", "jsonl,parquet,wet,tsv"];
    Huller::extract(sample(), &all).args(formats).arg("-j2").run().exits(0);
    let one = work.path().join("one");
    Huller::extract(sample(), &one).args(formats).arg("-j1").run().exits(0);
    assert_same(&contents(&all), &contents(&one));
    for (format, file) in FORMATS {
        let alone = work.path().join(format);
        Huller::extract(sample(), &alone).args(["--format", format]).run().exits(0);
        let [together, alone] = [&all, &alone].map(|out| fs::read(out.join(file)).unwrap());
        if format == "parquet" {
            // The footer has the configuration of the run.
            assert!(together.len().abs_diff(alone.len()) < 200, "{format}");
            assert!(together[..1000] == alone[..1000], "{format}");
        } else {
            assert!(together == alone, "{format}");
        }
        let whole = &stats(&work.path().join(format))["total"];
        assert_eq!(&stats(&all)["total"], whole, "it is accounted once");
    }
    Huller::new().arg("verify").arg(&all).run().exits(0);
}

#[test]
fn readers_of_a_folder_read_the_rows_once() {
    let work = temp();
    let out = work.path().join("out");
    Huller::extract(sample(), &out).args(["--format", "jsonl,parquet"]).run().exits(0);
    let rows = json_lines(&plain(&out.join("sample.jsonl.zst"))).len();
    let refined = work.path().join("refined");
    let refine = Huller::new().arg("refine").arg(&out).arg("-o").arg(&refined);
    refine.args(["--stages", "language"]).run().exits(0);
    assert_eq!(stats(&refined)["total"]["records"], rows);
    let clean = work.path().join("clean");
    Huller::new().arg("dedup").arg(&out).arg("-o").arg(&clean).args(["--by", "url"]).run().exits(0);
    assert!(clean.join("sample.jsonl.zst").is_file() && !clean.join("sample.parquet").exists());
    // What a stranger put there is still a second input with one output.
    fs::copy(out.join("sample.parquet"), out.join("other.parquet")).unwrap();
    let refine = Huller::new().arg("refine").arg(&out).arg("-o").arg(work.path().join("two"));
    refine.args(["--stages", "language"]).run().exits(0);
    assert_eq!(stats(&work.path().join("two"))["total"]["records"], 2 * rows);
}

#[test]
fn damage_and_loss_in_any_format_are_found_and_made_good() {
    let work = temp();
    let out = work.path().join("out");
    let run = || Huller::extract(sample(), &out).args(["--format", "jsonl,parquet"]);
    run().run().exits(0);
    let whole = contents(&out);
    let parquet = out.join("sample.parquet");
    let mut bytes = fs::read(&parquet).unwrap();
    bytes[500] ^= 1;
    fs::write(&parquet, &bytes).unwrap();
    Huller::new().arg("verify").arg(&out).run().exits(1);
    fs::remove_file(&parquet).unwrap();
    Huller::new().arg("verify").arg(&out).run().exits(1);
    run().arg("--resume").run().exits(0);
    assert_same(&whole, &contents(&out));
    // Another run in the folder replaces all files of the first one.
    run().run().exits(2);
    Huller::extract(sample(), &out).args(["--format", "csv", "--overwrite"]).run().exits(0);
    assert!(!parquet.exists() && !out.join("sample.jsonl.zst").exists());
    // A file that is in the way of any format is not written over.
    let other = work.path().join("other");
    fs::create_dir(&other).unwrap();
    fs::write(other.join("sample.parquet"), "mine").unwrap();
    let refused = Huller::extract(sample(), &other).args(["--format", "jsonl,parquet"]);
    refused.run().exits(2).says("sample.parquet");
}

#[test]
fn a_run_with_several_formats_that_was_killed_goes_on_to_the_same_bytes() {
    let work = temp();
    let crawl = work.path().join("crawl");
    fs::create_dir(&crawl).unwrap();
    for name in ["a", "b", "c"] {
        fs::write(crawl.join(format!("{name}.warc.gz")), large_archive(2 << 20)).unwrap();
    }
    let run = |out: &Path| {
        Huller::extract(&crawl, out).args(["-q", "-j2", "--format", "parquet,jsonl,text"])
    };
    assert_killed_runs_go_on(work.path(), 4, run);
}

#[test]
fn what_does_not_go_together_is_refused() {
    let work = temp();
    for (options, why) in [
        (&["--format", "jsonl,jsonl"][..], "names 'jsonl' twice"),
        (&["--format", "jsonl,parquet", "--rows-per-file", "10"], "work with only one --format"),
        (&["--format", "csv,parquet", "--schema", "dolma"], "cannot be used with"),
        (&["--format", "jsonl,arrow", "--compress", "gzip"], "arrow needs"),
        (&["--format", "jsonl,odt"], "invalid value 'odt'"),
    ] {
        Huller::extract(sample(), work.path().join("out")).args(options).run().exits(2).says(why);
    }
    let stdout = Huller::extract(sample(), "-").args(["--format", "jsonl,csv"]).run();
    stdout.exits(2).says("several formats need several files");
    assert!(!work.path().join("out").exists());
    let config = work.path().join("huller.toml");
    fs::write(&config, "format = [\"jsonl\", \"tsv\"]\nschema = \"dolma\"\n").unwrap();
    let out = work.path().join("file");
    Huller::extract(sample(), &out).arg("--config").arg(&config).run().exits(0);
    let row = &json_lines(&plain(&out.join("sample.jsonl.zst")))[0];
    assert!(row["metadata"].is_object(), "the schema is that of JSON Lines");
    assert!(plain(&out.join("sample.tsv.zst")).starts_with(b"id\turl\t"));
    Huller::new().arg("verify").arg(&out).run().exits(0);
}
