//! Compares parts that we wrote ourselves with the libraries that could take their place, in one
//! process and on one thread.
//!
//! ```sh
//! cargo run --release -p huller-benches --example borrowed -- ROWS.jsonl
//! ```
//!
//! Each line of ROWS is a row with a key `text`, as `huller extract` writes it. For each part the
//! program prints the CPU time of ours and of the library, their ratio, and on how many inputs they
//! differ. The two take turns over all inputs, seven times, and the fastest pass of each counts.
#![expect(clippy::print_stdout, reason = "a program that prints a table")]

use huller_archive::{
    ArchivedFile, Batch, Fault, Input, Limits, Position, Record, UnpackResult, Unpacker, Visitor,
};
use huller_benches::cpu_seconds;
use huller_refine::Stage;
use huller_refine::stages::{Mask, MaskSettings};
use regex::{Regex, Replacer};
use std::borrow::Cow;
use std::collections::HashMap;
use std::error::Error;
use std::hint::black_box;
use std::io::{Cursor, Read, repeat};
use std::sync::Arc;

/// How often each part is measured.
const PASSES: usize = 7;

/// The expression of datatrove 0.10.1 for e-mail addresses.
const EMAIL: &str = r"\b[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*@(?:(?:[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?\.)+[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?|\[(?:(?:2(?:5[0-5]|[0-4][0-9])|1[0-9][0-9]|[1-9]?[0-9])\.){3}(?:(?:2(?:5[0-5]|[0-4][0-9])|1[0-9][0-9]|[1-9]?[0-9])|[A-Za-z0-9-]*[A-Za-z0-9]:)\])";

/// Its expression for IPv4 addresses.
const IP: &str =
    r"(?:25[0-5]|2[0-4][0-9]|[01]?[0-9][0-9]?)(?:\.(?:25[0-5]|2[0-4][0-9]|[01]?[0-9][0-9]?)){3}";

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args_os().nth(1).ok_or("usage: borrowed ROWS.jsonl")?;
    let lines = std::fs::read_to_string(path)?;
    let lines: Vec<&str> = lines.lines().collect();
    let mut texts = Vec::new();
    for line in &lines {
        let row: HashMap<String, serde_json::Value> = serde_json::from_str(line)?;
        texts.extend(row.get("text").and_then(|text| text.as_str()).map(str::to_owned));
    }
    println!("{} rows, {} texts", lines.len(), texts.len());
    masks(&texts)?;
    tars(&texts)
}

/// The CPU times of two parts over the same inputs, in seconds.
struct Contest {
    ours: f64,
    theirs: f64,
}

impl Contest {
    /// Measures both in turns, and keeps the fastest pass of each.
    fn measure(mut ours: impl FnMut(), mut library: impl FnMut()) -> Contest {
        let mut best = Contest { ours: f64::INFINITY, theirs: f64::INFINITY };
        for _ in 0..PASSES {
            let start = cpu_seconds();
            ours();
            let between = cpu_seconds();
            library();
            let end = cpu_seconds();
            best.ours = best.ours.min(between - start);
            best.theirs = best.theirs.min(end - between);
        }
        best
    }

    fn print(&self, part: &str, inputs: usize, differences: usize) {
        let Contest { ours, theirs } = self;
        println!(
            "{part}: ours {:.1} ms, library {:.1} ms, ratio {:.2}; {differences} of {inputs} differ",
            ours * 1e3,
            theirs * 1e3,
            theirs / ours
        );
    }
}

/// Replaces the matches of an expression by replacements in turn.
struct InTurn<'a> {
    replacements: &'a [String],
    next: usize,
    is_kept: fn(&str) -> bool,
}

impl Replacer for InTurn<'_> {
    fn replace_append(&mut self, found: &regex::Captures<'_>, out: &mut String) {
        if (self.is_kept)(&found[0]) {
            out.push_str(&found[0]);
            return;
        }
        out.push_str(&self.replacements[self.next % self.replacements.len()]);
        self.next += 1;
    }
}

/// Whether Python's `ipaddress` refuses the address, or it is not public.
fn is_kept_address(text: &str) -> bool {
    let Ok(address) = text.parse::<std::net::Ipv4Addr>() else { return true };
    let [a, b, c, d] = address.octets();
    let is_special = address.is_private()
        || address.is_loopback()
        || address.is_link_local()
        || address.is_documentation()
        || a == 0
        || a >= 240
        || (a == 100 && (64..128).contains(&b))
        || (a == 198 && (18..20).contains(&b));
    is_special || (a == 192 && b == 0 && c == 0 && !(9..=10).contains(&d))
}

fn masks(texts: &[String]) -> Result<(), Box<dyn Error>> {
    let settings = MaskSettings::default();
    let (email, ip) = (Regex::new(EMAIL)?, Regex::new(IP)?);
    let mut worker = Mask::default().worker();
    let mut by_us = |text: &str| {
        let mut out = String::new();
        if worker.rewrite(text, &mut out) { out } else { text.to_owned() }
    };
    let by_library = |text: &str| -> String {
        let emails =
            InTurn { replacements: &settings.email_replacements, next: 0, is_kept: |_| false };
        let masked: Cow<'_, str> = email.replace_all(text, emails);
        let ips =
            InTurn { replacements: &settings.ip_replacements, next: 0, is_kept: is_kept_address };
        ip.replace_all(&masked, ips).into_owned()
    };
    let differ = |text: &&String| by_us(text) != by_library(text);
    let differences = texts.iter().filter(differ).count();
    // Python finds a border of words after a combining mark; the crate finds none.
    let after_mark = "\u{0e2d}\u{0e35}\u{0e48}ann@site.org";
    println!("after a combining mark: {:?} and {:?}", by_us(after_mark), by_library(after_mark));
    let contest = Contest::measure(
        || texts.iter().for_each(|text| drop(black_box(by_us(text)))),
        || texts.iter().for_each(|text| drop(black_box(by_library(text)))),
    );
    contest.print("masks, crate regex", texts.len(), differences);
    for unit in ["a.", "1.", "a@", "a-"] {
        let (short, long) = (unit.repeat(1 << 15), unit.repeat(1 << 18));
        let [short, long] = [short, long].map(|text| {
            let start = cpu_seconds();
            black_box(by_library(&text));
            cpu_seconds() - start
        });
        println!("  {unit:?} eight times as often takes {:.1} times as long", long / short);
    }
    Ok(())
}

/// Counts the files of a tar archive.
#[derive(Default)]
struct Files {
    files: usize,
    faults: usize,
}

impl Visitor for Files {
    fn record(&mut self, _: Record<'_>) {}
    fn line(&mut self, _: &[u8], _: Position) {}
    fn file(&mut self, _: ArchivedFile<'_>) {
        self.files += 1;
    }
    fn fault(&mut self, _: &Fault) {
        self.faults += 1;
    }
}

fn tars_by_us(bytes: &Arc<[u8]>) -> Result<Files, Box<dyn Error>> {
    let limits = Limits::default();
    let mut input = Input::from_reader(Box::new(Cursor::new(Arc::clone(bytes))), &limits)?;
    let (mut unpacker, mut batch) = (Unpacker::new(&limits), Batch::default());
    let mut files = Files::default();
    while input.next_batch(&mut batch)? {
        if let UnpackResult::StoppedAt(offset) = unpacker.unpack(&mut batch, &mut files) {
            input.restart_at(offset)?;
        }
    }
    Ok(files)
}

fn tars_by_library(bytes: &[u8]) -> Files {
    let mut archive = tar::Archive::new(bytes);
    let mut files = Files::default();
    let Ok(entries) = archive.entries() else { return files };
    let mut content = Vec::new();
    for entry in entries {
        content.clear();
        match entry.and_then(|mut entry| entry.read_to_end(&mut content)) {
            Ok(_) => files.files += 1,
            Err(_) => files.faults += 1,
        }
    }
    files
}

fn tars(texts: &[String]) -> Result<(), Box<dyn Error>> {
    let mut builder = tar::Builder::new(Vec::new());
    for (number, text) in texts.iter().enumerate() {
        let mut header = tar::Header::new_gnu();
        header.set_size(text.len() as u64);
        header.set_cksum();
        builder.append_data(&mut header, format!("{number}.html"), text.as_bytes())?;
    }
    let sound: Arc<[u8]> = builder.into_inner()?.into();
    let contest = Contest::measure(
        || assert!(tars_by_us(&sound).is_ok_and(|files| files.faults == 0)),
        || assert_eq!(tars_by_library(&sound).faults, 0),
    );
    let differences = tars_by_us(&sound)?.files.abs_diff(tars_by_library(&sound).files);
    contest.print("tar, crate tar", texts.len(), differences);
    let mut damaged = sound.to_vec();
    let quarter = damaged.len() / 4;
    damaged[quarter..quarter + 4096].fill(b'#');
    let damaged = damaged.into();
    let (ours, library) = (tars_by_us(&damaged)?, tars_by_library(&damaged));
    println!(
        "  4 KiB overwritten at a quarter: ours {} files, {} faults; library {} files, {} faults",
        ours.files, ours.faults, library.files, library.faults
    );
    // A long name that claims 1 GiB, as a compressed archive of a few kilobytes can.
    let mut header = tar::Header::new_gnu();
    header.set_entry_type(tar::EntryType::GNULongName);
    header.set_size(1 << 30);
    header.set_cksum();
    let claim = header.as_bytes().chain(repeat(b'a').take(1 << 30));
    let before = peak_bytes()?;
    let is_error = tar::Archive::new(claim).entries()?.next().is_none_or(|entry| entry.is_err());
    println!(
        "  a name of 1 GiB takes {} MiB more with the library (an error: {is_error})",
        (peak_bytes()? - before) >> 20
    );
    Ok(())
}

/// Returns the most memory that this process had, in bytes.
fn peak_bytes() -> Result<u64, Box<dyn Error>> {
    let status = std::fs::read_to_string("/proc/self/status")?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kib = line.and_then(|line| line.split_whitespace().next()).ok_or("no VmHWM")?;
    Ok(kib.parse::<u64>()? << 10)
}
