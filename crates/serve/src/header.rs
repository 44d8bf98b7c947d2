//! The top of every page: the name, the search form, and links.

use crate::html::Html;
use crate::query::Parameters;

/// The top of every page of a site.
pub(crate) struct Header {
    /// Name of the site: that of the index.
    pub(crate) name: String,
    /// Whether there is a run to report.
    pub(crate) has_report: bool,
}

impl Header {
    /// Writes the top, with the parameters of the request in the form.
    pub(crate) fn write(&self, html: &mut Html, parameters: &Parameters) {
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
        if self.has_report {
            html.raw("<nav aria-label=\"Site\"><a href=\"/report\">Report of the run</a></nav>");
        }
        html.raw("</header>");
    }
}
