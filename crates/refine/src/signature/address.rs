//! The digest of a URL.

use huller_provenance::Address;
use twox_hash::XxHash3_128;

/// Returns the digest of a normalised URL, as signatures hold it. `buffer` is a scratch buffer.
pub fn digest(url: &str, buffer: &mut Vec<u8>) -> u128 {
    normalise(url, buffer);
    let digest = XxHash3_128::oneshot(buffer);
    buffer.clear();
    digest
}

/// Writes the URL with its server in canonical form ([`Address::server`]). The slash of an empty
/// path is left out, and so is a fragment that is a place on a page. Paths and queries stay
/// unchanged. A URL without a host loses only its fragment.
fn normalise(url: &str, out: &mut Vec<u8>) {
    out.clear();
    let address = Address::parse(url);
    let (server, rest) = match &address {
        Some(address) => (address.server(), address.rest()),
        None => ("", url.trim()),
    };
    let (rest, fragment) = rest.split_at(rest.find('#').unwrap_or(rest.len()));
    out.extend_from_slice(server.as_bytes());
    let rest = match rest.strip_prefix('/') {
        Some(query) if query.is_empty() || query.starts_with('?') => query,
        _ => rest,
    };
    out.extend_from_slice(rest.as_bytes());
    if is_page(fragment) {
        out.extend_from_slice(fragment.as_bytes());
    }
}

/// Returns whether a fragment names a page of an application rather than a place on a page:
/// `#/users`, `#!users`.
fn is_page(fragment: &str) -> bool {
    fragment.starts_with("#/") || fragment.starts_with("#!")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_normalised() {
        for (url, normal) in [
            ("HTTP://WWW.Site.ORG:80/", "http://www.site.org"),
            ("http://site.org", "http://site.org"),
            ("https://site.org:443/A?b=C#d", "https://site.org/A?b=C"),
            ("https://site.org:80/a/", "https://site.org:80/a/"),
            ("http://site.org/?q=1", "http://site.org?q=1"),
            ("http://site.org?q=1", "http://site.org?q=1"),
            ("http://Ann@SITE.org:/x", "http://Ann@site.org/x"),
            ("http://site.org./x", "http://site.org/x"),
            ("http://[::1]:80/", "http://[::1]"),
            ("http://münchen.test/ü", "http://xn--mnchen-3ya.test/ü"),
            ("http://xn--mnchen-3ya.test/ü", "http://xn--mnchen-3ya.test/ü"),
            ("http://site.org\\a", "http://site.org/a"),
            (" mailto:Ann@x.org#y ", "mailto:Ann@x.org"),
            ("/a/b#c", "/a/b"),
            ("://", "://"),
            ("", ""),
        ] {
            let mut out = Vec::new();
            normalise(url, &mut out);
            assert_eq!(String::from_utf8(out).unwrap(), normal, "{url}");
        }
    }

    #[test]
    fn fragments_count_where_they_name_pages() {
        for (url, normal) in [
            ("http://app.test/#/users/1", "http://app.test#/users/1"),
            ("http://app.test#/users/1", "http://app.test#/users/1"),
            ("http://app.test/#!users/1", "http://app.test#!users/1"),
            ("http://app.test/a?b#!/users#c", "http://app.test/a?b#!/users#c"),
            ("app.test/#/users", "app.test/#/users"),
            ("http://app.test/#", "http://app.test"),
            ("http://app.test/#top", "http://app.test"),
            ("http://app.test/a#users/1", "http://app.test/a"),
            ("http://app.test/a#top#/b", "http://app.test/a"),
            ("http://app.test/?_escaped_fragment_=a", "http://app.test?_escaped_fragment_=a"),
        ] {
            let mut out = Vec::new();
            normalise(url, &mut out);
            assert_eq!(String::from_utf8(out).unwrap(), normal, "{url}");
        }
    }
}
