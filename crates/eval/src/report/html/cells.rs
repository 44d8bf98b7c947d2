//! The name of a system, and table cells with figures.

use huller_html::{isolated, number};
use maud::{Markup, html};

/// Returns the name of a system and its profile.
pub(super) fn system(name: &str, profile: &str) -> Markup {
    html! {
        (isolated(name))
        @if !profile.is_empty() { " " small { (profile) } }
    }
}

/// Returns a table cell with a figure; bold if it is the best.
pub(super) fn figure(value: Option<f64>, decimals: usize, best: Option<f64>) -> Markup {
    html! {
        td class=[is_best(value, best).then_some("best")] {
            (number(value.unwrap_or(f64::NAN), decimals))
        }
    }
}

/// Returns a table cell with a score from 0 to 1. The better the score, the stronger the background
/// colour.
pub(super) fn shaded_cell(value: Option<f64>, best: Option<f64>) -> Markup {
    let Some(score) = value.filter(|score| score.is_finite()) else {
        return figure(None, 3, None);
    };
    // Scores up to .4 have no colour.
    let shade = ((score - 0.4) / 0.6).clamp(0.0, 1.0) * 45.0;
    html! {
        td class={ "shaded" @if is_best(value, best) { " best" } }
            style={ "--shade:" (number(shade, 0)) "%" } { (number(score, 3)) }
    }
}

fn is_best(value: Option<f64>, best: Option<f64>) -> bool {
    value.zip(best).is_some_and(|(value, best)| value.total_cmp(&best).is_eq())
}
