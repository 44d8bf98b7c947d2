//! The invariants of passages: on generated Markdown, on the documents of this repository, and on
//! rows of your own.
//!
//! A normal run generates some hundred texts, one with `HULLER_FULL` set 10,000. To check rows with
//! Markdown, name a file of JSON Lines in `HULLER_ROWS` and run the ignored test.

mod check;
mod generated;

use check::{Measure, Seen};
use huller_passages::{PassageSettings, Source, Splitter};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestCaseError};
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

fn cases() -> Config {
    let cases = if std::env::var_os("HULLER_FULL").is_some() { 10_000 } else { 300 };
    Config { cases, failure_persistence: None, max_shrink_iters: 2_000, ..Config::default() }
}

fn settings(tokenizer: &str, max_tokens: u64) -> PassageSettings {
    let min_tokens = max_tokens / 4;
    let tokenizer = tokenizer.to_owned();
    PassageSettings { max_tokens, min_tokens, tokenizer, ..PassageSettings::default() }
}

fn check(
    settings: &PassageSettings,
    source: &Source<'_>,
    is_regular: bool,
) -> Result<Seen, String> {
    /// Splitters by their settings, since tokenizers take time to open.
    static SPLITTERS: Mutex<Vec<(PassageSettings, Splitter)>> = Mutex::new(Vec::new());
    let mut splitters = SPLITTERS.lock().expect("no test panics with it");
    let known = splitters.iter().find(|(known, _)| known == settings);
    let mut splitter = match known {
        Some((_, splitter)) => splitter.clone(),
        None => Splitter::new(settings).map_err(|error| error.to_string())?,
    };
    if known.is_none() && settings.tokenizer != "characters" {
        splitters.push((settings.clone(), splitter.clone()));
    }
    drop(splitters);
    let mut measure = Measure::new(&settings.tokenizer);
    let passages = check::any(&mut splitter, settings, source, &mut measure)?;
    if source.is_plain {
        check::plain(source, &passages, &mut measure, settings.max_tokens)
    } else if is_regular {
        check::structure(settings, source, &passages, &mut measure)
    } else {
        Ok(Seen::default())
    }
}

proptest! {
    #![proptest_config(cases())]

    #[test]
    fn generated_markdown_keeps_the_invariants(
        markdown in generated::markdown(),
        max_tokens in 60_u64..500,
        title in "([A-Z][a-z]{1,9} ?){0,5}",
    ) {
        let source = Source { id: "a", title: Some(&title), markdown: &markdown, ..Source::default() };
        check(&settings("characters", max_tokens), &source, true).map_err(TestCaseError::fail)?;
    }

    #[test]
    fn plain_text_keeps_the_invariants(
        markdown in prop_oneof![generated::markdown(), generated::noise()],
        max_tokens in 16_u64..300,
        title in "([A-Z][a-z]{1,9} ?){0,5}",
    ) {
        let source = Source { id: "a", title: Some(&title), markdown: &markdown, ..Source::default() };
        let source = Source { is_plain: true, ..source };
        check(&settings("characters", max_tokens), &source, true).map_err(TestCaseError::fail)?;
    }

    #[test]
    fn any_text_keeps_the_invariants(
        markdown in generated::noise(),
        text in generated::noise(),
        max_tokens in 16_u64..60,
        title in "\\PC{0,30}",
    ) {
        let source = Source { id: "a", title: Some(&title), markdown: &markdown, text: Some(&text), ..Source::default() };
        check(&settings("characters", max_tokens), &source, false).map_err(TestCaseError::fail)?;
    }
}

proptest! {
    #![proptest_config(Config { cases: cases().cases / 10, ..cases() })]

    #[test]
    fn tokens_keep_the_invariants(
        markdown in generated::markdown(),
        noise in generated::noise(),
        max_tokens in prop::sample::select(vec![60, 75, 100, 160]),
        title in "([A-Z][a-z]{1,9} ?){0,5}",
    ) {
        let source = Source { id: "a", title: Some(&title), markdown: &markdown, ..Source::default() };
        check(&settings("gpt2", max_tokens), &source, true).map_err(TestCaseError::fail)?;
        let plain = Source { is_plain: true, ..source };
        check(&settings("gpt2", max_tokens), &plain, true).map_err(TestCaseError::fail)?;
        let source = Source { markdown: &noise, ..source };
        check(&settings("gpt2", 16), &source, false).map_err(TestCaseError::fail)?;
    }

    #[test]
    fn an_overlap_repeats_whole_sentences_of_one_section(
        markdown in generated::markdown(),
        max_tokens in 60_u64..500,
    ) {
        let settings = PassageSettings { overlap: max_tokens / 3, ..settings("characters", max_tokens) };
        let source = Source { id: "a", markdown: &markdown, ..Source::default() };
        let mut splitter = Splitter::new(&settings).unwrap();
        let passages = check::any(&mut splitter, &settings, &source, &mut Measure::Characters)
            .map_err(TestCaseError::fail)?;
        let mut end = 0;
        for passage in &passages {
            prop_assert!(passage.start <= end && passage.end > end);
            let repeated: String = passage.text.chars().take((end - passage.start) as usize).collect();
            prop_assert!(repeated.chars().count() as u64 <= settings.overlap);
            prop_assert!(!repeated.lines().any(|line| line.starts_with('#')));
            end = passage.end;
        }
        prop_assert_eq!(end, markdown.chars().count() as u64);
    }
}

/// Returns the Markdown documents of the repository.
fn documents() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let files = |folder: &Path| {
        let files = std::fs::read_dir(folder).expect("the folder is there");
        let files = files.map(|file| file.expect("a file is there").path());
        files.filter(|file| file.extension().is_some_and(|end| end == "md")).collect::<Vec<_>>()
    };
    let mut all = files(&root);
    all.extend(files(&root.join("docs")));
    all.sort();
    all
}

#[test]
fn the_documents_of_this_repository_keep_the_invariants() {
    let mut whole = 0;
    for document in documents() {
        let markdown = std::fs::read_to_string(&document).unwrap();
        let source =
            Source { id: "a", title: Some("huller"), markdown: &markdown, ..Source::default() };
        for (tokenizer, max_tokens) in
            [("characters", 1_200), ("characters", 300), ("gpt2", 300), ("gpt2", 40)]
        {
            let seen = check(&settings(tokenizer, max_tokens), &source, true);
            let seen = seen.unwrap_or_else(|problem| panic!("{}: {problem}", document.display()));
            whole += seen.whole_units;
        }
    }
    assert!(whole > 1_000);
}

#[test]
#[ignore = "needs rows with Markdown: HULLER_ROWS=FILE.jsonl"]
fn your_rows_keep_the_invariants() {
    let rows = std::env::var_os("HULLER_ROWS").expect("HULLER_ROWS names a file");
    let rows = BufReader::new(std::fs::File::open(rows).unwrap());
    let (mut pages, mut total, mut problems) = (0, Seen::default(), 0);
    let mut settings: Vec<_> = [("characters", 1_200), ("gpt2", 300)]
        .map(|(tokenizer, max)| {
            let settings = settings(tokenizer, max);
            (Splitter::new(&settings).unwrap(), Measure::new(tokenizer), settings)
        })
        .into();
    for row in rows.lines() {
        let row: serde_json::Value = serde_json::from_str(&row.unwrap()).unwrap();
        let text = |name: &str| row[name].as_str();
        let source = Source {
            id: text("id").unwrap_or_default(),
            url: text("url"),
            title: text("title"),
            language: text("language"),
            markdown: text("markdown").unwrap_or_default(),
            text: text("text"),
            ..Source::default()
        };
        pages += 1;
        for (splitter, measure, settings) in &mut settings {
            let seen = check::any(splitter, settings, &source, measure)
                .and_then(|passages| check::structure(settings, &source, &passages, measure));
            match seen {
                Ok(seen) => {
                    total.passages += seen.passages;
                    total.heading_runs += seen.heading_runs;
                    total.cut_units += seen.cut_units;
                    total.whole_units += seen.whole_units;
                    total.aligned += seen.aligned;
                    total.tokens += seen.tokens;
                }
                Err(problem) => {
                    problems += 1;
                    if problems < 6 {
                        println!("{}: {problem}", source.id);
                    }
                }
            }
        }
    }
    println!("{pages} pages: {total:?}");
    assert_eq!(problems, 0);
}
