//! A worker that has seen some rows passes them through all stages again without allocating.

mod every;

use every::all_stages;
use huller_refine::{RowInProgress, RowStage, Signals, StagePhase, Text};
use huller_testkit::allocations::{CountingAllocator, count};

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

/// Rows that are kept, dropped for several reasons, and changed by every stage that changes texts.
fn texts() -> Vec<String> {
    let good =
        "The man and the dog went to the sea with joy, and had a good day there in the sun. ";
    let changes = "Ann\u{1} wrote cafÃ© to a@b.org [12] from 8.8.8.8, call 555 123 4567. e\u{301}\nWe use cookies here.\n";
    let mut texts = vec![String::new(), " \n".to_owned(), good.to_owned()];
    for n in [1, 3, 40] {
        texts.push(format!("{changes}{}", good.repeat(n)));
        texts.push(format!("{}\n{changes}", "今天下雨，河水上涨。\u{1F600} ก็ดี\n".repeat(n)));
        texts
            .push((0..n * 20).map(|n| ["w", &n.to_string(), " is a number.\n"].concat()).collect());
    }
    texts
}

/// Passes all texts through all stages and returns the number of allocations.
fn pass(
    stages: &mut [(StagePhase, Box<dyn RowStage>)],
    texts: &[String],
    row: &mut Text,
    signals: &mut Signals,
    form: &mut String,
) -> usize {
    let before = count();
    for text in texts {
        row.begin().push_str(text);
        signals.clear();
        for (_, stage) in &mut *stages {
            let row_in_progress = RowInProgress::from_text(row, signals);
            stage.apply(&mut RowInProgress {
                url: Some("http://site.test/a?b=c"),
                ..row_in_progress
            });
            form.clear();
            stage.rewrite(text, form);
        }
    }
    count() - before
}

#[test]
fn the_second_pass_allocates_nothing() {
    let texts = texts();
    for mut signals in [Signals::disabled(), Signals::enabled()] {
        let mut stages: Vec<_> =
            all_stages().iter().map(|stage| (stage.phase(), stage.worker())).collect();
        let (mut row, mut form) = (Text::default(), String::new());
        assert!(pass(&mut stages, &texts, &mut row, &mut signals, &mut form) > 0);
        // The two buffers of a row change places, so that both grow takes two passes.
        pass(&mut stages, &texts, &mut row, &mut signals, &mut form);
        assert_eq!(pass(&mut stages, &texts, &mut row, &mut signals, &mut form), 0);
    }
}
