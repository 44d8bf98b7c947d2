//! `language-peers ENGINE FILE` identifies each text of a file (one per line, in the last
//! tab-separated field) and writes `code<TAB>score` per line. `language-peers ENGINE FILE ROUNDS`
//! repeats this, and writes the nanoseconds per text of the fastest round.

use huller_refine::language::{Identifier, Scratch};
use std::fmt::Write as _;
use std::time::Instant;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, engine, file, rest @ ..] = &arguments[..] else {
        return Err("usage: language-peers huller|whatlang|whichlang|lingua FILE [ROUNDS]".into());
    };
    let file = std::fs::read_to_string(file)?;
    // U+2028 replaces line breaks inside a text, so that each text is one line.
    let texts: Vec<String> = file
        .lines()
        .map(|line| line.rsplit('\t').next().unwrap_or("").replace('\u{2028}', "\n"))
        .collect();
    let mut identify = engine_of(engine)?;
    let Some(rounds) = rest.first() else {
        let mut out = String::new();
        for text in &texts {
            let (code, score) = identify(text);
            writeln!(out, "{code}\t{score:.4}")?;
        }
        print!("{out}");
        return Ok(());
    };
    let mut best = u128::MAX;
    for _ in 0..rounds.parse::<usize>()? {
        let start = Instant::now();
        for text in &texts {
            std::hint::black_box(identify(std::hint::black_box(text)));
        }
        best = best.min(start.elapsed().as_nanos());
    }
    println!("{}", best / texts.len() as u128);
    Ok(())
}

type Identify = Box<dyn FnMut(&str) -> (String, f64)>;

fn engine_of(name: &str) -> Result<Identify, String> {
    let none = || ("und".to_owned(), 0.0);
    Ok(match name {
        "huller" => {
            let file = std::env::var("TABLES")
                .ok()
                .map(|path| std::fs::read(path).expect("tables can be read"));
            let other = file.map(|bytes| Identifier::read(&bytes).expect("tables are sound"));
            let identifier: &'static Identifier = match other {
                Some(other) => Box::leak(Box::new(other)),
                None => Identifier::built_in(),
            };
            let mut memory = Scratch::default();
            Box::new(move |text| {
                let found = identifier.identify(text, &mut memory);
                found.map_or_else(none, |found| (found.code.to_string(), f64::from(found.score)))
            })
        }
        "whatlang" => Box::new(move |text| {
            whatlang::detect(text)
                .map_or_else(none, |found| (found.lang().code().to_owned(), found.confidence()))
        }),
        "whichlang" => {
            Box::new(|text| (whichlang::detect_language(text).three_letter_code().to_owned(), 1.0))
        }
        "lingua" | "lingua-low" => {
            let mut builder = lingua::LanguageDetectorBuilder::from_all_languages();
            builder.with_preloaded_language_models();
            if name == "lingua-low" {
                builder.with_low_accuracy_mode();
            }
            let detector = builder.build();
            Box::new(move |text| {
                detector.detect_language_of(text).map_or_else(none, |language| {
                    (language.iso_code_639_3().to_string().to_lowercase(), 1.0)
                })
            })
        }
        other => return Err(format!("unknown engine '{other}'")),
    })
}
