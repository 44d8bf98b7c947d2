//! Makes random dirty corpora, and checks that all commands agree about them.
//! `huller_testkit::dirty` lists the conditions.
//!
//! ```text
//! dirty HULLER [OPTIONS]
//!
//! --seed 1            the first seed
//! --runs 1            how many seeds, from there
//! --jobs 1            how many at the same time
//! --folder DIR        keep the smallest failing corpora there, in place of the temporary folder
//! ```
//!
//! For every failing seed it prints the differences and the folder of the smallest failing corpus.
//! The exit status is 1 if a seed failed, and 2 if a seed could not be tried.

use huller_testkit::dirty::{DirtyCorpus, agree, shrink};
use huller_testkit::jobs::{exit_code, in_jobs};
use std::error::Error;
use std::io::{self, Write, stdout};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicU32, Ordering};

#[derive(Debug)]
struct Arguments {
    huller: PathBuf,
    seed: u32,
    runs: u32,
    jobs: usize,
    folder: PathBuf,
}

fn main() -> ExitCode {
    exit_code(run())
}

fn arguments(mut words: impl Iterator<Item = String>) -> Result<Arguments, Box<dyn Error>> {
    let huller = PathBuf::from(words.next().ok_or("expected `dirty HULLER`")?).canonicalize()?;
    let folder = std::env::temp_dir().join(format!("dirty-{}", std::process::id()));
    let mut parsed = Arguments { huller, seed: 1, runs: 1, jobs: 1, folder };
    while let Some(option) = words.next() {
        let value = words.next().ok_or_else(|| format!("{option} needs a value"))?;
        match option.as_str() {
            "--seed" => parsed.seed = value.parse()?,
            "--runs" => parsed.runs = value.parse()?,
            "--jobs" => parsed.jobs = value.parse()?,
            "--folder" => parsed.folder = value.into(),
            _ => return Err(format!("unknown option {option}").into()),
        }
    }
    Ok(parsed)
}

/// Tries all seeds. Returns whether all went right.
fn run() -> Result<bool, Box<dyn Error>> {
    let arguments = arguments(std::env::args().skip(1))?;
    std::fs::create_dir_all(&arguments.folder)?;
    let (next, failed_seeds) = (AtomicU32::new(arguments.seed), AtomicU32::new(0));
    let end = arguments.seed.saturating_add(arguments.runs);
    let work = |job: usize| -> io::Result<()> {
        let case_folder = arguments.folder.join(format!("case-{job}"));
        loop {
            let seed = next.fetch_add(1, Ordering::Relaxed);
            if seed >= end {
                break;
            }
            if !agrees_on_seed(seed, &arguments, &case_folder)? {
                failed_seeds.fetch_add(1, Ordering::Relaxed);
            }
        }
        if case_folder.exists() { std::fs::remove_dir_all(case_folder) } else { Ok(()) }
    };
    in_jobs(arguments.jobs, work)?;
    let failed_seeds = failed_seeds.into_inner();
    writeln!(stdout(), "seeds {} to {}: {failed_seeds} wrong", arguments.seed, end - 1)?;
    if failed_seeds == 0 {
        std::fs::remove_dir_all(&arguments.folder)?;
    }
    Ok(failed_seeds == 0)
}

/// Returns whether the commands agree about the corpus of this seed.
fn agrees_on_seed(seed: u32, arguments: &Arguments, case_folder: &Path) -> io::Result<bool> {
    let corpus = DirtyCorpus::new(seed);
    if agree(&arguments.huller, &corpus, case_folder)?.is_empty() {
        return Ok(true);
    }
    let kept_folder = arguments.folder.join(format!("seed-{seed}"));
    let (_, differences) = shrink(&arguments.huller, corpus, &kept_folder)?;
    let mut report = format!("seed {seed}: {}\n", kept_folder.display());
    for difference in &differences {
        report.extend(["  ", difference, "\n"]);
    }
    stdout().lock().write_all(report.as_bytes())?;
    Ok(false)
}
