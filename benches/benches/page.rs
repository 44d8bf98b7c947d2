//! Measures the step from pages to columns.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use huller_benches::Corpus;
use huller_page::PageBuf;

/// The sum over the columns of all pages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Totals {
    pages: usize,
    nodes: usize,
    runs: usize,
    chars: u64,
}

fn fill(pages: &[String], buffer: &mut PageBuf) -> Totals {
    let mut sum = Totals::default();
    for html in pages {
        let page = buffer.fill(html);
        sum.pages += 1;
        sum.nodes += page.nodes().len();
        sum.runs += page.runs().len();
        sum.chars += page.runs().iter().map(|run| u64::from(run.counts.chars)).sum::<u64>();
    }
    sum
}

fn page(criterion: &mut Criterion) {
    let corpus = Corpus::load();
    let mut buffer = PageBuf::new();
    let expected = fill(&corpus.pages, &mut buffer);
    assert_eq!(expected.pages, corpus.pages.len());
    assert!(
        expected.runs > 10 * expected.pages && expected.chars > expected.runs as u64,
        "{expected:?}"
    );

    let mut group = criterion.benchmark_group("page");
    group.throughput(Throughput::Bytes(corpus.page_bytes()));
    group.bench_function("fill", |bencher| {
        bencher.iter(|| assert_eq!(fill(&corpus.pages, &mut buffer), expected));
    });
    group.finish();
}

criterion_group!(benches, page);
criterion_main!(benches);
