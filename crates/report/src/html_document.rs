//! Writes a self-contained HTML file: a style sheet, and either a body, or data with the script
//! that shows them.
//!
//! The data have several parts, each in its own element. The script parses a part when a reader
//! first opens it.

use crate::chart::push_text;
use data_encoding::BASE64;
use sha2::{Digest, Sha256};

/// The contents of a file. Styles and script are part of this program; title and data may hold any
/// text.
pub(crate) struct Document<'a> {
    pub(crate) title: &'a str,
    pub(crate) styles: &'static str,
    /// Empty if the body needs no script.
    pub(crate) script: &'static str,
    /// The data for the script.
    pub(crate) parts: &'a [DataElement],
    /// HTML that this crate made. All text in it is escaped.
    pub(crate) body: &'a str,
}

/// JSON in an element of its own.
pub(crate) struct DataElement {
    /// The `id` of the element: a word of this program, without quotation marks.
    pub(crate) id: String,
    pub(crate) json: String,
}

impl Document<'_> {
    /// Returns the file.
    pub(crate) fn to_html(&self) -> String {
        let data: usize = self.parts.iter().map(|part| part.json.len() + 80).sum();
        let mut html = String::with_capacity(
            data + self.styles.len() + self.script.len() + self.title.len() + 1024,
        );
        html.push_str("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
        html.push_str("<meta http-equiv=\"Content-Security-Policy\" content=\"");
        html.push_str("default-src 'none'; base-uri 'none'; form-action 'none'; style-src ");
        html.push_str(&csp_hash_source(self.styles));
        if !self.script.is_empty() {
            html.push_str("; script-src ");
            html.push_str(&csp_hash_source(self.script));
        }
        html.push_str(
            "\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n",
        );
        html.push_str("<meta name=\"referrer\" content=\"no-referrer\">\n<title>");
        push_text(self.title, &mut html);
        html.push_str("</title>\n<style>");
        html.push_str(self.styles);
        html.push_str("</style>\n</head>\n<body>\n");
        html.push_str(self.body);
        if self.script.is_empty() {
            html.push_str("\n</body>\n</html>\n");
            return html;
        }
        html.push_str("<noscript>This page needs JavaScript, which is part of the file; ");
        html.push_str("nothing is loaded from a network.</noscript>\n");
        for DataElement { id, json } in self.parts {
            html.push_str("<script type=\"application/json\" id=\"");
            push_text(id, &mut html);
            html.push_str("\">");
            push_json(json, &mut html);
            html.push_str("</script>\n");
        }
        html.push_str("<script>");
        html.push_str(self.script);
        html.push_str("</script>\n</body>\n</html>\n");
        html
    }
}

/// Returns the source expression of a content security policy that allows exactly this text (CSP
/// Level 3, hash-source).
fn csp_hash_source(text: &str) -> String {
    format!("'sha256-{}'", BASE64.encode(&Sha256::digest(text.as_bytes())))
}

/// Appends JSON so that its strings cannot end the element or open a comment. `<` occurs only in
/// strings, where JSON allows an escape for it.
fn push_json(json: &str, html: &mut String) {
    for (number, piece) in json.split('<').enumerate() {
        if number > 0 {
            html.push_str("\\u003c");
        }
        html.push_str(piece);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_string_ends_its_element() {
        let data = r#"{"text":"</script><script>alert(1)</script><!--"}"#;
        let document = Document {
            title: "</title><script>x</script>",
            styles: "p{}",
            script: "1;",
            parts: &[DataElement { id: "data".to_owned(), json: data.to_owned() }],
            body: "",
        };
        let html = document.to_html();
        assert_eq!(html.matches("<script").count(), 2);
        assert_eq!(html.matches("</script>").count(), 2);
        assert_eq!(html.matches("<title>").count(), html.matches("</title>").count());
        assert!(!html.contains("<!--"));
        assert!(html.contains(r"\u003c/script>\u003cscript>alert(1)\u003c/script>\u003c!--"));
    }

    #[test]
    fn the_policy_names_the_digest_of_the_script() {
        let html = Document { title: "", styles: "", script: "1;", parts: &[], body: "" }.to_html();
        // `printf '1;' | openssl dgst -sha256 -binary | base64`
        assert!(
            html.contains("script-src 'sha256-CImjRDTlhukYQ2AnxOi0wzgPhGQ3Mb3rVwJK24dFz1M='"),
            "{html}"
        );
    }
}
