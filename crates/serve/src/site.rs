//! Chooses the page that answers a path.

use crate::answer::{Answer, POLICY, Request};
use crate::header::Header;
use crate::query::Parameters;
use crate::results::results;
use crate::row::row_page;
use huller_index::{SearchHit, Searcher};

const STYLES: &str = include_str!("assets/serve.css");

/// The reason why the corpus has no answer, for people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CorpusError {
    /// The item does not exist.
    Missing(String),
    /// The item exists and cannot be read.
    Unreadable(String),
    /// The item is too large for this site.
    TooLarge(String),
    /// The item is being made.
    NotYet(String),
}

impl CorpusError {
    /// Converts the error to an answer. `missing` is its heading if the item does not exist.
    fn into_answer(self, missing: &'static str) -> Answer {
        match self {
            CorpusError::Missing(why) => Answer::refusal(404, missing, &why),
            CorpusError::Unreadable(why) => Answer::refusal(500, "Cannot be read", &why),
            CorpusError::TooLarge(why) => Answer::refusal(422, "Too large", &why),
            CorpusError::NotYet(why) => Answer::refusal(503, "Not yet", &why),
        }
    }
}

/// Finds the sources of rows.
pub trait Corpus: Send + Sync {
    /// Returns the bytes of the page from which the row was made, as its archive has them.
    ///
    /// # Errors
    ///
    /// The reason, for people.
    fn page(&self, row: &SearchHit) -> Result<Vec<u8>, CorpusError>;

    /// Returns an HTML file that shows why blocks of that page were kept, with its own policy.
    ///
    /// # Errors
    ///
    /// The reason, for people.
    fn explain(&self, row: &SearchHit) -> Result<String, CorpusError>;

    /// Returns an HTML file that reports the run, with its own policy.
    ///
    /// # Errors
    ///
    /// The reason, for people.
    fn report(&self) -> Result<String, CorpusError>;

    /// Whether the corpus has archives, so that pages are available.
    fn has_pages(&self) -> bool;

    /// Whether there is a run to report.
    fn has_report(&self) -> bool;
}

/// An index to search, and the corpus behind it.
pub struct Site {
    searcher: Searcher,
    corpus: Box<dyn Corpus>,
    header: Header,
}

impl Site {
    /// Makes a site with this name.
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
                Ok(row_page(&self.header, &parameters, row, self.corpus.has_pages()))
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
            // Browsers request it by themselves.
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

    /// Answers with data of the requested row.
    fn of_row(
        &self,
        parameters: &Parameters,
        answer: impl FnOnce(&SearchHit) -> Result<Answer, CorpusError>,
    ) -> Answer {
        match self.searcher.row(&parameters.row) {
            Err(error) => Answer::failure(&error),
            Ok(None) => Answer::refusal(404, "No such row", "The index has no row with this name."),
            Ok(Some(row)) => match answer(&row) {
                Ok(answer) => answer,
                Err(error) => error.into_answer("Not available"),
            },
        }
    }
}
