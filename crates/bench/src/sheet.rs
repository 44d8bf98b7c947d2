//! Tables and charts without a form: a caller prints them on a terminal, or makes a page of them.

/// All tables of a measurement.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sheet {
    /// Its title.
    pub title: String,
    /// What a reader must know before any figure, such as that the machine was busy.
    pub warnings: Vec<String>,
    /// Name and value of what the figures depend on.
    pub facts: Vec<(String, String)>,
    /// The tables.
    pub sections: Vec<Section>,
}

/// One table.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Section {
    /// Its name.
    pub heading: String,
    /// What it shows and how it was found.
    pub notes: Vec<String>,
    /// Its columns.
    pub columns: Vec<Column>,
    /// Its rows, with one cell for each column.
    pub rows: Vec<Vec<String>>,
    /// A chart of it.
    pub chart: Option<Chart>,
}

/// A column of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Column {
    /// Its name.
    pub title: &'static str,
    /// Whether it holds text; otherwise numbers, which are aligned at their ends.
    pub is_text: bool,
    /// What is left out first where there is little room: the greatest number goes first, 0 never.
    pub rank: u8,
}

/// A chart.
#[derive(Clone, Debug, PartialEq)]
pub enum Chart {
    /// A bar for each row of the table, as long as its value.
    Bars {
        /// One value for each row.
        values: Vec<f64>,
    },
    /// Lines over a number of cores; both axes are logarithmic.
    Lines {
        /// What it shows.
        title: String,
        /// The lines.
        lines: Vec<Line>,
    },
}

/// A line of a chart.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// What it stands for.
    pub name: String,
    /// Whether its points were measured; otherwise they are a model's.
    pub is_measured: bool,
    /// Cores and MB a second.
    pub points: Vec<(f64, f64)>,
}

impl Column {
    /// A column of numbers.
    pub(crate) const fn number(title: &'static str, rank: u8) -> Column {
        Column { title, is_text: false, rank }
    }

    /// A column of text.
    pub(crate) const fn text(title: &'static str, rank: u8) -> Column {
        Column { title, is_text: true, rank }
    }
}
