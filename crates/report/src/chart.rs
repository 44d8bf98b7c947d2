//! Charts as inline SVG, without scripts: they take their colours from the style sheet of the page, and its width.

use std::fmt::Write;

/// A bar beside a number: `share` from 0 to 1 of the width of its place.
pub fn bar(share: f64, svg: &mut String) {
    let width = (share.clamp(0.0, 1.0) * 100.0).max(if share > 0.0 { 0.5 } else { 0.0 });
    // Writing to a string cannot fail.
    let _ = write!(
        svg,
        "<svg class=\"bar\" viewBox=\"0 0 100 10\" preserveAspectRatio=\"none\" aria-hidden=\"true\"><rect class=\"ground\" width=\"100\" height=\"10\"/><rect width=\"{width:.1}\" height=\"10\"/></svg>"
    );
}

/// What a chart of columns shows.
#[derive(Clone, Copy, Debug)]
pub struct Columns<'a> {
    /// What it shows, for readers who do not see it.
    pub title: &'a str,
    /// The heights of the columns, none below 0.
    pub heights: &'a [f64],
    /// What stands below the first column, between, and below the last. Plain text.
    pub below: &'a [String],
    /// What the highest column is worth. Plain text.
    pub highest: &'a str,
}

/// Columns side by side, as high as their values.
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

/// Appends the text of an element, or the value of an attribute in double quotes. Control characters become spaces.
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
    fn a_bar_is_never_wider_than_its_place_and_seen_if_there_is_something() {
        for (share, width) in [(0.0, "0.0"), (1e-9, "0.5"), (0.5, "50.0"), (7.0, "100.0")] {
            let mut svg = String::new();
            bar(share, &mut svg);
            assert!(svg.contains(&format!("<rect width=\"{width}\"")), "{svg}");
        }
    }
}
