//! Pages in memory: their rows as values.

use crate::settings::Settings;
use crate::work::dropped::RowSinks;
use crate::work::page_row::{Facts, PageContext, Source, row};
use crate::work::page_work::Workspace;
use crate::work::rejection::Rejection;
use huller_refine::Reason;
use huller_row::RowSink;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The source of a page.
#[derive(Clone, Copy, Debug)]
pub enum Html<'a> {
    /// Bytes as a server sent them, whose encoding is to be found.
    Bytes(&'a [u8]),
    /// Decoded.
    Text(&'a str),
}

/// Turns pages in memory into rows, one at a time. It reuses its memory, so keep one for each thread.
///
/// ```
/// use huller_pipeline::{Html, Pages, Settings};
///
/// let settings = Settings::new(vec![huller_extract::find("pvalue").unwrap()]);
/// let mut pages = Pages::new(settings);
/// let mut rows = Vec::new();
/// pages.read(Html::Text("<title>Rain</title><p>It fell all day."), None, None, &mut rows)?;
/// let row = String::from_utf8(rows).unwrap();
/// assert!(row.contains(r#""title":"Rain","text":"It fell all day.""#));
/// # Ok::<(), huller_pipeline::Reason>(())
/// ```
pub struct Pages {
    settings: Settings,
    workspace: Workspace,
}

impl Pages {
    /// Makes rows with these settings. Settings that concern archives have no effect.
    pub fn new(settings: Settings) -> Pages {
        Pages { workspace: Workspace::new(&settings), settings }
    }

    /// The settings.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Passes the row of a page to `rows`. `charset` is the label that came with the page, as by HTTP; a label that names no encoding
    /// counts as absent.
    ///
    /// # Errors
    ///
    /// Why the page gives no row.
    pub fn read(
        &mut self,
        html: Html<'_>,
        url: Option<&str>,
        charset: Option<&str>,
        rows: &mut dyn RowSink,
    ) -> Result<(), Reason> {
        let context = PageContext {
            settings: &self.settings,
            input: "",
            rejects: false,
            dropped: None,
            signatures: None,
            slowest: None,
        };
        let facts = Facts { url: url.map(str::as_bytes), ..Facts::default() };
        let source = match html {
            Html::Bytes(bytes) => Source::Bytes { bytes, http_charset: charset.map(str::as_bytes) },
            Html::Text(text) => Source::Text(text),
        };
        let mark = rows.mark();
        let workspace = &mut self.workspace;
        let sinks = RowSinks { rows: &mut *rows, dropped: None, signed: None };
        let result = catch_unwind(AssertUnwindSafe(|| {
            row(&context, &mut workspace.page, &mut workspace.texts, &facts, source, sinks)
        }));
        result
            .unwrap_or_else(|_| {
                rows.cut(mark);
                *workspace = Workspace::new(&self.settings);
                Err(Rejection::from(Reason::Panic))
            })
            .map_err(|rejection| rejection.reason)
    }
}
