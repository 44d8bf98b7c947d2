//! `huller eval --judge`, `--blocks` and `--fields`: makes separate reports instead of the scores.

use super::other_gold::refuse_missing;
use super::progress::PageProgress;
use super::{block_table, field_table, judge_table};
use crate::args::{EvalArgs, Format};
use crate::exit::eprint_line;
use crate::terminal::thousands;
use anyhow::{Result, bail};
use huller_eval::judge::pages::PageTypes;
use huller_eval::report::{blocks, fields, judging};
use huller_eval::{EvalError, Plan};
use huller_extract::{Profile, find};

/// Judges whole pages.
pub(crate) fn judge(args: &EvalArgs, plan: &Plan) -> Result<Vec<u8>> {
    let types = PageTypes { positive: args.positive.clone(), negative: args.negative.clone() };
    let truth = |page: &huller_eval::Gold| types.truth(page.page_type.as_deref());
    let pages = plan.gold.iter().filter(|page| truth(page).is_some()).count() as u64;
    for (expected_truth, flag, names) in
        [(true, "--positive", &types.positive), (false, "--negative", &types.negative)]
    {
        if !plan.gold.iter().any(|page| truth(page) == Some(expected_truth)) {
            let names = names.join(", ");
            bail!("no gold page has a page_type of {flag} ({names})");
        }
    }
    // The length of the text of the whole page is the baseline.
    let body = find("body").expect("the floor is always there");
    let report =
        with_progress(args, pages, |step| plan.judge(&types, (body, Profile::Tuned), step))?;
    print_missing(args, pages, report.missing)?;
    let mut out = Vec::new();
    match args.format {
        Format::Terminal => judge_table::write(&mut out, &report)?,
        Format::Markdown => judging::write_markdown(&mut out, &report)?,
        Format::Csv => judging::write_csv(&mut out, &report)?,
        Format::Json => judging::write_json(&mut out, &report)?,
        Format::Html => unreachable!("refused with the arguments"),
    }
    Ok(out)
}

/// Scores the choice of runs.
pub(crate) fn blocks(args: &EvalArgs, plan: &Plan) -> Result<Vec<u8>> {
    let pages = plan.gold.iter().filter(|page| page.html.is_some()).count() as u64;
    if pages == 0 {
        bail!("no gold page has a `gold_html`");
    }
    let report = with_progress(args, pages, |step| plan.blocks(step))?;
    print_missing(args, pages, report.missing)?;
    if !args.quiet && report.unmatched > 0 {
        let unmatched = thousands(report.unmatched);
        eprint_line(&format!("  {unmatched:>8} text runs of the gold are not in their pages"));
    }
    let mut out = Vec::new();
    match args.format {
        Format::Terminal => block_table::write(&mut out, &report)?,
        Format::Markdown => blocks::write_markdown(&mut out, &report)?,
        Format::Csv => blocks::write_csv(&mut out, &report)?,
        Format::Json => blocks::write_json(&mut out, &report)?,
        Format::Html => unreachable!("refused with the arguments"),
    }
    Ok(out)
}

/// Scores titles, authors and dates.
pub(crate) fn fields(args: &EvalArgs, plan: &Plan) -> Result<Vec<u8>> {
    let has_gold = |page: &&huller_eval::Gold| {
        [&page.title, &page.author, &page.date].into_iter().any(Option::is_some)
    };
    if plan.gold.iter().find(has_gold).is_none() {
        bail!("no gold page has a `title`, an `author` or a `date`");
    }
    let report = with_progress(args, plan.gold.len() as u64, |step| plan.fields(step))?;
    refuse_missing(plan.gold.len() as u64, report.missing)?;
    if !args.quiet && report.missing > 0 {
        eprint_line(&format!(
            "  {:>8} missing from all archives: left out",
            thousands(report.missing)
        ));
    }
    let mut out = Vec::new();
    match args.format {
        Format::Terminal => field_table::write(&mut out, &report)?,
        Format::Markdown => fields::write_markdown(&mut out, &report)?,
        Format::Csv => fields::write_csv(&mut out, &report)?,
        Format::Json => fields::write_json(&mut out, &report)?,
        Format::Html => unreachable!("refused with the arguments"),
    }
    Ok(out)
}

fn with_progress<T>(
    args: &EvalArgs,
    pages: u64,
    work: impl FnOnce(&(dyn Fn() + Sync)) -> Result<T, EvalError>,
) -> Result<T, EvalError> {
    if args.quiet {
        return work(&|| {});
    }
    let progress = PageProgress::new(pages);
    work(&|| progress.step())
}

fn print_missing(args: &EvalArgs, pages: u64, missing: u64) -> Result<()> {
    if !args.quiet {
        let (found_pages, all_pages) = (thousands(pages - missing), thousands(pages));
        eprint_line(&format!("{found_pages} of {all_pages} gold pages found"));
        if missing > 0 {
            eprint_line(&format!(
                "  {:>8} missing from all archives: left out",
                thousands(missing)
            ));
        }
    }
    refuse_missing(pages, missing)
}
