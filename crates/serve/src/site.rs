//! What there is to see, and which page answers which path.

use crate::answer::{Answer, POLICY, Request};
use crate::header::Header;
use crate::query::Parameters;
use crate::results::results;
use crate::row::row_page;
use huller_index::{Hit, Searcher};

const STYLES: &str = include_str!("assets/serve.css");

/// Why the corpus has nothing to show, for people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CorpusError {
    /// It is not there.
    Missing(String),
    /// It is there and cannot be read.
    Unreadable(String),
}

impl CorpusError {
    /// The answer in place of what was asked for, under the heading `missing` if it is not there.
    fn into_answer(self, missing: &'static str) -> Answer {
        match self {
            CorpusError::Missing(why) => Answer::refusal(404, missing, &why),
            CorpusError::Unreadable(why) => Answer::refusal(500, "Cannot be read", &why),
        }
    }
}

/// What leads from a row back to where it came from.
pub trait Corpus: Send + Sync {
    /// The bytes of the page that the row was made of, as they lie in its archive.
    ///
    /// # Errors
    ///
    /// Why there is none, for people.
    fn page(&self, row: &Hit) -> Result<Vec<u8>, CorpusError>;

    /// An HTML file that shows why blocks of that page were kept, with a policy of its own.
    ///
    /// # Errors
    ///
    /// Why there is none, for people.
    fn explain(&self, row: &Hit) -> Result<String, CorpusError>;

    /// An HTML file that shows the run, with a policy of its own.
    ///
    /// # Errors
    ///
    /// Why there is none, for people.
    fn report(&self) -> Result<String, CorpusError>;

    /// Whether there are archives, so that pages can be asked for.
    fn has_pages(&self) -> bool;

    /// Whether there is a run to report.
    fn has_report(&self) -> bool;
}

/// An index to ask, and the corpus behind it.
pub struct Site {
    searcher: Searcher,
    corpus: Box<dyn Corpus>,
    header: Header,
}

impl Site {
    /// A site of this name.
    pub fn new(name: String, searcher: Searcher, corpus: Box<dyn Corpus>) -> Site {
        let header = Header { name, has_report: corpus.has_report() };
        Site { searcher, corpus, header }
    }

    /// Answers a request. Takes as long as the search, or as reading the page or the run.
    pub fn answer(&self, request: &Request) -> Answer {
        let parameters = Parameters::read(&request.query);
        match &*request.path {
            "/" => results(&self.searcher, &self.header, &parameters),
            "/row" => self.of_row(&parameters, |row| {
                Ok(Answer::page(200, row_page(&self.header, row, self.corpus.has_pages())))
            }),
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
                Err(error) => error.into_answer("No report"),
            },
            "/serve.css" => Answer {
                status: 200,
                media_type: "text/css; charset=utf-8",
                policy: POLICY,
                download: None,
                body: STYLES.as_bytes().to_vec(),
            },
            // Browsers ask for it unasked.
            "/favicon.ico" => Answer {
                status: 204,
                media_type: "image/x-icon",
                policy: POLICY,
                download: None,
                body: Vec::new(),
            },
            _ => Answer::refusal(404, "Not found", "This site has no such page."),
        }
    }

    /// Answers with what belongs to the row that is asked for.
    fn of_row(
        &self,
        parameters: &Parameters,
        answer: impl FnOnce(&Hit) -> Result<Answer, CorpusError>,
    ) -> Answer {
        match self.searcher.row(&parameters.row) {
            Err(error) => Answer::failure(&error),
            Ok(None) => Answer::refusal(404, "No such row", "The index has no row of this name."),
            Ok(Some(row)) => match answer(&row) {
                Ok(answer) => answer,
                Err(error) => error.into_answer("Not available"),
            },
        }
    }
}
