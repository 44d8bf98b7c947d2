//! Measures a whole run with one worker: from the file to compressed rows on disk, including the
//! renaming and the journal.
//!
//! With a file as small as the sample, most of the time goes into starting threads and syncing
//! files. Set `HULLER_CORPUS` to measure the cost per page.

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use huller_benches::Corpus;
use huller_extract::EXTRACTORS;
use huller_pipeline::{Options, OutputTo, Plan, PlanOptions, Settings, SilentMonitor, run};
use huller_row::formats;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use tempfile::TempDir;

fn pipeline(criterion: &mut Criterion) {
    let corpus = Corpus::load();
    let plan = Plan::new(std::slice::from_ref(&corpus.path), &PlanOptions::default())
        .expect("the file was read before");
    let options = Options { threads: 1, ..Options::default() };
    let expected = (corpus.record_count(), corpus.pages.len() as u64);

    let mut group = criterion.benchmark_group("pipeline");
    group.throughput(Throughput::Bytes(corpus.page_bytes()));
    group.sample_size(20);
    for format in ["jsonl", "parquet", "arrow", "csv", "wet", "text"] {
        let format = formats::find(format).expect("it is a format");
        let compression = format.compressions()[0];
        let settings = Settings { format, compression, ..Settings::new(vec![EXTRACTORS[0]]) };
        // The name of earlier figures of the default.
        let name = if format.name() == "jsonl" { "run" } else { format.name() };
        group.bench_function(name, |bencher| {
            bencher.iter_batched(
                || tempfile::tempdir().expect("there is room for a folder"),
                |folder: TempDir| {
                    let to = OutputTo::Folder(folder.path().to_owned());
                    let summary = run(
                        &plan,
                        &settings,
                        &to,
                        &options,
                        &mut SilentMonitor,
                        &Arc::new(AtomicBool::new(false)),
                    );
                    let total = summary.expect("the run ends well").total;
                    assert_eq!((total.records, total.written), expected);
                    // Returned, so that removing the folder is not measured.
                    folder
                },
                BatchSize::PerIteration,
            );
        });
    }
    group.finish();
}

criterion_group!(benches, pipeline);
criterion_main!(benches);
