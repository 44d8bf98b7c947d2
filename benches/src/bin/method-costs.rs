//! Prints the cost of every extractor: nanoseconds per page, and MB of HTML per CPU second, on one
//! thread.
//!
//! ```sh
//! cargo run --release -p huller-benches --bin method-costs                 # the bundled sample
//! HULLER_CORPUS=benches/corpus/1100mb.warc.gz cargo run --release -p huller-benches --bin method-costs
//! ```
//!
//! Each figure is the best of several rounds. In each round all extractors run in turn, so that a
//! busy moment affects them all. `alone` is the extractor on filled columns; `whole` is parse,
//! extract and render. The last rows run several extractors after one parse, as
//! `huller extract --extractors` does.

#![expect(clippy::print_stdout, reason = "a program that prints a table")]

use huller_benches::{Corpus, cpu_seconds};
use huller_extract::{EXTRACTORS, Extractor, ExtractorFactory, Profile, Renderer, Selection};
use huller_page::PageBuf;
use std::hint::black_box;

const ROUNDS: usize = 7;

/// The subject of a measurement: one extractor, or several extractors after one parse.
struct MeasuredExtractor {
    name: String,
    profile: &'static str,
    workers: Vec<Box<dyn Extractor>>,
    /// Seconds of parse, extract and render.
    whole: f64,
}

impl MeasuredExtractor {
    fn new(
        name: &str,
        extractors: &[&dyn ExtractorFactory],
        profile: Profile,
    ) -> MeasuredExtractor {
        let workers = extractors.iter().map(|extractor| extractor.worker(profile)).collect();
        MeasuredExtractor {
            name: name.to_owned(),
            profile: profile.name(),
            workers,
            whole: f64::MAX,
        }
    }
}

/// Buffers that are reused from page to page.
#[derive(Default)]
struct Workspace {
    columns: PageBuf,
    selection: Selection,
    renderer: Renderer,
    text: String,
}

impl Workspace {
    /// Returns the seconds for parsing all pages and running these extractors on each.
    fn run(&mut self, pages: &[String], workers: &mut [Box<dyn Extractor>]) -> f64 {
        let before = cpu_seconds();
        for html in pages {
            let page = self.columns.fill(html);
            black_box(page.runs().len());
            for worker in &mut *workers {
                black_box(worker.extract(&page, &mut self.selection));
                self.text.clear();
                self.renderer.text(&page, &self.selection, &mut self.text);
                black_box(self.text.len());
            }
        }
        cpu_seconds() - before
    }
}

fn main() {
    let corpus = Corpus::load();
    let papers: Vec<_> =
        EXTRACTORS.iter().copied().filter(|m| m.card().citation.paper.is_some()).collect();
    let mut subjects = Vec::new();
    for profile in [Profile::Paper, Profile::Tuned] {
        subjects
            .extend(EXTRACTORS.iter().map(|m| MeasuredExtractor::new(m.name(), &[*m], profile)));
        subjects.push(MeasuredExtractor::new("(the papers)", &papers, profile));
        subjects.push(MeasuredExtractor::new("(all)", EXTRACTORS, profile));
    }
    let mut workspace = Workspace::default();
    let mut parse = f64::MAX;
    for _ in 0..ROUNDS {
        parse = parse.min(workspace.run(&corpus.pages, &mut []));
        for subject in &mut subjects {
            subject.whole = subject.whole.min(workspace.run(&corpus.pages, &mut subject.workers));
        }
    }

    let (pages, bytes) = (corpus.pages.len() as f64, corpus.page_bytes() as f64);
    let reference = |profile: &str| {
        let pvalue = subjects.iter().find(|s| s.name == "pvalue" && s.profile == profile);
        pvalue.map_or(f64::NAN, |subject| subject.whole)
    };
    println!("{} pages, {:.1} MB, parse alone {:.0} MB/s", pages, bytes / 1e6, bytes / parse / 1e6);
    println!();
    println!("| method | profile | alone, ns a page | whole, ns a page | MB/s | x pvalue |");
    println!("|---|---|---:|---:|---:|---:|");
    for MeasuredExtractor { name, profile, whole, .. } in &subjects {
        println!(
            "| {name} | {profile} | {:.0} | {:.0} | {:.0} | {:.2} |",
            (whole - parse).max(0.0) * 1e9 / pages,
            whole * 1e9 / pages,
            bytes / whole / 1e6,
            whole / reference(profile),
        );
    }
}
