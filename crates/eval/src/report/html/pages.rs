//! Shows the worst pages with their diffs.

use super::cells::system;
use crate::diff::{PieceKind, diff};
use crate::evaluation::{Evaluation, PageFacts, PrecisionRecall, WorstPage};
use huller_html::{count, isolated, number};
use maud::{Markup, html};

/// Returns one list of pages per system.
pub(super) fn worst(evaluation: &Evaluation, pages: &[WorstPage]) -> Markup {
    if pages.is_empty() {
        return html! {};
    }
    html! {
        section {
            h2 { "Worst pages" }
            p {
                "Open a page to see how its text differs from the gold: "
                del { "missing" } " is only in the gold, "
                ins { "extra" } " only in the system's text."
            }
            @for pages in pages.chunk_by(|a, b| a.system == b.system) {
                h3 {
                    @match evaluation.systems.get(pages[0].system) {
                        Some(shown) => (system(&shown.name, &shown.profile)),
                        None => "Unknown system",
                    }
                }
                div.pages {
                    div.head aria-hidden="true" {
                        @for title in ["Page", "LCS F1", "P", "R", "Gold", "Text"] {
                            span { (title) }
                        }
                    }
                    @for page in pages { (page_details(evaluation, page)) }
                }
            }
            p.caption {
                "P and R: precision and recall of the longest common subsequence. "
                "Gold and Text: tokens."
            }
        }
    }
}

/// Returns the figures of one page, with its diff folded.
fn page_details(evaluation: &Evaluation, page: &WorstPage) -> Markup {
    let score = evaluation.scores.get(page.system).and_then(|scores| scores.get(page.page));
    let text = score.copied().unwrap_or_default().text;
    let lcs = text
        .map_or(PrecisionRecall { precision: f64::NAN, recall: f64::NAN, f1: f64::NAN }, |text| {
            text.lcs
        });
    let tokens = text.map_or((0, 0), |text| (text.gold_tokens, text.text_tokens));
    let is_by_snippets =
        score.is_some_and(|score| score.text.is_none() && score.snippets.is_some());
    html! {
        details {
            summary {
                span.page { (page_facts(evaluation.pages.get(page.page))) }
                @for (name, value) in [("F1 ", lcs.f1), ("P ", lcs.precision), ("R ", lcs.recall)] {
                    span { i { (name) } (number(value, 3)) }
                }
                @for (name, tokens) in [("gold ", tokens.0), ("text ", tokens.1)] {
                    span { i { (name) } (count(tokens.into())) }
                }
            }
            div.diff dir="auto" {
                @if is_by_snippets {
                    span.omitted { "no gold text: judged by snippets" }
                } @else {
                    (text_difference(&page.gold, &page.text))
                }
            }
        }
    }
}

fn page_facts(facts: Option<&PageFacts>) -> Markup {
    let Some(facts) = facts else { return isolated("Unknown page") };
    let known = [Some(&*facts.dataset), facts.page_type.as_deref(), facts.lang.as_deref()];
    html! {
        (isolated(&facts.id))
        small {
            @for (index, fact) in known.into_iter().flatten().enumerate() {
                @if index > 0 { " · " }
                (fact)
            }
            @if facts.html_bytes > 0 {
                " · " (number(facts.html_bytes as f64 / 1e3, 0)) " kB"
            }
        }
    }
}

/// Returns the diff of two texts.
fn text_difference(gold: &str, text: &str) -> Markup {
    let diff = diff(gold, text);
    html! {
        @if diff.pieces.is_empty() { span.omitted { "both texts are empty" } }
        @for piece in diff.pieces.iter().cloned().chain(diff.omissions()) {
            @match piece.kind {
                PieceKind::Same => span { (piece.text) },
                PieceKind::Missing => del { (piece.text) },
                PieceKind::Extra => ins { (piece.text) },
                PieceKind::Omitted => span.omitted { (piece.text) },
            }
        }
    }
}
