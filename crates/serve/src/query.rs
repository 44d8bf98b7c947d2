//! Parses the parameters of a request.

use huller_index::{Filter, Query};

/// Hits per page.
pub(crate) const HITS_PER_PAGE: usize = 10;

/// Number of the last page of hits.
const MAX_PAGE_NUMBER: usize = 100;

/// The parameters of a request. If one occurs several times, the last value counts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Parameters {
    pub(crate) query: String,
    pub(crate) language: String,
    pub(crate) host: String,
    pub(crate) page_type: String,
    pub(crate) from: String,
    pub(crate) to: String,
    /// Page of results, from 0.
    pub(crate) page: usize,
    /// Key of a row, its [`row`](huller_index::SearchHit::row).
    pub(crate) row: String,
}

impl Parameters {
    /// Parses the text after the `?`. Unknown parameters are ignored.
    pub(crate) fn read(query: &str) -> Parameters {
        let mut parameters = Parameters::default();
        for (name, value) in form_urlencoded::parse(query.as_bytes()) {
            let place = match &*name {
                "q" => &mut parameters.query,
                "lang" => &mut parameters.language,
                "host" => &mut parameters.host,
                "type" => &mut parameters.page_type,
                "from" => &mut parameters.from,
                "to" => &mut parameters.to,
                "row" => &mut parameters.row,
                "page" => {
                    let page = value.parse::<usize>().unwrap_or(1);
                    parameters.page = page.clamp(1, MAX_PAGE_NUMBER) - 1;
                    continue;
                }
                _ => continue,
            };
            value.trim().clone_into(place);
        }
        parameters
    }

    /// Returns the query and the filter.
    ///
    /// # Errors
    ///
    /// A message for the user.
    pub(crate) fn asked(&self) -> Result<(Query, Filter), String> {
        let query = Query::parse(&self.query).map_err(|error| error.to_string())?;
        let non_empty = |text: &str| (!text.is_empty()).then(|| text.to_owned());
        let day = |text: &String| {
            let day = non_empty(text).map(|day| day.parse());
            day.transpose().map_err(|error: huller_index::DayError| error.to_string())
        };
        let filter = Filter {
            language: non_empty(&self.language),
            host: non_empty(&self.host),
            page_type: non_empty(&self.page_type),
            from: day(&self.from)?,
            to: day(&self.to)?,
        };
        Ok((query, filter))
    }

    /// Returns the URL of this page of results for these parameters.
    pub(crate) fn results(&self, page: usize) -> String {
        let page = if page == 0 { String::new() } else { (page + 1).to_string() };
        self.address("/", ("page", &page))
    }

    /// Returns the URL of the page of a row. The form of that page has these parameters.
    pub(crate) fn of_row(&self, row: &str) -> String {
        self.address("/row", ("row", row))
    }

    /// Returns a path with the query, the filter, and one more parameter.
    fn address(&self, path: &str, more: (&str, &str)) -> String {
        let Parameters { query, language, host, page_type, from, to, .. } = self;
        let parameters = [
            ("q", &**query),
            ("lang", language),
            ("host", host),
            ("type", page_type),
            ("from", from),
            ("to", to),
            more,
        ];
        address(path, &parameters)
    }

    /// Whether there is a next page, if so many hits were found from the first of this page on. One
    /// more than fits was asked for.
    pub(crate) fn has_next(&self, hits: usize) -> bool {
        self.page + 1 < MAX_PAGE_NUMBER && hits > HITS_PER_PAGE
    }
}

/// Returns a path of this site with parameters.
pub(crate) fn address(path: &str, parameters: &[(&str, &str)]) -> String {
    let mut query = form_urlencoded::Serializer::new(String::new());
    query.extend_pairs(parameters.iter().filter(|(_, value)| !value.is_empty()));
    format!("{path}?{}", query.finish())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_are_encoded_and_empty_ones_left_out() {
        assert_eq!(
            address("/", &[("q", "a&b \"c\"/é"), ("lang", "")]),
            "/?q=a%26b+%22c%22%2F%C3%A9"
        );
    }

    #[test]
    fn parameters_are_read_and_written() {
        let read = Parameters::read("q=+a%26b&lang=eng&page=3&x=y&q=c+d");
        assert_eq!((&*read.query, &*read.language, read.page), ("c d", "eng", 2));
        assert_eq!(read.results(2), "/?q=c+d&lang=eng&page=3");
        assert_eq!(read.results(0), "/?q=c+d&lang=eng");
        assert_eq!(read.of_row("a#b"), "/row?q=c+d&lang=eng&row=a%23b");
        for (page, expected) in [("0", 0), ("-1", 0), ("x", 0), ("100000", MAX_PAGE_NUMBER - 1)] {
            assert_eq!(Parameters::read(&format!("page={page}")).page, expected);
        }
    }

    #[test]
    fn what_cannot_be_asked_is_told() {
        let long = format!("q={}", "a".repeat(5000));
        for (query, expected) in [(&*long, "4096"), ("q=a&from=yesterday", "yesterday")] {
            let told = Parameters::read(query).asked().unwrap_err();
            assert!(told.contains(expected), "{told}");
        }
        assert!(Parameters::read("q=a&from=2024-01-01&to=2024-12-31").asked().is_ok());
    }

    #[test]
    fn there_is_no_page_after_the_last() {
        let on = |page| Parameters { page, ..Parameters::default() };
        assert!(on(0).has_next(11) && !on(0).has_next(10) && !on(MAX_PAGE_NUMBER - 1).has_next(11));
    }
}
