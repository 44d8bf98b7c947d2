//! Shows a measurement as an HTML file with charts.

use huller_bench::{BenchTables, Chart, Column, Section};
use huller_report::{Graph, Measured, MeasuredColumn, Measurements, Plot};

/// Returns the HTML of a measurement.
pub(super) fn html(tables: &BenchTables) -> String {
    let sections: Vec<Measured<'_>> = tables.sections.iter().map(section).collect();
    Measurements {
        title: &tables.title,
        warnings: &tables.warnings,
        facts: &tables.facts,
        sections: &sections,
    }
    .to_html()
}

fn section(section: &Section) -> Measured<'_> {
    let columns = section
        .columns
        .iter()
        .map(|Column { title, is_text, .. }| MeasuredColumn { title, is_text: *is_text });
    let graph = section.chart.as_ref().map(|chart| match chart {
        Chart::Bars { values } => Graph::Bars(values),
        Chart::Lines { title, lines } => Graph::Plots {
            title,
            plots: (lines.iter())
                .map(|line| Plot {
                    name: &line.name,
                    is_dashed: !line.is_measured,
                    points: &line.points,
                })
                .collect(),
        },
    });
    Measured {
        heading: &section.heading,
        notes: &section.notes,
        columns: columns.collect(),
        rows: &section.rows,
        graph,
    }
}
