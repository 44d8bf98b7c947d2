//! Writes the worst pages with their diffs.

use super::writer::Writer;
use crate::diff::{PieceKind, diff};
use crate::evaluation::{Evaluation, PrecisionRecall, WorstPage};

/// Writes one list of pages per system.
pub(super) fn worst(out: &mut Writer, evaluation: &Evaluation, pages: &[WorstPage]) {
    if pages.is_empty() {
        return;
    }
    out.raw(
        "<section>\n\
         <h2>Worst pages</h2>\n\
         <p>Open a page to see how its text differs from the gold: <del>missing</del> is only in the gold, <ins>extra</ins> only in the system&#39;s text.</p>\n",
    );
    for pages in pages.chunk_by(|a, b| a.system == b.system) {
        out.raw("<h3>");
        match evaluation.systems.get(pages[0].system) {
            Some(system) => out.system(&system.name, &system.profile),
            None => out.raw("Unknown system"),
        };
        out.raw(
            "</h3>\n<div class=\"pages\">\n<div class=\"head\" aria-hidden=\"true\"><span>Page</span>\
             <span>LCS F1</span><span>P</span><span>R</span><span>Gold</span><span>Text</span></div>\n",
        );
        for page in pages {
            details(out, evaluation, page);
        }
        out.raw("</div>\n");
    }
    out.raw(
        "<p class=\"caption\">P and R: precision and recall of the longest common subsequence. Gold and Text: tokens.</p>\n\
         </section>\n",
    );
}

/// Writes the figures of one page, with its diff folded.
fn details(out: &mut Writer, evaluation: &Evaluation, page: &WorstPage) {
    let score = evaluation.scores.get(page.system).and_then(|scores| scores.get(page.page));
    let text = score.copied().unwrap_or_default().text;
    let lcs = text
        .map_or(PrecisionRecall { precision: f64::NAN, recall: f64::NAN, f1: f64::NAN }, |text| {
            text.lcs
        });
    out.raw("<details><summary><span class=\"page\"><bdi>");
    if let Some(facts) = evaluation.pages.get(page.page) {
        out.text(&facts.id).raw("</bdi><small>");
        let known =
            [Some(facts.dataset.as_str()), facts.page_type.as_deref(), facts.lang.as_deref()];
        for (index, fact) in known.into_iter().flatten().enumerate() {
            out.raw(if index == 0 { "" } else { " · " }).text(fact);
        }
        if facts.html_bytes > 0 {
            out.raw(" · ").number(facts.html_bytes as f64 / 1e3, 0).raw(" kB");
        }
        out.raw("</small>");
    } else {
        out.raw("Unknown page</bdi>");
    }
    out.raw("</span>");
    for (name, value) in [("F1 ", lcs.f1), ("P ", lcs.precision), ("R ", lcs.recall)] {
        out.raw("<span><i>").text(name).raw("</i>").number(value, 3).raw("</span>");
    }
    let tokens = text.map_or((0, 0), |text| (text.gold_tokens, text.text_tokens));
    for (name, count) in [("gold ", tokens.0), ("text ", tokens.1)] {
        out.raw("<span><i>").text(name).raw("</i>").count(count).raw("</span>");
    }
    out.raw("</summary>\n<div class=\"diff\" dir=\"auto\">");
    if score.is_some_and(|score| score.text.is_none() && score.snippets.is_some()) {
        out.raw("<span class=\"omitted\">no gold text: judged by snippets</span>");
    } else {
        difference(out, &page.gold, &page.text);
    }
    out.raw("</div></details>\n");
}

/// Writes the diff of two texts.
fn difference(out: &mut Writer, gold: &str, text: &str) {
    let diff = diff(gold, text);
    if diff.pieces.is_empty() {
        out.raw("<span class=\"omitted\">both texts are empty</span>");
    }
    for piece in diff.pieces.iter().cloned().chain(diff.omissions()) {
        let (start, end) = match piece.kind {
            PieceKind::Same => ("<span>", "</span>"),
            PieceKind::Missing => ("<del>", "</del>"),
            PieceKind::Extra => ("<ins>", "</ins>"),
            PieceKind::Omitted => ("<span class=\"omitted\">", "</span>"),
        };
        out.raw(start).text(&piece.text).raw(end);
    }
}
