//! Requests and answers of a site.

use huller_html::{Document, Styles};
use huller_index::IndexError;
use maud::{Markup, html};

/// Content security policy of the site's pages: its style sheet, and the search form.
pub(crate) const POLICY: &str = "default-src 'none'; style-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/// Policy added to a page that has its own policy.
const FRAMES: &str = "frame-ancestors 'none'";

/// The parts of a request that a site needs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// Path as it was sent.
    pub path: String,
    /// Text after the `?`.
    pub query: String,
}

impl Request {
    /// Most bytes of the answer. A longer one is not sent.
    pub(crate) fn most_bytes(&self) -> usize {
        if self.reads_page() || self.path == "/report" { 32 << 20 } else { 8 << 20 }
    }

    /// Whether the answer needs a page of an archive.
    pub(crate) fn reads_page(&self) -> bool {
        matches!(&*self.path, "/explain" | "/page")
    }

    /// Whether the answer can be large: a text, a page or the report.
    pub(crate) fn is_document(&self) -> bool {
        self.reads_page() || matches!(&*self.path, "/row" | "/report")
    }
}

/// An answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// HTTP status.
    pub status: u16,
    /// Media type of the body.
    pub media_type: &'static str,
    /// Content security policy.
    pub policy: &'static str,
    /// File name under which a browser saves the body. Without a name the browser shows it.
    pub download: Option<&'static str>,
    /// Bytes of the body.
    pub body: Vec<u8>,
}

impl Answer {
    /// Returns a page of the site.
    pub(crate) fn page(status: u16, title: &str, body: Markup) -> Answer {
        let media_type = "text/html; charset=utf-8";
        let page = Document::new(title, Styles::Linked("/serve.css"), body).to_html();
        Answer { status, media_type, policy: POLICY, download: None, body: page.into_bytes() }
    }

    /// Returns a page that gives the reason for a refusal.
    pub(crate) fn refusal(status: u16, heading: &str, why: &str) -> Answer {
        let main = html! {
            main {
                h1 { (heading) }
                p { (why) }
                p { a href="/" { "Search" } }
            }
        };
        Answer::page(status, heading, main)
    }

    /// Returns the answer in place of one that is too long.
    pub(crate) fn too_long() -> Answer {
        Answer::refusal(500, "Too long", "The answer has too many bytes to be sent.")
    }

    /// Returns the answer if the index cannot be read.
    pub(crate) fn failure(error: &IndexError) -> Answer {
        Answer::refusal(500, "The index cannot be read", &error.to_string())
    }

    /// Returns a file with its own policy.
    pub(crate) fn document(html: String) -> Answer {
        let media_type = "text/html; charset=utf-8";
        Answer { status: 200, media_type, policy: FRAMES, download: None, body: html.into_bytes() }
    }
}
