//! Draws charts as inline SVG without scripts. They use the colours of the page's style sheet, and
//! fit its width.

use maud::{Markup, html};

/// Width of a chart.
const WIDTH: f64 = 600.0;

/// Draws a bar beside a number. `share` is the filled part, from 0 to 1.
pub(crate) fn bar(share: f64) -> Markup {
    let width = (share.clamp(0.0, 1.0) * 100.0).max(if share > 0.0 { 0.5 } else { 0.0 });
    html! {
        svg.bar viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true" {
            rect.ground width="100" height="10" {}
            rect width=(tenths(width)) height="10" {}
        }
    }
}

/// Returns a coordinate with one decimal.
fn tenths(value: f64) -> String {
    format!("{value:.1}")
}

/// A chart of columns.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Columns<'a> {
    /// Description of the chart, for screen readers.
    pub(crate) title: &'a str,
    /// Heights of the columns, at least 0.
    pub(crate) heights: &'a [f64],
    /// Labels below the first column, between, and below the last. Plain text.
    pub(crate) below: &'a [String],
    /// Label of the highest value. Plain text.
    pub(crate) highest: &'a str,
}

/// Draws columns side by side, as high as their values.
pub(crate) fn columns(chart: Columns<'_>) -> Markup {
    const HEIGHT: f64 = 130.0;
    const TOP: f64 = 18.0;
    let base = TOP + HEIGHT;
    let max_height = chart.heights.iter().copied().fold(0.0, f64::max);
    let step = WIDTH / chart.heights.len().max(1) as f64;
    let width = tenths((step - 1.0).max(0.5));
    let height = |value: f64| if max_height > 0.0 { value / max_height * HEIGHT } else { 0.0 };
    let last = chart.below.len().saturating_sub(1);
    let label_x = |index: usize| if last == 0 { 0.0 } else { WIDTH * index as f64 / last as f64 };
    let anchor = |index: usize| match index {
        0 => "start",
        _ if index == last => "end",
        _ => "middle",
    };
    html! {
        svg.chart viewBox={ "0 0 " (WIDTH) " " (base + 20.0) } role="img" {
            title { (chart.title) }
            @for (index, height) in chart.heights.iter().copied().map(height).enumerate() {
                rect x=(tenths(index as f64 * step)) y=(tenths(base - height)) width=(width)
                    height=(tenths(height)) {}
            }
            line x1="0" y1=(base) x2=(WIDTH) y2=(base) {}
            text x="0" y="12" { (chart.highest) }
            @for (index, label) in chart.below.iter().enumerate() {
                text x=(tenths(label_x(index))) y=(base + 15.0) text-anchor=(anchor(index)) {
                    (label)
                }
            }
        }
    }
}

/// A line of a chart.
#[derive(Clone, Copy, Debug)]
pub struct Plot<'a> {
    /// Name of the line in the legend. Plain text.
    pub name: &'a str,
    /// Whether the line is dashed, for values that were not measured. A solid line has marked
    /// points.
    pub is_dashed: bool,
    /// Points by ascending x. Points with a coordinate of 0 or below are left out.
    pub points: &'a [(f64, f64)],
}

impl Plot<'_> {
    /// Returns the points that a logarithmic chart can show.
    fn shown(&self) -> impl Iterator<Item = (f64, f64)> {
        let points = self.points.iter().copied();
        points.filter(|(x, y)| *x > 0.0 && *y > 0.0 && (x * y).is_finite())
    }
}

/// A logarithmic axis: the values at its ends, and their coordinates.
struct Axis {
    /// The values at the ends, above 0.
    values: (f64, f64),
    /// The coordinates of the ends.
    ends: (f64, f64),
}

impl Axis {
    fn new(values: impl Iterator<Item = f64>, ends: (f64, f64)) -> Axis {
        let (min, max) =
            values.fold((f64::MAX, 0.0_f64), |(a, b), value| (a.min(value), b.max(value)));
        // A single point has no extent; it is drawn at the start of the axis.
        let values = if min < max { (min, max) } else { (min, min * 2.0) };
        Axis { values, ends }
    }

    /// Returns the coordinate of a value.
    fn place(&self, value: f64) -> f64 {
        let (min, max) = self.values;
        let (start, end) = self.ends;
        start + (value / min).ln() / (max / min).ln() * (end - start)
    }
}

/// Draws lines over two logarithmic axes. The axes show the first and the last x, every x of the
/// longest line, and the least and the greatest y.
pub(crate) fn plots(title: &str, lines: &[Plot<'_>]) -> Markup {
    const HEIGHT: f64 = 260.0;
    const LEFT: f64 = 60.0;
    const TOP: f64 = 24.0;
    const RIGHT: f64 = 20.0;
    let base = TOP + HEIGHT;
    let shown_values = || lines.iter().flat_map(Plot::shown);
    let xs = Axis::new(shown_values().map(|point| point.0), (LEFT, WIDTH - RIGHT));
    let ys = Axis::new(shown_values().map(|point| point.1), (base, TOP));
    let (y_least, y_most) = ys.values;
    let longest = lines.iter().max_by_key(|line| line.points.len());
    html! {
        svg.chart viewBox={ "0 0 " (WIDTH) " " (base + 24.0) } role="img" {
            title { (title) }
            @if shown_values().next().is_some() {
                line x1=(LEFT) y1=(base) x2=(WIDTH) y2=(base) {}
                line x1=(LEFT) y1=(TOP) x2=(LEFT) y2=(base) {}
                @for (value, y) in [(y_least, base), (y_most, TOP)] {
                    text x=(LEFT - 6.0) y=(tenths(y + 4.0)) text-anchor="end" {
                        (format!("{value:.0}"))
                    }
                }
                @for (value, _) in longest.into_iter().flat_map(Plot::shown) {
                    text x=(tenths(xs.place(value))) y=(base + 16.0) text-anchor="middle" {
                        (value)
                    }
                }
                @for (number, line) in lines.iter().enumerate() {
                    (plot(line, &xs, &ys))
                    (legend(line, LEFT + 8.0 + 160.0 * number as f64))
                }
            }
        }
    }
}

/// Draws one line, with its measured points.
fn plot(line: &Plot<'_>, xs: &Axis, ys: &Axis) -> Markup {
    let points = || line.shown().map(|(x, y)| (tenths(xs.place(x)), tenths(ys.place(y))));
    let path: String = points().map(|(x, y)| x + "," + &y + " ").collect();
    html! {
        polyline class=(class(line)) points=(path) {}
        @if !line.is_dashed {
            @for (x, y) in points() { circle cx=(x) cy=(y) r="4" {} }
        }
    }
}

/// Draws a stroke of a line and its name.
fn legend(line: &Plot<'_>, x: f64) -> Markup {
    html! {
        polyline class=(class(line)) points={ (x) ",12 " (x + 28.0) ",12" } {}
        text x=(x + 34.0) y="16" { (line.name) }
    }
}

fn class(line: &Plot<'_>) -> &'static str {
    if line.is_dashed { "dashed" } else { "solid" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_highest_column_has_the_whole_height_and_labels_stay_text() {
        let below = ["<0>".to_owned(), "1".to_owned()];
        let chart =
            Columns { title: "a \"b\"", heights: &[1.0, 4.0, 0.0], below: &below, highest: "4" };
        let svg = columns(chart).0;
        assert!(svg.contains("height=\"130.0\"") && svg.contains("height=\"32.5\""), "{svg}");
        assert!(svg.contains("&lt;0&gt;") && svg.contains("a &quot;b&quot;"), "{svg}");
        let svg = columns(Columns { title: "", heights: &[], below: &[], highest: "" }).0;
        assert!(!svg.contains("NaN"), "{svg}");
    }

    #[test]
    fn a_line_runs_from_corner_to_corner_of_logarithmic_axes() {
        let points = [(1.0, 10.0), (8.0, 80.0), (64.0, 640.0), (128.0, 0.0)];
        let svg = plots("t", &[Plot { name: "<m>", is_dashed: false, points: &points }]).0;
        // The first point is at the bottom left, the last at the top right, and the middle one in
        // the centre.
        assert!(svg.contains("points=\"60.0,284.0 320.0,154.0 580.0,24.0 \""), "{svg}");
        assert!(svg.contains("&lt;m&gt;") && svg.matches("<circle").count() == 3, "{svg}");
    }

    #[test]
    fn a_chart_of_nothing_or_of_one_point_has_no_numbers_that_are_none() {
        for points in [&[][..], &[(0.0, 0.0)], &[(1.0, 5.0)], &[(2.0, f64::INFINITY)]] {
            let svg = plots("t", &[Plot { name: "n", is_dashed: true, points }]).0;
            assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
        }
        assert!(plots("t", &[]).0.ends_with("</svg>"));
    }

    #[test]
    fn a_bar_is_never_wider_than_its_place_and_seen_if_there_is_something() {
        for (share, width) in [(0.0, "0.0"), (1e-9, "0.5"), (0.5, "50.0"), (7.0, "100.0")] {
            let svg = bar(share).0;
            assert!(svg.contains(&format!("<rect width=\"{width}\"")), "{svg}");
        }
    }
}
