//! Writes a report as one self-contained HTML page without scripts and network access, for any
//! content of the measured pages.
//!
//! A content security policy allows only styles in the page. Every string from outside goes through
//! one function of the writer. It escapes markup and replaces control characters by visible
//! symbols, so that identifiers and pages cannot change the report. The reader's system decides
//! between light and dark colours.

mod charts;
mod datasets;
mod figures;
mod label_placement;
mod pages;
mod parts;
mod writer;

pub(super) use writer::visible_char;

pub use figures::{datasets, systems};
use parts::best_figure;
pub use parts::{CellFigures, DatasetFigures, HtmlReport, SystemFigures};
use writer::Writer;

const STYLE: &str = include_str!("html/style.css");

const HEAD: &str = "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
    <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; \
    base-uri 'none'; form-action 'none'\">\n\
    <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
    <meta name=\"color-scheme\" content=\"light dark\">\n<title>";

/// Writes a report.
pub fn html(report: &HtmlReport<'_>) -> String {
    let mut out = Writer::default();
    out.raw(HEAD);
    out.text(report.title);
    out.raw("</title>\n<style>\n").raw(STYLE).raw("</style>\n</head>\n<body>\n<header>\n<h1>");
    out.text(report.title).raw("</h1>\n");
    if !report.facts.is_empty() {
        out.raw("<dl class=\"facts\">\n");
        for (name, value) in report.facts {
            out.raw("<div><dt>").text(name).raw("</dt><dd>").text(value).raw("</dd></div>\n");
        }
        out.raw("</dl>\n");
    }
    out.raw("</header>\n<main>\n");
    overview(&mut out, report.systems);
    charts::bars(&mut out, report.systems);
    charts::scatter(&mut out, report.systems);
    datasets::tables(&mut out, report);
    pages::worst(&mut out, report.evaluation, report.worst);
    if !report.notes.is_empty() {
        out.raw("<section>\n<h2>Notes</h2>\n");
        for note in report.notes {
            out.raw("<p>").text(note).raw("</p>\n");
        }
        out.raw("</section>\n");
    }
    out.raw("</main>\n</body>\n</html>\n");
    out.finish()
}

/// Writes the table of all figures, one row per system.
fn overview(out: &mut Writer, systems: &[SystemFigures]) {
    out.raw("<section>\n<h2>Systems</h2>\n");
    if systems.is_empty() {
        out.raw("<p>No systems.</p>\n</section>\n");
        return;
    }
    out.raw(
        "<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"Systems\">\n<table>\n<thead><tr>\
         <th scope=\"col\">System</th><th scope=\"col\">LCS F1</th><th scope=\"col\">95 % interval</th>\
         <th scope=\"col\">Shingle F1</th>",
    );
    let has_snippets = systems.iter().any(|system| system.snippet_f1.is_some());
    out.raw(if has_snippets { "<th scope=\"col\">Snippet F1</th>" } else { "" });
    out.raw(
        "<th scope=\"col\">Empty</th><th scope=\"col\">Pages</th><th scope=\"col\">MB/CPU s</th></tr></thead>\n<tbody>\n",
    );
    let best_lcs = best_figure(systems.iter().map(|system| system.lcs_f1));
    let best_shingles = best_figure(systems.iter().map(|system| system.shingle_f1));
    let best_snippets = best_figure(systems.iter().map(|system| system.snippet_f1));
    let best_speed = best_figure(systems.iter().map(|system| system.mb_per_cpu_s));
    for system in systems {
        out.raw("<tr><th scope=\"row\">").system(&system.name, &system.profile).raw("</th>");
        out.figure(system.lcs_f1, 3, best_lcs);
        if system.lcs_f1.is_some() && system.low.is_finite() && system.high.is_finite() {
            out.raw("<td>").number(system.low, 3).raw("–").number(system.high, 3).raw("</td>");
        } else {
            out.raw("<td>–</td>");
        }
        out.figure(system.shingle_f1, 3, best_shingles);
        if has_snippets {
            out.figure(system.snippet_f1, 3, best_snippets);
        }
        out.raw("<td>").count(system.empty).raw("</td><td>").count(system.pages).raw("</td>");
        let decimals = usize::from(system.mb_per_cpu_s.is_some_and(|speed| speed < 9.95));
        out.figure(system.mb_per_cpu_s, decimals, best_speed);
        out.raw("</tr>\n");
    }
    out.raw("</tbody>\n</table>\n</div>\n<p class=\"caption\">The best of a column is bold.</p>\n</section>\n");
}

#[cfg(test)]
mod tests;
