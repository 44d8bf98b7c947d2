//! Pages that people look at.
//!
//! # The types, and how they meet
//!
//! * An [`Explanation`] is one row of `huller extract`, with its blocks, and what is known besides.
//!   It becomes one HTML file in which a reader sees the blocks of the page in order, which methods
//!   keep them, and by which figures.
//! * A [`Piece`] is a stretch of the comparison with a gold text.
//! * A [`RunReport`] is a run, or several as one: accounts, what the rows are like ([`RowCounts`]),
//!   records without a row ([`Examples`]), how the time went ([`Course`]), what it cost
//!   ([`Costs`]). It becomes one HTML file without a script.
//! * [`Measurements`] are tables of figures with charts, whatever was measured (`huller bench`).
//! * [`bar`], [`columns`] and [`plots`] draw charts, as SVG inside such a file.
//!
//! # One page's walk
//!
//! A caller extracts the page with several methods and asks for `blocks`, `markdown` and `html`.
//! The row that comes out, as JSON, is all that the viewer needs. `document.rs` puts it into a file
//! as data, beside a style sheet and a script that are part of this crate. The script makes
//! elements of the data in the reader's browser, and gives them text by `textContent` alone, so
//! nothing that a page says is ever read as markup.
//!
//! The file needs no network. Its content security policy allows the digests of that style sheet
//! and that script and nothing else, so even markup that came in by a mistake could not load or run
//! anything.
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

mod body;
mod chart;
mod cost_section;
mod document;
mod explain;
mod figures;
mod measurements;
mod row_counts;
mod row_section;
mod run_data;
mod run_report;

pub use chart::{Columns, Plot, bar, columns, plots};
pub use explain::{Explanation, Piece, PieceKind, ReportError};
pub use measurements::{Graph, Measured, MeasuredColumn, Measurements};
pub use row_counts::{CountedRow, RowCounts};
pub use run_data::{Costs, Course, Examples, SlowPage};
pub use run_report::RunReport;
