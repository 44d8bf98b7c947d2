//! Measures stages on rows: the time of a row with 7 KB of text.
//!
//! `match` has lists of 100,000 words, with and without regard to case, at boundaries of words and
//! anywhere. It counts all matches, as a run with signals does. A run without signals stops at the
//! first match that decides.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use huller_refine::stages::{GopherQuality, Match, MatchAction, MatchRuleSettings, MatchSettings};
use huller_refine::{RowInProgress, Signals, Stage, Text};
use std::hint::black_box;

/// Words of a list.
const LISTED: usize = 100_000;

/// Bytes of a text.
const TEXT: usize = 7 << 10;

/// Makes numbers by a linear congruence.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, most: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % most
    }

    /// Makes a word of one to four syllables. Most words are short, as in a language.
    fn word(&mut self) -> String {
        const SYLLABLES: [&str; 24] = [
            "the", "an", "er", "in", "ma", "ti", "on", "st", "re", "lo", "ve", "ing", "con", "de",
            "pro", "ra", "se", "al", "un", "li", "co", "be", "ness", "ly",
        ];
        let syllables = 1 + self.below(4).min(self.below(4) + 1);
        (0..syllables).map(|_| SYLLABLES[self.below(SYLLABLES.len())]).collect()
    }
}

/// Returns a list of different words and a text of which one word in eight is listed.
fn made() -> (Vec<String>, String) {
    let mut numbers = Numbers(1);
    // No other word of the text has a digit, so that the number of matches is known.
    let words: Vec<_> = (0..LISTED).map(|at| format!("{}{at}", numbers.word())).collect();
    let mut text = String::new();
    while text.len() < TEXT {
        let end = [" ", " ", " ", " ", " ", ", ", ". ", "\n"][numbers.below(8)];
        match numbers.below(8) {
            0 => text.push_str(&words[numbers.below(LISTED)]),
            _ => text.push_str(&numbers.word()),
        }
        text.push_str(end);
    }
    (words, text)
}

fn stages(criterion: &mut Criterion) {
    let (words, content) = made();
    let is_listed = |word: &&str| word.contains(|c: char| c.is_ascii_digit());
    let listed = content.split([' ', ',', '.', '\n']).filter(is_listed).count();
    let rule = |rule: MatchRuleSettings| {
        let rule = MatchRuleSettings { action: MatchAction::Annotate, ..rule };
        let settings = MatchSettings { rules: [("list".to_owned(), rule)].into() };
        Match::new(settings).expect("the rule is valid")
    };
    let whole = MatchRuleSettings { words: words.clone(), ..MatchRuleSettings::default() };
    let cases: [(&str, Box<dyn Stage>, Option<usize>); 5] = [
        ("match 100,000 words", Box::new(rule(whole.clone())), Some(listed)),
        (
            "match 100,000 words, ignoring case",
            Box::new(rule(MatchRuleSettings { ignore_case: true, ..whole.clone() })),
            Some(listed),
        ),
        (
            "match 100,000 words anywhere",
            Box::new(rule(MatchRuleSettings { whole_words: false, ..whole })),
            None,
        ),
        (
            "match one expression",
            Box::new(rule(MatchRuleSettings {
                patterns: vec![r"[a-z]+[0-9]+".to_owned()],
                ..MatchRuleSettings::default()
            })),
            None,
        ),
        ("gopher-quality", Box::new(GopherQuality::default()), None),
    ];
    let mut group = criterion.benchmark_group("stages");
    group.throughput(Throughput::Bytes(content.len() as u64));
    for (name, stage, expected) in &cases {
        let (mut worker, mut text, mut signals) =
            (stage.worker(), Text::default(), Signals::enabled());
        text.begin().push_str(&content);
        worker.apply(&mut RowInProgress::from_text(&mut text, &mut signals));
        if let Some(expected) = expected {
            assert_eq!(signals.get("match.list"), Some(*expected as f64), "{name}");
        }
        group.bench_function(*name, |bencher| {
            bencher.iter(|| {
                text.begin().push_str(black_box(&content));
                signals.clear();
                worker.apply(&mut RowInProgress::from_text(&mut text, &mut signals))
            });
        });
    }
    group.finish();
}

criterion_group!(benches, stages);
criterion_main!(benches);
