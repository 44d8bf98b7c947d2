//! Measures the step from pages to tokens.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use huller_benches::Corpus;
use huller_page::{Attributes, Token, Tokenizer};
use std::hint::black_box;

/// The sum over the tokens of the pages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Totals {
    pages: usize,
    start_tags: usize,
    attributes: usize,
    bytes_read: u64,
}

fn read(pages: &[String], attributes: &mut Attributes) -> Totals {
    let mut sum = Totals::default();
    for page in pages {
        let mut tokenizer = Tokenizer::new(page);
        while let Some(token) = tokenizer.next(attributes) {
            if let Token::Start { .. } = black_box(token) {
                sum.start_tags += 1;
                sum.attributes += attributes.list().len();
            }
        }
        sum.pages += 1;
        sum.bytes_read += tokenizer.position() as u64;
    }
    sum
}

fn tokenizer(criterion: &mut Criterion) {
    let corpus = Corpus::load();
    let mut attributes = Attributes::default();
    let expected = read(&corpus.pages, &mut attributes);
    assert_eq!((expected.pages, expected.bytes_read), (corpus.pages.len(), corpus.page_bytes()));
    assert!(expected.start_tags > 10 * expected.pages, "{expected:?}");

    let mut group = criterion.benchmark_group("tokenizer");
    group.throughput(Throughput::Bytes(corpus.page_bytes()));
    group.bench_function("tokens", |bencher| {
        bencher.iter(|| assert_eq!(read(&corpus.pages, &mut attributes), expected));
    });
    group.finish();
}

criterion_group!(benches, tokenizer);
criterion_main!(benches);
