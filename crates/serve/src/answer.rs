//! What is asked, and what is answered.

use crate::html::Html;
use huller_index::IndexError;

/// What a page of ours may load and do: its style sheet, and the form that asks the index.
pub(crate) const POLICY: &str = "default-src 'none'; style-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/// A page that brings its own policy says the rest itself.
const FRAMES: &str = "frame-ancestors 'none'";

/// A request, as far as a site needs it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// Its path, as it was sent.
    pub path: String,
    /// What stands after the `?`.
    pub query: String,
}

/// An answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The status of HTTP.
    pub status: u16,
    /// Its media type.
    pub media_type: &'static str,
    /// Its content security policy.
    pub policy: &'static str,
    /// The name under which a browser saves it. It shows what has none.
    pub download: Option<&'static str>,
    /// Its bytes.
    pub body: Vec<u8>,
}

impl Answer {
    pub(crate) fn page(status: u16, html: Html) -> Answer {
        let media_type = "text/html; charset=utf-8";
        Answer { status, media_type, policy: POLICY, download: None, body: html.finish() }
    }

    /// A page that says why there is nothing else.
    pub(crate) fn refusal(status: u16, heading: &'static str, why: &str) -> Answer {
        let mut html = Html::page(heading);
        html.raw("<main><h1>").raw(heading).raw("</h1><p>").text(why);
        html.raw("</p><p><a href=\"/\">Search</a></p></main>");
        Answer::page(status, html)
    }

    /// The answer where the index cannot be read.
    pub(crate) fn failure(error: &IndexError) -> Answer {
        Answer::refusal(500, "The index cannot be read", &error.to_string())
    }

    /// A file that says itself what it may do.
    pub(crate) fn document(html: String) -> Answer {
        let media_type = "text/html; charset=utf-8";
        Answer { status: 200, media_type, policy: FRAMES, download: None, body: html.into_bytes() }
    }
}
