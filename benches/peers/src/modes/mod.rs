//! The modes of the program `peer`: one file per peer.
//!
//! [`inflate`], [`fastwarc`] and [`warc`] only read a whole file. The others work on one page at a
//! time. [`PAGE_PEERS`] lists them. The module [`pipeline`] runs one of them over a file, and
//! [`memory`] over pages in memory. The module [`huller`] is our own path from the file to rows,
//! whole or with one part replaced by that of a peer.

pub mod dom_smoothie;
pub mod fastwarc;
pub mod html5ever;
pub mod huller;
pub mod inflate;
pub mod lol_html;
pub mod memory;
mod page_yield;
pub mod pipeline;
pub mod tl;
pub mod tl_tree;
pub mod warc;

use std::panic::catch_unwind;

use anyhow::{Result, anyhow};

pub use page_yield::PageYield;

/// A parser or extractor that works on one page at a time.
#[derive(Debug, Clone, Copy)]
pub struct PagePeer {
    /// The mode of the program.
    pub name: &'static str,
    /// The measured package.
    pub package: &'static str,
    run: fn(url: &str, html: &str) -> Result<PageYield>,
}

/// All peers that work on one page at a time.
pub const PAGE_PEERS: [PagePeer; 8] = [
    PagePeer { name: "dom_smoothie", package: "dom_smoothie", run: dom_smoothie::page },
    PagePeer { name: "html5ever", package: "html5ever", run: html5ever::page },
    PagePeer { name: "huller-hull", package: "huller-extract", run: huller::hull_page },
    PagePeer { name: "huller-pvalue", package: "huller-extract", run: huller::pvalue_page },
    PagePeer { name: "lol_html", package: "lol_html", run: lol_html::page },
    PagePeer { name: "tl", package: "tl", run: tl::page },
    PagePeer { name: "tl-parse", package: "tl", run: tl::parse },
    PagePeer { name: "tl-tree", package: "tl", run: tl_tree::page },
];

impl PagePeer {
    /// Makes a peer for another program.
    pub const fn new(
        name: &'static str,
        package: &'static str,
        run: fn(url: &str, html: &str) -> Result<PageYield>,
    ) -> Self {
        Self { name, package, run }
    }

    /// Returns the peer called `name`.
    pub fn find(name: &str) -> Result<Self> {
        let names = PAGE_PEERS.map(|peer| peer.name).join(", ");
        let found = PAGE_PEERS.into_iter().find(|peer| peer.name == name);
        found.ok_or_else(|| anyhow!("no peer `{name}` works on pages; there are {names}"))
    }

    /// Runs the peer on one page; a panic counts as an error.
    pub fn run(&self, url: &str, html: &str) -> Result<PageYield> {
        catch_unwind(|| (self.run)(url, html)).unwrap_or_else(|_| Err(anyhow!("panicked")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(name: &str, html: &str) -> u64 {
        match PagePeer::find(name).unwrap().run("http://a.example/", html).unwrap() {
            PageYield::KeptText(chars) => chars,
            PageYield::ArticleOf { kept, .. } => kept,
            PageYield::Parsed(_) | PageYield::Article(_) => panic!("{name} does not count"),
        }
    }

    #[test]
    fn parsers_agree_on_a_plain_page() {
        let html = "<!DOCTYPE html><html><head><title>One &amp; two</title>\
                    <style>p { color: red }</style></head><body><!-- no --><p>three&nbsp;four</p>\
                    <script>five()</script><template><p>six</p></template></body></html>";
        let text = "One&twothreefoursix".len() as u64;
        for name in ["html5ever", "huller-hull", "huller-pvalue", "lol_html", "tl", "tl-tree"] {
            assert_eq!(kept(name, html), text, "{name}");
        }
    }

    #[test]
    fn extractor_gives_text() {
        let html =
            format!("<body><article>{}</article></body>", "<p>Long text, long.</p>".repeat(99));
        let article = PagePeer::find("dom_smoothie").unwrap().run("http://a.example/", &html);
        assert!(matches!(article.unwrap(), PageYield::Article(text) if text.contains("Long text")));
    }

    #[test]
    fn unknown_peers_are_named() {
        let error = PagePeer::find("nokogiri").unwrap_err().to_string();
        assert!(error.contains("nokogiri") && error.contains("html5ever"), "{error}");
    }
}
