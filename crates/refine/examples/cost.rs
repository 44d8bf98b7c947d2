//! Prints the cost of each part of the stages, in microseconds a row on one thread.
//!
//! ```sh
//! cargo run --release -p huller-refine --example cost -- TEXTS.jsonl [PASSES [WORDS.txt]]
//! ```
//!
//! Each line of TEXTS is a JSON object with a key `text`. Every part is measured over all texts,
//! PASSES times (7). The fastest pass counts, since other programs disturb the slower ones. Before
//! each part the text is copied into the row. The first line of the table is the cost of that copy,
//! which is subtracted from the other lines. Parts named `after …` reuse words that were found
//! before. With a list of words, the stage `match` finds and counts all of them.
#![expect(clippy::print_stdout, reason = "a program that prints a table")]

use huller_refine::signature::{Hash, SignatureSettings};
use huller_refine::stages::{
    C4, FineWeb, GopherQuality, GopherRepetition, Lines, Mask, Match, MatchAction,
    MatchRuleSettings, MatchSettings, Normalise, Signature,
};
use huller_refine::{Decision, RowInProgress, RowStage, Signals, Stage, Text};
use std::error::Error;
use std::hint::black_box;
use std::path::PathBuf;
use std::time::Instant;

#[derive(serde::Deserialize)]
struct Row {
    text: String,
}

/// The rows of one worker.
#[derive(Default)]
struct Bench {
    texts: Vec<String>,
    passes: usize,
    row: Text,
    signals: Signals,
    copying: f64,
}

impl Bench {
    /// Returns the time of the fastest pass over all texts, in microseconds a row.
    fn fastest(&mut self, mut part: impl FnMut(&mut Text, &mut Signals)) -> f64 {
        let passes = (0..self.passes).map(|_| {
            let begin = Instant::now();
            for text in &self.texts {
                self.row.begin().push_str(text);
                part(&mut self.row, &mut self.signals);
            }
            begin.elapsed().as_secs_f64() * 1e6 / self.texts.len() as f64
        });
        passes.fold(f64::INFINITY, f64::min)
    }

    fn report(&mut self, name: &str, part: impl FnMut(&mut Text, &mut Signals)) -> f64 {
        let cost = self.fastest(part) - self.copying;
        println!("{name:<40} {cost:>8.1}");
        cost
    }

    /// Measures a stage alone, and the same stage after the words are numbered.
    fn stage(&mut self, stage: &dyn Stage, (words, numbered): (f64, f64)) {
        let mut worker = stage.worker();
        let mut dropped = 0;
        let passes = self.passes;
        self.report(stage.name(), |text, signals| {
            dropped += usize::from(apply(worker.as_mut(), text, signals) != Decision::Keep);
        });
        println!("{:<40} {:>8}", "  rows dropped", dropped / passes);
        let after = self.fastest(|text, signals| {
            black_box(text.words());
            apply(worker.as_mut(), text, signals);
        });
        println!("{:<40} {:>8.1}", "  after words", after - self.copying - words);
        let after = self.fastest(|text, signals| {
            black_box(text.numbered_words());
            apply(worker.as_mut(), text, signals);
        });
        println!("{:<40} {:>8.1}", "  after words and numbers", after - self.copying - numbered);
    }
}

/// Measures the stage `match` with a list of words.
fn measure_match(bench: &mut Bench, list: PathBuf) -> Result<(), Box<dyn Error>> {
    let rule = MatchRuleSettings {
        word_files: vec![list],
        action: MatchAction::Annotate,
        ..MatchRuleSettings::default()
    };
    let anywhere = MatchRuleSettings { whole_words: false, ..rule.clone() };
    let ignoring_case = MatchRuleSettings { ignore_case: true, ..rule.clone() };
    for (name, rule) in [
        ("match, whole words", rule),
        ("match, whole words, ignoring case", ignoring_case),
        ("match, anywhere", anywhere),
    ] {
        let begin = Instant::now();
        let stage = Match::new(MatchSettings { rules: [("list".to_owned(), rule)].into() })?;
        println!("{:<40} {:>8.1}", "  seconds to read the list", begin.elapsed().as_secs_f64());
        let (mut worker, mut signals) = (stage.worker(), Signals::enabled());
        let mut matches = 0.;
        let passes = bench.passes;
        bench.report(name, |text, _| {
            signals.clear();
            apply(worker.as_mut(), text, &mut signals);
            matches += signals.get("match.list").unwrap_or_default();
        });
        let of_row = matches / (passes * bench.texts.len()) as f64;
        println!("{:<40} {of_row:>8.1}", "  matches of a row");
    }
    Ok(())
}

fn apply(worker: &mut dyn RowStage, text: &mut Text, signals: &mut Signals) -> Decision {
    worker.apply(&mut RowInProgress::from_text(text, signals))
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().ok_or("name a file of texts")?;
    let passes = arguments.next().map_or(Ok(7), |passes| passes.parse())?;
    let list = arguments.next().map(PathBuf::from);
    let lines = std::fs::read_to_string(path)?;
    let texts: Result<Vec<Row>, _> = lines.lines().map(serde_json::from_str).collect();
    let texts: Vec<String> = texts?.into_iter().map(|row| row.text).collect();
    let bytes: usize = texts.iter().map(String::len).sum();
    println!("{} texts of {} bytes", texts.len(), bytes / texts.len().max(1));
    let mut bench = Bench { texts, passes, ..Bench::default() };

    bench.copying = bench.fastest(|text, _| {
        black_box(text.as_str());
    });
    println!("{:<40} {:>8.1}", "copying the text", bench.copying);
    bench.report("characters", |text, _| {
        black_box(text.chars());
    });
    let words = bench.report("words", |text, _| {
        black_box(text.words());
    });
    let numbered = bench.report("words and numbers", |text, _| {
        black_box(text.numbered_words());
    });
    let datatrove = SignatureSettings { hash: Hash::Datatrove, ..SignatureSettings::default() };
    let stages: [Box<dyn Stage>; 9] = [
        Box::new(Normalise::default()),
        Box::new(GopherRepetition::default()),
        Box::new(GopherQuality::default()),
        Box::new(C4::default()),
        Box::new(FineWeb::default()),
        Box::new(Lines::default()),
        Box::new(Mask::default()),
        Box::new(Signature::new(SignatureSettings::default())?),
        Box::new(Signature::new(datatrove)?),
    ];
    for stage in &stages {
        bench.stage(stage.as_ref(), (words, numbered));
    }
    let mut workers: Vec<_> = stages[1..5].iter().map(|stage| stage.worker()).collect();
    bench.report("repetition, quality, c4, fineweb, all", |text, signals| {
        for worker in &mut workers {
            apply(worker.as_mut(), text, signals);
        }
    });
    if let Some(list) = list {
        measure_match(&mut bench, list)?;
    }
    bench.report("the same up to the first that drops", |text, signals| {
        for worker in &mut workers {
            if apply(worker.as_mut(), text, signals) != Decision::Keep {
                break;
            }
        }
    });
    Ok(())
}
