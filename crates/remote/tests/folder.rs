//! A folder of a store at which requests go wrong gets the bytes that were sent, or there is an
//! error. Alone in its program, since where the store lies is said by the environment alone.

#![expect(clippy::unwrap_used, reason = "a test")]

use huller_archive::{OutputStore, Upload};
use huller_remote::{Remote, Settings};
use huller_testkit::random::Random;
use huller_testkit::server::{FaultRates, Server};
use std::collections::BTreeMap;
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

static NEVER: AtomicBool = AtomicBool::new(false);

/// A folder of a bucket of the server, with which nothing takes long.
fn folder(address: &str) -> Arc<dyn OutputStore> {
    let settings = Settings {
        retries: 10,
        first_pause: Duration::from_millis(1),
        longest_pause: Duration::from_millis(20),
        ..Settings::default()
    };
    Remote::new(settings).folder(address).unwrap()
}

/// Files of this machine, one of them of several parts.
fn files(folder: &Path) -> (Vec<Upload>, BTreeMap<String, Vec<u8>>) {
    let mut random = Random::new(5);
    let lengths = [("a/b.jsonl.zst", 20_000_001), ("none", 0), ("_huller/x y.sig", 70_000)];
    let many = (0..12).map(|number| (format!("many/{number:02}"), 1000 + number));
    let all = lengths.map(|(name, length)| (name.to_owned(), length)).into_iter().chain(many);
    let mut files = BTreeMap::new();
    let uploads = all.map(|(name, length)| {
        let (path, bytes) = (folder.join(name.replace('/', "-")), random.bytes(length));
        std::fs::write(&path, &bytes).unwrap();
        files.insert(name.clone(), bytes);
        Upload { name, path, bytes: length as u64 }
    });
    let uploads = uploads.collect();
    (uploads, files)
}

#[test]
fn what_is_sent_is_there_whole_or_not_at_all() {
    let server = Server::start();
    for (name, value) in [
        ("AWS_ENDPOINT_URL", &*server.url("")),
        ("AWS_ALLOW_HTTP", "true"),
        ("AWS_SKIP_SIGNATURE", "true"),
        ("AWS_REGION", "us-east-1"),
    ] {
        // SAFETY: the other threads of this program, those of the server and of the harness, look
        // at no variable.
        unsafe { std::env::set_var(name, value) };
    }
    let temp = std::env::temp_dir().join(format!("huller-folder-{}", std::process::id()));
    std::fs::create_dir(&temp).unwrap();
    whatever_the_line_does(&server, &temp);
    what_stays_wrong_is_an_error(&server, &temp);
    a_stopped_upload_leaves_nothing(&server, &temp);
    std::fs::remove_dir_all(&temp).unwrap();
}

fn whatever_the_line_does(server: &Server, temp: &Path) {
    let (uploads, expected) = files(temp);
    for (bucket, faults) in [
        ("sound", FaultRates::default()),
        ("errors", FaultRates { errors: 300, ..FaultRates::default() }),
        // What was asked for has been done, and the answer is lost.
        ("resets", FaultRates { resets: 200, ..FaultRates::default() }),
        ("cuts", FaultRates { cuts: 150, seed: 9, ..FaultRates::default() }),
        (
            "all",
            FaultRates {
                errors: 50,
                resets: 50,
                cuts: 50,
                slow: 50,
                seed: 2,
                ..FaultRates::default()
            },
        ),
    ] {
        server.set_faults(faults);
        let folder = folder(&format!("s3://{bucket}/out/"));
        assert_eq!(folder.display_url(), format!("s3://{bucket}/out"));
        assert_eq!(folder.list().unwrap(), BTreeMap::new());
        folder.upload(&uploads, &NEVER).unwrap();
        let found = server.files(&format!("/{bucket}/out/"));
        assert!(found == expected, "{bucket}: {:?}", found.keys());
        assert_eq!(server.unfinished_uploads(), 0, "{bucket}");
        folder.write("small", b"1".to_vec()).unwrap();
        folder.write("small", b"22".to_vec()).unwrap();
        assert_eq!(folder.read("small").unwrap(), Some(b"22".to_vec()), "{bucket}");
        assert_eq!(folder.read("many/none").unwrap(), None);
        folder.remove(&["small".to_owned(), "many/none".to_owned()]).unwrap();
        let listed = folder.list().unwrap();
        let lengths: BTreeMap<_, _> =
            expected.iter().map(|(name, bytes)| (name.clone(), bytes.len() as u64)).collect();
        assert_eq!(listed, lengths, "{bucket}");
    }
    let requests = server.requests();
    assert!(requests.iter().filter(|request| request.status == 500).count() > 10);
    assert!(requests.iter().any(|request| request.target.contains("continuation-token")));
}

fn what_stays_wrong_is_an_error(server: &Server, temp: &Path) {
    let (uploads, _) = files(temp);
    let folder = folder("s3://wrong");
    for name in ["a/../b", "a//b", "a\nb", "."] {
        assert_eq!(folder.check_name(name).unwrap_err().kind(), io::ErrorKind::InvalidFilename);
    }
    folder.check_name("a/b c.jsonl.zst").unwrap();
    let missing = Upload { path: temp.join("missing"), ..uploads[0].clone() };
    assert!(folder.upload(&[missing], &NEVER).is_err());
    for bytes in [uploads[0].bytes - 1, uploads[0].bytes + 1] {
        let changed = Upload { bytes, ..uploads[0].clone() };
        assert!(folder.upload(&[changed], &NEVER).is_err());
    }
    server.set_faults(FaultRates { errors: 1000, ..FaultRates::default() });
    let said = folder.upload(&uploads[..1], &NEVER).unwrap_err().to_string();
    assert!(said.contains("500"), "{said}");
    assert!(folder.list().is_err() && folder.write("x", vec![1]).is_err());
    server.set_faults(FaultRates::default());
    assert_eq!(server.files("/wrong/"), BTreeMap::new());
    assert_eq!(server.unfinished_uploads(), 0);
}

fn a_stopped_upload_leaves_nothing(server: &Server, temp: &Path) {
    let path = temp.join("large");
    std::fs::write(&path, Random::new(1).bytes(40 << 20)).unwrap();
    let upload = Upload { name: "large".to_owned(), path, bytes: 40 << 20 };
    server.set_faults(FaultRates { stalls: 500, ..FaultRates::default() });
    let (folder, stop, started) =
        (folder("s3://stopped/x"), AtomicBool::new(false), Instant::now());
    let ended = std::thread::scope(|scope| {
        let ended = scope.spawn(|| folder.upload(&[upload], &stop));
        while server.unfinished_uploads() == 0 && started.elapsed() < Duration::from_secs(20) {
            std::thread::yield_now();
        }
        server.set_faults(FaultRates::default());
        stop.store(true, Ordering::Relaxed);
        ended.join().unwrap()
    });
    assert_eq!(ended.unwrap_err().kind(), io::ErrorKind::Interrupted);
    assert!(started.elapsed() < Duration::from_secs(30));
    assert_eq!((server.unfinished_uploads(), server.files("/stopped/")), (0, BTreeMap::new()));
}
