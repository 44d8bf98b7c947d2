//! Pages in memory: their rows as values.

use crate::account::Reason;
use crate::page_row::{Facts, PageContext, Rejection, Source, row};
use crate::page_work::Workspace;
use crate::row::RowSink;
use crate::settings::Settings;
use huller_archive::Position;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The source of a page.
#[derive(Clone, Copy, Debug)]
pub enum Html<'a> {
    /// As it was sent, in an encoding that is to be found out.
    Bytes(&'a [u8]),
    /// Decoded.
    Text(&'a str),
}

/// Turns pages in memory into rows, one at a time. Reuses its memory: keep one a thread.
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
    /// For rows after these settings; those that are of archives don't matter.
    pub fn new(settings: Settings) -> Pages {
        Pages { workspace: Workspace::new(&settings), settings }
    }

    /// The settings.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Hands out the row of a page. `charset` is a label that came with the page, as by HTTP; one that names no encoding counts
    /// as absent.
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
        let extractors = self.settings.extractors();
        let context = PageContext {
            settings: &self.settings,
            extractors: &extractors,
            input: "",
            rejects: false,
        };
        let facts = Facts {
            id: None,
            url: url.map(str::as_bytes),
            date: None,
            content_type: None,
            status: None,
            digest: None,
            position: Position::default(),
            place: 0,
            in_archive: false,
        };
        let source = match html {
            Html::Bytes(bytes) => Source::Bytes { bytes, http_charset: charset.map(str::as_bytes) },
            Html::Text(text) => Source::Text(text),
        };
        let mark = rows.mark();
        let workspace = &mut self.workspace;
        let result = catch_unwind(AssertUnwindSafe(|| {
            row(&context, &mut workspace.page, &mut workspace.texts, &facts, source, rows)
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
