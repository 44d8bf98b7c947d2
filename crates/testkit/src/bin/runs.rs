//! Makes random runs of the program, several over one output folder. It checks that no record is
//! lost or processed twice without a report (`huller_testkit::runs` lists the conditions).
//!
//! ```text
//! runs HULLER [OPTIONS]
//!
//! --only all          runs of this command alone: extract, refine, dedup or index
//! --seed 1            the first seed
//! --runs 1            how many seeds, from there
//! --jobs 1            how many at the same time
//! --steps 0,2,3       of one seed, these steps alone
//! --inputs 1,4        of one seed, these inputs alone
//! --folder DIR        work there, and leave what the last case left
//! ```
//!
//! Each seed gives a case of each command. For each case that goes wrong, it prints the faults, the
//! shortest failing case that it found, and the command that repeats it. Exits with 1 if a seed
//! went wrong, with 2 if a seed could not be tried.

use huller_testkit::jobs::{exit_code, in_jobs};
use huller_testkit::runs::shrink::shrink;
use huller_testkit::runs::trial::{self, CaseOutcome};
use huller_testkit::runs::{Case, Command, Program};
use std::collections::BTreeMap;
use std::error::Error;
use std::io::{self, Write, stdout};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};

#[derive(Debug)]
struct Arguments {
    huller: PathBuf,
    commands: Vec<Command>,
    seed: u32,
    runs: u32,
    jobs: usize,
    steps: Option<Vec<usize>>,
    inputs: Option<Vec<usize>>,
    folder: Option<PathBuf>,
}

fn main() -> ExitCode {
    exit_code(try_main())
}

fn arguments(mut words: impl Iterator<Item = String>) -> Result<Arguments, Box<dyn Error>> {
    let huller = words.next().ok_or("expected `runs HULLER`")?.into();
    let mut parsed = Arguments {
        huller,
        commands: Command::ALL.to_vec(),
        seed: 1,
        runs: 1,
        jobs: 1,
        steps: None,
        inputs: None,
        folder: None,
    };
    while let Some(option) = words.next() {
        let value = words.next().ok_or_else(|| format!("{option} needs a value"))?;
        let numbers = || value.split(',').map(str::parse).collect::<Result<Vec<usize>, _>>();
        match option.as_str() {
            "--only" if value == "all" => parsed.commands = Command::ALL.to_vec(),
            "--only" => {
                let unknown = || format!("unknown kind of runs `{value}`");
                parsed.commands = vec![Command::named(&value).ok_or_else(unknown)?];
            }
            "--seed" => parsed.seed = value.parse()?,
            "--runs" => parsed.runs = value.parse()?,
            "--jobs" => parsed.jobs = value.parse()?,
            "--steps" => parsed.steps = Some(numbers()?),
            "--inputs" => parsed.inputs = Some(numbers()?),
            "--folder" => parsed.folder = Some(value.into()),
            _ => return Err(format!("unknown option {option}").into()),
        }
    }
    Ok(parsed)
}

/// The totals over all seeds.
#[derive(Default)]
struct SeedTotals {
    wrong: u32,
    endings: BTreeMap<(Command, &'static str), u64>,
}

/// Tries all seeds. Returns whether all went right.
fn try_main() -> Result<bool, Box<dyn Error>> {
    let arguments = arguments(std::env::args().skip(1))?;
    let beside = std::env::temp_dir().join(format!("runs-{}", std::process::id()));
    let folder = arguments.folder.clone().unwrap_or_else(|| beside.clone());
    std::fs::create_dir_all(&folder)?;
    let program = Program::new(&arguments.huller, &folder)?;
    let sums = Mutex::new(SeedTotals::default());
    let next = AtomicU32::new(arguments.seed);
    let end = arguments.seed.saturating_add(arguments.runs);
    let work = |job: usize| -> io::Result<()> {
        let case_folder = folder.join(format!("case-{job}"));
        loop {
            let seed = next.fetch_add(1, Ordering::Relaxed);
            if seed >= end {
                return Ok(());
            }
            for command in &arguments.commands {
                let case = Case::new(*command, seed);
                try_case(&case, &arguments, &program, &case_folder, &sums)?;
            }
        }
    };
    let results = in_jobs(arguments.jobs, work);
    if arguments.folder.is_none() {
        std::fs::remove_dir_all(&beside)?;
    }
    results?;
    let sums = sums.into_inner().map_err(|_| "a job panicked")?;
    let mut out = stdout().lock();
    writeln!(out, "seeds {} to {}: {} cases wrong", arguments.seed, end - 1, sums.wrong)?;
    for ((command, ending), count) in &sums.endings {
        writeln!(out, "  {:8} {ending:20} {count:8}", command.name())?;
    }
    Ok(sums.wrong == 0)
}

fn try_case(
    case: &Case,
    arguments: &Arguments,
    program: &Program,
    case_folder: &Path,
    sums: &Mutex<SeedTotals>,
) -> io::Result<()> {
    let case = case.clone().keep(arguments.inputs.as_deref(), arguments.steps.as_deref());
    let outcome = trial::run(&case, program, case_folder)?;
    let mut report = String::new();
    if outcome.faults.is_empty() {
        count(sums, case.command, &outcome, &report);
    } else {
        // A case limited to steps or inputs is small already, and the user wants to look at its
        // files.
        let is_part = arguments.steps.is_some() || arguments.inputs.is_some();
        let (smallest, outcome) = if is_part {
            (case.clone(), outcome)
        } else {
            shrink(&case, outcome, program, case_folder)?
        };
        report = describe_faults(&smallest, &outcome, arguments);
        count(sums, case.command, &outcome, &report);
    }
    stdout().lock().write_all(report.as_bytes())
}

fn count(sums: &Mutex<SeedTotals>, command: Command, outcome: &CaseOutcome, report: &str) {
    if let Ok(mut sums) = sums.lock() {
        sums.wrong += u32::from(!report.is_empty());
        for (ending, count) in &outcome.endings {
            *sums.endings.entry((command, *ending)).or_default() += count;
        }
    }
}

/// Describes the faults of a case, and the command that repeats it.
fn describe_faults(case: &Case, outcome: &CaseOutcome, arguments: &Arguments) -> String {
    let list =
        |numbers: Vec<usize>| numbers.iter().map(ToString::to_string).collect::<Vec<_>>().join(",");
    let mut lines =
        vec![format!("{}, seed {}: after step {}", case.command.name(), case.seed, outcome.step)];
    lines.extend(outcome.faults.iter().map(|fault| format!("  {fault}")));
    lines.push(case.describe().trim_end().to_owned());
    lines.extend(outcome.log.iter().map(|line| format!("  {line}")));
    lines.push(format!(
        "  again: runs {} --only {} --seed {} --steps {} --inputs {} --folder DIR",
        arguments.huller.display(),
        case.command.name(),
        case.seed,
        list(case.steps()),
        list(case.inputs()),
    ));
    lines.join("\n") + "\n"
}
