//! Draws charts as inline SVG without scripts. They use the colours of the page's style sheet, and
//! fit its width.

use std::fmt::Write;

/// Draws a bar beside a number. `share` is the filled part, from 0 to 1.
pub fn bar(share: f64, svg: &mut String) {
    let width = (share.clamp(0.0, 1.0) * 100.0).max(if share > 0.0 { 0.5 } else { 0.0 });
    // Writing to a string cannot fail.
    let _ = write!(
        svg,
        "<svg class=\"bar\" viewBox=\"0 0 100 10\" preserveAspectRatio=\"none\" aria-hidden=\"true\"><rect class=\"ground\" width=\"100\" height=\"10\"/><rect width=\"{width:.1}\" height=\"10\"/></svg>"
    );
}

/// A chart of columns.
#[derive(Clone, Copy, Debug)]
pub struct Columns<'a> {
    /// Description of the chart, for screen readers.
    pub title: &'a str,
    /// Heights of the columns, at least 0.
    pub heights: &'a [f64],
    /// Labels below the first column, between, and below the last. Plain text.
    pub below: &'a [String],
    /// Label of the highest value. Plain text.
    pub highest: &'a str,
}

/// Draws columns side by side, as high as their values.
pub fn columns(chart: Columns<'_>, svg: &mut String) {
    const WIDTH: f64 = 600.0;
    const HEIGHT: f64 = 130.0;
    const TOP: f64 = 18.0;
    let most = chart.heights.iter().copied().fold(0.0, f64::max);
    let step = WIDTH / chart.heights.len().max(1) as f64;
    let _ = write!(
        svg,
        "<svg class=\"chart\" viewBox=\"0 0 {WIDTH} {}\" role=\"img\"><title>",
        TOP + HEIGHT + 20.0
    );
    push_text(chart.title, svg);
    svg.push_str("</title>");
    for (place, height) in chart.heights.iter().enumerate() {
        let height = if most > 0.0 { height / most * HEIGHT } else { 0.0 };
        let (x, y) = (place as f64 * step, TOP + HEIGHT - height);
        let _ = write!(
            svg,
            "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{:.1}\" height=\"{height:.1}\"/>",
            (step - 1.0).max(0.5)
        );
    }
    let base = TOP + HEIGHT;
    let _ = write!(svg, "<line x1=\"0\" y1=\"{base}\" x2=\"{WIDTH}\" y2=\"{base}\"/>");
    let _ = write!(svg, "<text x=\"0\" y=\"12\">");
    push_text(chart.highest, svg);
    svg.push_str("</text>");
    let last = chart.below.len().saturating_sub(1);
    for (place, label) in chart.below.iter().enumerate() {
        let x = if last == 0 { 0.0 } else { WIDTH * place as f64 / last as f64 };
        let anchor = match place {
            0 => "start",
            _ if place == last => "end",
            _ => "middle",
        };
        let _ = write!(svg, "<text x=\"{x:.1}\" y=\"{}\" text-anchor=\"{anchor}\">", base + 15.0);
        push_text(label, svg);
        svg.push_str("</text>");
    }
    svg.push_str("</svg>");
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

/// Draws lines over two logarithmic axes. The axes show the first and the last x, every x of the
/// longest line, and the least and the greatest y.
pub fn plots(title: &str, lines: &[Plot<'_>], svg: &mut String) {
    const WIDTH: f64 = 600.0;
    const HEIGHT: f64 = 260.0;
    const LEFT: f64 = 60.0;
    const TOP: f64 = 24.0;
    const RIGHT: f64 = 20.0;
    let is_shown =
        |point: &&(f64, f64)| point.0 > 0.0 && point.1 > 0.0 && (point.0 * point.1).is_finite();
    let all = || lines.iter().flat_map(|line| line.points.iter().filter(is_shown));
    let range = |of: fn(&(f64, f64)) -> f64| {
        let (least, most) =
            all().map(of).fold((f64::MAX, 0.0_f64), |(a, b), value| (a.min(value), b.max(value)));
        // A single point has no extent; it is drawn at the start of the axis.
        if least < most { (least, most) } else { (least, least * 2.0) }
    };
    let _ = write!(
        svg,
        "<svg class=\"chart\" viewBox=\"0 0 {WIDTH} {}\" role=\"img\"><title>",
        TOP + HEIGHT + 24.0
    );
    push_text(title, svg);
    svg.push_str("</title>");
    if all().next().is_none() {
        svg.push_str("</svg>");
        return;
    }
    let ((x_least, x_most), (y_least, y_most)) = (range(|point| point.0), range(|point| point.1));
    let place = |value: f64, least: f64, most: f64| (value / least).ln() / (most / least).ln();
    let x = |value: f64| LEFT + place(value, x_least, x_most) * (WIDTH - LEFT - RIGHT);
    let y = |value: f64| TOP + HEIGHT * (1.0 - place(value, y_least, y_most));
    let base = TOP + HEIGHT;
    let _ = write!(svg, "<line x1=\"{LEFT}\" y1=\"{base}\" x2=\"{WIDTH}\" y2=\"{base}\"/>");
    let _ = write!(svg, "<line x1=\"{LEFT}\" y1=\"{TOP}\" x2=\"{LEFT}\" y2=\"{base}\"/>");
    for (value, at) in [(y_least, base), (y_most, TOP)] {
        let (edge, at) = (LEFT - 6.0, at + 4.0);
        let _ =
            write!(svg, "<text x=\"{edge}\" y=\"{at:.1}\" text-anchor=\"end\">{value:.0}</text>");
    }
    let longest = lines.iter().max_by_key(|line| line.points.len());
    let ticks = longest.into_iter().flat_map(|line| line.points.iter().filter(is_shown));
    for (value, _) in ticks {
        let (at, below) = (x(*value), base + 16.0);
        let _ =
            write!(svg, "<text x=\"{at:.1}\" y=\"{below}\" text-anchor=\"middle\">{value}</text>");
    }
    for (number, line) in lines.iter().enumerate() {
        let class = if line.is_dashed { "dashed" } else { "solid" };
        let _ = write!(svg, "<polyline class=\"{class}\" points=\"");
        for (px, py) in line.points.iter().filter(is_shown) {
            let _ = write!(svg, "{:.1},{:.1} ", x(*px), y(*py));
        }
        svg.push_str("\"/>");
        for (px, py) in line.points.iter().filter(is_shown).filter(|_| !line.is_dashed) {
            let _ = write!(svg, "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"4\"/>", x(*px), y(*py));
        }
        // The legend: a stroke of the line and its name.
        let (from, at) = (LEFT + 8.0 + 160.0 * number as f64, 12.0);
        let _ = write!(
            svg,
            "<polyline class=\"{class}\" points=\"{from},{at} {},{at}\"/><text x=\"{}\" y=\"16\">",
            from + 28.0,
            from + 34.0
        );
        push_text(line.name, svg);
        svg.push_str("</text>");
    }
    svg.push_str("</svg>");
}

/// Appends the text of an element, or the value of an attribute in double quotes. Control
/// characters become spaces.
pub(crate) fn push_text(text: &str, html: &mut String) {
    for c in text.chars() {
        match c {
            '&' => html.push_str("&amp;"),
            '<' => html.push_str("&lt;"),
            '>' => html.push_str("&gt;"),
            '"' => html.push_str("&quot;"),
            c if c.is_control() => html.push(' '),
            c => html.push(c),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_highest_column_has_the_whole_height_and_labels_stay_text() {
        let mut svg = String::new();
        let below = ["<0>".to_owned(), "1".to_owned()];
        columns(
            Columns { title: "a \"b\"", heights: &[1.0, 4.0, 0.0], below: &below, highest: "4" },
            &mut svg,
        );
        assert!(svg.contains("height=\"130.0\"") && svg.contains("height=\"32.5\""), "{svg}");
        assert!(svg.contains("&lt;0&gt;") && svg.contains("a &quot;b&quot;"), "{svg}");
        columns(Columns { title: "", heights: &[], below: &[], highest: "" }, &mut svg);
        assert!(!svg.contains("NaN"), "{svg}");
    }

    #[test]
    fn a_line_runs_from_corner_to_corner_of_logarithmic_axes() {
        let points = [(1.0, 10.0), (8.0, 80.0), (64.0, 640.0), (128.0, 0.0)];
        let mut svg = String::new();
        plots("t", &[Plot { name: "<m>", is_dashed: false, points: &points }], &mut svg);
        // The first point is at the bottom left, the last at the top right, and the middle one in
        // the centre.
        assert!(svg.contains("points=\"60.0,284.0 320.0,154.0 580.0,24.0 \""), "{svg}");
        assert!(svg.contains("&lt;m&gt;") && svg.matches("<circle").count() == 3, "{svg}");
    }

    #[test]
    fn a_chart_of_nothing_or_of_one_point_has_no_numbers_that_are_none() {
        for points in [&[][..], &[(0.0, 0.0)], &[(1.0, 5.0)], &[(2.0, f64::INFINITY)]] {
            let mut svg = String::new();
            plots("t", &[Plot { name: "n", is_dashed: true, points }], &mut svg);
            assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
        }
        let mut svg = String::new();
        plots("t", &[], &mut svg);
        assert!(svg.ends_with("</svg>"));
    }

    #[test]
    fn a_bar_is_never_wider_than_its_place_and_seen_if_there_is_something() {
        for (share, width) in [(0.0, "0.0"), (1e-9, "0.5"), (0.5, "50.0"), (7.0, "100.0")] {
            let mut svg = String::new();
            bar(share, &mut svg);
            assert!(svg.contains(&format!("<rect width=\"{width}\"")), "{svg}");
        }
    }
}
