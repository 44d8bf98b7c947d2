//! Draws bars with intervals, and a scatter plot of quality against speed.

use super::label_placement::{LABEL_HEIGHT, Rectangle, place_labels};
use super::parts::SystemFigures;
use super::writer::Writer;

/// Writes one bar per system, the best first.
pub(super) fn bars(out: &mut Writer, systems: &[SystemFigures]) {
    let score = |system: &SystemFigures| system.lcs_f1.filter(|score| score.is_finite());
    let mut shown: Vec<_> =
        systems.iter().filter_map(|system| Some((system, score(system)?))).collect();
    if shown.is_empty() {
        return;
    }
    shown.sort_by(|a, b| b.1.total_cmp(&a.1));
    out.raw("<section>\n<h2>LCS F1</h2>\n<div class=\"bars\" role=\"list\">\n");
    for (system, score) in shown {
        out.raw("<div class=\"bar\" role=\"listitem\"><span class=\"name\">");
        out.system(&system.name, &system.profile).raw("</span><span class=\"track\">");
        out.raw("<span class=\"value\" style=\"width:").number(percent(score), 2);
        out.raw("%\"></span>");
        if system.low.is_finite() && system.high.is_finite() && system.low <= system.high {
            let (low, high) = (percent(system.low), percent(system.high));
            out.raw("<span class=\"interval\" style=\"left:").number(low, 2);
            out.raw("%;width:").number(high - low, 2).raw("%\" title=\"95 % interval: ");
            out.number(system.low, 3).raw(" to ").number(system.high, 3).raw("\"></span>");
        }
        out.raw("</span><span class=\"number\">").number(score, 3).raw("</span></div>\n");
    }
    out.raw(
        "<div class=\"bar axis\" aria-hidden=\"true\"><span class=\"name\"></span><span class=\"track\">\
         <span>0</span><span>.25</span><span>.5</span><span>.75</span><span>1</span></span>\
         <span class=\"number\"></span></div>\n</div>\n\
         <p class=\"caption\">Bar: mean over all pages. Line: its 95 % confidence interval.</p>\n</section>\n",
    );
}

fn percent(score: f64) -> f64 {
    score.clamp(0.0, 1.0) * 100.0
}

/// A system in the scatter plot.
struct ScatterPoint {
    label: String,
    is_paper: bool,
    score: f64,
    speed: f64,
}

/// Writes the scatter plot of the systems with both quality and speed: one chart for wide windows
/// and one for narrow ones.
pub(super) fn scatter(out: &mut Writer, systems: &[SystemFigures]) {
    let usable = |value: &f64| value.is_finite() && *value > 0.0;
    let shown = || systems.iter().filter(|system| !system.profile.is_empty());
    let one_profile =
        shown().all(|system| Some(&system.profile) == shown().next().map(|s| &s.profile));
    let points: Vec<ScatterPoint> = systems
        .iter()
        .filter_map(|system| {
            Some(ScatterPoint {
                label: label(&system.name, if one_profile { "" } else { &system.profile }),
                is_paper: system.profile == "paper" && !one_profile,
                score: system.lcs_f1.filter(|score| score.is_finite())?,
                speed: system.mb_per_cpu_s.filter(usable)?,
            })
        })
        .collect();
    if points.is_empty() {
        return;
    }
    out.raw("<section>\n<h2>Quality against speed</h2>\n<figure>\n");
    chart(out, &points, "wide-chart", 760.0, 420.0);
    chart(out, &points, "narrow-chart", 360.0, 400.0);
    out.raw("<figcaption class=\"caption\">Higher and further right is better.");
    if points.iter().any(|point| point.is_paper) {
        out.raw(" Filled: tuned; hollow: as in the paper.");
    }
    out.raw("</figcaption>\n</figure>\n</section>\n");
}

/// Returns the label beside the point of a system.
fn label(name: &str, profile: &str) -> String {
    let name = shorten_name(name);
    if profile.is_empty() { name } else { format!("{name}/{profile}") }
}

/// Returns a name, shortened so that it fits in a chart.
fn shorten_name(name: &str) -> String {
    const MAX_CHARS: usize = 22;
    let mut short: String = name.chars().take(MAX_CHARS).collect();
    if name.chars().nth(MAX_CHARS).is_some() {
        short.push('…');
    }
    short
}

/// Returns the width of a label in the chart's units. Each scalar from U+1100 on, such as a CJK
/// character, counts as about two letters.
fn width(label: &str) -> f64 {
    label.chars().map(|c| if c < '\u{1100}' { 6.8 } else { 13.0 }).sum::<f64>() + 4.0
}

/// Margins around the plot.
const LEFT: f64 = 46.0;
const RIGHT: f64 = 14.0;
const TOP: f64 = 14.0;
const BOTTOM: f64 = 46.0;

fn chart(
    out: &mut Writer,
    points: &[ScatterPoint],
    class: &'static str,
    full_width: f64,
    full_height: f64,
) {
    let plot = Rectangle {
        x: LEFT,
        y: TOP,
        width: full_width - LEFT - RIGHT,
        height: full_height - TOP - BOTTOM,
    };
    let speeds = Axis::logarithmic(points.iter().map(|point| point.speed));
    let scores = Axis::linear(points.iter().map(|point| point.score));
    let x_of = |speed: f64| plot.x + speeds.share(speed.log10()) * plot.width;
    let y_of = |score: f64| plot.y + (1.0 - scores.share(score)) * plot.height;

    out.raw("<svg class=\"").raw(class).raw("\" viewBox=\"0 0 ").number(full_width, 0).raw(" ");
    out.number(full_height, 0)
        .raw("\" role=\"img\" aria-label=\"LCS F1 by megabytes per CPU second\">\n");
    for tick in &scores.ticks {
        let y = y_of(*tick);
        line(out, "grid", (plot.x, y), (plot.x + plot.width, y));
        text(out, "tick end", plot.x - 8.0, y + 4.0)
            .number(*tick, scores.decimals)
            .raw("</text>\n");
    }
    let mut free = f64::NEG_INFINITY;
    for tick in &speeds.ticks {
        let x = x_of(*tick);
        line(out, "grid", (x, plot.y), (x, plot.y + plot.height));
        if x < free {
            continue;
        }
        let decimals = if *tick < 0.95 { 2 } else { 0 };
        text(out, "tick middle", x, plot.y + plot.height + 17.0)
            .number(*tick, decimals)
            .raw("</text>\n");
        free = x + 34.0;
    }
    let below = plot.y + plot.height + 37.0;
    text(out, "title end", plot.x + plot.width, below).raw("MB of HTML per CPU second →</text>\n");
    text(out, "title", plot.x + 5.0, plot.y + 12.0).raw("LCS F1 ↑</text>\n");

    let places: Vec<(f64, f64)> =
        points.iter().map(|point| (x_of(point.speed), y_of(point.score))).collect();
    let widths: Vec<f64> = points.iter().map(|point| width(&point.label)).collect();
    let axis_title = Rectangle { x: plot.x, y: plot.y, width: 64.0, height: LABEL_HEIGHT + 2.0 };
    let labels = place_labels(&places, &widths, plot, axis_title);
    for (label, (x, y)) in labels.iter().zip(&places) {
        if let Some(label) = label.filter(|label| label.is_far) {
            let nearest_x = x.clamp(label.area.x, label.area.x + label.area.width);
            let nearest_y = y.clamp(label.area.y + 2.0, label.area.y + label.area.height - 2.0);
            line(out, "leader", (*x, *y), (nearest_x, nearest_y));
        }
    }
    for (point, (x, y)) in points.iter().zip(&places) {
        out.raw(if point.is_paper { "<circle class=\"hollow\" cx=\"" } else { "<circle cx=\"" });
        out.number(*x, 1)
            .raw("\" cy=\"")
            .number(*y, 1)
            .raw("\" r=\"5\"><title>")
            .text(&point.label);
        out.raw(": ")
            .number(point.score, 3)
            .raw(", ")
            .number(point.speed, 1)
            .raw(" MB/CPU s</title></circle>\n");
    }
    for (point, label) in points.iter().zip(&labels) {
        if let Some(label) = label {
            text(out, "label", label.area.x + 2.0, label.area.y + LABEL_HEIGHT - 4.0)
                .text(&point.label)
                .raw("</text>\n");
        }
    }
    out.raw("</svg>\n");
}

fn line(out: &mut Writer, class: &'static str, from: (f64, f64), to: (f64, f64)) {
    out.raw("<line class=\"")
        .raw(class)
        .raw("\" x1=\"")
        .number(from.0, 1)
        .raw("\" y1=\"")
        .number(from.1, 1);
    out.raw("\" x2=\"").number(to.0, 1).raw("\" y2=\"").number(to.1, 1).raw("\"/>\n");
}

/// Opens an SVG text element.
fn text<'o>(out: &'o mut Writer, class: &'static str, x: f64, y: f64) -> &'o mut Writer {
    out.raw("<text class=\"")
        .raw(class)
        .raw("\" x=\"")
        .number(x, 1)
        .raw("\" y=\"")
        .number(y, 1)
        .raw("\">")
}

/// A range of values, and the places of its grid lines.
struct Axis {
    from: f64,
    to: f64,
    ticks: Vec<f64>,
    decimals: usize,
}

impl Axis {
    /// Returns an axis for scores: a rounded range around the values, within 0 to 1.
    fn linear(values: impl Iterator<Item = f64> + Clone) -> Axis {
        let (low, high) = range(values);
        let (step, decimals) = match high - low {
            spread if spread > 0.45 => (0.1, 1),
            spread if spread > 0.12 => (0.05, 2),
            _ => (0.02, 2),
        };
        // A margin of half a step keeps points off the border.
        let from = ((low / step - 0.5).floor()).max(0.0);
        let to = ((high / step + 0.5).ceil()).min((1.0 / step).round()).max(from + 1.0);
        let ticks = (from as i32..=to as i32).map(|tick| f64::from(tick) * step).collect();
        Axis { from: from * step, to: to * step, ticks, decimals }
    }

    /// Returns an axis for speeds: a range of base-10 logarithms with ticks at 1, 2 and 5 times
    /// powers of ten.
    fn logarithmic(values: impl Iterator<Item = f64> + Clone) -> Axis {
        let (low, high) = range(values.map(f64::log10));
        let air = ((high - low) * 0.12).max(0.15);
        let (from, to) = (low - air, high + air);
        // Over many powers of ten, only the powers are marked.
        let multiples: &[f64] = if to - from > 3.0 { &[1.0] } else { &[1.0, 2.0, 5.0] };
        let ticks = (from.floor() as i32..=to.ceil() as i32)
            .flat_map(|power| multiples.iter().map(move |multiple| multiple * 10_f64.powi(power)))
            .filter(|tick| (from..=to).contains(&tick.log10()))
            .collect();
        Axis { from, to, ticks, decimals: 0 }
    }

    /// Returns the position of a value in the range, from 0 to 1.
    fn share(&self, value: f64) -> f64 {
        ((value - self.from) / (self.to - self.from)).clamp(0.0, 1.0)
    }
}

fn range(values: impl Iterator<Item = f64> + Clone) -> (f64, f64) {
    (values.clone().fold(f64::INFINITY, f64::min), values.fold(f64::NEG_INFINITY, f64::max))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn axes_hold_their_values_with_round_ticks() {
        let axis = Axis::linear([0.52, 0.871, 0.63].into_iter());
        assert!(axis.from <= 0.52 && axis.to >= 0.871);
        assert_eq!(axis.ticks.len(), 10);
        assert!(axis.ticks.iter().all(|tick| (tick * 20.0 - (tick * 20.0).round()).abs() < 1e-9));
        let one = Axis::linear([1.0].into_iter());
        assert!(one.from < 1.0 && (one.to - 1.0).abs() < 1e-9);
        let zero = Axis::linear([0.0].into_iter());
        assert!(zero.from == 0.0 && zero.to > 0.0);

        let axis = Axis::logarithmic([3.0, 450.0].into_iter());
        assert_eq!(axis.ticks, [2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0, 500.0]);
        assert!((axis.share(3_f64.log10()) > 0.0) && axis.share(450_f64.log10()) < 1.0);
        assert_eq!(Axis::logarithmic([1e-9, 1e9].into_iter()).ticks.len(), 23);
    }

    #[test]
    fn long_names_are_shortened() {
        assert_eq!(shorten_name("short"), "short");
        assert_eq!(shorten_name(&"x".repeat(500)).chars().count(), 23);
    }
}
