//! Draws bars with intervals, and a scatter plot of quality against speed.

use super::cells::system;
use super::label_placement::{LABEL_HEIGHT, Label, Rectangle, place_labels};
use super::parts::SystemFigures;
use huller_html::number;
use maud::{Markup, html};

/// Returns one bar per system, the best first.
pub(super) fn bars(systems: &[SystemFigures]) -> Markup {
    let score = |system: &SystemFigures| system.lcs_f1.filter(|score| score.is_finite());
    let mut shown: Vec<_> =
        systems.iter().filter_map(|system| Some((system, score(system)?))).collect();
    if shown.is_empty() {
        return html! {};
    }
    shown.sort_by(|a, b| b.1.total_cmp(&a.1));
    html! {
        section {
            h2 { "LCS F1" }
            div.bars role="list" {
                @for (system, score) in shown { (bar_markup(system, score)) }
                div class="bar axis" aria-hidden="true" {
                    span.name {}
                    span.track {
                        @for tick in ["0", ".25", ".5", ".75", "1"] { span { (tick) } }
                    }
                    span.number {}
                }
            }
            p.caption { "Bar: mean over all pages. Line: its 95 % confidence interval." }
        }
    }
}

fn bar_markup(figures: &SystemFigures, score: f64) -> Markup {
    let SystemFigures { low, high, .. } = *figures;
    let (left, right) = (percent(low), percent(high));
    html! {
        div.bar role="listitem" {
            span.name { (system(&figures.name, &figures.profile)) }
            span.track {
                span.value style={ "width:" (number(percent(score), 2)) "%" } {}
                @if low.is_finite() && high.is_finite() && low <= high {
                    span.interval
                        style={ "left:" (number(left, 2)) "%;width:" (number(right - left, 2)) "%" }
                        title={ "95 % interval: " (number(low, 3)) " to " (number(high, 3)) } {}
                }
            }
            span.number { (number(score, 3)) }
        }
    }
}

fn percent(score: f64) -> f64 {
    score.clamp(0.0, 1.0) * 100.0
}

/// A system in the scatter plot.
struct ScatterPoint {
    label: String,
    is_paper: bool,
    /// LCS F1, 0 to 1.
    score: f64,
    /// MB of HTML per CPU second.
    speed: f64,
}

/// Returns the scatter plot of the systems with both quality and speed: one chart for wide windows
/// and one for narrow ones.
pub(super) fn scatter(systems: &[SystemFigures]) -> Markup {
    let usable = |value: &f64| value.is_finite() && *value > 0.0;
    let shown = || systems.iter().filter(|system| !system.profile.is_empty());
    let one_profile =
        shown().all(|system| Some(&system.profile) == shown().next().map(|s| &s.profile));
    let points: Vec<ScatterPoint> = systems
        .iter()
        .filter_map(|system| {
            Some(ScatterPoint {
                label: point_label(&system.name, if one_profile { "" } else { &system.profile }),
                is_paper: system.profile == "paper" && !one_profile,
                score: system.lcs_f1.filter(|score| score.is_finite())?,
                speed: system.mb_per_cpu_s.filter(usable)?,
            })
        })
        .collect();
    if points.is_empty() {
        return html! {};
    }
    html! {
        section {
            h2 { "Quality against speed" }
            figure {
                (Chart::new(&points, 760.0, 420.0).svg("wide-chart"))
                (Chart::new(&points, 360.0, 400.0).svg("narrow-chart"))
                figcaption.caption {
                    "Higher and further right is better."
                    @if points.iter().any(|point| point.is_paper) {
                        " Filled: tuned; hollow: as in the paper."
                    }
                }
            }
        }
    }
}

/// Returns the label beside the point of a system.
fn point_label(name: &str, profile: &str) -> String {
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
fn label_width(label: &str) -> f64 {
    label.chars().map(|c| if c < '\u{1100}' { 6.8 } else { 13.0 }).sum::<f64>() + 4.0
}

/// Margins around the plot.
const LEFT: f64 = 46.0;
const RIGHT: f64 = 14.0;
const TOP: f64 = 14.0;
const BOTTOM: f64 = 46.0;

/// A scatter plot of a size, with the coordinates of its points.
struct Chart<'a> {
    points: &'a [ScatterPoint],
    places: Vec<(f64, f64)>,
    plot: Rectangle,
    speeds: Axis,
    scores: Axis,
}

impl Chart<'_> {
    fn new(points: &[ScatterPoint], full_width: f64, full_height: f64) -> Chart<'_> {
        let plot = Rectangle {
            x: LEFT,
            y: TOP,
            width: full_width - LEFT - RIGHT,
            height: full_height - TOP - BOTTOM,
        };
        let speeds = Axis::logarithmic(points.iter().map(|point| point.speed));
        let scores = Axis::linear(points.iter().map(|point| point.score));
        let mut chart = Chart { points, places: Vec::new(), plot, speeds, scores };
        chart.places =
            points.iter().map(|point| (chart.x(point.speed), chart.y(point.score))).collect();
        chart
    }

    fn x(&self, speed: f64) -> f64 {
        self.plot.x + self.speeds.position(speed.log10()) * self.plot.width
    }

    fn y(&self, score: f64) -> f64 {
        self.plot.y + (1.0 - self.scores.position(score)) * self.plot.height
    }

    fn svg(&self, class: &str) -> Markup {
        let Rectangle { x, y, width, height } = self.plot;
        let axis_title = Rectangle { x, y, width: 64.0, height: LABEL_HEIGHT + 2.0 };
        let widths: Vec<f64> = self.points.iter().map(|point| label_width(&point.label)).collect();
        let labels = place_labels(&self.places, &widths, self.plot, axis_title);
        let size = (width + LEFT + RIGHT, height + TOP + BOTTOM);
        html! {
            svg class=(class) viewBox={ "0 0 " (size.0) " " (size.1) } role="img"
                aria-label="LCS F1 by megabytes per CPU second" {
                (self.grid_lines())
                (text_element("title end", x + width, y + height + 37.0, "MB of HTML per CPU second →"))
                (text_element("title", x + 5.0, y + 12.0, "LCS F1 ↑"))
                @for (label, place) in labels.iter().zip(&self.places) { (leader_line(*label, *place)) }
                @for (point, place) in self.points.iter().zip(&self.places) {
                    (point_circle(point, *place))
                }
                @for (point, label) in self.points.iter().zip(&labels) {
                    @if let Some(Label { area, .. }) = label {
                        (text_element("label", area.x + 2.0, area.y + LABEL_HEIGHT - 4.0, &point.label))
                    }
                }
            }
        }
    }

    /// Returns the grid, with a label for each line that has space for one.
    fn grid_lines(&self) -> Markup {
        let plot = self.plot;
        let (right, bottom) = (plot.x + plot.width, plot.y + plot.height);
        let mut next_free_x = f64::NEG_INFINITY;
        let speeds = self.speeds.ticks.iter().map(|tick| {
            let x = self.x(*tick);
            let is_labelled = x >= next_free_x;
            next_free_x = if is_labelled { x + 34.0 } else { next_free_x };
            let decimals = if *tick < 0.95 { 2 } else { 0 };
            (x, is_labelled.then(|| number(*tick, decimals)))
        });
        html! {
            @for (tick, y) in self.scores.ticks.iter().map(|tick| (*tick, self.y(*tick))) {
                (line_element("grid", (plot.x, y), (right, y)))
                (text_element("tick end", plot.x - 8.0, y + 4.0, &number(tick, self.scores.decimals)))
            }
            @for (x, label) in speeds {
                (line_element("grid", (x, plot.y), (x, bottom)))
                @if let Some(label) = label { (text_element("tick middle", x, bottom + 17.0, &label)) }
            }
        }
    }
}

/// Returns the line from a point to a label that is far from it.
fn leader_line(label: Option<Label>, (x, y): (f64, f64)) -> Markup {
    let Some(Label { area, .. }) = label.filter(|label| label.is_far) else { return html! {} };
    let nearest_x = x.clamp(area.x, area.x + area.width);
    let nearest_y = y.clamp(area.y + 2.0, area.y + area.height - 2.0);
    line_element("leader", (x, y), (nearest_x, nearest_y))
}

fn point_circle(point: &ScatterPoint, (x, y): (f64, f64)) -> Markup {
    html! {
        circle class=[point.is_paper.then_some("hollow")] cx=(number(x, 1)) cy=(number(y, 1))
            r="5" {
            title {
                (point.label) ": " (number(point.score, 3)) ", " (number(point.speed, 1))
                " MB/CPU s"
            }
        }
    }
}

fn line_element(class: &str, start: (f64, f64), end: (f64, f64)) -> Markup {
    html! {
        line class=(class) x1=(number(start.0, 1)) y1=(number(start.1, 1)) x2=(number(end.0, 1))
            y2=(number(end.1, 1)) {}
    }
}

fn text_element(class: &str, x: f64, y: f64, content: &str) -> Markup {
    html! { text class=(class) x=(number(x, 1)) y=(number(y, 1)) { (content) } }
}

/// A range of values, and the places of its grid lines.
struct Axis {
    /// Value at the start of the axis.
    from: f64,
    /// Value at its end.
    to: f64,
    /// Values of the grid lines.
    ticks: Vec<f64>,
    /// Number of decimals of labels.
    decimals: usize,
}

impl Axis {
    /// Returns an axis for scores: a rounded range around the values, within 0 to 1.
    fn linear(values: impl Iterator<Item = f64> + Clone) -> Axis {
        let (low, high) = value_range(values);
        let (step, decimals) = match high - low {
            spread if spread > 0.45 => (0.1, 1),
            spread if spread > 0.12 => (0.05, 2),
            _ => (0.02, 2),
        };
        // A margin of half a step keeps points off the border.
        let low_tick = ((low / step - 0.5).floor()).max(0.0);
        let high_tick = ((high / step + 0.5).ceil()).min((1.0 / step).round()).max(low_tick + 1.0);
        let ticks =
            (low_tick as i32..=high_tick as i32).map(|tick| f64::from(tick) * step).collect();
        Axis { from: low_tick * step, to: high_tick * step, ticks, decimals }
    }

    /// Returns an axis for speeds: a range of base-10 logarithms with ticks at 1, 2 and 5 times
    /// powers of ten.
    fn logarithmic(values: impl Iterator<Item = f64> + Clone) -> Axis {
        let (low, high) = value_range(values.map(f64::log10));
        let margin = ((high - low) * 0.12).max(0.15);
        let (from, to) = (low - margin, high + margin);
        // Over many powers of ten, only the powers are marked.
        let multiples: &[f64] = if to - from > 3.0 { &[1.0] } else { &[1.0, 2.0, 5.0] };
        let ticks = (from.floor() as i32..=to.ceil() as i32)
            .flat_map(|power| multiples.iter().map(move |multiple| multiple * 10_f64.powi(power)))
            .filter(|tick| (from..=to).contains(&tick.log10()))
            .collect();
        Axis { from, to, ticks, decimals: 0 }
    }

    /// Returns the position of a value in the range, from 0 to 1.
    fn position(&self, value: f64) -> f64 {
        ((value - self.from) / (self.to - self.from)).clamp(0.0, 1.0)
    }
}

fn value_range(values: impl Iterator<Item = f64> + Clone) -> (f64, f64) {
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
        assert!((axis.position(3_f64.log10()) > 0.0) && axis.position(450_f64.log10()) < 1.0);
        assert_eq!(Axis::logarithmic([1e-9, 1e9].into_iter()).ticks.len(), 23);
    }

    #[test]
    fn long_names_are_shortened() {
        assert_eq!(shorten_name("short"), "short");
        assert_eq!(shorten_name(&"x".repeat(500)).chars().count(), 23);
    }
}
