//! Pages in memory: their rows as values.

use crate::probe::NoProbe;
use crate::settings::Settings;
use crate::work::dropped::RowSinks;
use crate::work::page_row::{Facts, PageContext, PageWork};
use crate::work::rejection::Rejection;
use huller_archive::{PageContent, RawPage};
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
    tools: PageWork,
}

impl Pages {
    /// Makes rows with these settings. Settings that concern archives have no effect.
    pub fn new(settings: Settings) -> Pages {
        Pages { tools: PageWork::new(&settings), settings }
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
        let content = match html {
            Html::Bytes(bytes) => PageContent::Html { bytes, charset: charset.map(str::as_bytes) },
            Html::Text(text) => PageContent::Decoded(text),
        };
        let page = RawPage { url: url.map(str::as_bytes), ..RawPage::new(content) };
        self.read_page(page, rows)
    }

    /// Passes the row of a page that an archive holds to `rows`. The row names no place.
    ///
    /// # Errors
    ///
    /// Why the page gives no row.
    pub fn read_page(&mut self, page: RawPage<'_>, rows: &mut dyn RowSink) -> Result<(), Reason> {
        let context = PageContext::of_rows(&self.settings, "");
        let facts = Facts::alone(page);
        let mark = rows.mark();
        let tools = &mut self.tools;
        let sinks = RowSinks { rows: &mut *rows, dropped: None, signed: None };
        let result =
            catch_unwind(AssertUnwindSafe(|| tools.row(&context, &facts, sinks, &mut NoProbe)));
        result
            .unwrap_or_else(|_| {
                rows.cut(mark);
                *tools = PageWork::new(&self.settings);
                Err(Rejection::from(Reason::Panic))
            })
            .map_err(|rejection| rejection.reason)
    }
}
