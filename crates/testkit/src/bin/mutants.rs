//! Gives the program files with wrong values in their structure and damaged folders, and checks its
//! outcome.
//! `huller_testkit::mutants` lists the conditions.
//!
//! ```text
//! mutants HULLER [OPTIONS]
//!
//! --only parquet      one form: parquet, csv, zip, tar, run, dedup or index
//! --seed 1            the first seed
//! --runs 1            how many seeds of each form, from there
//! --jobs 1            how many at the same time
//! --folder DIR        leave the files that go wrong there, in place of the temporary folder
//! ```
//!
//! It prints the edits of every file that goes wrong, and what went wrong. The exit status is 1 if
//! a file went wrong, and 2 if one could not be tried.

use huller_testkit::jobs::{exit_code, in_jobs};
use huller_testkit::mutants::{FolderKind, FolderMutant, Mutant, MutantFormat};
use std::error::Error;
use std::io::{self, Write, stdout};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The form of a mutant.
#[derive(Clone, Copy, Debug)]
enum AnyForm {
    File(MutantFormat),
    Folder(FolderKind),
}

impl AnyForm {
    /// Returns all forms.
    fn all() -> Vec<AnyForm> {
        let folders = FolderKind::ALL.map(AnyForm::Folder);
        MutantFormat::ALL.map(AnyForm::File).into_iter().chain(folders).collect()
    }

    fn name(self) -> &'static str {
        match self {
            AnyForm::File(form) => form.name(),
            AnyForm::Folder(kind) => kind.name(),
        }
    }

    /// Judges the mutant of a seed in `folder`. Returns its edits and its faults.
    fn judge(
        self,
        seed: u32,
        huller: &Path,
        folder: &Path,
    ) -> io::Result<(Vec<String>, Vec<String>)> {
        match self {
            AnyForm::File(form) => {
                let mutant = Mutant::new(form, seed);
                let faults = mutant.judge(huller, folder)?;
                Ok((mutant.edits().to_vec(), faults))
            }
            AnyForm::Folder(kind) => {
                let mut mutant = FolderMutant::new(kind, seed);
                let faults = mutant.judge(huller, folder)?;
                Ok((mutant.edits().to_vec(), faults))
            }
        }
    }
}

#[derive(Debug)]
struct Arguments {
    huller: PathBuf,
    forms: Vec<AnyForm>,
    seed: u32,
    runs: u32,
    jobs: usize,
    folder: PathBuf,
}

fn main() -> ExitCode {
    exit_code(try_main())
}

fn arguments(mut words: impl Iterator<Item = String>) -> Result<Arguments, Box<dyn Error>> {
    let huller = PathBuf::from(words.next().ok_or("expected `mutants HULLER`")?).canonicalize()?;
    let folder = std::env::temp_dir().join(format!("mutants-{}", std::process::id()));
    let forms = AnyForm::all();
    let mut parsed = Arguments { huller, forms, seed: 1, runs: 1, jobs: 1, folder };
    while let Some(option) = words.next() {
        let value = words.next().ok_or_else(|| format!("{option} needs a value"))?;
        match option.as_str() {
            "--only" => {
                parsed.forms.retain(|form| form.name() == value);
                if parsed.forms.is_empty() {
                    return Err(format!("unknown form {value}").into());
                }
            }
            "--seed" => parsed.seed = value.parse()?,
            "--runs" => parsed.runs = value.parse()?,
            "--jobs" => parsed.jobs = value.parse()?,
            "--folder" => parsed.folder = value.into(),
            _ => return Err(format!("unknown option {option}").into()),
        }
    }
    Ok(parsed)
}

/// Tries all mutants. Returns whether all went right.
fn try_main() -> Result<bool, Box<dyn Error>> {
    let arguments = arguments(std::env::args().skip(1))?;
    std::fs::create_dir_all(&arguments.folder)?;
    let seeds = arguments.seed..arguments.seed.saturating_add(arguments.runs);
    let tries: Vec<(AnyForm, u32)> =
        seeds.flat_map(|seed| arguments.forms.iter().map(move |form| (*form, seed))).collect();
    let (next, wrong) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let work = |job: usize| -> io::Result<()> {
        let case_folder = arguments.folder.join(format!("case-{job}"));
        while let Some((form, seed)) = tries.get(next.fetch_add(1, Ordering::Relaxed)) {
            if !try_mutant(*form, *seed, &arguments, &case_folder)? {
                wrong.fetch_add(1, Ordering::Relaxed);
            }
        }
        if case_folder.exists() { std::fs::remove_dir_all(case_folder) } else { Ok(()) }
    };
    in_jobs(arguments.jobs, work)?;
    let wrong = wrong.into_inner();
    writeln!(stdout(), "{} mutants from seed {}: {wrong} wrong", tries.len(), arguments.seed)?;
    if wrong == 0 {
        std::fs::remove_dir_all(&arguments.folder)?;
    }
    Ok(wrong == 0)
}

/// Returns whether the program handles a mutant correctly.
fn try_mutant(
    form: AnyForm,
    seed: u32,
    arguments: &Arguments,
    case_folder: &Path,
) -> io::Result<bool> {
    let (edits, faults) = form.judge(seed, &arguments.huller, case_folder)?;
    if faults.is_empty() {
        return Ok(true);
    }
    let kept_folder = arguments.folder.join(format!("{}-{seed}", form.name()));
    std::fs::rename(case_folder, &kept_folder)?;
    let mut report = format!("{} {seed}: {}\n", form.name(), kept_folder.display());
    for line in edits.iter().chain(&faults) {
        report.extend(["  ", line, "\n"]);
    }
    stdout().lock().write_all(report.as_bytes())?;
    Ok(false)
}
