//! Tests of pages that make a worker panic, and of memory in steady state.

use super::*;
use huller_archive::{Input, Limits, Position};
use huller_extract::EXTRACTORS;
use huller_page::Page;
use huller_refine::{Reason, RejectionKind};
use huller_row::{Compression, JSONL};
use huller_run::monitor::SilentMonitor;
use huller_run::plan::PlanOptions;
use huller_select::{
    Extractor, ExtractorCard, ExtractorFactory, Profile, Renderer, Selection, Verdict,
};
use huller_testkit::allocations::{CountingAllocator, count};
use std::any::Any;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

mod format;
mod replay;

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

fn settings() -> Settings {
    Settings {
        compression: Compression::None,
        limits: Limits { batch_bytes: 4096, ..Limits::default() },
        ..Settings::new(vec![EXTRACTORS[0]])
    }
}

fn sample() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data/sample.warc.gz")
}

/// An extractor that fails on pages with a certain word in the title.
#[derive(Clone, Copy)]
struct FragileExtractor {
    word: &'static str,
    payload: fn() -> Box<dyn Any + Send>,
}

impl ExtractorFactory for FragileExtractor {
    fn card(&self) -> &ExtractorCard {
        EXTRACTORS[0].card()
    }

    fn worker(&self, profile: Profile) -> Box<dyn Extractor> {
        Box::new(FragileWorker { fragile: *self, worker: EXTRACTORS[0].worker(profile) })
    }
}

struct FragileWorker {
    fragile: FragileExtractor,
    worker: Box<dyn Extractor>,
}

impl Extractor for FragileWorker {
    fn extract(&mut self, page: &Page<'_>, out: &mut Selection) -> Verdict {
        let mut title = String::new();
        Renderer::default().runs(page, page.title(), &mut title);
        // This extraction leaves buffers that must not reach the next page.
        let verdict = self.worker.extract(page, out);
        if title.contains(self.fragile.word) {
            std::panic::resume_unwind((self.fragile.payload)());
        }
        verdict
    }
}

/// A payload that panics when it is dropped.
struct Bomb;

impl Drop for Bomb {
    fn drop(&mut self) {
        std::panic::resume_unwind(Box::new(()));
    }
}

struct RunResult {
    summary: Summary,
    rows: Vec<serde_json::Value>,
    rejects: Vec<serde_json::Value>,
}

fn json_lines(path: &Path) -> Vec<serde_json::Value> {
    fs::read_to_string(path)
        .unwrap()
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

fn run_sample(
    extractor: &'static dyn ExtractorFactory,
    settings: &Settings,
    threads: usize,
) -> Result<RunResult, RunError> {
    let folder = tempfile::tempdir().unwrap();
    let rejects = folder.path().join("rejects.jsonl");
    let plan = Plan::new(&[sample()], &PlanOptions::default()).unwrap();
    let options = Options { threads, rejects: Some(rejects.clone()), ..Options::default() };
    let to = OutputTo::Folder(folder.path().join("out"));
    let stop = Arc::new(AtomicBool::new(false));
    let settings = Settings { extractors: vec![extractor], ..settings.clone() };
    let summary = run(&plan, &settings, &to, &options, &mut SilentMonitor, &stop)?;
    // An input without rows has no output.
    let output = folder.path().join("out/sample.jsonl");
    assert_eq!(output.exists(), summary.total.written > 0);
    let rows = if output.exists() { json_lines(&output) } else { Vec::new() };
    Ok(RunResult { summary, rows, rejects: json_lines(&rejects) })
}

#[test]
fn a_page_that_makes_us_panic_costs_itself_and_no_other() {
    static FRAGILE: FragileExtractor =
        FragileExtractor { word: "glasshouse", payload: || Box::new("glass") };
    let whole = run_sample(EXTRACTORS[0], &settings(), 1).unwrap();
    let limited = Settings { limit: Some(1000), ..settings() };
    for (settings, threads) in [(settings(), 1), (settings(), 3), (limited, 2)] {
        let ran = run_sample(&FRAGILE, &settings, threads).unwrap();
        let total = &ran.summary.total;
        assert_eq!((total.count(Reason::Panic), total.total(RejectionKind::Failed)), (1, 1));
        assert_eq!(total.written, whole.summary.total.written - 1);
        assert!(total.is_balanced());
        let lost: Vec<_> = whole.rows.iter().filter(|row| !ran.rows.contains(row)).collect();
        assert_eq!((lost.len(), ran.rows.len()), (1, whole.rows.len() - 1));
        let reject = ran.rejects.iter().find(|reject| reject["reason"] == "panic").unwrap();
        assert_eq!(reject["url"], lost[0]["url"]);
        assert_eq!(reject["offset"], lost[0]["warc_record_offset"]);
    }
}

#[test]
fn when_every_page_makes_us_panic_the_run_still_ends() {
    static FRAGILE: FragileExtractor = FragileExtractor { word: "", payload: || Box::new(0) };
    let ran = run_sample(&FRAGILE, &settings(), 2).unwrap();
    assert_eq!((ran.summary.total.count(Reason::Panic), ran.rows.len()), (41, 0));
}

#[test]
fn a_worker_that_dies_ends_the_run_and_does_not_hang_it() {
    for threads in [1, 2, 4] {
        static FRAGILE: FragileExtractor =
            FragileExtractor { word: "glasshouse", payload: || Box::new(Bomb) };
        let result = run_sample(&FRAGILE, &settings(), threads);
        assert!(matches!(result.map(|_| ()).unwrap_err(), RunError::Worker(_)));
    }
}

#[test]
fn the_second_pass_over_the_batches_allocates_nothing() {
    let plan = Plan::new(&[sample()], &PlanOptions::default()).unwrap();
    for compression in
        [Compression::Zstd { level: 1 }, Compression::Gzip { level: 1 }, Compression::None]
    {
        let extractors = EXTRACTORS.to_vec();
        let settings = Settings {
            compression,
            extractors,
            html: true,
            source_html: true,
            blocks: true,
            digest: true,
            ..settings()
        };
        let budget = Budget::new(1 << 40, MemoryNeed::new(1 << 30, 1 << 30, 20));
        let budget = &budget;
        let layout = &settings.layout(String::new());
        // The slowest pages are noted, which allocates. No page is slower than these.
        let clocks = Clocks::default();
        for _ in 0..huller_run::slowest_pages::MAX_PAGES {
            clocks.slowest.note_page(Duration::from_hours(24), "", None, Position::default());
        }
        let context = Context {
            plan: &plan,
            settings: &settings,
            format: JSONL,
            names: &OutputNames::new(Vec::new()),
            layout,
            no_empty_inputs: false,
            writes_rejects: true,
            max_dropped_rows: None,
            signatures: None,
            budget,
            clocks: &clocks,
        };
        let mut input = Input::open(&sample(), &settings.limits).unwrap();
        let mut items = Vec::new();
        loop {
            let mut item = WorkItem::default();
            if !input.next_batch(&mut item.batch).unwrap() {
                break;
            }
            items.push(item);
        }
        let mut tools = ThreadTools::new(&context);
        let mut pass = |items: &mut [WorkItem]| {
            let before = count();
            let mut written = 0;
            for item in items {
                item.batch_output.clear();
                tools.process(&context, item);
                assert_eq!(item.batch_output.stopped_at, None);
                written += item.batch_output.counters.written;
            }
            (written, count() - before)
        };
        let (written, first) = pass(&mut items);
        assert!(
            written == 41 && first > 0 && items.len() > 10,
            "{written} rows, {first} allocations"
        );
        assert_eq!(pass(&mut items), (41, 0), "{compression:?}");
    }
}
