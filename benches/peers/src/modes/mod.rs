//! One file a peer.
//!
//! [`inflate`], [`fastwarc`] and [`warc`] read a whole file and nothing more. The others work on
//! one page at a time: [`PAGE_PEERS`] lists them, [`pipeline`] runs one over a file, [`memory`]
//! over pages that are in memory already.

pub mod dom_smoothie;
pub mod fastwarc;
pub mod html5ever;
pub mod inflate;
pub mod lol_html;
pub mod memory;
pub mod pipeline;
pub mod tl;
pub mod warc;

use std::panic::catch_unwind;

use anyhow::{Result, anyhow};

/// What a peer made of one page.
#[derive(Debug)]
pub enum Yield {
    /// A parser: how much text is left in its tree (see [`crate::kept_text`]).
    KeptText(u64),
    /// An extractor: the text of the article.
    Article(String),
}

/// A parser or extractor that works on one page at a time.
#[derive(Debug, Clone, Copy)]
pub struct PagePeer {
    /// Mode of the program, which is also the name of the package.
    pub name: &'static str,
    run: fn(url: &str, html: &str) -> Result<Yield>,
}

/// All peers that work on one page at a time.
pub const PAGE_PEERS: [PagePeer; 4] = [
    PagePeer { name: "dom_smoothie", run: dom_smoothie::page },
    PagePeer { name: "html5ever", run: html5ever::page },
    PagePeer { name: "lol_html", run: lol_html::page },
    PagePeer { name: "tl", run: tl::page },
];

impl PagePeer {
    /// The peer called `name`.
    pub fn find(name: &str) -> Result<Self> {
        let names = PAGE_PEERS.map(|peer| peer.name).join(", ");
        let found = PAGE_PEERS.into_iter().find(|peer| peer.name == name);
        found.ok_or_else(|| anyhow!("no peer `{name}` works on pages; there are {names}"))
    }

    /// Runs the peer on one page; a panic is an error like any other.
    pub fn run(&self, url: &str, html: &str) -> Result<Yield> {
        catch_unwind(|| (self.run)(url, html)).unwrap_or_else(|_| Err(anyhow!("panicked")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(name: &str, html: &str) -> u64 {
        match PagePeer::find(name).unwrap().run("http://a.example/", html).unwrap() {
            Yield::KeptText(chars) => chars,
            Yield::Article(_) => panic!("{name} is an extractor"),
        }
    }

    #[test]
    fn parsers_agree_on_a_plain_page() {
        let html = "<!DOCTYPE html><html><head><title>One &amp; two</title>\
                    <style>p { color: red }</style></head><body><!-- no --><p>three&nbsp;four</p>\
                    <script>five()</script><template><p>six</p></template></body></html>";
        let text = "One&twothreefoursix".len() as u64;
        for name in ["html5ever", "lol_html", "tl"] {
            assert_eq!(kept(name, html), text, "{name}");
        }
    }

    #[test]
    fn extractor_gives_text() {
        let html =
            format!("<body><article>{}</article></body>", "<p>Long text, long.</p>".repeat(99));
        let article = PagePeer::find("dom_smoothie").unwrap().run("http://a.example/", &html);
        assert!(matches!(article.unwrap(), Yield::Article(text) if text.contains("Long text")));
    }

    #[test]
    fn unknown_peers_are_named() {
        let error = PagePeer::find("nokogiri").unwrap_err().to_string();
        assert!(error.contains("nokogiri") && error.contains("html5ever"), "{error}");
    }
}
