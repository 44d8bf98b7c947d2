//! Pages with which other projects test their parsers (jsoup, tidy, libxml2, lol-html, go-fuzz and
//! others). No extractor panics on any of them. Each page takes time linear in its length, even if
//! it is repeated up to a quarter of a mebibyte.
//!
//! Without `HULLER_FULL` one file in 16 is tested. One in 16 of the tested files is also repeated.

#![expect(clippy::print_stderr, reason = "a test says what it compared")]
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use huller_extract::{EXTRACTORS, Extractor, Profile, Renderer, Selection};
use huller_page::entity::{Context, decode};
use huller_page::{PageBuf, RunFlags};
use huller_testkit::{needs_shared, shared, utf8};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

needs_shared!(pages_of_other_projects_are_read_by_every_extractor_in_linear_time);

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
/// Approximate length of a repeated page.
const REPEATED_BYTES: usize = 256 << 10;
/// Time limit for one page with all extractors in both profiles. A step that is not linear takes
/// minutes on a repeated page.
const PATIENCE: Duration = Duration::from_mins(1);

/// The files of those projects, in byte order of their names.
fn files() -> Vec<(String, Vec<u8>)> {
    shared::hostile_files(|path| PROJECTS.contains(&path.split('/').next().unwrap_or_default()))
}

struct PageTools {
    buffer: PageBuf,
    /// Name of the extractor, and its worker.
    workers: Vec<(&'static str, Box<dyn Extractor>)>,
    selection: Selection,
    renderer: Renderer,
}

impl PageTools {
    fn new() -> PageTools {
        let profiles = [Profile::Paper, Profile::Tuned];
        let workers = EXTRACTORS.iter().flat_map(|extractor| {
            profiles.map(|profile| (extractor.name(), extractor.worker(profile)))
        });
        PageTools {
            buffer: PageBuf::new(),
            workers: workers.collect(),
            selection: Selection::default(),
            renderer: Renderer::default(),
        }
    }

    /// Extracts a page with all extractors. The scalars of every text must be scalars of the page
    /// in the same order.
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
        for (extractor, worker) in &mut self.workers {
            let verdict = worker.extract(&page, &mut self.selection);
            assert!(verdict.score.is_none_or(f64::is_finite), "{extractor}");
            let mut text = String::new();
            self.renderer.text(&page, &self.selection, &mut text);
            let mut rest = whole.chars();
            let mut visible = text.chars().filter(|c| !c.is_whitespace());
            assert!(visible.all(|wanted| rest.any(|c| c == wanted)), "{extractor}");
        }
    }
}

fn pages_of_other_projects_are_read_by_every_extractor_in_linear_time() {
    let files = files();
    assert!(files.len() > 8000, "{} files", files.len());
    let one_in = if std::env::var_os("HULLER_FULL").is_some() { 1 } else { 16 };
    let (sender, receiver) = channel::<String>();
    let work = std::thread::spawn(move || {
        let mut tools = PageTools::new();
        let mut bytes = 0;
        for (place, (name, file)) in files.iter().enumerate().filter(|(at, _)| at % one_in == 0) {
            sender.send(name.clone()).unwrap();
            let html = utf8::lossy(file);
            tools.check(&html);
            bytes += html.len();
            if place % (16 * one_in) == 0 && !html.is_empty() {
                sender.send(format!("{name}, repeated")).unwrap();
                tools.check(&html.repeat(REPEATED_BYTES.div_ceil(html.len())));
            }
        }
        eprintln!("{} files, {bytes} bytes", files.len().div_ceil(one_in));
    });
    let mut current = String::new();
    loop {
        match receiver.recv_timeout(PATIENCE) {
            Ok(name) => current = name,
            Err(RecvTimeoutError::Timeout) => panic!("{current} takes more than {PATIENCE:?}"),
            Err(RecvTimeoutError::Disconnected) => break,
        }
    }
    assert!(work.join().is_ok(), "{current} fails");
}
