//! Measures the steps from columns to selections, and from selections to text. Filling the columns
//! is not measured.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use huller_benches::Corpus;
use huller_extract::{EXTRACTORS, Extractor, Profile, Renderer, Selection};
use huller_page::{Page, PageBuf};

/// The sum over the selections or the texts of all pages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Totals {
    pages: usize,
    selected: usize,
    removed: usize,
    text: usize,
}

fn extract(pages: &[Page<'_>], worker: &mut dyn Extractor, selection: &mut Selection) -> Totals {
    let mut sum = Totals::default();
    for page in pages {
        worker.extract(page, selection);
        sum.pages += 1;
        sum.selected += selection.roots.len();
        sum.removed += selection.removed.len();
    }
    sum
}

fn render(
    pages: &[Page<'_>],
    selections: &[Selection],
    renderer: &mut Renderer,
    text: &mut String,
) -> Totals {
    let mut sum = Totals::default();
    for (page, selection) in pages.iter().zip(selections) {
        text.clear();
        renderer.text(page, selection, text);
        sum.pages += 1;
        sum.text += text.len();
    }
    sum
}

fn extractors(criterion: &mut Criterion) {
    let corpus = Corpus::load();
    let mut buffers: Vec<PageBuf> = corpus.pages.iter().map(|_| PageBuf::new()).collect();
    let pages: Vec<Page<'_>> =
        buffers.iter_mut().zip(&corpus.pages).map(|(buffer, html)| buffer.fill(html)).collect();
    let mut selection = Selection::default();
    let (mut renderer, mut text) = (Renderer::default(), String::new());

    for extractor in EXTRACTORS {
        for profile in [Profile::Paper, Profile::Tuned] {
            let mut worker = extractor.worker(profile);
            let name = extractor.name();
            let expected = extract(&pages, &mut *worker, &mut selection);
            assert_eq!(expected.pages, corpus.pages.len(), "{name}");
            assert!(
                expected.selected * 2 > expected.pages,
                "{name} selects hardly anything: {expected:?}"
            );

            let mut group = criterion.benchmark_group("extract");
            group.throughput(Throughput::Bytes(corpus.page_bytes()));
            group.bench_function(BenchmarkId::new(name, profile.name()), |bencher| {
                bencher.iter(|| {
                    assert_eq!(extract(&pages, &mut *worker, &mut selection), expected);
                });
            });
            group.finish();

            let selections: Vec<Selection> = pages
                .iter()
                .map(|page| {
                    worker.extract(page, &mut selection);
                    selection.clone()
                })
                .collect();
            let expected = render(&pages, &selections, &mut renderer, &mut text);
            assert_eq!(expected.pages, corpus.pages.len(), "{name}");
            assert!(
                expected.text > 100 * expected.pages,
                "{name} leaves hardly any text: {expected:?}"
            );

            let mut group = criterion.benchmark_group("render");
            group.throughput(Throughput::Bytes(corpus.page_bytes()));
            group.bench_function(BenchmarkId::new(name, profile.name()), |bencher| {
                bencher.iter(|| {
                    assert_eq!(render(&pages, &selections, &mut renderer, &mut text), expected);
                });
            });
            group.finish();
        }
    }
}

criterion_group!(benches, extractors);
criterion_main!(benches);
