//! Measures the step from compressed members to records: the fast path alone.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use huller_archive::{
    Batch, Fault, Input, Limits, Packing, Position, Record, UnpackResult, Unpacker, Visitor,
};
use huller_benches::Corpus;
use huller_row::{Compression, Compressor};

/// The records and bytes that the visitor received.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Totals {
    records: u64,
    bytes: u64,
}

impl Visitor for Totals {
    fn record(&mut self, record: Record<'_>) {
        self.records += 1;
        self.bytes += (record.header.len() + record.block.len()) as u64;
    }

    fn line(&mut self, _: &[u8], _: Position) {
        panic!("the corpus must be a WARC");
    }

    fn fault(&mut self, fault: &Fault) {
        panic!("the corpus is damaged: {}", fault.detail);
    }
}

/// Returns the batches into which the file is cut for workers.
fn gzip_batches(corpus: &Corpus, limits: &Limits) -> Vec<Batch> {
    let mut input = Input::open(&corpus.path, limits).expect("the file was read before");
    let mut batches = Vec::new();
    loop {
        let mut batch = Batch::default();
        if !input.next_batch(&mut batch).expect("the file was read before") {
            return batches;
        }
        assert!(
            matches!(batch.packing, Packing::Gzip),
            "the corpus must be a record-compressed .warc.gz"
        );
        batches.push(batch);
    }
}

/// Returns the same records, one zstd frame per record.
fn zstd_batches(corpus: &Corpus, limits: &Limits) -> Vec<Batch> {
    let mut compressor = Compressor::new(Compression::Zstd { level: 3 });
    let mut batches = vec![Batch::default()];
    for record in &corpus.records {
        if batches[batches.len() - 1].bytes.len() > limits.batch_bytes {
            batches.push(Batch::default());
        }
        let last = batches.len() - 1;
        batches[last].packing = Packing::Zstd(None);
        compressor.frame(record, &mut batches[last].bytes);
    }
    batches
}

fn unpack(batches: &mut [Batch], unpacker: &mut Unpacker) -> Totals {
    let mut sum = Totals::default();
    for batch in batches {
        assert_eq!(unpacker.unpack(batch, &mut sum), UnpackResult::Complete);
    }
    sum
}

fn archive(criterion: &mut Criterion) {
    let corpus = Corpus::load();
    let limits = Limits::default();
    let mut unpacker = Unpacker::new(&limits);
    let line_ends = 4 * corpus.record_count();
    let bytes = corpus.records.iter().map(|record| record.len() as u64).sum::<u64>() - line_ends;
    let expected = Totals { records: corpus.record_count(), bytes };

    let mut group = criterion.benchmark_group("archive");
    group.throughput(Throughput::Bytes(corpus.page_bytes()));
    for (name, mut batches) in
        [("gzip", gzip_batches(&corpus, &limits)), ("zstd", zstd_batches(&corpus, &limits))]
    {
        group.bench_function(name, |bencher| {
            bencher.iter(|| assert_eq!(unpack(&mut batches, &mut unpacker), expected));
        });
    }
    group.finish();
}

criterion_group!(benches, archive);
criterion_main!(benches);
