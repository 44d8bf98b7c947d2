//! Markup of untrusted values, each with bounded bytes.

use maud::{Markup, html};
use std::borrow::Cow;

/// Most bytes of a value that are shown.
const MAX_VALUE_BYTES: usize = 1024;

/// Longest address, in bytes, that becomes a link. The server of the site refuses longer ones.
const MAX_LINK_BYTES: usize = 16 << 10;

/// Most bytes of an outside address that is a link. Most servers refuse longer ones.
const MAX_OUTSIDE_LINK_BYTES: usize = 8 << 10;

/// Returns a text. If it is longer than `max_bytes`, it is cut and ends with an ellipsis.
pub fn shortened(text: &str, max_bytes: usize) -> Cow<'_, str> {
    if text.len() <= max_bytes {
        return Cow::Borrowed(text);
    }
    Cow::Owned(format!("{}…", &text[..text.floor_char_boundary(max_bytes)]))
}

/// Returns a value, or the first KiB of a longer one. Its direction of writing does not affect the
/// text around it.
pub fn isolated(value: &str) -> Markup {
    html! { bdi { (shortened(value, MAX_VALUE_BYTES)) } }
}

/// Returns a link within the site, with a value as its text. If the address is longer than a
/// request may be, it returns the value without a link.
pub fn link(address: &str, value: &str) -> Markup {
    if address.len() > MAX_LINK_BYTES {
        return isolated(value);
    }
    html! { a href=(address) { (isolated(value)) } }
}

/// Returns an address outside of the site, as a link if a browser can follow it.
pub fn outside_link(address: &str) -> Markup {
    let is_web = ["http://", "https://"].iter().any(|scheme| address.starts_with(scheme));
    if !is_web || address.len() > MAX_OUTSIDE_LINK_BYTES {
        return isolated(address);
    }
    html! { a rel="noreferrer noopener" href=(address) { (isolated(address)) } }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_values_are_cut() {
        let cut = isolated(&"é".repeat(MAX_VALUE_BYTES)).into_string();
        assert_eq!(cut, format!("<bdi>{}…</bdi>", "é".repeat(MAX_VALUE_BYTES / 2)));
        assert_eq!(shortened("aé", 2), "a…");
        assert_eq!(shortened("aé", 3), "aé");
    }

    #[test]
    fn only_addresses_that_a_browser_can_follow_are_links() {
        let long = format!("https://a.test/{}", "a".repeat(MAX_OUTSIDE_LINK_BYTES));
        for address in ["javascript:alert(1)", "data:text/html,x", "//a.test", &long] {
            assert!(!outside_link(address).into_string().contains("href"), "{address}");
        }
        assert_eq!(
            outside_link("http://a.test/\"<").into_string(),
            "<a rel=\"noreferrer noopener\" href=\"http://a.test/&quot;&lt;\">\
             <bdi>http://a.test/&quot;&lt;</bdi></a>"
        );
        assert_eq!(link("/?q=a&b", "a").into_string(), "<a href=\"/?q=a&amp;b\"><bdi>a</bdi></a>");
        assert_eq!(link(&"/".repeat(MAX_LINK_BYTES + 1), "a").into_string(), "<bdi>a</bdi>");
    }
}
