//! Checks that the attacks equal those of the project's shared generator: the same names, rules,
//! limits and bytes. Where compressors differ, the content is the same.
//!
//! `HULLER_PYTHON` names the Python that runs the generator (`python3`). Without its modules
//! `zstandard` and `brotli` the generator lacks twelve attacks, and the test compares only their
//! rules.
#![expect(clippy::print_stderr, reason = "a test says what it could not compare")]

use flate2::bufread::{GzDecoder, ZlibDecoder};
use huller_testkit::attack::{Attack, Scale, of_generator};
use huller_testkit::{shared, utf8};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs;
use std::io::Read;
use std::path::Path;
use std::process::Command;

huller_testkit::needs_shared!(
    the_rules_are_those_of_the_generator,
    the_inputs_are_those_of_the_generator
);

const SCALE: f64 = 0.01;
const GZIP: &[u8] = b"\x1f\x8b\x08";
const ZSTD: &[u8] = b"\x28\xb5\x2f\xfd";
/// Attacks that cut compressed data at a fraction of its length, and so at different places.
const CUT: [&str; 4] =
    ["http-gzip-cut", "warc-cut-in-gz-member", "warc-gz-cut-member-then-good", "warc-zst-cut"];
/// The attack that flips bits of compressed data, so that the two results have nothing in common.
const FLIPPED: &str = "warc-gz-broken-member";
/// The generator expects a row, which may be empty. Here a picture with an HTML content type is
/// skipped as `binary`.
const SKIPPED_HERE: &str = "http-binary-as-html";
/// The generator accepts that the attack is skipped, or taken as text by a documented rule
/// (docs/rows.md). Here it becomes a row.
const TAKEN_HERE: &str = "warc-conversion-wet";

/// Runs Python on the generator.
fn python(arguments: &[&str]) -> String {
    let program = std::env::var_os("HULLER_PYTHON").unwrap_or_else(|| "python3".into());
    let output = Command::new(program).arg("-B").args(arguments).output().expect("Python is here");
    assert!(output.status.success(), "{}", output.stderr.escape_ascii());
    String::from_utf8(output.stdout).expect("Python writes text")
}

fn generator() -> String {
    shared::path("gen_hostile.py").to_str().expect("a path is text").to_owned()
}

fn the_rules_are_those_of_the_generator() {
    // The generator's own list has no marks. Its table of cases has all of them, also of cases that
    // it would leave out.
    const SCRIPT: &str = "import json, runpy, sys, io
path, sys.argv, out = sys.argv[1], ['generator', '--list'], sys.stdout
sys.stdout = io.StringIO()
cases = runpy.run_path(path, run_name='__main__')['CASES']
json.dump([{k: v for k, v in case.items() if k not in ('fn', 'behaviour')} for case in cases], out)";
    let cases: Vec<Value> =
        serde_json::from_str(&python(&["-c", SCRIPT, &generator()])).expect("a list");
    let mut theirs: BTreeMap<_, _> = cases
        .into_iter()
        .map(|case| (case["name"].as_str().expect("a name").to_owned(), case))
        .collect();
    let ours: BTreeMap<_, _> =
        of_generator().map(|attack| (attack.name.to_owned(), rules(attack))).collect();
    assert_eq!(ours.keys().collect::<Vec<_>>(), theirs.keys().collect::<Vec<_>>());
    assert_eq!(ours.len(), 160);
    let theirs_there = theirs.get_mut(SKIPPED_HERE).expect("the generator has it");
    assert_eq!(theirs_there["attack"].take(), "extract");
    theirs_there["attack"] = "skip".into();
    let theirs_there = theirs.get_mut(TAKEN_HERE).expect("the generator has it");
    assert_eq!(theirs_there["attack"].take(), "skip");
    theirs_there["attack"] = "extract".into();
    theirs_there["must_contain"] = json!(["plain text of a page"]);
    for (name, rules) in &ours {
        assert_eq!(*rules, theirs[name], "{name}");
    }
}

/// Returns the rules of an attack in the generator's form, without empty lists of marks.
fn rules(attack: &Attack) -> Value {
    let mut rules = json!(attack);
    let fields = rules.as_object_mut().expect("an attack is an object");
    let must = fields.remove("must").expect("a field");
    fields.insert("attack".to_owned(), must);
    fields.insert("file".to_owned(), attack.file_name().into());
    fields.retain(|name, value| {
        let is_empty_list =
            name.starts_with("must_") && value.as_array().is_some_and(Vec::is_empty);
        !is_empty_list && name != "extension" && name != "right"
    });
    rules
}

fn the_inputs_are_those_of_the_generator() {
    let work = tempfile::tempdir().expect("a folder");
    let (ours, theirs) = (work.path().join("ours"), work.path().join("theirs"));
    fs::create_dir(&ours).expect("a folder");
    let folder = theirs.to_str().expect("a path is text");
    python(&[&generator(), folder, "--scale", &SCALE.to_string()]);
    let manifest = fs::read(theirs.join("manifest.json")).expect("a manifest");
    let manifest: Value = serde_json::from_slice(&manifest).expect("a manifest");
    let cases = manifest["cases"].as_array().expect("a list of cases");
    let (mut compared, mut left_out) = (0, Vec::new());
    for attack in of_generator() {
        let name = attack.file_name();
        if !cases.iter().any(|case| case["name"] == attack.name) {
            left_out.push(attack.name);
            continue;
        }
        attack.write(&ours, Scale(SCALE)).expect("a file can be written");
        compare(attack.name, &ours.join(&name), &theirs.join(&name));
        compared += 1;
    }
    eprintln!("{compared} attacks compared; the generator left out {left_out:?}");
    assert!((compared, left_out.len()) == (160, 0) || (compared, left_out.len()) == (148, 12));
}

fn compare(name: &str, ours: &Path, theirs: &Path) {
    let kind = |path: &Path| path.symlink_metadata().expect("it is there").file_type();
    assert_eq!(kind(ours), kind(theirs), "{name}");
    if kind(ours).is_dir() {
        return;
    }
    if kind(ours).is_symlink() {
        assert_eq!(fs::read_link(ours).expect("a link"), fs::read_link(theirs).expect("a link"));
        return;
    }
    let [ours, theirs] = [ours, theirs].map(|path| fs::read(path).expect("a file"));
    if ours == theirs {
        return;
    }
    assert!(pieces(&ours).len() > 1 || is_packed(&ours), "{name}: bytes differ");
    let [ours, theirs] = [ours, theirs].map(|file| contents(name, &file));
    assert_eq!(ours.len(), theirs.len(), "{name}: pieces");
    for (ours, theirs) in ours.iter().zip(&theirs) {
        let at = ours.iter().zip(theirs).take_while(|(a, b)| a == b).count();
        let show = |bytes: &[u8]| bytes[at..bytes.len().min(at + 60)].escape_ascii().to_string();
        let lengths = [ours.len(), theirs.len()];
        // Both cut at other places, and the bytes decoded after the cut are arbitrary.
        let is_same_to_cut =
            CUT.contains(&name) && at > 100 && 10 * at > 9 * lengths[0].min(lengths[1]);
        assert!(
            ours == theirs || is_same_to_cut,
            "{name}: byte {at} of {lengths:?}: {}, {}",
            show(ours),
            show(theirs)
        );
    }
}

fn is_packed(bytes: &[u8]) -> bool {
    bytes.starts_with(GZIP) || bytes.starts_with(ZSTD) || is_skippable(bytes)
}

fn is_skippable(bytes: &[u8]) -> bool {
    bytes.first().is_some_and(|byte| byte >> 4 == 5) && bytes[1..].starts_with(b"\x2a\x4d\x18")
}

/// A piece of a file.
#[derive(Debug)]
enum Piece {
    /// A gzip member: a description of its header, and its content.
    Member(String, Vec<u8>),
    Frame(Vec<u8>),
    Skippable(Vec<u8>),
    /// A member or frame that does not decode to its end, with the bytes that do.
    Broken(Vec<u8>),
    /// Other bytes.
    Other(Vec<u8>),
}

/// Cuts a file at its members and frames.
fn pieces(file: &[u8]) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut dictionary = Vec::new();
    let mut rest = file;
    while !rest.is_empty() {
        let (piece, len) = piece(rest, &dictionary);
        if let (Piece::Skippable(content), true) = (&piece, rest[0] == 0x5d) {
            let is_packed = content.starts_with(ZSTD);
            dictionary = if is_packed {
                zstd::decode_all(&content[..]).expect("sound")
            } else {
                content.clone()
            };
        }
        pieces.push(piece);
        rest = &rest[len..];
    }
    pieces
}

/// Returns the first piece, and its length in bytes.
fn piece(file: &[u8], dictionary: &[u8]) -> (Piece, usize) {
    let mut content = Vec::new();
    if file.starts_with(GZIP) {
        let mut decoder = GzDecoder::new(file);
        let is_whole = decoder.read_to_end(&mut content).is_ok();
        if is_whole {
            let header = decoder.header().expect("a header");
            let lengths =
                [header.extra(), header.filename(), header.comment()].map(|of| of.map(<[u8]>::len));
            let len = file.len() - decoder.into_inner().len();
            return (Piece::Member(format!("{lengths:?}"), content), len);
        }
        return (Piece::Broken(content), 3 + next(&file[3..]));
    }
    if file.starts_with(ZSTD) {
        let len = zstd_safe::find_frame_compressed_size(file);
        let len = len.unwrap_or_else(|_| 4 + next(&file[4..]));
        let decoder = zstd::Decoder::with_dictionary(&file[..len], dictionary);
        let is_whole = decoder.expect("a decoder").read_to_end(&mut content).is_ok();
        return (if is_whole { Piece::Frame(content) } else { Piece::Broken(content) }, len);
    }
    if is_skippable(file) {
        let len = u32::from_le_bytes(file[4..8].try_into().expect("four bytes")) as usize;
        return (Piece::Skippable(file[8..8 + len].to_vec()), 8 + len);
    }
    let len = next(file);
    (Piece::Other(file[..len].to_vec()), len)
}

/// Returns the offset of the next member or frame, or the end of the file.
fn next(file: &[u8]) -> usize {
    let begins = |at: &usize| {
        let here = &file[*at..];
        // A member of these files has at most the flags for extra field, name and comment.
        here.starts_with(GZIP) && here.get(3).is_some_and(|flags| flags & !0x1c == 0)
            || here.starts_with(ZSTD)
    };
    (0..file.len()).find(begins).unwrap_or(file.len())
}

/// Returns the decoded pieces of a file, without the parts that depend on the compressor.
fn contents(name: &str, file: &[u8]) -> Vec<Vec<u8>> {
    let content = |piece| match piece {
        Piece::Member(header, content) => [header.into_bytes(), unpacked(name, content)].concat(),
        Piece::Frame(content) => unpacked(name, content),
        Piece::Broken(_) if name == FLIPPED => b"broken".to_vec(),
        Piece::Broken(content) => [b"broken", &unpacked(name, content)[..]].concat(),
        // The dictionaries were trained by different programs.
        Piece::Skippable(_) if name.starts_with("warc-zst-dict") => b"dictionary".to_vec(),
        Piece::Skippable(content) | Piece::Other(content) => content,
    };
    pieces(file).into_iter().map(content).collect()
}

/// Returns the content of a member or frame: a record with its HTTP body decoded, or a nested file.
fn unpacked(name: &str, content: Vec<u8>) -> Vec<u8> {
    if is_packed(&content) {
        return contents(name, &content).concat();
    }
    if name.starts_with("warc-zst-dict") {
        // The generator also numbers the records on which it trains its dictionary.
        return without_number(content);
    }
    let head = content.windows(2).position(|bytes| bytes == b"\r\n").unwrap_or_default();
    let http = content.windows(9).position(|bytes| bytes == b"HTTP/1.1 ");
    let Some(http) = http.filter(|_| content[..head].starts_with(b"WARC/")) else { return content };
    let (head, block) = content.split_at(http);
    let Some(end) = block.windows(4).position(|bytes| bytes == b"\r\n\r\n") else { return content };
    let (http, body) = block.split_at(end + 4);
    let fields = utf8::lossy(http);
    let codings = fields.lines().find_map(|line| line.strip_prefix("Content-Encoding: "));
    let Some(codings) = codings else { return content };
    let mut body = body.strip_suffix(b"\r\n\r\n").expect("the end of a record").to_vec();
    if fields.contains("Transfer-Encoding: chunked") {
        let start = body.windows(2).position(|bytes| bytes == b"\r\n").expect("a chunk") + 2;
        body.drain(..start);
    }
    for coding in codings.rsplit(", ") {
        body = decoded(coding, body);
    }
    [without_length(head), without_length(http), body].concat()
}

/// Returns the part of a body that decodes, or the body if no part decodes.
fn decoded(coding: &str, body: Vec<u8>) -> Vec<u8> {
    let mut out = Vec::new();
    let _ = match coding {
        "gzip" => flate2::bufread::MultiGzDecoder::new(&body[..]).read_to_end(&mut out),
        "deflate" => ZlibDecoder::new(&body[..]).read_to_end(&mut out),
        "br" => brotli::Decompressor::new(&body[..], 4096).read_to_end(&mut out),
        _ => zstd::Decoder::new(&body[..]).expect("a decoder").read_to_end(&mut out),
    };
    if out.is_empty() { body } else { out }
}

/// Removes Content-Length from header lines, since it depends on the compressor.
fn without_length(head: &[u8]) -> Vec<u8> {
    let lines = head.split_inclusive(|byte| *byte == b'\n');
    lines.filter(|line| !line.starts_with(b"Content-Length: ")).flatten().copied().collect()
}

/// Replaces the last twelve digits of a record's identifier by zeros.
fn without_number(mut record: Vec<u8>) -> Vec<u8> {
    const START: &[u8] = b"-4000-8000-";
    if let Some(at) = record.windows(START.len()).position(|bytes| bytes == START) {
        record[at + START.len()..][..12].fill(b'0');
    }
    record
}
