//! The top of every page: the name, the search form, and links.

use crate::query::Parameters;
use huller_html::isolated;
use maud::{Markup, html};

/// The top of every page of a site.
pub(crate) struct Header {
    /// Name of the site: that of the index.
    pub(crate) name: String,
    /// Whether there is a run to report.
    pub(crate) has_report: bool,
}

impl Header {
    /// Returns the top, with the parameters of the request in the form.
    pub(crate) fn markup(&self, parameters: &Parameters) -> Markup {
        let Parameters { query, language, host, page_type, from, to, .. } = parameters;
        let filters =
            [("lang", language), ("host", host), ("type", page_type), ("from", from), ("to", to)];
        let hidden = filters.into_iter().filter(|(_, value)| !value.is_empty());
        html! {
            header {
                form action="/" method="get" role="search" {
                    label for="q" { "Search " (isolated(&self.name)) }
                    div.ask {
                        input #q name="q" type="search" autocomplete="off" maxlength="2000"
                            value=(query);
                        @for (name, value) in hidden {
                            input type="hidden" name=(name) value=(value);
                        }
                        button { "Search" }
                    }
                }
                @if self.has_report {
                    nav aria-label="Site" { a href="/report" { "Report of the run" } }
                }
            }
        }
    }
}
