//! Crate `dom_smoothie`: the article's text by Mozilla's Readability.

use anyhow::Result;
use dom_smoothie::{Config, Readability, TextMode};

use super::PageYield;

/// Extracts one page.
pub fn page(url: &str, html: &str) -> Result<PageYield> {
    let config = Config { text_mode: TextMode::Formatted, ..Config::default() };
    // The crate refuses the whole page if the URL is relative.
    let url = url.contains("://").then_some(url);
    let article = Readability::new(html, url, Some(config))?.parse()?;
    Ok(PageYield::Article(article.text_content.to_string()))
}
