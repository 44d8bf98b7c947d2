//! Joins head, body, styles and script to a page.

use crate::untrusted_values::shortened;
use crate::visible::push_visible;
use data_encoding::BASE64;
use maud::{Markup, Render, html};
use sha2::{Digest, Sha256};

/// Most bytes of a title. Browsers show fewer.
const MAX_TITLE_BYTES: usize = 1024;

/// The styles of a page, and with them the policy that it states.
#[derive(Clone, Copy, Debug)]
pub enum Styles {
    /// A style sheet within the page. The policy of the page allows this sheet alone.
    Inline(&'static str),
    /// A style sheet within the page, beside `style` attributes of the body. The policy allows all
    /// styles, since a digest allows no attribute.
    InlineWithAttributes(&'static str),
    /// A style sheet at an address of the site. The server sends the policy.
    Linked(&'static str),
}

/// JSON for the script of a page, in an element of its own.
#[derive(Clone, Debug)]
pub struct DataPart {
    id: String,
    json: String,
}

impl DataPart {
    /// Makes a part. `id` is the identifier of its element.
    pub fn new(id: impl Into<String>, json: String) -> DataPart {
        DataPart { id: id.into(), json }
    }
}

/// A page. Styles and script are part of the program; title, body and data may hold any text.
///
/// The data of a script have several parts, so that it parses a part when a reader first opens it.
#[derive(Clone, Debug)]
pub struct Document<'a> {
    title: &'a str,
    styles: Styles,
    body: Markup,
    /// Empty if the page needs no script.
    script: &'static str,
    parts: &'a [DataPart],
}

impl<'a> Document<'a> {
    /// Makes a page without a script.
    pub fn new(title: &'a str, styles: Styles, body: Markup) -> Document<'a> {
        Document { title, styles, body, script: "", parts: &[] }
    }

    /// Adds a script and its data.
    #[must_use]
    pub fn with_script(self, script: &'static str, parts: &'a [DataPart]) -> Document<'a> {
        Document { script, parts, ..self }
    }

    /// Returns the page. Head and body have no character that a browser would obey or that HTML
    /// forbids ([`visible_char`](crate::visible_char)).
    pub fn to_html(&self) -> String {
        let parts: usize = self.parts.iter().map(|part| part.json.len() + 80).sum();
        let mut page = String::with_capacity(self.body.0.len() + parts + self.script.len() + 8192);
        page.push_str("<!doctype html>\n<html lang=\"en\">\n<head>\n");
        push_visible(&self.write_head().0, &mut page);
        if let Styles::Inline(sheet) | Styles::InlineWithAttributes(sheet) = self.styles {
            page.push_str("\n<style>");
            page.push_str(sheet);
            page.push_str("</style>");
        }
        page.push_str("\n</head>\n<body>\n");
        push_visible(&self.body.0, &mut page);
        if !self.script.is_empty() {
            self.push_script(&mut page);
        }
        page.push_str("\n</body>\n</html>\n");
        page
    }

    fn write_head(&self) -> Markup {
        html! {
            meta charset="utf-8";
            @if let Some(policy) = self.stated_policy() {
                meta http-equiv="Content-Security-Policy" content=(policy);
                meta name="referrer" content="no-referrer";
            }
            meta name="viewport" content="width=device-width, initial-scale=1";
            meta name="color-scheme" content="light dark";
            @if let Styles::Linked(address) = self.styles {
                link rel="stylesheet" href=(address);
            }
            title { (shortened(self.title, MAX_TITLE_BYTES)) }
        }
    }

    /// Returns the content security policy, if the page states its own.
    fn stated_policy(&self) -> Option<String> {
        let styles = match self.styles {
            Styles::Inline(sheet) => csp_hash_source(sheet),
            Styles::InlineWithAttributes(_) => "'unsafe-inline'".to_owned(),
            Styles::Linked(_) => return None,
        };
        let script = match self.script {
            "" => String::new(),
            script => format!("; script-src {}", csp_hash_source(script)),
        };
        Some(format!(
            "default-src 'none'; style-src {styles}{script}; base-uri 'none'; form-action 'none'"
        ))
    }

    fn push_script(&self, page: &mut String) {
        let note = html! {
            noscript {
                "This page needs JavaScript, which is part of the file; nothing is loaded from a "
                "network."
            }
        };
        page.push_str(&note.0);
        for DataPart { id, json } in self.parts {
            page.push_str("\n<script type=\"application/json\" id=\"");
            push_visible(&id.render().0, page);
            page.push_str("\">");
            push_json(json, page);
            page.push_str("</script>");
        }
        page.push_str("\n<script>");
        page.push_str(self.script);
        page.push_str("</script>");
    }
}

/// Returns the source expression of a content security policy that allows exactly this text (CSP
/// Level 3, hash-source).
fn csp_hash_source(text: &str) -> String {
    format!("'sha256-{}'", BASE64.encode(&Sha256::digest(text.as_bytes())))
}

/// Appends JSON so that its strings cannot end the element or open a comment. `<` occurs only in
/// strings, where JSON allows an escape for it.
fn push_json(json: &str, page: &mut String) {
    for (number, piece) in json.split('<').enumerate() {
        if number > 0 {
            page.push_str("\\u003c");
        }
        page.push_str(piece);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOSTILE: &str = "<script>\"'</title></main>\0\u{1b}[2J\u{9b}\u{202e}--!>";

    fn page(title: &str, text: &str) -> String {
        let body = html! { main title=(text) { (text) } };
        Document::new(title, Styles::Inline("p{}"), body).to_html()
    }

    #[test]
    fn hostile_text_changes_no_markup_and_no_byte_of_it_is_obeyed() {
        let markup = |page: &str| -> Vec<String> {
            let tags = page.split('<').skip(1).map(|rest| rest.split('>').next().unwrap());
            // The value of an attribute is between quotes.
            tags.map(|tag| tag.split('"').step_by(2).collect()).collect()
        };
        let hostile = page(HOSTILE, HOSTILE);
        assert_eq!(markup(&hostile), markup(&page("a", "b")));
        assert!(!hostile.contains(|c: char| c.is_control() && c != '\n'), "{hostile:?}");
        assert!(!hostile.contains('\u{202e}'));
        let escaped =
            "&lt;script&gt;&quot;'&lt;/title&gt;&lt;/main&gt;␀␛[2J\u{fffd}\u{fffd}--!&gt;";
        assert_eq!(hostile.matches(escaped).count(), 3, "{hostile}");
    }

    #[test]
    fn no_string_of_the_data_ends_its_element() {
        let json = r#"{"text":"</script><script>alert(1)</script><!--"}"#;
        let parts = [DataPart::new(HOSTILE, json.to_owned())];
        let page = Document::new("</title><script>x</script>", Styles::Inline("p{}"), html! {})
            .with_script("1;", &parts)
            .to_html();
        assert_eq!(page.matches("<script").count(), 2);
        assert_eq!(page.matches("</script>").count(), 2);
        assert_eq!(page.matches("<title>").count(), page.matches("</title>").count());
        assert!(!page.contains("<!--") && !page.contains(['\0', '\u{1b}', '\u{9b}', '\u{202e}']));
        assert!(page.contains(r"\u003c/script>\u003cscript>alert(1)\u003c/script>\u003c!--"));
    }

    #[test]
    fn the_policy_names_what_the_page_holds() {
        let of = |styles, script| {
            Document::new("", styles, html! {}).with_script(script, &[]).stated_policy()
        };
        // `printf '1;' | openssl dgst -sha256 -binary | base64`, and of nothing.
        assert_eq!(
            of(Styles::Inline(""), "1;").unwrap(),
            "default-src 'none'; style-src 'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='; \
             script-src 'sha256-CImjRDTlhukYQ2AnxOi0wzgPhGQ3Mb3rVwJK24dFz1M='; base-uri 'none'; \
             form-action 'none'"
        );
        let attributes = of(Styles::InlineWithAttributes(""), "").unwrap();
        assert!(attributes.contains("style-src 'unsafe-inline'; base-uri"), "{attributes}");
        assert_eq!(of(Styles::Linked("/a.css"), ""), None);
        let linked = Document::new("", Styles::Linked("/a.css"), html! {}).to_html();
        assert!(linked.contains("<link rel=\"stylesheet\" href=\"/a.css\">"));
        assert!(!linked.contains("<style") && !linked.contains("http-equiv"));
    }

    #[test]
    fn a_long_title_is_cut() {
        let long = page(&"é".repeat(MAX_TITLE_BYTES), "");
        assert!(long.contains(&format!("<title>{}…</title>", "é".repeat(MAX_TITLE_BYTES / 2))));
    }
}
