//! `huller eval`: scores texts against a gold standard.

mod aspects;
mod block_table;
mod cells;
mod field_table;
mod html;
mod judge_table;
mod other_gold;
mod progress;
mod table;
mod worst_pages;

use crate::args::{EvalArgs, Format};
use crate::exit::{Exit, eprint_line};
use crate::output_file::OutputFile;
use crate::terminal::{Screen, thousands, write_lines};
use anyhow::{Context, Result, bail};
use huller_eval::report::{self, ReportFigures, ReportOptions};
use huller_eval::{Counters, Evaluation, Plan, Predictions, WorstPage, baseline, read_gold};
use huller_pipeline::bounded_threads;
use progress::PageProgress;
use std::io::{self, IsTerminal, Write};

/// Makes a separate report, which is written instead of the scores.
type ReportMaker = fn(&EvalArgs, &Plan) -> Result<Vec<u8>>;

pub(crate) fn run(args: &EvalArgs) -> Result<Exit> {
    args.check()?;
    let plan = evaluation_plan(args)?;
    let aspects: [(bool, ReportMaker); 3] = [
        (args.judge, aspects::judge),
        (args.blocks, aspects::blocks),
        (args.fields, aspects::fields),
    ];
    if let Some((_, aspect)) = aspects.iter().find(|(is_given, _)| *is_given) {
        write_out(args, &aspect(args, &plan)?)?;
        return Ok(Exit::Success);
    }
    let (evaluation, counters) = if args.quiet {
        plan.run(&|| {})?
    } else {
        let progress = PageProgress::new(plan.steps());
        plan.run(&|| progress.step())?
    };
    if !args.quiet {
        print_found(&plan, &counters);
    }
    other_gold::refuse(&plan, &counters)?;
    let figures = ReportFigures::new(
        &evaluation,
        &ReportOptions {
            by: args.by(),
            resamples: args.resamples,
            pairs: args.pairs,
            speed: !args.no_speed,
        },
    );
    let worst = plan.worst_pages(&evaluation, args.worst())?;
    write_all(args, &plan, &evaluation, &figures, &worst)?;
    let Some(path) = &args.baseline else { return Ok(Exit::Success) };
    let fallen = baseline::find_regressions(path, &evaluation, &figures)?;
    for line in &fallen {
        eprint_line(&format!("worse: {line}"));
    }
    Ok(if fallen.is_empty() { Exit::Success } else { Exit::InputFailed })
}

fn evaluation_plan(args: &EvalArgs) -> Result<Plan> {
    let files = args.files()?;
    let mut gold = read_gold(&files.gold)?;
    if gold.is_empty() {
        bail!("the gold files contain no pages");
    }
    gold.retain(|page| page.coverage.is_none_or(|coverage| coverage >= args.min_cov));
    let predictions = files.predictions.iter().map(|path| Predictions::read(path));
    Ok(Plan {
        extractors: if files.pages.is_empty() { Vec::new() } else { args.extractors()? },
        archives: files.pages,
        gold,
        predictions: predictions.collect::<Result<_, _>>()?,
        extra: args.extra(),
        threads: bounded_threads(args.threads),
    })
}

/// Prints how many pages of the gold standard were found, and which were ignored.
fn print_found(plan: &Plan, counters: &Counters) {
    let pages = thousands(plan.gold.len() as u64);
    if !plan.extractors.is_empty() {
        eprint_line(&format!("{} of {pages} gold pages found", thousands(counters.found)));
        let leftovers = &counters.leftovers;
        for (count, description) in [
            (counters.missing, "missing from all archives: scored as empty text"),
            (leftovers.without_gold, "pages without gold: ignored"),
            (leftovers.repeated, "pages with a repeated identifier: ignored"),
            (leftovers.damaged, "damaged records"),
            (counters.panicked, "extractions that panicked: scored as empty text"),
        ] {
            if count > 0 {
                eprint_line(&format!("  {:>8} {description}", thousands(count)));
            }
        }
    }
    for (predictions, count) in plan.predictions.iter().zip(&counters.predicted) {
        let name = &predictions.name;
        eprint_line(&format!("{name}: {} of {pages} gold pages predicted", thousands(*count)));
    }
}

fn write_all(
    args: &EvalArgs,
    plan: &Plan,
    evaluation: &Evaluation,
    figures: &ReportFigures,
    worst: &[WorstPage],
) -> Result<()> {
    let mut out = Vec::new();
    match args.format {
        Format::Terminal => {
            let screen = if args.output.is_some() { Screen::plain() } else { Screen::for_stdout() };
            table::write(&mut out, evaluation, figures, worst, screen)?;
        }
        Format::Markdown => report::markdown::write(&mut out, evaluation, figures, worst)?,
        Format::Csv => report::csv::write(&mut out, evaluation, figures)?,
        Format::Json => report::json::write(&mut out, evaluation, figures, worst)?,
        Format::Html => {
            out.extend_from_slice(html::report(plan, evaluation, figures, worst).as_bytes());
        }
    }
    write_out(args, &out)?;
    if let Some(path) = &args.per_page {
        let mut pages = Vec::new();
        report::per_page::write(&mut pages, evaluation)?;
        OutputFile::write_whole(path, args.files()?.all(), &pages)?;
    }
    Ok(())
}

/// Writes the figures to the requested destination.
fn write_out(args: &EvalArgs, out: &[u8]) -> Result<()> {
    match &args.output {
        Some(path) => OutputFile::write_whole(path, args.files()?.all(), out),
        // Tables for terminals have only our colours as escape sequences. Control characters of
        // other reports are escaped here.
        None if args.format != Format::Terminal && io::stdout().is_terminal() => {
            let text = std::str::from_utf8(out).context("a report is text")?;
            Ok(write_lines(&mut io::stdout().lock(), text)?)
        }
        None => Ok(io::stdout().lock().write_all(out)?),
    }
}
