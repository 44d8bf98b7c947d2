//! Running the program, and looking at what it leaves.

pub(crate) use huller_testkit::sample::{archive as sample, repository};
use serde::de::{Deserializer, IgnoredAny, MapAccess, Visitor};
use serde_json::Value;
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::io::{Read, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// One run of the program.
pub(crate) struct Huller {
    command: Command,
    stdin: Vec<u8>,
}

/// How it went.
#[derive(Debug)]
pub(crate) struct ProgramResult {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: Vec<u8>,
    pub(crate) stderr: String,
}

impl Huller {
    pub(crate) fn new() -> Huller {
        let mut command = Command::new(env!("CARGO_BIN_EXE_huller"));
        command.env("COLUMNS", "80").env_remove("RUST_LOG");
        Huller { command, stdin: Vec::new() }
    }

    /// `huller extract INPUT -o OUTPUT`.
    pub(crate) fn extract(input: impl AsRef<OsStr>, output: impl AsRef<OsStr>) -> Huller {
        Huller::new().arg("extract").arg(input).arg("-o").arg(output)
    }

    pub(crate) fn arg(mut self, arg: impl AsRef<OsStr>) -> Huller {
        self.command.arg(arg);
        self
    }

    pub(crate) fn args<A: AsRef<OsStr>>(mut self, args: impl IntoIterator<Item = A>) -> Huller {
        self.command.args(args);
        self
    }

    pub(crate) fn env(mut self, name: &str, value: &str) -> Huller {
        self.command.env(name, value);
        self
    }

    pub(crate) fn current_dir(mut self, folder: &Path) -> Huller {
        self.command.current_dir(folder);
        self
    }

    pub(crate) fn stdin(mut self, bytes: impl Into<Vec<u8>>) -> Huller {
        self.stdin = bytes.into();
        self
    }

    /// Runs it to its end.
    pub(crate) fn run(mut self) -> ProgramResult {
        self.command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = self.command.spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        let bytes = std::mem::take(&mut self.stdin);
        let feeder = std::thread::spawn(move || {
            // The program may end without having read all of it.
            let _ = stdin.write_all(&bytes);
        });
        let output = child.wait_with_output().unwrap();
        feeder.join().unwrap();
        let stderr = String::from_utf8(output.stderr).unwrap();
        ProgramResult { code: output.status.code(), stdout: output.stdout, stderr }
    }

    /// Runs it with standard output going elsewhere.
    pub(crate) fn run_into(mut self, stdout: impl Into<Stdio>) -> ProgramResult {
        self.command.stdin(Stdio::null()).stdout(stdout).stderr(Stdio::piped());
        let output = self.command.spawn().unwrap().wait_with_output().unwrap();
        let stderr = String::from_utf8(output.stderr).unwrap();
        ProgramResult { code: output.status.code(), stdout: output.stdout, stderr }
    }

    /// Starts it with pipes for all three streams.
    pub(crate) fn spawn(mut self) -> Child {
        self.command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        self.command.spawn().unwrap()
    }
}

impl ProgramResult {
    /// Checks the exit status.
    #[track_caller]
    pub(crate) fn exits(self, code: i32) -> ProgramResult {
        assert_eq!(self.code, Some(code), "{}", self.stderr);
        self
    }

    /// Checks that a message is there.
    #[track_caller]
    pub(crate) fn says(self, what: &str) -> ProgramResult {
        assert!(self.stderr.contains(what), "no `{what}` in: {}", self.stderr);
        self
    }

    pub(crate) fn text(&self) -> &str {
        std::str::from_utf8(&self.stdout).unwrap()
    }

    pub(crate) fn rows(&self) -> Vec<Value> {
        json_lines(&self.stdout)
    }
}

pub(crate) fn temp() -> tempfile::TempDir {
    tempfile::tempdir().unwrap()
}

pub(crate) fn json_lines(bytes: &[u8]) -> Vec<Value> {
    bytes
        .split(|b| *b == b'\n')
        .filter(|line| !line.is_empty())
        .map(|line| serde_json::from_slice(line).unwrap())
        .collect()
}

/// An output without its compression.
pub(crate) fn plain(path: &Path) -> Vec<u8> {
    let bytes = std::fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    match path.extension().and_then(OsStr::to_str) {
        Some("zst") => zstd::decode_all(&bytes[..]).unwrap(),
        Some("gz") => {
            let mut plain = Vec::new();
            flate2::read::MultiGzDecoder::new(&bytes[..]).read_to_end(&mut plain).unwrap();
            plain
        }
        _ => bytes,
    }
}

/// The rows of an output.
pub(crate) fn rows(path: impl AsRef<Path>) -> Vec<Value> {
    json_lines(&plain(path.as_ref()))
}

pub(crate) fn stats(output: &Path) -> Value {
    serde_json::from_slice(&std::fs::read(output.join("_huller/run.account")).unwrap()).unwrap()
}

/// What a string field holds.
#[track_caller]
pub(crate) fn string<'a>(row: &'a Value, field: &str) -> &'a str {
    row[field].as_str().unwrap_or_else(|| panic!("{field} is {}", row[field]))
}

/// Identifiers and texts of rows.
pub(crate) fn ids_and_texts(rows: &[Value]) -> Vec<(&str, &str)> {
    rows.iter().map(|row| (string(row, "id"), string(row, "text"))).collect()
}

/// The sum of the counts in an object such as `skipped`.
pub(crate) fn sum(counts: &Value) -> u64 {
    counts.as_object().unwrap().values().map(|count| count.as_u64().unwrap()).sum()
}

/// Checks that an account adds up.
#[track_caller]
pub(crate) fn assert_balanced(account: &Value) {
    let parts =
        account["written"].as_u64().unwrap() + sum(&account["skipped"]) + sum(&account["failed"]);
    assert_eq!(account["records"].as_u64(), Some(parts), "{account}");
}

/// The keys of a JSON object in the order of its text.
pub(crate) fn keys(json: &str) -> Vec<String> {
    struct Keys;
    impl<'de> Visitor<'de> for Keys {
        type Value = Vec<String>;
        fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            f.write_str("an object")
        }
        fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<Vec<String>, M::Error> {
            let mut keys = Vec::new();
            while let Some((key, _)) = map.next_entry::<String, IgnoredAny>()? {
                keys.push(key);
            }
            Ok(keys)
        }
    }
    serde_json::Deserializer::from_str(json).deserialize_map(Keys).unwrap()
}

/// Every file below a folder except the lock and the times, which differ from run to run.
pub(crate) fn contents(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    fn add(root: &Path, folder: &Path, all: &mut BTreeMap<String, Vec<u8>>) {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                add(root, &path, all);
            } else {
                all.insert(
                    path.strip_prefix(root).unwrap().display().to_string(),
                    std::fs::read(&path).unwrap(),
                );
            }
        }
    }
    let mut all = BTreeMap::new();
    add(folder, folder, &mut all);
    all.retain(|name, _| {
        !["_huller/lock", "_huller/run.timing"].iter().any(|it| name.ends_with(it))
    });
    all
}

/// Runs to the end once, then kills further runs at so many moments of the time that this took,
/// lets each go on by `--resume`, and checks that it ends with the same files. `run` is the run
/// into an output folder, which will be below `folder`.
pub(crate) fn assert_killed_runs_go_on(folder: &Path, trials: u32, run: impl Fn(&Path) -> Huller) {
    let whole = folder.join("whole");
    let started = Instant::now();
    run(&whole).run().exits(0);
    let took = started.elapsed();
    let whole = contents(&whole);
    let mut killed = 0;
    for trial in 0..trials {
        let out = folder.join(format!("out{trial}"));
        let mut child = run(&out).spawn();
        let moment = took.mul_f64(f64::from(trial + 1) / f64::from(trials + 2));
        let begin = Instant::now();
        while begin.elapsed() < moment && child.try_wait().unwrap().is_none() {
            std::thread::park_timeout(Duration::from_millis(1));
        }
        killed += u64::from(child.try_wait().unwrap().is_none());
        let _ = child.kill();
        child.wait().unwrap();
        run(&out).arg("--resume").run().exits(0);
        assert_same(&whole, &contents(&out));
    }
    assert!(killed > 0);
}

/// Checks that two folders hold the same files; a failure names the file and the place.
#[track_caller]
pub(crate) fn assert_same(one: &BTreeMap<String, Vec<u8>>, other: &BTreeMap<String, Vec<u8>>) {
    assert_eq!(one.keys().collect::<Vec<_>>(), other.keys().collect::<Vec<_>>());
    for (name, bytes) in one {
        let other = &other[name];
        let at = bytes.iter().zip(other).take_while(|(a, b)| a == b).count();
        let (here, there) = (bytes.len(), other.len());
        assert!(bytes == other, "{name} differs from byte {at} on ({here} and {there} bytes)");
    }
}
