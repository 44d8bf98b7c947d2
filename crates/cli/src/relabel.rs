//! `huller relabel`: puts the labels of a user's model into the rows of a finished run.

use crate::args::RelabelArgs;
use crate::exit::Exit;
use crate::terminal::thousands;
use anyhow::Result;
use huller_relabel::{Labels, Summary, relabel};
use std::io::{self, Write};

pub(crate) fn run(args: &RelabelArgs) -> Result<Exit> {
    let labels = Labels::read(&args.labels)?;
    let summary = relabel(&args.corpus, &labels, args.dry_run)?;
    if !args.quiet {
        print_summary(&summary, args.dry_run, &mut io::stdout().lock())?;
    }
    let is_wrong = summary.unknown + summary.wrong > 0;
    Ok(if is_wrong { Exit::InputFailed } else { Exit::Success })
}

fn print_summary(summary: &Summary, is_dry: bool, out: &mut impl Write) -> io::Result<()> {
    let Summary { labelled, escalated, unknown, wrong, changed, same } = *summary;
    let mut row = |name: &str, count: u64| writeln!(out, "  {name:<34}{:>16}", thousands(count));
    row("escalated pages", escalated)?;
    row("pages with labels", labelled)?;
    row(if is_dry { "rows that would change" } else { "rows with a new text" }, changed)?;
    row("rows whose text is the same", same)?;
    for (name, count) in
        [("labels of pages not escalated", unknown), ("labels of blocks that pages lack", wrong)]
    {
        if count > 0 {
            row(name, count)?;
        }
    }
    Ok(())
}
