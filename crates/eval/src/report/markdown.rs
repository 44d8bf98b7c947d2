//! Writes Markdown: one table per group, best system first; the comparisons of pairs; and the worst
//! pages, with words that are [-missing-] and {+extra+} in their texts.

use super::{Pair, ReportFigures};
use crate::diff::diff;
use crate::evaluation::{Evaluation, PrecisionRecall, WorstPage};
use huller_html::visible_char;
use std::io::{self, Write};

/// Writes the tables.
///
/// # Errors
///
/// If `out` can't be written to.
pub fn write(
    out: &mut dyn Write,
    evaluation: &Evaluation,
    figures: &ReportFigures,
    worst: &[WorstPage],
) -> io::Result<()> {
    for (index, group) in figures.groups().into_iter().enumerate() {
        if index > 0 {
            writeln!(out)?;
        }
        write_group(out, evaluation, figures, group)?;
    }
    if !figures.pairs.is_empty() {
        write_pairs(out, evaluation, &figures.pairs)?;
    }
    if !worst.is_empty() {
        write_worst(out, evaluation, worst)?;
    }
    Ok(())
}

fn write_group(
    out: &mut dyn Write,
    evaluation: &Evaluation,
    figures: &ReportFigures,
    group: &str,
) -> io::Result<()> {
    let rows = figures.rank_group(group);
    let pages = rows.first().map_or(0, |row| row.summary.pages);
    let plural = if pages == 1 { "" } else { "s" };
    writeln!(out, "### {} ({pages} page{plural})\n", cell(group))?;
    writeln!(
        out,
        "| system | LCS P | LCS R | LCS F1 | 95 % | all above .95 | CleanEval | excellent | good or excellent | shingle F1 | bag F1 | snippet F1 | empty | MB/CPU s |"
    )?;
    writeln!(out, "|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|")?;
    for row in rows {
        let text = row.summary.text;
        let measure = |prf: Option<PrecisionRecall>, figure: fn(PrecisionRecall) -> f64| {
            three_digits(prf.map(figure))
        };
        let lcs = text.map(|text| text.lcs);
        let interval =
            row.lcs_f1.map(|(low, high)| format!("{low:.3}–{high:.3}")).unwrap_or_default();
        let empty = text.map(|text| text.empty.to_string()).unwrap_or_default();
        let speed = row.summary.megabytes_per_second.map(|speed| format!("{speed:.0}"));
        writeln!(
            out,
            "| {} | {} | {} | {} | {interval} | {} | {} | {} | {} | {} | {} | {} | {empty} | {} |",
            cell(&evaluation.systems[row.system].label()),
            measure(lcs, |prf| prf.precision),
            measure(lcs, |prf| prf.recall),
            measure(lcs, |prf| prf.f1),
            three_digits(text.map(|text| text.all_above_95)),
            three_digits(text.map(|text| text.cleaneval)),
            three_digits(text.map(|text| text.excellent)),
            three_digits(text.map(|text| text.good_or_excellent)),
            measure(text.map(|text| text.shingles), |prf| prf.f1),
            measure(text.map(|text| text.bag), |prf| prf.f1),
            measure(row.summary.snippets.map(|snippets| snippets.prf), |prf| prf.f1),
            speed.unwrap_or_default(),
        )?;
    }
    Ok(())
}

fn write_pairs(out: &mut dyn Write, evaluation: &Evaluation, pairs: &[Pair]) -> io::Result<()> {
    writeln!(out, "\n### Pairs, by LCS F1 page by page\n")?;
    writeln!(out, "| first | second | better | worse | equal | mean difference | p |")?;
    writeln!(out, "|---|---|---:|---:|---:|---:|---:|")?;
    for Pair { first, second, comparison } in pairs {
        writeln!(
            out,
            "| {} | {} | {} | {} | {} | {:+.4} | {:.3} |",
            cell(&evaluation.systems[*first].label()),
            cell(&evaluation.systems[*second].label()),
            comparison.better,
            comparison.worse,
            comparison.equal,
            comparison.difference,
            comparison.p,
        )?;
    }
    Ok(())
}

fn write_worst(
    out: &mut dyn Write,
    evaluation: &Evaluation,
    worst: &[WorstPage],
) -> io::Result<()> {
    writeln!(out, "\n### Worst pages\n")?;
    writeln!(out, "| system | page | LCS P | LCS R | LCS F1 | gold tokens | tokens |")?;
    writeln!(out, "|---|---|---:|---:|---:|---:|---:|")?;
    for worst_page in worst {
        let text = evaluation.scores[worst_page.system][worst_page.page].text;
        let count = |value: Option<u32>| value.map(|value| value.to_string()).unwrap_or_default();
        writeln!(
            out,
            "| {} | {} | {} | {} | {} | {} | {} |",
            cell(&evaluation.systems[worst_page.system].label()),
            cell(&evaluation.pages[worst_page.page].id),
            three_digits(text.map(|text| text.lcs.precision)),
            three_digits(text.map(|text| text.lcs.recall)),
            three_digits(text.map(|text| text.lcs.f1)),
            count(text.map(|text| text.gold_tokens)),
            count(text.map(|text| text.text_tokens)),
        )?;
    }
    for worst_page in worst
        .iter()
        .filter(|worst_page| evaluation.scores[worst_page.system][worst_page.page].text.is_some())
    {
        let label = cell(&evaluation.systems[worst_page.system].label());
        writeln!(out, "\n#### {label}: {}\n", cell(&evaluation.pages[worst_page.page].id))?;
        write_diff(out, &worst_page.gold, &worst_page.text)?;
    }
    Ok(())
}

/// Writes a diff as a code block. Its fence is longer than any fence in the text.
fn write_diff(out: &mut dyn Write, gold: &str, text: &str) -> io::Result<()> {
    let diff = diff(gold, text);
    let mut block = String::new();
    for piece in diff.pieces.iter().cloned().chain(diff.omissions()) {
        let (open, close) = piece.kind.marks();
        let words = piece.text.trim_end();
        block.push_str(open);
        block.extend(words.chars().map(visible_char));
        block.push_str(close);
        block.extend(piece.text[words.len()..].chars().map(visible_char));
    }
    let longest = block.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest.max(2) + 1);
    writeln!(out, "{fence}text\n{}\n{fence}", block.trim_end())
}

fn three_digits(value: Option<f64>) -> String {
    value.map(|value| format!("{value:.3}")).unwrap_or_default()
}

/// Returns a name, escaped so that it is neither Markdown nor HTML and can't end its table cell or
/// row.
pub(super) fn cell(name: &str) -> String {
    let mut cell = String::with_capacity(name.len());
    for c in name.chars() {
        match c {
            '\n' | '\r' | '\t' => cell.push(' '),
            '\\' | '|' | '<' | '>' | '&' | '`' | '[' | ']' => cell.extend(['\\', c]),
            _ => cell.push(visible_char(c)),
        }
    }
    cell
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_in_names_is_escaped() {
        let name = "a|b\n<img src=x>`[x](y) &amp; \\ \u{1b}[2J\u{9b}\u{202e}_-/";
        let expected = "a\\|b \\<img src=x\\>\\`\\[x\\](y) \\&amp; \\\\ ␛\\[2J\u{fffd}\u{fffd}_-/";
        assert_eq!(cell(name), expected);
    }

    #[test]
    fn the_code_block_of_a_diff_ends_after_the_diff() {
        let mut out = Vec::new();
        write_diff(&mut out, "a ````\u{85}b", "a\u{b}```` \u{1b}[2Jb\n```\n").unwrap();
        let text = String::from_utf8(out).unwrap();
        assert!(text.starts_with("`````text\n") && text.ends_with("\n`````\n"), "{text}");
        assert!(!text.contains(|c: char| c.is_control() && c != '\n'), "{text:?}");
    }
}
