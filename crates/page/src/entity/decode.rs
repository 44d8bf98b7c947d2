//! Decodes the character references of a text.

use super::reference::{Context, Value, reference};
use memchr::memchr;

/// Appends `text` to `out` with its character references decoded.
pub fn decode(text: &str, context: Context, out: &mut String) {
    let mut rest = text;
    while let Some(ampersand) = memchr(b'&', rest.as_bytes()) {
        out.push_str(&rest[..ampersand]);
        rest = &rest[ampersand + 1..];
        match reference(rest.as_bytes(), context) {
            Some((value, taken)) => {
                match value {
                    Value::Scalar(c) => out.push(c),
                    Value::Named(scalars) => out.push_str(scalars),
                }
                rest = &rest[taken..];
            }
            None => out.push('&'),
        }
    }
    out.push_str(rest);
}

#[cfg(test)]
mod tests {
    use super::super::names::{LEGACY, NAMES};
    use super::super::reference::lookup;
    use super::*;

    fn text(source: &str) -> String {
        let mut out = String::new();
        decode(source, Context::Text, &mut out);
        out
    }

    #[test]
    fn every_name_is_found() {
        for (name, value) in &NAMES {
            assert_eq!(text(&format!("<&{name};>")), format!("<{value}>"), "{name}");
        }
        for name in &LEGACY {
            assert_eq!(
                text(&format!("&{name} ")),
                format!("{} ", lookup(name.as_bytes()).unwrap()),
                "{name}"
            );
        }
    }

    #[test]
    fn the_longest_name_wins_and_others_stay() {
        assert_eq!(text("&notin; &notit; &nosuch; &;& &amp;amp;"), "∉ ¬it; &nosuch; &;& &amp;");
    }

    #[test]
    fn numbers_out_of_range_become_replacements() {
        assert_eq!(
            text("&#0;&#xD800;&#x110000;&#99999999999999999999;"),
            "\u{fffd}\u{fffd}\u{fffd}\u{fffd}"
        );
        assert_eq!(text("&#146;&#X41&#65;&#;&#x;"), "\u{2019}AA&#;&#x;");
    }

    #[test]
    fn an_attribute_keeps_query_strings() {
        let mut out = String::new();
        decode("?a=1&copy=2&lt=3&amp;x&not", Context::Attribute, &mut out);
        assert_eq!(out, "?a=1&copy=2&lt=3&x¬");
    }
}
