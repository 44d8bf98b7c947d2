//! Turns pages in memory into rows.

use crate::probe::NoProbe;
use crate::settings::Settings;
use crate::work::dropped_rows::RowSinks;
use crate::work::page_context::{PageContext, PlacedPage};
use crate::work::page_row::PageWork;
use crate::work::rejection::Rejection;
use huller_archive::{PageContent, RawPage};
use huller_refine::Reason;
use huller_row::RowSink;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The source of a page.
#[derive(Clone, Copy, Debug)]
pub enum Html<'a> {
    /// Bytes as a server sent them. Their charset is detected.
    Bytes(&'a [u8]),
    /// Decoded text.
    Text(&'a str),
}

/// Turns pages in memory into rows, one at a time. It reuses its buffers, so keep one for each
/// thread.
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
    /// Makes rows with these settings. Settings for archives have no effect.
    pub fn new(settings: Settings) -> Pages {
        Pages { tools: PageWork::new(&settings), settings }
    }

    /// Returns the settings.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Passes the row of a page to `rows`. `charset` is the label that came with the page, for
    /// example by HTTP. A label that names no encoding counts as absent.
    ///
    /// # Errors
    ///
    /// Returns the reason why the page gives no row.
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

    /// Passes the row of a page from an archive to `rows`. The row names no place.
    ///
    /// # Errors
    ///
    /// Returns the reason why the page gives no row.
    pub fn read_page(&mut self, page: RawPage<'_>, rows: &mut dyn RowSink) -> Result<(), Reason> {
        let context = PageContext::for_rows(&self.settings, "");
        let facts = PlacedPage::from_whole_input(page);
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

#[cfg(test)]
mod tests {
    use super::*;
    use huller_select::Profile;
    use serde_json::Value;

    /// Returns the row of a page by extractors, split by commas, or the reason why the page gives
    /// no row.
    fn row(extractors: &str, judge: bool, html: &str) -> Result<Value, Reason> {
        let extractors = extractors.split(',').map(|name| huller_extract::find(name).unwrap());
        let extractors = extractors.collect();
        let mut pages = Pages::new(Settings { judge, ..Settings::new(extractors) });
        let mut rows = Vec::new();
        pages.read(Html::Text(html), None, None, &mut rows)?;
        Ok(serde_json::from_slice(&rows).unwrap())
    }

    #[test]
    fn a_page_without_words_has_no_article_by_any_extractor() {
        for html in [
            "",
            "<!DOCTYPE html><title>App</title><div id=root></div><script src=/a.js></script>",
            "<title>Only a title</title>",
            "<title>x</title><p>&nbsp;</p><div> &#8203; </div>",
            "<title>x</title><img src=a.jpg alt=Boat><img src=b.jpg>",
            "<title>x</title><script>let text = 'The reed boats are tied at the quay.'</script>",
            "<title>x</title><style>p { color: red }</style><p>...<p>|",
            "<title>x</title><form><input name=q><input type=submit value=Search></form>",
        ] {
            for extractor in huller_extract::EXTRACTORS {
                let found = row(extractor.name(), false, html).unwrap();
                assert_eq!(found["has_article"], false, "{} {html}: {found}", extractor.name());
                let judged = row(extractor.name(), true, html);
                assert_eq!(judged.unwrap_err(), Reason::NoArticle, "{} {html}", extractor.name());
            }
        }
    }

    #[test]
    fn a_page_that_only_asks_for_scripts_is_dropped() {
        for html in [
            "<title>App</title><noscript>You need to enable JavaScript to run this app.</noscript><div id=root></div>",
            "<title>403</title><body>Forbidden",
            "<title>x</title><nav><a href=/>Home</a> <a href=/news>News</a></nav>",
        ] {
            assert_eq!(row("hull", true, html).unwrap_err(), Reason::NoArticle, "{html}");
        }
        let paragraph = "<p>Rain fell all day, and the roads along the lake were shut until the evening, when it ended.";
        let article =
            format!("<title>Rain</title><article><h1>Rain</h1>{}</article>", paragraph.repeat(9));
        for extractor in ["hull", "pvalue", "body"] {
            assert!(row(extractor, true, &article).is_ok(), "{extractor}");
        }
    }

    #[test]
    fn the_p_value_judges_pages_wherever_it_is_listed() {
        let article =
            "<p>Rain fell all day, and the roads along the lake were shut until the evening.</p>";
        let menu = "<ul><li><a href=/a>Arts and all that is new in them</a></ul>".repeat(20);
        // P is at most the share of text in the markup, so many small elements have no article.
        let crumbs =
            "<div title=abcdefghijklmnopqrstuvwxyz><i>Rain</i><i>Snow</i></div>".repeat(20);
        for (html, expected) in [(format!("{menu}<div>{article}</div>"), true), (crumbs, false)] {
            let alone = row("pvalue", false, &html).unwrap();
            assert_eq!(alone["has_article"], expected, "{html}");
            for others in ["nb", "tsd,nb", "body", "hull"] {
                let list = format!("{others},pvalue");
                let judged = row(&list, true, &html);
                if expected {
                    assert_eq!(judged.unwrap()["has_article"], true, "{list}");
                } else {
                    assert_eq!(judged.unwrap_err(), Reason::NoArticle, "{list}");
                }
                let found = row(&list, false, &html).unwrap();
                let first = row(&list.replace(",pvalue", ""), false, &html).unwrap();
                assert_eq!(found["text"], first["text"], "{list}");
                // The first extractor's own verdict stays unless the run asks for judgement.
                let own = &first["has_article"];
                let wanted = if own.is_null() { &alone["has_article"] } else { own };
                assert_eq!(&found["has_article"], wanted, "{list}");
            }
        }
    }

    #[test]
    fn an_article_that_a_page_only_states_is_its_content_by_any_extractor() {
        let lines: Vec<String> = (0..8)
            .map(|line| format!("In year {line} the boats of the lake were tied at the same quay, and the owners met to repair them."))
            .collect();
        let html = format!(
            "<title>Boats</title><script type=application/ld+json>{{\"@type\":\"NewsArticle\",\"headline\":\"Reed boats\",\
             \"articleBody\":\"{}\"}}</script><nav><a href=/w>Weather</a></nav><div id=root></div><footer>© 2021 The Gazette</footer>",
            lines.join("\\n")
        );
        for extractor in huller_extract::EXTRACTORS {
            let settings = Settings {
                html: true,
                markdown: Some(huller_select::MarkdownOptions::default()),
                blocks: true,
                ..Settings::new(vec![*extractor])
            };
            for profile in [Profile::Tuned, Profile::Paper] {
                let mut pages = Pages::new(Settings { profile, ..settings.clone() });
                let mut rows = Vec::new();
                pages.read(Html::Text(&html), None, None, &mut rows).unwrap();
                let row: Value = serde_json::from_slice(&rows).unwrap();
                let (name, text) = (extractor.name(), row["text"].as_str().unwrap());
                if profile == Profile::Paper {
                    assert!(!text.contains("the same quay"), "{name}: {text}");
                    continue;
                }
                assert_eq!(text, lines.join("\n"), "{name}");
                assert_eq!(row["markdown"], lines.join("\n\n"), "{name}");
                assert_eq!(row["html"].as_str().unwrap().matches("<p>").count(), 8, "{name}");
                let blocks = row["blocks"].as_array().unwrap();
                assert!(
                    blocks.len() == 8 && blocks.iter().all(|block| block["kept"] == true),
                    "{name}"
                );
                assert_ne!(row["has_article"], false, "{name}");
            }
        }
    }
}
