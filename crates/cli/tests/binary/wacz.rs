//! WACZ as inputs.

use crate::support::{
    Huller, assert_balanced, assert_killed_runs_go_on, ids_and_texts, json_lines, plain, rows,
    sample, stats, temp,
};
use huller_testkit::sample::{large_archive, members, records};
use huller_testkit::zip::{ZipEntry, wacz, zip};
use sha2::{Digest, Sha256};
use std::fs;
use std::path::Path;

/// The sample in two archives of a WACZ, stored or deflated, with damage in the last record of the
/// first if that is wanted.
fn write(path: &Path, is_deflated: bool, is_damaged: bool) {
    let file = fs::read(sample()).unwrap();
    let border = members(&file)[40].0.start;
    let (one, two) = file.split_at(border);
    let mut one = one.to_vec();
    if is_damaged {
        let last = one.len() - 200;
        one[last..].fill(0x55);
    }
    let entry = |name: &str, data: &[u8]| {
        if is_deflated { ZipEntry::deflated(name, data) } else { ZipEntry::stored(name, data) }
    };
    let entries = vec![entry("archive/1.warc.gz", &one), entry("archive/2.warc.gz", two)];
    fs::write(path, wacz(entries)).unwrap();
}

#[test]
fn a_wacz_gives_the_rows_of_its_archives_with_any_number_of_workers() {
    let work = temp();
    let whole = work.path().join("whole");
    Huller::extract(sample(), &whole).run().exits(0);
    let whole = rows(whole.join("sample.jsonl.zst"));
    for is_deflated in [false, true] {
        let crawl = work.path().join(format!("crawl-{is_deflated}"));
        fs::create_dir(&crawl).unwrap();
        write(&crawl.join("a.wacz"), is_deflated, false);
        // Found in a folder by its name.
        let [one, two] = ["1", "2"].map(|workers| {
            let out = work.path().join(format!("out-{is_deflated}-{workers}"));
            Huller::extract(&crawl, &out).args(["-j", workers]).run().exits(0);
            assert_balanced(&stats(&out)["total"]);
            assert_eq!(stats(&out)["total"]["records"], records().len());
            Huller::new()
                .args(["verify", "-q"])
                .arg(&out)
                .arg("--inputs")
                .arg(&crawl)
                .run()
                .exits(0);
            plain(&out.join("a.jsonl.zst"))
        });
        assert!(one == two);
        let found = json_lines(&one);
        assert_eq!(ids_and_texts(&found), ids_and_texts(&whole));
        for row in &found {
            let Some(offset) = row["warc_record_offset"].as_u64() else {
                assert!(is_deflated, "what is stored has a place");
                continue;
            };
            assert_eq!(row["warc_filename"], "a.wacz");
            let get = Huller::new().arg("get").arg(crawl.join("a.wacz")).arg(offset.to_string());
            let got = get.arg("--record").run().exits(0);
            let id = row["id"].as_str().unwrap();
            let is_there = got.stdout.windows(id.len()).any(|bytes| bytes == id.as_bytes());
            assert!(is_there, "{id} at {offset}");
        }
    }
}

#[test]
fn damage_at_the_end_of_one_archive_of_a_wacz_leaves_the_next_one_whole() {
    let work = temp();
    let input = work.path().join("a.wacz");
    write(&input, false, true);
    let mut outputs = Vec::new();
    // With a limit the writer mends, else the worker; both must end where the archive does.
    for options in [&["-j1"][..], &["-j2"], &["-j2", "--limit", "1000"]] {
        let out = work.path().join(format!("out{}", outputs.len()));
        Huller::extract(&input, &out).args(options).run().exits(0);
        let total = stats(&out)["total"].clone();
        assert_balanced(&total);
        assert_eq!(total["records"], records().len(), "{options:?}: {total}");
        assert_eq!(total["failed"]["corrupt_member"], 1, "{options:?}: {total}");
        outputs.push(plain(&out.join("a.jsonl.zst")));
    }
    assert!(outputs.iter().all(|output| *output == outputs[0]));
}

#[test]
fn hostile_zip_files_are_refused_and_the_others_are_read() {
    let work = temp();
    let (good, bad) = (work.path().join("good.wacz"), work.path().join("bad.wacz"));
    write(&good, false, false);
    let entry = || ZipEntry::stored("archive/1.warc", records().concat());
    fs::write(&bad, zip(&[entry().at(0), entry().at(0)])).unwrap();
    let out = work.path().join("out");
    let ran = Huller::extract(&bad, &out).arg(&good).run().exits(1);
    ran.says("this ZIP archive is refused").says("overlap");
    assert_eq!(stats(&out)["total"]["records"], records().len());
}

#[test]
fn strict_runs_compare_the_digests_of_a_wacz() {
    let work = temp();
    let input = work.path().join("a.wacz");
    let data = records().concat();
    let with_digest = |digest: &str| {
        let json =
            format!(r#"{{"resources":[{{"path":"archive/1.warc","hash":"sha256:{digest}"}}]}}"#);
        let package = ZipEntry::deflated("datapackage.json", json.as_bytes());
        fs::write(&input, zip(&[ZipEntry::stored("archive/1.warc", &data[..]), package])).unwrap();
    };
    let run = |name: &str, options: &[&str]| {
        Huller::extract(&input, work.path().join(name)).args(options).run()
    };
    with_digest(&"0".repeat(64));
    run("lenient", &[]).exits(0);
    run("strict", &["--strict"]).exits(1).says("archive/1.warc").says("datapackage.json");
    with_digest(&data_encoding::HEXLOWER.encode(&Sha256::digest(&data)));
    run("right", &["--strict"]).exits(0);
}

#[test]
fn a_run_over_a_wacz_that_was_killed_goes_on_to_the_same_bytes() {
    let work = temp();
    let input = work.path().join("a.wacz");
    let archive = large_archive(6 << 20);
    let entries =
        ["1", "2"].map(|name| ZipEntry::stored(&format!("archive/{name}.warc.gz"), &archive[..]));
    fs::write(&input, wacz(entries.to_vec())).unwrap();
    let run = |out: &Path| Huller::extract(&input, out).args(["-q", "-j2"]);
    assert_killed_runs_go_on(work.path(), 4, run);
}
