//! Pages that other projects test their parsers with (jsoup, tidy, libxml2, lol-html, go-fuzz, ...): no method fails on any, and
//! each is done in time that grows with its length, also when it is repeated to a quarter of a megabyte.
//!
//! One file in 16 unless `HULLER_FULL` is set; one in 16 of these is repeated.

#![expect(clippy::print_stderr, reason = "tests may say why they skip")]
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use huller_extract::{METHODS, Profile, Renderer, Scratch, Selection};
use huller_page::entity::{Context, decode};
use huller_page::{PageBuf, RunFlags};
use std::io::Read;
use std::path::PathBuf;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

const PROJECTS: [&str; 11] = [
    "go-fuzz-corpus",
    "golang-net",
    "google-fuzzing",
    "gumbo",
    "html5ever",
    "jsoup",
    "lexbor",
    "libxml2",
    "lol-html",
    "parse5",
    "tidy-html5-tests",
];
/// A repeated page is about as long.
const REPEATED_BYTES: usize = 256 << 10;
/// For one page with all methods in both profiles. A step that is not linear takes minutes on a repeated page.
const PATIENCE: Duration = Duration::from_mins(1);

/// The files of those projects, in byte order of their names; `None` where there are none.
fn files() -> Option<Vec<(String, Vec<u8>)>> {
    let root = std::env::var_os("HULLER_SHARED").map_or_else(
        || PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared")),
        PathBuf::from,
    );
    let Ok(packed) = std::fs::File::open(root.join("hostile.tar.zst")) else {
        eprintln!("SKIPPED: no hostile.tar.zst in {}; set HULLER_SHARED", root.display());
        return None;
    };
    let mut archive = tar::Archive::new(zstd::Decoder::new(packed).unwrap());
    let mut files = Vec::new();
    for entry in archive.entries().unwrap() {
        let mut entry = entry.unwrap();
        let path = entry.path().unwrap().display().to_string();
        let path = path.strip_prefix("./").unwrap_or(&path).to_owned();
        let project = path.split('/').next().unwrap_or_default();
        if entry.header().entry_type().is_file() && PROJECTS.contains(&project) {
            let mut bytes = Vec::new();
            entry.read_to_end(&mut bytes).unwrap();
            files.push((path, bytes));
        }
    }
    files.sort();
    Some(files)
}

/// `bytes` as UTF-8, each damaged stretch replaced by U+FFFD.
fn text_of(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        if !chunk.invalid().is_empty() {
            text.push(char::REPLACEMENT_CHARACTER);
        }
    }
    text
}

#[derive(Default)]
struct Tools {
    buffer: PageBuf,
    scratch: Scratch,
    selection: Selection,
    renderer: Renderer,
}

impl Tools {
    /// Puts a page through all methods; every text must be of the page's scalars in their order.
    fn check(&mut self, html: &str) {
        let page = self.buffer.fill(html);
        let mut whole = String::new();
        for run in page.runs() {
            if run.flags.contains(RunFlags::REFERENCES) {
                decode(page.run_source(run), Context::Text, &mut whole);
            } else {
                whole.push_str(page.run_source(run));
            }
        }
        for method in METHODS {
            for profile in [Profile::Paper, Profile::Tuned] {
                let extractor = method.profile(profile);
                let verdict = extractor.extract(&page, &mut self.scratch, &mut self.selection);
                assert!(verdict.score.is_none_or(f64::is_finite), "{}", method.name);
                let mut text = String::new();
                self.renderer.text(&page, &self.selection, &mut text);
                let mut rest = whole.chars();
                let mut visible = text.chars().filter(|c| !c.is_whitespace());
                assert!(visible.all(|wanted| rest.any(|c| c == wanted)), "{}", method.name);
            }
        }
    }
}

#[test]
fn pages_of_other_projects_are_read_by_every_method_in_linear_time() {
    let Some(files) = files() else { return };
    assert!(files.len() > 8000, "{} files", files.len());
    let one_in = if std::env::var_os("HULLER_FULL").is_some() { 1 } else { 16 };
    let (told, news) = channel::<String>();
    let work = std::thread::spawn(move || {
        let mut tools = Tools::default();
        let mut bytes = 0;
        for (place, (name, file)) in files.iter().enumerate().filter(|(at, _)| at % one_in == 0) {
            told.send(name.clone()).unwrap();
            let html = text_of(file);
            tools.check(&html);
            bytes += html.len();
            if place % (16 * one_in) == 0 && !html.is_empty() {
                told.send(format!("{name}, repeated")).unwrap();
                tools.check(&html.repeat(REPEATED_BYTES.div_ceil(html.len())));
            }
        }
        eprintln!("{} files, {bytes} bytes", files.len().div_ceil(one_in));
    });
    let mut current = String::new();
    loop {
        match news.recv_timeout(PATIENCE) {
            Ok(name) => current = name,
            Err(RecvTimeoutError::Timeout) => panic!("{current} takes more than {PATIENCE:?}"),
            Err(RecvTimeoutError::Disconnected) => break,
        }
    }
    assert!(work.join().is_ok(), "{current} fails");
}
