//! Makes HTML pages for people: explanations of pages, reports of runs, tables of measurements.
//!
//! # The types, and how they work together
//!
//! * An [`Explanation`] is one row of `huller extract` with its blocks. It becomes one HTML file.
//!   The file shows the blocks of the page in order, the extractors that keep them, and the figures
//!   that decide.
//! * A [`Piece`] is a part of the comparison with a gold text.
//! * A [`RunReport`] is one run or the sum of several. It has statistics, counts of rows
//!   ([`RowCounts`]), records without a row ([`Examples`]), the speed over time ([`SpeedHistory`])
//!   and costs ([`Costs`]). It becomes one HTML file without a script.
//! * [`Measurements`] are tables of figures with charts, for any measurement (`huller bench`).
//!
//! Templates make the bodies of the files, and a [`huller_html::Document`] makes the files.
//!
//! # The steps of a page
//!
//! A caller extracts the page with several extractors, and requests `blocks`, `markdown` and
//! `html`. The viewer needs only the resulting row as JSON. `explain.rs` puts it into a file as
//! data, with a style sheet and a script of this crate. In the browser the script makes elements of
//! the data, and sets their text by `textContent` alone. So text of a page is never parsed as
//! markup.
//!
//! The file needs no network. Its content security policy allows only the digests of that style
//! sheet and that script. Even markup that got in by mistake could not load or run anything.
//!
//! # Example
//!
//! ```
//! use huller_report::Explanation;
//!
//! let row = r#"{"url":null,"title":"Rain","text":"It fell.","extractor":"hull","blocks":[]}"#;
//! let html = Explanation { row, source: "rain.html", gold: &[] }.to_html()?;
//! assert!(html.starts_with("<!doctype html>"));
//! # Ok::<(), huller_report::ReportError>(())
//! ```

mod chart;
mod cost_section;
mod explain;
mod html_table;
mod measurements;
mod row_counts;
mod row_section;
mod run_files_data;
mod run_report;

pub use chart::Plot;
pub use explain::{Explanation, Piece, PieceKind, ReportError};
pub use measurements::{Graph, Measured, MeasuredColumn, Measurements};
pub use row_counts::{CountedRow, RowCounts};
pub use run_files_data::{Costs, Examples, SlowPage, SpeedHistory};
pub use run_report::RunReport;
