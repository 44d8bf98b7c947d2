//! `huller withdraw`: removes pages from finished corpora and indexes, and prints the counts.

use crate::args::WithdrawArgs;
use crate::exit::{Exit, eprint_line};
use crate::progress;
use crate::terminal::{printable, thousands};
use anyhow::Result;
use huller_withdraw::{Summary, TargetSummary, withdraw};
use std::io::{self, Write};

pub(crate) fn run(args: &WithdrawArgs) -> Result<Exit> {
    let mut monitor = progress::rows::choose(args.quiet, "reading");
    let result = withdraw(&args.corpora, &args.request(), &mut monitor);
    drop(monitor);
    let summary = result?;
    for note in &summary.notes {
        eprint_line(&format!("note: {note}"));
    }
    if !args.quiet {
        print_counts(&summary, args.dry_run, &mut io::stdout().lock())?;
    }
    Ok(Exit::Success)
}

/// Prints the counts for each folder, and whether it was changed.
fn print_counts(summary: &Summary, is_dry: bool, out: &mut impl Write) -> io::Result<()> {
    for target in &summary.targets {
        let TargetSummary { path, rows, withdrawn, side_rows, lines } = target;
        writeln!(out, "{}", printable(&path.display().to_string()))?;
        let mut row =
            |name: &str, count: u64| writeln!(out, "  {name:<26}{:>16}", thousands(count));
        row("rows read", *rows)?;
        row("withdrawn", target.total())?;
        for (rule, rows) in withdrawn {
            row(&format!("  by {rule}"), *rows)?;
        }
        for (name, count) in [("rows of side tables", side_rows), ("lines of other files", lines)] {
            if *count > 0 {
                row(name, *count)?;
            }
        }
    }
    let is_unchanged = summary.targets.iter().all(TargetSummary::is_unchanged);
    let note = match (is_dry, is_unchanged, summary.new_tombstones) {
        (true, ..) => "nothing was changed (--dry-run)".to_owned(),
        (false, true, 0) => "0 rows: these pages were withdrawn before; nothing was changed".into(),
        (false, true, new) => {
            format!("0 rows: {} new tombstones keep these pages out", thousands(new))
        }
        (false, false, new) => format!("{} new tombstones keep these pages out", thousands(new)),
    };
    writeln!(out, "{note}")
}
