//! `huller site-lines`: lists the lines that recur on the pages of a host, prints the statistics.

use crate::args::SiteLinesArgs;
use crate::counters_table::rows_read;
use crate::exit::{Exit, eprint_line};
use crate::interrupt::Interrupt;
use crate::output_file::{OutputFile, WriteError};
use crate::progress;
use crate::terminal::thousands;
use crate::usage_error::UsageError;
use anyhow::{Context, Result};
use huller_archive::ArchiveError;
use huller_refine::{SiteLineList, SiteLineListError};
use huller_site::{FoundLines, find};
use std::io::Write;
use std::path::Path;
use std::time::Instant;

pub(crate) fn run(args: &SiteLinesArgs) -> Result<Exit> {
    let interrupt = Interrupt::listen().context("cannot listen for signals")?;
    let started = Instant::now();
    if !args.is_stdout() {
        refuse_others(&args.output, args.overwrite)?;
    }
    let file = OutputFile::create(&args.output, &args.inputs)?;
    let mut monitor = progress::rows::choose(args.quiet, "counting lines");
    let options = args.options();
    let result = find(&args.inputs, &args.output, &options, &mut monitor, &interrupt.stop);
    drop(monitor);
    let (summary, lines) = result?;
    if summary.is_interrupted {
        if !args.quiet {
            eprint_line("interrupted: no list was written");
        }
        return Ok(interrupt.exit());
    }
    let is_written = lines.is_some();
    if let Some(lines) = lines {
        write(lines, file)?;
    }
    if !args.quiet {
        let total = (&*summary.inputs, &summary.ignored);
        let mut printed = rows_read("rows", total, started.elapsed());
        for (name, count) in [("hosts with lines", summary.hosts), ("lines", summary.lines)] {
            printed.push(format!("  {name:<26}{:>16}", thousands(count)));
        }
        for line in &printed {
            eprint_line(line);
        }
        if !is_written {
            eprint_line("no row could be used: no list was written");
        }
    }
    Ok(if summary.unusable.is_empty() { Exit::Success } else { Exit::InputFailed })
}

/// Writes the list, and gives it its name.
fn write(lines: FoundLines, mut file: OutputFile) -> Result<()> {
    lines.for_each(|line| {
        serde_json::to_writer(&mut file, line)?;
        file.write_all(b"\n")?;
        Ok::<_, anyhow::Error>(())
    })?;
    file.finish()
}

/// Refuses to replace a file without `--overwrite`, and one that is no list in any case.
fn refuse_others(path: &Path, overwrite: bool) -> Result<()> {
    let refused = |problem: &str| {
        let name = path.display();
        Err(UsageError(format!("'{name}' {problem}")).into())
    };
    if path.is_file() && path.symlink_metadata().is_ok_and(|file| file.is_symlink()) {
        return refused("is a link: choose another -o");
    }
    if !path.is_file() {
        return Ok(());
    }
    if !overwrite {
        return refused("exists: use --overwrite to replace the list, or choose another -o");
    }
    // No line is on so many pages, so none is kept.
    match SiteLineList::default().read(path, u64::MAX, 0) {
        Ok(()) => Ok(()),
        Err(SiteLineListError::Archive(ArchiveError::Io { source, .. })) => {
            Err(WriteError::for_path(path)(source).into())
        }
        Err(_) => refused("is no list of lines: choose another -o"),
    }
}
