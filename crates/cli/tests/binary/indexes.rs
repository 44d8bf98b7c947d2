//! Reading only the records that an index names.

use crate::support::{
    Huller, assert_balanced, assert_killed_runs_go_on, json_lines, rows, sample, stats, string,
    temp,
};
use huller_testkit::pack::{gzip, lz4, zstd};
use huller_testkit::sample::{large_archive, members, records};
use huller_testkit::zip::{ZipEntry, wacz};
use serde_json::{Value, json};
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

/// What `huller records` lists of a file that have a URL and a place of their own.
fn listed(archive: &Path) -> Vec<Value> {
    let ran = Huller::new().args(["records", "--json"]).arg(archive).run().exits(0);
    let all = json_lines(&ran.stdout);
    all.into_iter().filter(|it| it["uri"].is_string() && it["offset"].is_u64()).collect()
}

fn cdxj(records: &[Value], file: &str) -> String {
    let line = |record: &Value| {
        let entry = json!({
            "url": record["uri"], "mime": record["content_type"], "filename": file,
            "status": record["status"].as_u64().map(|status| status.to_string()),
            "offset": record["offset"].to_string(), "length": record["length"].to_string(),
        });
        format!("key)/ 20200101000000 {entry}\n")
    };
    records.iter().map(line).collect()
}

fn cdx(records: &[Value], file: &str, with_length: bool) -> String {
    let heading =
        if with_length { " CDX N b a m s k r M S V g\n" } else { " CDX N b a m s k r V g\n" };
    let line = |record: &Value| {
        let (url, offset) = (string(record, "uri"), &record["offset"]);
        let length = if with_length { format!("- {} ", record["length"]) } else { String::new() };
        format!("key)/ 20200101000000 {url} text/html 200 AAAA - {length}{offset} {file}\n")
    };
    heading.to_owned() + &records.iter().map(line).collect::<String>()
}

/// The one output of a run. Its rows are JSON lines in a zstd frame a batch.
fn output(folder: &Path) -> PathBuf {
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut files = files.filter(|path| path.extension().is_some_and(|it| it == "zst"));
    files.next().unwrap()
}

/// The rows of a whole run whose records are among these.
fn expected(archive: &Path, records: &[Value]) -> Vec<Value> {
    let work = temp();
    Huller::extract(archive, work.path().join("o")).run().exits(0);
    let all = rows(output(&work.path().join("o")));
    let is_listed =
        |row: &Value| records.iter().any(|record| record["offset"] == row["warc_record_offset"]);
    all.into_iter().filter(is_listed).collect()
}

fn from_index(index: &Path, to: &Path) -> Huller {
    Huller::new().args(["extract", "--records-from"]).arg(index).arg("-o").arg(to)
}

/// Runs with one worker and with two, and returns the account of the records.
#[track_caller]
fn run_both(index: &Path, expected: &[Value]) -> Value {
    let [(one, total), (two, _)] = ["1", "2"].map(|workers| {
        let work = temp();
        from_index(index, work.path()).args(["-j", workers]).run().exits(0);
        let total = stats(work.path())["total"].clone();
        assert_balanced(&total);
        (fs::read(output(work.path())).unwrap(), total)
    });
    assert!(one == two, "{}: one worker and two give other bytes", index.display());
    let found = json_lines(&zstd::decode_all(&one[..]).unwrap());
    assert_eq!(found.len(), expected.len(), "{}: {total}", index.display());
    for (found, expected) in found.iter().zip(expected) {
        assert_eq!(found, expected, "{}", index.display());
    }
    total
}

#[test]
fn rows_of_any_index_are_those_of_the_whole_run_for_its_records() {
    let work = temp();
    let archive = work.path().join("sample.warc.gz");
    fs::copy(sample(), &archive).unwrap();
    let records = listed(&archive);
    // In an order of their own, and not all of them.
    let some: Vec<Value> = records.iter().rev().step_by(3).cloned().collect();
    let whole = expected(&archive, &some);
    assert!(whole.len() > 8, "{} rows", whole.len());
    let forms = [
        ("a.cdxj", cdxj(&some, "sample.warc.gz").into_bytes()),
        ("b.cdxj.gz", gzip(cdxj(&some, "crawl-data/x/sample.warc.gz").as_bytes())),
        ("c.cdx", cdx(&some, "sample.warc.gz", true).into_bytes()),
        ("d.cdx", cdx(&some, "sample.warc.gz", false).into_bytes()),
        ("e.cdx.zst", zstd(cdx(&some, "/elsewhere/sample.warc.gz", false).as_bytes())),
    ];
    for (name, bytes) in forms {
        let index = work.path().join(name);
        fs::write(&index, bytes).unwrap();
        let total = run_both(&index, &whole);
        assert_eq!(total["records"], some.len(), "{name}: {total}");
    }
}

type PackFile = fn(&[u8]) -> Vec<u8>;

#[test]
fn records_of_any_container_are_read_by_an_index() {
    let work = temp();
    let forms: [(&str, PackFile); 3] =
        [("a.warc", <[u8]>::to_vec), ("b.warc.zst", zstd), ("c.warc.lz4", lz4)];
    for (name, pack) in forms {
        let archive = work.path().join(name);
        let bytes: Vec<u8> = records().iter().flat_map(|record| pack(record)).collect();
        fs::write(&archive, bytes).unwrap();
        let some: Vec<Value> = listed(&archive).into_iter().step_by(3).collect();
        let whole = expected(&archive, &some);
        assert!(whole.len() > 8, "{name}: {} rows", whole.len());
        for (form, text) in [("cdxj", cdxj(&some, name)), ("cdx", cdx(&some, name, false))] {
            let index = work.path().join(format!("{name}.{form}"));
            fs::write(&index, text).unwrap();
            let total = run_both(&index, &whole);
            assert_eq!(total["records"], some.len(), "{name}: {total}");
        }
    }
}

/// The sample in two archives, in gzip and plain, and a WACZ of them. Gives where each archive
/// begins in it.
fn write_wacz(folder: &Path) -> [usize; 2] {
    let (one, two) = (&records()[..40], &records()[40..]);
    let archives = [one.iter().flat_map(|record| gzip(record)).collect(), two.concat()];
    let names = ["one.warc.gz", "two.warc"];
    let entries = names.iter().zip(&archives).map(|(name, data): (_, &Vec<u8>)| {
        fs::write(folder.join(name), data).unwrap();
        ZipEntry::stored(&format!("archive/{name}"), &data[..])
    });
    let bytes = wacz(entries.collect());
    fs::write(folder.join("crawl.wacz"), &bytes).unwrap();
    let place = |data: &Vec<u8>| bytes.windows(64).position(|it| it == &data[..64]).unwrap();
    [place(&archives[0]), place(&archives[1])]
}

#[test]
fn records_in_a_wacz_are_read_by_their_places_in_it_and_by_those_in_its_archives() {
    let work = temp();
    let [apart, folder] = ["apart", "folder"].map(|name| work.path().join(name));
    fs::create_dir(&apart).unwrap();
    fs::create_dir(&folder).unwrap();
    let starts = write_wacz(&apart);
    let crawl = folder.join("crawl.wacz");
    fs::rename(apart.join("crawl.wacz"), &crawl).unwrap();

    let some: Vec<Value> = listed(&crawl).into_iter().step_by(3).collect();
    let whole = expected(&crawl, &some);
    assert!(whole.len() > 8, "{} rows", whole.len());
    // As our own rows name them, and other indexes of whole files.
    let places = cdxj(&some, "crawl.wacz");
    // As the index in a WACZ does. It names the archives in it, and places in those.
    let mut inside = String::new();
    for (name, start) in ["one.warc.gz", "two.warc"].iter().zip(starts) {
        let all = listed(&apart.join(name));
        let is_wanted = |it: &Value| {
            let place = it["offset"].as_u64().unwrap() + start as u64;
            some.iter().any(|some| some["offset"] == place && some["uri"] == it["uri"])
        };
        let these: Vec<Value> = all.into_iter().filter(is_wanted).collect();
        assert!(these.len() > 5, "{name}: {}", these.len());
        inside += &cdxj(&these, name);
    }
    for (name, text) in [("places.cdxj", places), ("inside.cdxj", inside.clone())] {
        let index = folder.join(name);
        fs::write(&index, text).unwrap();
        let total = run_both(&index, &whole);
        assert_eq!(total["records"], some.len(), "{name}: {total}");
        assert_eq!(total["failed"], json!({}), "{name}: {total}");
    }

    // A place after the end of an archive is not one in the next.
    let record = &listed(&apart.join("one.warc.gz"))[0];
    let mut after = record.clone();
    after["offset"] = (starts[1] - starts[0]).into();
    let index = folder.join("after.cdxj");
    fs::write(&index, cdxj(&[record.clone(), after], "one.warc.gz")).unwrap();
    let out = work.path().join("after");
    from_index(&index, &out).run().exits(1).says("none of its 2 records is a page");
    assert_eq!(stats(&out)["total"]["failed"], json!({ "not_where_indexed": 1 }));

    // With the archive beside, that is read.
    fs::copy(apart.join("one.warc.gz"), folder.join("one.warc.gz")).unwrap();
    let out = work.path().join("beside");
    from_index(&folder.join("inside.cdxj"), &out).run().exits(0);
    assert!(out.join("one.jsonl.zst").exists() && out.join("crawl.jsonl.zst").exists());
}

#[test]
fn archives_in_a_wacz_that_no_index_can_lead_to_are_told_with_the_remedy() {
    let work = temp();
    let index = work.path().join("a.cdxj");
    let all = listed(&sample());
    fs::write(&index, cdxj(&all[..1], "data.warc.gz")).unwrap();
    let data = fs::read(sample()).unwrap();
    let write = |name: &str, entry: ZipEntry| {
        fs::write(work.path().join(name), wacz(vec![entry])).unwrap();
    };
    let run = |out: &str| from_index(&index, &work.path().join(out)).run().exits(1);
    run("none").says("data.warc.gz").says("No such file").says("lists 1 record of it");
    write("a.wacz", ZipEntry::deflated("archive/data.warc.gz", &data));
    run("deflated").says("it is deflated in").says("a.wacz").says("--archives");
    write("b.WACZ", ZipEntry::stored("archive/data.warc.gz", &data[..]));
    run("both").says("a.wacz").says("b.WACZ").says("put each WACZ into its own folder");
    // The WACZ itself, whose archives are all deflated.
    fs::write(&index, cdxj(&all[..1], "a.wacz")).unwrap();
    let ran = from_index(&work.path().join("a.wacz"), &work.path().join("index")).run().exits(2);
    ran.says("not an index; unpack its index");
    run("whole").says("an index needs archives that are stored").says("--archives");
}

#[test]
fn damaged_records_give_what_they_give_a_whole_run() {
    let work = temp();
    let archive = work.path().join("damaged.warc.gz");
    let file = fs::read(sample()).unwrap();
    let index = work.path().join("a.cdxj");
    let all = listed(&sample());
    fs::write(&index, cdxj(&all, "damaged.warc.gz")).unwrap();
    let mut bytes = file.clone();
    for (number, (range, _)) in members(&file).into_iter().enumerate() {
        let middle = range.start + (range.end - range.start) / 2;
        match number % 9 {
            // The checksum is wrong, and the record whole.
            2 => bytes[range.end - 8] ^= 1,
            5 => bytes[middle..range.end].fill(0x55),
            _ => {}
        }
    }
    fs::write(&archive, bytes).unwrap();
    let whole = expected(&archive, &all);
    let total = run_both(&index, &whole);
    assert_eq!(total["records"], all.len());
    let failed = total["failed"]["corrupt_member"].as_u64().unwrap_or_default();
    assert!(failed > 5, "{total}");
    assert!(total["repaired"].to_string().len() > 4, "{total}");
}

#[test]
fn records_that_are_not_where_the_index_says_fail_and_the_others_are_read() {
    let work = temp();
    let records = listed(&sample());
    let mut wrong = records[..8].to_vec();
    let moved = |record: &mut Value, bytes: u64| {
        record["offset"] = (record["offset"].as_u64().unwrap() + bytes).into();
    };
    wrong[1]["uri"] = "http://other.example/".into();
    moved(&mut wrong[2], 1);
    wrong[3]["offset"] = u64::MAX.into();
    // The place of another record.
    wrong[4] = json!({ "uri": "http://elsewhere.example/", "offset": records[5]["offset"] });
    let index = work.path().join("a.cdxj");
    fs::write(&index, cdxj(&wrong, "sample.warc.gz")).unwrap();
    let folder = sample().parent().unwrap().to_owned();
    let run = |output: &Path| from_index(&index, output).arg("--archives").arg(&folder);
    let output = work.path().join("o");
    let rejects = work.path().join("rejects.jsonl");
    run(&output).arg("--rejects").arg(&rejects).run().exits(0);
    let total = stats(&output)["total"].clone();
    assert_balanced(&total);
    assert_eq!(total["records"], 8);
    assert_eq!(total["failed"]["not_where_indexed"], 4, "{total}");
    let rejects = fs::read_to_string(&rejects).unwrap();
    for what in [
        "the record there has another URL",
        "no record begins there",
        "the file ends at byte",
        "the index has another record at the same place",
    ] {
        assert!(rejects.contains(what), "{what}: {rejects}");
    }
    run(&work.path().join("strict")).arg("--strict").run().exits(1);

    // A resumed run with another selection would mix two.
    let other = run(&output).args(["--resume", "--entry-url", "*other.example*"]).run().exits(3);
    other.says("index");
}

#[test]
fn an_archive_that_is_missing_is_told_and_the_others_are_read() {
    let work = temp();
    let records = listed(&sample());
    let index = work.path().join("a.cdxj");
    let both = cdxj(&records[..2], "gone.warc.gz") + &cdxj(&records, "x/sample.warc.gz");
    fs::write(&index, both).unwrap();
    fs::copy(sample(), work.path().join("sample.warc.gz")).unwrap();
    let out = work.path().join("o");
    let ran = from_index(&index, &out).run().exits(1);
    ran.says("gone.warc.gz").says("the index lists 2 records of it");
    assert_eq!(stats(&out)["total"]["records"], records.len());
    // Lines that cannot be read are told too.
    fs::write(&index, format!("nonsense\n{}", cdxj(&records, "sample.warc.gz"))).unwrap();
    let ran = from_index(&index, &work.path().join("p")).run().exits(1);
    ran.says("1 of its entries cannot be read; the first is line 1");
    fs::write(&index, "nonsense\n").unwrap();
    from_index(&index, &work.path().join("q")).run().exits(2).says("it has no entries");
}

#[test]
fn filters_take_entries_by_what_the_index_says_of_them() {
    let work = temp();
    let records = listed(&sample());
    let index = work.path().join("a.cdxj");
    fs::write(&index, cdxj(&records, "sample.warc.gz")).unwrap();
    let archives = sample().parent().unwrap().to_owned();
    let count = |filters: &[&str]| {
        let out = temp();
        let run = from_index(&index, out.path()).arg("--archives").arg(&archives).args(filters);
        let ran = run.run();
        if ran.code == Some(0) {
            return stats(out.path())["total"]["records"].as_u64().unwrap();
        }
        ran.says("no entry that the filters take").exits(2);
        0
    };
    let matching = |is_it: &dyn Fn(&Value) -> bool| {
        records.iter().filter(|record| is_it(record)).count() as u64
    };
    let good = matching(&|record| record["status"] == 200);
    assert!(good > 5);
    assert_eq!(count(&["--entry-status", "2xx"]), good);
    let url = string(&records[3], "uri");
    assert_eq!(count(&["--entry-url", url]), matching(&|record| record["uri"] == url));
    let host = url.split('/').nth(2).unwrap();
    let of_host = matching(&|record| string(record, "uri").split('/').nth(2) == Some(host));
    assert_eq!(count(&["--entry-host", host]), of_host);
    assert_eq!(count(&["--entry-host", "nowhere.example"]), 0);
    // CDXJ of this kind has no languages.
    assert_eq!(count(&["--entry-language", "deu"]), 0);
}

#[test]
fn a_list_that_takes_too_much_memory_is_refused_with_the_remedy() {
    let work = temp();
    let index = work.path().join("a.cdxj");
    let mut many = String::new();
    for at in 0..1_500_000 {
        writeln!(many, "k 1 {{\"filename\":\"a\",\"offset\":\"{at}\"}}").unwrap();
    }
    fs::write(&index, many).unwrap();
    let run = from_index(&index, &work.path().join("o")).args(["--memory", "256M"]);
    run.run().exits(2).says("--memory").says("--entry-host");
}

#[test]
fn a_run_by_an_index_that_was_killed_goes_on_to_the_same_bytes() {
    let work = temp();
    let archive = work.path().join("large.warc.gz");
    fs::write(&archive, large_archive(16 << 20)).unwrap();
    let some: Vec<Value> = listed(&archive).into_iter().step_by(2).collect();
    let index = work.path().join("a.cdxj");
    fs::write(&index, cdxj(&some, "large.warc.gz")).unwrap();
    let run = |out: &Path| from_index(&index, out).args(["-q", "-j2"]);
    assert_killed_runs_go_on(work.path(), 5, run);
}

#[test]
fn rows_that_were_written_as_parquet_are_an_index_of_their_records() {
    let work = temp();
    let archive = work.path().join("sample.warc.gz");
    fs::copy(sample(), &archive).unwrap();
    let table = work.path().join("table");
    Huller::extract(&archive, &table).args(["--format", "parquet"]).run().exits(0);
    let whole = expected(&archive, &listed(&archive));
    let again = work.path().join("again");
    let run = from_index(&table.join("sample.parquet"), &again);
    run.arg("--archives").arg(work.path()).run().exits(0);
    assert_eq!(stats(&again)["total"]["records"], whole.len());
    assert_eq!(rows(output(&again)), whole);
}

#[test]
fn filters_of_entries_are_refused_beside_inputs() {
    let work = temp();
    for said in [
        ["--entry-url", "https://example.org/*"],
        ["--entry-host", "example.org"],
        ["--entry-mime", "text/html"],
        ["--entry-status", "2xx"],
        ["--entry-language", "deu"],
        ["--archives", "."],
    ] {
        let run = Huller::extract(sample(), work.path().join("o")).args(said).run();
        run.exits(2).says(said[0]).says("--records-from");
    }
    assert!(!work.path().join("o").exists());
}
