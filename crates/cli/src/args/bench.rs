//! Flags of `huller bench`.

use super::values::{self, ExtractorList};
use crate::usage_error::UsageError;
use anyhow::{Result, bail};
use clap::Args;
use huller_extract::EXTRACTORS;
use huller_pipeline::{FormatChoice, bounded_threads};
use std::ffi::OsString;
use std::path::PathBuf;

#[derive(Args, Debug)]
pub(crate) struct BenchArgs {
    /// WARC, ARC, JSONL or table files, folders or lists of them, as for `huller extract`. Every
    /// run reads all of it
    #[arg(value_name = "INPUT", required_unless_present_any = ["make_corpus", "growth", "survey", "process"])]
    pub(crate) inputs: Vec<PathBuf>,

    /// Worker counts to measure; `auto` is 1, 2, 4 and so on up to the number of processors
    #[arg(short = 'j', long, value_name = "N,…|auto", default_value = "auto", value_delimiter = ',', value_parser = parse_threads)]
    threads: Vec<Threads>,
    /// Number of runs with each setting, in alternation
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u16).range(1..=1000))]
    pub(crate) runs: u16,
    /// Extractors to measure, each in runs of its own; split by commas, or `all`
    #[arg(long, visible_alias = "extractor", value_name = "NAMES", default_value = EXTRACTORS[0].name(), value_parser = values::extractors)]
    pub(crate) extractors: ExtractorList,
    /// Output formats to measure, each in runs of its own
    #[arg(
        long,
        visible_alias = "format",
        value_name = "NAMES",
        value_enum,
        default_value = "jsonl",
        value_delimiter = ','
    )]
    pub(crate) formats: Vec<FormatChoice>,
    /// Measure also the cost of each stage: reading, inflating, charset, parsing, extractors,
    /// metadata, rendering, filters, encoding
    #[arg(long, requires = "inputs")]
    pub(crate) stages: bool,
    /// Measure also how cost grows with records and bytes, over generated pages of 1 KiB to 16 MiB,
    /// at most MB megabytes of each size
    #[arg(long, value_name = "MB", num_args = 0..=1, require_equals = true, default_missing_value = "128", value_parser = clap::value_parser!(u64).range(1..=100_000))]
    pub(crate) growth: Option<u64>,
    /// Measure also how cost grows with files: with one file of a hundredth, a tenth and all of MB
    /// megabytes, and with MB megabytes in files of 1 MB
    #[arg(long, value_name = "MB", requires = "growth", value_parser = clap::value_parser!(u64).range(1..=100_000))]
    pub(crate) growth_files: Option<u64>,
    /// Measure another program in alternation, by its line for /bin/sh: `{}` is replaced by the
    /// inputs (added at the end if missing), `{out}` by a new folder. May be given several times
    #[arg(long, value_name = "COMMAND", requires = "inputs")]
    pub(crate) against: Vec<String>,

    /// Write bench.json, bench.csv (every run) and bench.html (charts) to this folder
    #[arg(short, long, value_name = "DIR")]
    pub(crate) output: Option<PathBuf>,
    /// Replace these files if they exist
    #[arg(long)]
    pub(crate) overwrite: bool,
    /// Measure and record even if other programs keep the machine busy
    #[arg(long)]
    pub(crate) busy: bool,
    /// Folder for the outputs of runs until they are removed [default: the system's folder for
    /// temporary files]
    #[arg(long, value_name = "DIR")]
    pub(crate) work: Option<PathBuf>,

    /// Instead write a corpus of MB megabytes (before compression) to --output FILE.warc.gz, from
    /// the pages of INPUT or of the built-in sample
    #[arg(long, value_name = "MB", requires = "output", conflicts_with_all = ["stages", "growth", "against", "busy", "work"], value_parser = clap::value_parser!(u64).range(1..=10_000_000))]
    pub(crate) make_corpus: Option<u64>,
    /// Seed that chooses the pages for --make-corpus, if there are more than it needs
    #[arg(long, value_name = "N", default_value_t = 1, requires = "make_corpus")]
    pub(crate) seed: u64,

    /// Instead print as JSON: the machine, how many cores other programs keep busy during one
    /// second, and the contents of INPUT, if given
    #[arg(long, conflicts_with_all = ["stages", "growth", "against", "output", "make_corpus", "process", "options"])]
    pub(crate) survey: bool,
    /// Instead run the command after `--` once, and write its time and memory to FILE as JSON. The
    /// output of the command is passed on
    #[arg(long, value_name = "FILE", requires = "options", conflicts_with_all = ["inputs", "growth", "output", "make_corpus"])]
    pub(crate) process: Option<PathBuf>,

    /// Print no progress
    #[arg(short, long)]
    pub(crate) quiet: bool,
    /// Options of `huller extract` for every run, such as `-- --preset fineweb`; with --process,
    /// the command
    #[arg(last = true, value_name = "OPTIONS")]
    pub(crate) options: Vec<OsString>,
}

/// A number of workers.
#[derive(Clone, Copy, Debug)]
enum Threads {
    Auto,
    Number(usize),
}

fn parse_threads(text: &str) -> Result<Threads, String> {
    if text == "auto" {
        return Ok(Threads::Auto);
    }
    let usable_threads = bounded_threads(usize::MAX);
    match text.parse() {
        Ok(number) if (1..=usable_threads).contains(&number) => Ok(Threads::Number(number)),
        _ => Err(format!("must be `auto`, or from 1 to {usable_threads} on this machine")),
    }
}

impl BenchArgs {
    /// Returns the worker counts, each once, ascending.
    pub(crate) fn workers(&self, usable: usize) -> Vec<usize> {
        let mut workers = Vec::new();
        for threads in &self.threads {
            match threads {
                Threads::Number(number) => workers.push(*number),
                Threads::Auto => {
                    let doubled = std::iter::successors(Some(1), |number| Some(number * 2));
                    workers.extend(doubled.take_while(|number| *number < usable));
                    workers.push(usable);
                }
            }
        }
        workers.sort_unstable();
        workers.dedup();
        workers
    }

    /// Refuses options of `huller extract` that this command sets itself.
    pub(crate) fn check(&self) -> Result<()> {
        const SET_OPTIONS: [&str; 14] = [
            "-o",
            "--output",
            "-j",
            "--threads",
            "--extractor",
            "--extractors",
            "--format",
            "--resume",
            "--overwrite",
            "--dry-run",
            "--print-config",
            "--rejects",
            "--dropped",
            "--shard",
        ];
        for option in self.options.iter().map(|option| option.to_string_lossy()) {
            let name = option.split('=').next().unwrap_or_default();
            let is_short = name.len() > 2 && (name.starts_with("-o") || name.starts_with("-j"));
            if SET_OPTIONS.contains(&name) || is_short {
                bail!(UsageError(format!(
                    "{name} cannot be passed on: bench sets it for every run"
                )));
            }
            if option.is_empty() {
                bail!(UsageError("an empty word cannot be passed on".to_owned()));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        args: BenchArgs,
    }

    fn parsed(line: &str) -> Result<BenchArgs, clap::Error> {
        let words = format!("program x.warc {line}");
        Line::try_parse_from(words.split_whitespace()).map(|line| line.args)
    }

    #[test]
    fn worker_counts_are_sorted_and_auto_ends_with_all_processors() {
        let workers = |line, usable| parsed(line).unwrap().workers(usable);
        assert_eq!(workers("", 1), [1]);
        assert_eq!(workers("", 6), [1, 2, 4, 6]);
        assert_eq!(workers("-j auto", 8), [1, 2, 4, 8]);
        assert_eq!(workers("-j 4,1,4,2", 2), [1, 2, 4]);
        assert_eq!(workers("-j auto,3", 2), [1, 2, 3]);
        for refused in ["0", "100000000", "-1", "x", "1,,2", ""] {
            assert!(parsed(&format!("-j={refused}")).is_err(), "{refused}");
        }
    }

    #[test]
    fn what_is_set_for_every_run_cannot_be_passed_on() {
        for refused in ["-o x", "-ox", "-j4", "--threads=3", "--format parquet", "--resume"] {
            assert!(parsed(&format!("-- {refused}")).unwrap().check().is_err(), "{refused}");
        }
        assert!(parsed("-- --preset fineweb --min-chars 20").unwrap().check().is_ok());
    }
}
