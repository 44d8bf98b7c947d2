//! What there is to see, and which page answers which path.

use crate::html::{Html, address};
use crate::query::Parameters;
use crate::results::results;
use crate::row::row_page;
use huller_index::{Hit, IndexError, Searcher};

const STYLES: &str = include_str!("assets/serve.css");

/// What a page of ours may load and do: its style sheet, and the form that asks the index.
const POLICY: &str = "default-src 'none'; style-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/// A page that brings its own policy says the rest itself.
const FRAMES: &str = "frame-ancestors 'none'";

/// What leads from a row back to where it came from.
pub trait Corpus: Send + Sync {
    /// The bytes of the page that the row was made of, as they lie in its archive.
    ///
    /// # Errors
    ///
    /// Why there is none, for people.
    fn page(&self, row: &Hit) -> Result<Vec<u8>, String>;

    /// An HTML file that shows why blocks of that page were kept, with a policy of its own.
    ///
    /// # Errors
    ///
    /// Why there is none, for people.
    fn explain(&self, row: &Hit) -> Result<String, String>;

    /// An HTML file that shows the run, with a policy of its own.
    ///
    /// # Errors
    ///
    /// Why there is none, for people.
    fn report(&self) -> Result<String, String>;

    /// Whether there are archives, so that pages can be asked for.
    fn has_pages(&self) -> bool;

    /// Whether there is a run to report.
    fn has_report(&self) -> bool;
}

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

    /// A file that says itself what it may do.
    fn document(html: String) -> Answer {
        let media_type = "text/html; charset=utf-8";
        Answer { status: 200, media_type, policy: FRAMES, download: None, body: html.into_bytes() }
    }
}

/// An index to ask, and the corpus behind it.
pub struct Site {
    pub(crate) searcher: Searcher,
    pub(crate) corpus: Box<dyn Corpus>,
    /// What the site is called: the name of the index.
    pub(crate) name: String,
}

impl Site {
    /// A site of this name.
    pub fn new(name: String, searcher: Searcher, corpus: Box<dyn Corpus>) -> Site {
        Site { searcher, corpus, name }
    }

    /// Answers a request. Takes as long as the search, or as reading the page or the run.
    pub fn answer(&self, request: &Request) -> Answer {
        let parameters = Parameters::read(&request.query);
        match &*request.path {
            "/" => results(self, &parameters),
            "/row" => self.of_row(&parameters, |row| Ok(Answer::page(200, row_page(self, row)))),
            "/explain" => {
                self.of_row(&parameters, |row| self.corpus.explain(row).map(Answer::document))
            }
            "/page" => self.of_row(&parameters, |row| {
                Ok(Answer {
                    status: 200,
                    media_type: "application/octet-stream",
                    policy: "default-src 'none'; sandbox",
                    download: Some("page.html"),
                    body: self.corpus.page(row)?,
                })
            }),
            "/report" => match self.corpus.report() {
                Ok(html) => Answer::document(html),
                Err(why) => Answer::refusal(404, "No report", &why),
            },
            "/serve.css" => Answer {
                status: 200,
                media_type: "text/css; charset=utf-8",
                policy: POLICY,
                download: None,
                body: STYLES.as_bytes().to_vec(),
            },
            _ => Answer::refusal(404, "Not found", "This site has no such page."),
        }
    }

    /// Answers with what belongs to the row that is asked for.
    fn of_row(
        &self,
        parameters: &Parameters,
        answer: impl FnOnce(&Hit) -> Result<Answer, String>,
    ) -> Answer {
        match self.searcher.row(&parameters.row) {
            Err(error) => self.failure(&error),
            Ok(None) => Answer::refusal(404, "No such row", "The index has no row of this name."),
            Ok(Some(row)) => match answer(&row) {
                Ok(answer) => answer,
                Err(why) => Answer::refusal(404, "Not available", &why),
            },
        }
    }

    /// The answer where the index cannot be read.
    pub(crate) fn failure(&self, error: &IndexError) -> Answer {
        Answer::refusal(500, "The index cannot be read", &error.to_string())
    }

    /// What stands at the top of every page: the name, the form, and where else to go.
    pub(crate) fn header(&self, html: &mut Html, parameters: &Parameters) {
        html.raw(
            "<header><form action=\"/\" method=\"get\" role=\"search\"><label for=\"q\">Search ",
        );
        html.isolated(&self.name);
        html.raw("</label><div class=\"ask\"><input id=\"q\" name=\"q\" type=\"search\" autocomplete=\"off\" maxlength=\"2000\" value=\"");
        html.text(&parameters.query).raw("\">");
        for (name, value) in [
            ("lang", &parameters.language),
            ("host", &parameters.host),
            ("type", &parameters.page_type),
            ("from", &parameters.from),
            ("to", &parameters.to),
        ] {
            if !value.is_empty() {
                html.raw("<input type=\"hidden\" name=\"").text(name).raw("\" value=\"");
                html.text(value).raw("\">");
            }
        }
        html.raw("<button>Search</button></div></form>");
        if self.corpus.has_report() {
            html.raw("<nav aria-label=\"Site\"><a href=\"/report\">How the run went</a></nav>");
        }
        html.raw("</header>");
    }
}

/// The address of a row's page.
pub(crate) fn row_address(path: &str, row: &Hit) -> String {
    address(path, &[("row", &row.row)])
}
