//! Shows a measurement as tables for terminals. In narrow terminals the least important columns are
//! left out, and the table says so.

use crate::terminal::{printable, shorten, wrap};
use huller_bench::{BenchTables, Column, Section};
use std::borrow::Cow;
use std::io::{self, Write};
use unicode_width::UnicodeWidthStr;

/// Most columns of a terminal that tables use.
const MAX_COLUMNS: usize = 80;

/// Prints all tables in at most `width` columns, and at most 80.
pub(super) fn print(tables: &BenchTables, width: usize, out: &mut impl Write) -> io::Result<()> {
    let width = width.min(MAX_COLUMNS);
    for line in wrap(&tables.title, width) {
        writeln!(out, "{}", printable(&line))?;
    }
    for warning in &tables.warnings {
        for line in wrap(&format!("WARNING: {warning}"), width) {
            writeln!(out, "{}", printable(&line))?;
        }
    }
    for (name, value) in &tables.facts {
        for (number, line) in wrap(&format!("{name}: {value}"), width - 2).iter().enumerate() {
            let indent = if number == 0 { "" } else { "  " };
            writeln!(out, "{indent}{}", printable(line))?;
        }
    }
    tables.sections.iter().try_for_each(|section| print_section(section, width, out))
}

fn print_section(section: &Section, width: usize, out: &mut impl Write) -> io::Result<()> {
    writeln!(out)?;
    for line in wrap(&section.heading, width) {
        writeln!(out, "{}", printable(&line))?;
    }
    let (shown_columns, left_out) = fitting_columns(section, width);
    let widths: Vec<usize> =
        shown_columns.iter().map(|&column| column_width(section, column, width)).collect();
    let titles = section.columns.iter().map(|column| column.title);
    print_row(&titles.collect::<Vec<_>>(), section, &shown_columns, &widths, out)?;
    for row in &section.rows {
        let cells: Vec<&str> = row.iter().map(String::as_str).collect();
        print_row(&cells, section, &shown_columns, &widths, out)?;
    }
    let note = (!left_out.is_empty())
        .then(|| format!("Columns left out to fit the width: {}.", left_out.join(", ")));
    for note in section.notes.iter().chain(&note) {
        for line in wrap(note, width) {
            writeln!(out, "{}", printable(&line))?;
        }
    }
    Ok(())
}

fn print_row(
    cells: &[&str],
    section: &Section,
    shown_columns: &[usize],
    widths: &[usize],
    out: &mut impl Write,
) -> io::Result<()> {
    let mut line = String::new();
    for (number, (&column, &width)) in shown_columns.iter().zip(widths).enumerate() {
        let cell = printable(cells[column]);
        let cell: Cow<'_, str> = Cow::Owned(shorten(&cell, width).into_owned());
        let gap = " ".repeat(width.saturating_sub(cell.width()));
        line.push_str(if number > 0 { "  " } else { "" });
        if section.columns[column].is_text {
            line.push_str(&cell);
            line.push_str(&gap);
        } else {
            line.push_str(&gap);
            line.push_str(&cell);
        }
    }
    writeln!(out, "{}", line.trim_end())
}

/// Returns the columns that fit into `width`, and the titles of the others.
fn fitting_columns(section: &Section, width: usize) -> (Vec<usize>, Vec<&'static str>) {
    let mut fitting: Vec<usize> = (0..section.columns.len()).collect();
    let mut left_out = Vec::new();
    loop {
        let needed: usize =
            fitting.iter().map(|&column| column_width(section, column, width)).sum::<usize>()
                + 2 * fitting.len().saturating_sub(1);
        let rank = |column: &usize| section.columns[*column].rank;
        let Some(worst) =
            fitting.iter().copied().max_by_key(rank).filter(|column| rank(column) > 0)
        else {
            break;
        };
        if needed <= width {
            break;
        }
        fitting.retain(|column| *column != worst);
        left_out.push(section.columns[worst].title);
    }
    left_out.reverse();
    (fitting, left_out)
}

/// Returns the width of the longest cell. A text column has at most half of the screen.
fn column_width(section: &Section, column: usize, width: usize) -> usize {
    let Column { title, is_text, .. } = section.columns[column];
    let cells = section.rows.iter().map(|row| printable(&row[column]).width());
    let longest = cells.chain([title.width()]).max().unwrap_or_default();
    if is_text { longest.min(width / 2) } else { longest }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tables() -> BenchTables {
        let column = |title, is_text, rank| Column { title, is_text, rank };
        let section = Section {
            heading: "Costs".to_owned(),
            notes: vec!["A note that is long enough to need more than one line.".to_owned()],
            columns: vec![
                column("name", true, 0),
                column("seconds", false, 0),
                column("spread", false, 2),
                column("a core", false, 1),
            ],
            rows: vec![
                vec!["one\u{1b}[2J".into(), "1.5".into(), "3.0 %".into(), "12".into()],
                vec![
                    "a very long name of a program".into(),
                    "22.5".into(),
                    "4 %".into(),
                    "7".into(),
                ],
            ],
            chart: None,
        };
        BenchTables {
            title: "A title".to_owned(),
            sections: vec![section],
            ..BenchTables::default()
        }
    }

    fn printed(width: usize) -> String {
        let mut out = Vec::new();
        print(&tables(), width, &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn lines_keep_to_the_width_and_say_which_columns_are_missing() {
        for width in [20, 40, 80, 300] {
            let text = printed(width);
            assert!(text.lines().all(|line| line.width() <= width.min(80)), "{width}:\n{text}");
        }
        assert!(!printed(80).contains("left out"));
        let narrow = printed(30);
        let words = narrow.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(words.contains("Columns left out to fit the width: a core, spread."), "{narrow}");
        assert!(narrow.contains("22.5"), "{narrow}");
    }

    #[test]
    fn numbers_are_aligned_and_escape_sequences_are_shown() {
        let text = printed(80);
        assert!(text.contains("one\\u{1b}[2J"), "{text}");
        let ends = |cell: &str| {
            let line = text.lines().find(|line| line.contains(cell)).unwrap();
            line.find(cell).unwrap() + cell.len()
        };
        assert_eq!(ends(" 1.5"), ends("22.5"), "{text}");
    }
}
