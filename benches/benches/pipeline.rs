//! A whole run on one worker: from the file to compressed rows on disk, the renaming and the journal included.
//!
//! Of a file as small as the sample that is mostly threads that start and files that reach the disk; what a page costs is
//! seen with `HULLER_CORPUS`.

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use huller_benches::Corpus;
use huller_extract::METHODS;
use huller_pipeline::{Options, OutputTo, Plan, PlanOptions, Settings, Silent, run};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use tempfile::TempDir;

fn pipeline(criterion: &mut Criterion) {
    let corpus = Corpus::load();
    let plan = Plan::new(std::slice::from_ref(&corpus.path), &PlanOptions::default())
        .expect("the file was read before");
    let settings = Settings::new(vec![&METHODS[0]]);
    let options = Options { threads: 1, ..Options::default() };
    let expected = (corpus.record_count(), corpus.pages.len() as u64);

    let mut group = criterion.benchmark_group("pipeline");
    group.throughput(Throughput::Bytes(corpus.page_bytes()));
    group.sample_size(20);
    group.bench_function("run", |bencher| {
        bencher.iter_batched(
            || tempfile::tempdir().expect("there is room for a folder"),
            |folder: TempDir| {
                let to = OutputTo::Folder(folder.path().to_owned());
                let summary = run(
                    &plan,
                    &settings,
                    &to,
                    &options,
                    &mut Silent,
                    &Arc::new(AtomicBool::new(false)),
                );
                let total = summary.expect("the run ends well").total;
                assert_eq!((total.records, total.written), expected);
                // Returned, so that it is not removed within what is measured.
                folder
            },
            BatchSize::PerIteration,
        );
    });
    group.finish();
}

criterion_group!(benches, pipeline);
criterion_main!(benches);
