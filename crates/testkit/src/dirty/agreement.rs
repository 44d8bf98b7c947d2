//! Runs all commands over a corpus, and compares their reports.

use super::corpus::{DirtyCorpus, FOLDER};
use super::file::{DirtyFile, Format};
use super::outcome::{Counts, Outcome, run};
use serde_json::Value;
use std::collections::BTreeSet;
use std::io;
use std::path::Path;

/// Reasons for which `dedup` drops rows that the other commands write.
const DUPLICATES: &str = "dedup:";

/// The reason for which `index` leaves out rows whose text and title are empty.
const NOTHING_TO_FIND: &str = "no_text";

/// Runs the commands over a corpus in `folder`, which it empties first. Returns the differences.
///
/// # Errors
///
/// The program cannot be started, or files cannot be written.
pub fn agree(huller: &Path, corpus: &DirtyCorpus, folder: &Path) -> io::Result<Vec<String>> {
    empty(folder)?;
    corpus.write(folder, |lines| parquet(huller, folder, lines))?;
    let inputs = corpus.inputs();
    let command = |name: &str, out: &str, options: &[&str]| {
        let mut args = vec![name.to_owned()];
        args.extend(inputs.iter().cloned());
        args.extend(["-o", out].iter().chain(options).map(|word| (*word).to_owned()));
        Outcome::run(huller, folder, out, &args)
    };
    let mut commands = [
        ("refine", command("refine", "refined", &["--stages", "normalise"])?),
        ("dedup", command("dedup", "deduped", &["--by", "text", "-q"])?),
        ("index", command("index", "index", &["-q", "--memory", "256M"])?),
        ("extract", command("extract", "extracted", &["--html-key", "html"])?),
    ];
    let mut differences = Vec::new();
    for (name, outcome) in &mut commands {
        for counts in outcome.inputs.values_mut() {
            by_rule(counts);
        }
        differences.extend(outcome.faults.iter().map(|fault| format!("{name}: {fault}")));
    }
    let [refined, other_commands @ ..] = &commands;
    for other in other_commands {
        compare(corpus, refined, other, &mut differences);
    }
    expected(corpus, &refined.1, &mut differences);
    for (out, (name, outcome)) in [("refined", &commands[0]), ("deduped", &commands[1])] {
        differences
            .extend(verify(huller, folder, out, outcome)?.map(|fault| format!("{name}: {fault}")));
    }
    Ok(differences)
}

/// Removes lines, files and damage from a failing corpus while it still fails. At the end, `folder`
/// holds the smallest failing corpus.
///
/// # Errors
///
/// As [`agree`].
pub fn shrink(
    huller: &Path,
    corpus: DirtyCorpus,
    folder: &Path,
) -> io::Result<(DirtyCorpus, Vec<String>)> {
    let mut smallest = corpus;
    loop {
        let mut found = None;
        for smaller in smallest.smaller() {
            if !agree(huller, &smaller, folder)?.is_empty() {
                found = Some(smaller);
                break;
            }
        }
        let Some(smaller) = found else { break };
        smallest = smaller;
    }
    let differences = agree(huller, &smallest, folder)?;
    Ok((smallest, differences))
}

fn empty(folder: &Path) -> io::Result<()> {
    match std::fs::remove_dir_all(folder) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    std::fs::create_dir_all(folder)
}

/// Returns a Parquet table of the rows on these lines, written by the program.
fn parquet(huller: &Path, folder: &Path, lines: &[u8]) -> io::Result<Vec<u8>> {
    std::fs::write(folder.join("rows.jsonl"), lines)?;
    let args = "extract rows.jsonl -o table --overwrite -q --html-key html --html --format parquet";
    let args: Vec<String> = args.split(' ').map(str::to_owned).collect();
    run(huller, folder, &args)?;
    let table = std::fs::read(folder.join("table/rows.parquet"));
    table.or_else(
        |error| if error.kind() == io::ErrorKind::NotFound { Ok(Vec::new()) } else { Err(error) },
    )
}

/// Removes the differences that are expected between commands from the counts.
fn by_rule(counts: &mut Counts) {
    if let Some(count) = counts.reasons.remove("no_html_key") {
        *counts.reasons.entry("no_text_key".to_owned()).or_default() += count;
    }
    let duplicates = counts
        .reasons
        .extract_if(.., |reason, _| reason.starts_with(DUPLICATES) || reason == NOTHING_TO_FIND);
    counts.written += duplicates.map(|(_, count)| count).sum::<u64>();
}

/// Treats rows without a text as written. Damage may hit the name of a text or of a page alone.
fn without_names(counts: &mut Counts) {
    counts.written += counts.reasons.remove("no_text_key").unwrap_or_default();
}

/// Returns whether an input is a file with damage.
fn is_damaged(corpus: &DirtyCorpus, name: &str) -> bool {
    let damaged = corpus.files.iter().filter(|file| file.is_damaged());
    damaged.map(|file| &file.path).any(|path| path.ends_with(name) || name.ends_with(path))
}

type NamedOutcome = (&'static str, Outcome);

fn compare(
    corpus: &DirtyCorpus,
    left: &NamedOutcome,
    right: &NamedOutcome,
    differences: &mut Vec<String>,
) {
    // `extract` makes rows of archives and pages, which the others refuse.
    let is_compared = |name: &str| right.0 != "extract" || !is_of_others(corpus, name);
    let names: BTreeSet<&String> = left.1.inputs.keys().chain(right.1.inputs.keys()).collect();
    for name in names.into_iter().filter(|name| is_compared(name)) {
        let mut counts = [left, right].map(|(_, outcome)| outcome.inputs.get(name).cloned());
        if right.0 == "extract" && is_damaged(corpus, name) {
            counts.iter_mut().flatten().for_each(without_names);
        }
        if counts[0] != counts[1] {
            differences
                .push(format!("{name}: {}: {:?}, {}: {:?}", left.0, counts[0], right.0, counts[1]));
        }
    }
    // Damage may hit the name of the member that `extract` reads, or that of the other commands.
    let is_apart = |file: &DirtyFile| file.format == Format::Other || file.is_damaged();
    let is_apart = right.0 == "extract" && corpus.files.iter().any(is_apart);
    if left.1.code != right.1.code && !is_apart {
        differences.push(format!("{}: {:?}, {}: {:?}", left.0, left.1.code, right.0, right.1.code));
    }
    let errors = [left, right].map(|(_, outcome)| {
        let of_rows = outcome.errors.iter().filter(|error| {
            let input = error.split("\\'").nth(1).unwrap_or_default();
            let is_apart = right.0 == "extract" && is_damaged(corpus, input);
            !is_apart && is_compared(input)
        });
        of_rows.map(|error| error_by_rule(error)).collect::<BTreeSet<_>>()
    });
    if errors[0] != errors[1] {
        let only = |a: usize, b: usize| errors[a].difference(&errors[b]).collect::<Vec<_>>();
        differences.push(format!(
            "only {}: {:?}, only {}: {:?}",
            left.0,
            only(0, 1),
            right.0,
            only(1, 0)
        ));
    }
}

/// Returns an error in one wording for all commands. Each command words an input without rows
/// differently, with the same reasons.
fn error_by_rule(error: &str) -> String {
    let error = error.replace("no_html_key", "no_text_key");
    let (input, problem) = error.split_once("\\': ").unwrap_or((&error, ""));
    let reasons = problem.split_once('(').and_then(|(_, rest)| rest.split_once(')'));
    match reasons {
        Some((reasons, _)) if problem.contains(" of its ") || problem.contains("its only ") => {
            format!("{input}': no rows ({reasons})")
        }
        _ => error,
    }
}

/// Returns whether an input is an archive or a page, or a folder with one.
fn is_of_others(corpus: &DirtyCorpus, name: &str) -> bool {
    let other_files = corpus.files.iter().filter(|file| file.format == Format::Other);
    other_files.map(|file| &file.path).any(|path| {
        let mut parents = Path::new(path).ancestors();
        let is_page = Path::new(path).extension().is_some_and(|suffix| suffix == "html");
        name.ends_with(path)
            || path.ends_with(&format!("/{name}"))
            || is_page
                && parents.any(|parent| {
                    !parent.as_os_str().is_empty() && Path::new(name).ends_with(parent)
                })
            || is_page && [".", FOLDER].contains(&name)
    })
}

/// Compares the counts of files without damage with the lines that were written.
fn expected(corpus: &DirtyCorpus, outcome: &Outcome, differences: &mut Vec<String>) {
    for file in &corpus.files {
        let Some(expected) = file.expected() else { continue };
        let input_counts = outcome.inputs.iter().find(|(name, _)| {
            let path = &file.path;
            *name == path
                || path.ends_with(&format!("/{name}"))
                || name.ends_with(&format!("/{path}"))
        });
        let Some((_, counts)) = input_counts else { continue };
        if counts.written != expected.written || counts.reasons != expected.reasons {
            differences
                .push(format!("{}/{}: {expected:?} expected, {counts:?}", FOLDER, file.path));
        }
    }
}

/// Compares the report of `huller verify` on an output with the exit code of the command that wrote
/// it. Returns the difference.
fn verify(
    huller: &Path,
    folder: &Path,
    out: &str,
    outcome: &Outcome,
) -> io::Result<Option<String>> {
    if !matches!(outcome.code, Some(0 | 1)) {
        return Ok(None);
    }
    let args = ["verify", out, "--json", "-q"].map(str::to_owned);
    let verified = run(huller, folder, &args)?;
    let report: Value = serde_json::from_slice(&verified.stdout).unwrap_or_default();
    let state = if outcome.code == Some(0) { "complete" } else { "unfinished" };
    let is_right = report["state"] == state && (state == "complete") == verified.status.success();
    Ok((!is_right).then(|| format!("verify: {}, {state} expected", verified.stdout.escape_ascii())))
}
