//! Pages that people look at.
//!
//! # The types, and how they meet
//!
//! * An [`Explanation`] is one row of `huller extract`, with its blocks, and what is known besides. It becomes one HTML file in
//!   which a reader sees the blocks of the page in order, which methods keep them, and by which figures.
//! * A [`Piece`] is a stretch of the comparison with a gold text.
//!
//! # One page's walk
//!
//! A caller extracts the page with several methods and asks for `blocks`, `markdown` and `html`. The row that comes out, as JSON, is all that
//! the viewer needs. `document.rs` puts it into a file as data, beside a style sheet and a script that are part of this crate. The script makes
//! elements of the data in the reader's browser, and gives them text by `textContent` alone, so nothing that a page says is ever
//! read as markup.
//!
//! The file needs no network. Its content security policy allows the digests of that style sheet and that script and nothing else, so
//! even markup that came in by a mistake could not load or run anything.
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

mod document;
mod explain;

pub use explain::{Explanation, Piece, PieceKind, ReportError};
