//! The names under which a page and its fields are found in a line.

/// The names of the fields of a page, first choice first. The defaults are listed at each field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JsonlKeys {
    /// The HTML of the page: `html`, `h`, `content`, `raw_content`, `body`.
    pub html: Vec<String>,
    /// Its URL: `url`, `u`, `warc_url`.
    pub url: Vec<String>,
    /// Its identifier, a string or a number: `id`.
    pub id: Vec<String>,
    /// The time of its fetch: `date`, `timestamp`, `warc_date`, `crawl_date`.
    pub date: Vec<String>,
    /// Further fields whose values are kept unchanged, of any type. The default is no field.
    pub kept: Vec<String>,
}

impl Default for JsonlKeys {
    fn default() -> Self {
        let list = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
        JsonlKeys {
            html: list(&["html", "h", "content", "raw_content", "body"]),
            url: list(&["url", "u", "warc_url"]),
            id: list(&["id"]),
            date: list(&["date", "timestamp", "warc_date", "crawl_date"]),
            kept: Vec::new(),
        }
    }
}
