//! What a run takes of its machine: threads, memory, waiting.

use crate::support::{Huller, assert_same, contents, sample, temp};
use std::fs::OpenOptions;
use std::io::Write;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

#[expect(
    clippy::disallowed_methods,
    reason = "another process says nothing that could be waited for"
)]
fn pause(milliseconds: u64) {
    std::thread::sleep(Duration::from_millis(milliseconds));
}

fn said(ran: &std::process::Output) -> &str {
    std::str::from_utf8(&ran.stderr).unwrap()
}

/// Runs with so many threads and returns how many the program had at once, as the system counts
/// them.
#[cfg(target_os = "linux")]
fn most_threads(asked: &str) -> (usize, String) {
    let mut child = Huller::extract("-", "-").args(["--extractor", "body", "-j", asked]).spawn();
    let path = format!("/proc/{}/task", child.id());
    let mut stdin = child.stdin.take().unwrap();
    // Enough to see what the input is: then all threads are there, and wait.
    stdin.write_all(&huller_testkit::sample::records().concat()).unwrap();
    let mut most = 0;
    for _ in 0..50 {
        pause(10);
        most = most.max(std::fs::read_dir(&path).map_or(0, Iterator::count));
    }
    drop(stdin);
    let ran = child.wait_with_output().unwrap();
    assert_eq!(ran.status.code(), Some(0));
    (most, String::from_utf8(ran.stderr).unwrap())
}

#[cfg(target_os = "linux")]
#[test]
fn a_hundred_thousand_threads_are_not_started() {
    let bound = huller_pipeline::bounded_threads(100_000);
    let (most, said) = most_threads("100000");
    // Besides the workers: the program itself, the reader, the thread that waits for the pool.
    assert!(most <= bound + 3, "{most} threads");
    assert!(
        said.contains(&format!("note: only {bound} threads are started instead of 100000")),
        "{said}"
    );
    let (most, said) = most_threads("2");
    assert!(most <= 5 && !said.contains("note: "), "{most} {said}");
}

#[test]
fn the_bound_of_threads_shows_in_nothing_that_is_written() {
    let work = temp();
    let [few, many] = ["few", "many"].map(|name| work.path().join(name));
    Huller::extract(sample(), &few).arg("-j1").run().exits(0);
    Huller::extract(sample(), &many).arg("-j100000").run().exits(0);
    assert_same(&contents(&few), &contents(&many));
}

#[test]
fn a_fifo_that_gives_nothing_does_not_block_signals() {
    let work = temp();
    let fifo = work.path().join("fifo");
    assert!(Command::new("mkfifo").arg(&fifo).status().unwrap().success());
    // Without a program that writes, and with one that has nothing to write yet.
    for has_writer in [false, true] {
        let mut child =
            Huller::extract(&fifo, work.path().join("out")).args(["-j1", "--overwrite"]).spawn();
        let writer = has_writer.then(|| OpenOptions::new().write(true).open(&fifo).unwrap());
        pause(300);
        Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
        let begun = Instant::now();
        while child.try_wait().unwrap().is_none() && begun.elapsed() < Duration::from_secs(10) {
            pause(20);
        }
        let in_time = child.try_wait().unwrap().is_some();
        child.kill().unwrap_or_default();
        let ran = child.wait_with_output().unwrap();
        assert!(in_time, "has_writer: {has_writer}");
        assert_eq!(ran.status.code(), Some(130), "{}", said(&ran));
        drop(writer);
    }
}

#[test]
fn what_comes_through_a_fifo_is_read_to_its_end() {
    let work = temp();
    let fifo = work.path().join("fifo");
    assert!(Command::new("mkfifo").arg(&fifo).status().unwrap().success());
    let expected = Huller::extract("-", "-").stdin(std::fs::read(sample()).unwrap()).run().exits(0);
    let child = Huller::extract(&fifo, "-").spawn();
    let mut writer = OpenOptions::new().write(true).open(&fifo).unwrap();
    for part in std::fs::read(sample()).unwrap().chunks(100_000) {
        writer.write_all(part).unwrap();
    }
    drop(writer);
    let ran = child.wait_with_output().unwrap();
    assert_eq!(ran.status.code(), Some(0), "{}", said(&ran));
    let rows = crate::support::json_lines(&ran.stdout);
    assert_eq!(rows.len(), expected.rows().len());
    let nothing = work.path().join("none.fifo");
    Huller::extract(nothing, "-").run().exits(1);
}

#[test]
fn a_list_of_paths_may_be_compressed_by_zstd() {
    let work = temp();
    let list = work.path().join("warc.paths.zst");
    let name = sample().file_name().unwrap().to_owned();
    std::fs::copy(sample(), work.path().join(&name)).unwrap();
    let lines = format!("# one\n{}\n", name.display());
    std::fs::write(&list, zstd::encode_all(lines.as_bytes(), 3).unwrap()).unwrap();
    let whole = Huller::extract(sample(), "-").run().exits(0);
    assert!(Huller::extract(&list, "-").run().exits(0).stdout == whole.stdout);
    let manifest = Huller::new().args(["extract", "-o", "-", "--manifest"]).arg(&list);
    assert!(manifest.run().exits(0).stdout == whole.stdout);
}

/// A .warc.gz of about 1 MB: so many pages of 16 MB each, between small ones.
fn bombs(path: &Path, pages: usize) {
    use huller_testkit::pack::gzip;
    use huller_testkit::warc::{Http, Record};
    let response = |number: usize, body: Vec<u8>| {
        let record = Record::new("response", Http::page(body).to_bytes());
        gzip(&record.uri(format!("http://bomb.test/{number}").as_bytes()).to_bytes())
    };
    let word = b"The rain fell all day, and nobody went out. ";
    let mut body = b"<title>Bomb</title><p>".to_vec();
    body.extend(word.iter().cycle().take((16 << 20) - 100));
    let bomb = response(0, body);
    let small = response(1, b"<title>Small</title><p>The sun came out at noon.".to_vec());
    let mut file = Vec::new();
    for _ in 0..pages {
        file.extend_from_slice(&bomb);
        file.extend_from_slice(&small);
    }
    std::fs::write(path, file).unwrap();
}

#[test]
fn pages_that_inflate_to_a_gigabyte_stay_within_the_memory() {
    use huller_testkit::attack::run::{Limits, measure};
    let work = temp();
    let input = work.path().join("bombs.warc.gz");
    bombs(&input, 66);
    let program = env!("CARGO_BIN_EXE_huller");
    let limits = Limits { address_mb: 64_000, seconds: 300, cpu_seconds: None };
    let mut wrong = Vec::new();
    let cases: [(&str, &[&str]); 5] = [
        ("out", &["-j1"]),
        ("out", &["-j16"]),
        ("out", &["-j4", "--limit", "100"]),
        ("-", &["-j4"]),
        ("out", &["-j4", "--compress", "none", "--limit", "131"]),
    ];
    for (place, (output, more)) in cases.into_iter().enumerate() {
        let output = if output == "-" { "-".into() } else { work.path().join(place.to_string()) };
        let mut args = vec!["extract".into(), input.clone().into_os_string(), "-o".into()];
        args.push(output.clone().into_os_string());
        args.extend(["-q", "--extractor", "body", "--memory", "512M"].map(Into::into));
        args.extend(more.iter().map(Into::into));
        let ended = measure(program.as_ref(), &args, limits, std::process::Stdio::null()).unwrap();
        eprintln!("{more:?}: {:.0} MB", ended.rss_mb);
        if ended.status != Some(0) || ended.rss_mb > 512.0 {
            wrong.push(format!("{more:?}: {ended:?}"));
        }
        if output.is_dir() {
            let written = crate::support::stats(&output)["total"]["written"].as_u64();
            let limit = more.iter().position(|arg| *arg == "--limit").map(|at| more[at + 1]);
            assert_eq!(
                written,
                Some(limit.map_or(132, |limit| limit.parse().unwrap())),
                "{more:?}"
            );
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
