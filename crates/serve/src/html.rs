//! Writes pages as HTML. Only this module turns text into markup.

use std::fmt::Write;

/// Bytes after which no more text is appended. The server does not send such a page.
const MAX_PAGE_BYTES: usize = 8 << 20;

/// Most bytes of a value that are shown.
const SHOWN: usize = 1024;

/// Most bytes of an address that is a link. Most servers refuse longer ones.
const LINKED: usize = 8 << 10;

/// A page that is being written.
#[derive(Default)]
pub(crate) struct Html(String);

impl Html {
    /// Begins a page up to its header.
    pub(crate) fn page(title: &str) -> Html {
        let mut html = Html::default();
        html.raw("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
        html.raw("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n");
        html.raw("<link rel=\"stylesheet\" href=\"/serve.css\">\n<title>").text(title);
        html.raw("</title>\n</head>\n<body>\n");
        html
    }

    /// Returns the page.
    pub(crate) fn finish(mut self) -> Vec<u8> {
        self.raw("</body>\n</html>\n");
        self.0.into_bytes()
    }

    /// Appends markup of this program.
    pub(crate) fn raw(&mut self, markup: &'static str) -> &mut Html {
        self.0.push_str(markup);
        self
    }

    /// Appends text, or the value of an attribute in double quotes. Control characters other than
    /// newline and tab are left out, since HTML may not have them.
    pub(crate) fn text(&mut self, text: &str) -> &mut Html {
        for c in text.chars() {
            if self.0.len() > MAX_PAGE_BYTES {
                break;
            }
            match c {
                '&' => self.0.push_str("&amp;"),
                '<' => self.0.push_str("&lt;"),
                '>' => self.0.push_str("&gt;"),
                '"' => self.0.push_str("&quot;"),
                '\'' => self.0.push_str("&#39;"),
                '\n' | '\t' => self.0.push(c),
                _ if c.is_control() => {}
                _ => self.0.push(c),
            }
        }
        self
    }

    /// Appends a number with commas between thousands.
    pub(crate) fn number(&mut self, number: u64) -> &mut Html {
        let digits = number.to_string();
        for (place, digit) in digits.chars().enumerate() {
            if place > 0 && (digits.len() - place).is_multiple_of(3) {
                self.0.push(',');
            }
            self.0.push(digit);
        }
        self
    }

    /// Appends a score with two digits.
    pub(crate) fn score(&mut self, score: f32) -> &mut Html {
        let _ = write!(self.0, "{score:.2}");
        self
    }

    /// Appends an untrusted value, or the first KiB of a longer one. Its direction of writing does
    /// not affect the text around it.
    pub(crate) fn isolated(&mut self, value: &str) -> &mut Html {
        let shown = &value[..value.floor_char_boundary(SHOWN)];
        let end = if shown.len() < value.len() { "…</bdi>" } else { "</bdi>" };
        self.raw("<bdi>").text(shown).raw(end)
    }

    /// Appends an address outside of this site, as a link if a browser can follow it.
    pub(crate) fn outside(&mut self, address: &str) -> &mut Html {
        let is_web = ["http://", "https://"].iter().any(|scheme| address.starts_with(scheme));
        if !is_web || address.len() > LINKED {
            return self.isolated(address);
        }
        self.raw("<a rel=\"noreferrer noopener\" href=\"").text(address).raw("\">");
        self.isolated(address).raw("</a>")
    }

    /// Appends a link with this text.
    pub(crate) fn link(&mut self, address: &str, text: &str) -> &mut Html {
        self.raw("<a href=\"").text(address).raw("\">").isolated(text).raw("</a>")
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
    fn text_stays_text() {
        let mut html = Html::default();
        html.text("a<script>\"'&\u{0}\u{1b}\u{9b}é\n");
        assert_eq!(html.0, "a&lt;script&gt;&quot;&#39;&amp;é\n");
    }

    #[test]
    fn long_values_are_cut() {
        let mut html = Html::default();
        html.isolated(&"é".repeat(SHOWN));
        assert_eq!(html.0, format!("<bdi>{}…</bdi>", "é".repeat(SHOWN / 2)));
        let mut html = Html::default();
        html.outside(&format!("https://a.test/{}", "a".repeat(LINKED)));
        assert!(!html.0.contains("href"));
    }

    #[test]
    fn numbers_have_their_thousands_set_apart() {
        for (number, expected) in
            [(0, "0"), (999, "999"), (1000, "1,000"), (1_234_567, "1,234,567")]
        {
            let mut html = Html::default();
            html.number(number);
            assert_eq!(html.0, expected);
        }
    }

    #[test]
    fn parameters_are_encoded_and_empty_ones_left_out() {
        assert_eq!(
            address("/", &[("q", "a&b \"c\"/é"), ("lang", "")]),
            "/?q=a%26b+%22c%22%2F%C3%A9"
        );
    }
}
