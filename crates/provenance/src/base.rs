//! Resolves the references of a page as browsers do.

use memchr::{memchr, memchr2, memchr2_iter};
use std::borrow::Cow;
use url::{Position, Url};

/// Encodes the query of a URL in the encoding of its page. `None` is UTF-8.
pub type QueryEncoding<'e> = Option<&'e dyn Fn(&str) -> Cow<'_, [u8]>>;

/// The address against which the references of a page are resolved: its own URL, or the address
/// that its element `base` states. The crate `url` follows the URL standard of the WHATWG. Most
/// references are in canonical form already. They are resolved without the crate.
///
/// ```
/// use huller_provenance::Base;
///
/// let base = Base::new(Some("http://Example.org/news/1.html"), Some("/archive/"));
/// let mut target = String::new();
/// assert!(base.resolve(" 2.html#top ", None, &mut target));
/// assert_eq!(target, "http://example.org/archive/2.html#top");
/// assert!(!base.resolve("mailto:ann@a.test", None, &mut target));
/// ```
#[derive(Clone, Debug, Default)]
pub struct Base {
    url: Option<Url>,
    /// Whether its scheme is `http` or `https`.
    is_web: bool,
}

impl Base {
    /// Makes the base of a page with this URL, whose first `base` with an address states this one.
    pub fn new(url: Option<&str>, stated: Option<&str>) -> Base {
        let page_url = url.and_then(|url| Url::parse(url).ok());
        let stated = stated.and_then(|stated| match &page_url {
            Some(page_url) => page_url.join(stated).ok(),
            None => Url::parse(stated).ok(),
        });
        // Browsers ignore a base with the scheme of data or script.
        let stated = stated.filter(|url| !matches!(url.scheme(), "data" | "javascript"));
        let url = stated.or(page_url);
        let is_web = url.as_ref().is_some_and(is_web);
        Base { url, is_web }
    }

    /// Appends the URL to which a reference leads, in canonical form. Returns false if it is not a
    /// URL, or has another scheme than `http` and `https`. A relative reference needs a base.
    pub fn resolve(&self, reference: &str, query: QueryEncoding<'_>, out: &mut String) -> bool {
        if let Some((base, rest)) = self.canonical(reference) {
            out.push_str(base);
            out.push_str(rest);
            return true;
        }
        let options = Url::options().base_url(self.url.as_ref()).encoding_override(query);
        let Some(target) = options.parse(reference).ok().filter(is_web) else { return false };
        out.push_str(target.as_str());
        true
    }

    /// Returns the two parts of the URL to which a reference in canonical form leads. `None` for
    /// other references.
    fn canonical<'r>(&'r self, reference: &'r str) -> Option<(&'r str, &'r str)> {
        for scheme in ["https://", "http://"] {
            if let Some(rest) = reference.strip_prefix(scheme) {
                let (host, path) = rest.split_at(rest.find('/')?);
                return (is_canonical_host(host) && is_canonical_path(path))
                    .then_some(("", reference));
            }
        }
        let base = self.url.as_ref().filter(|_| self.is_web)?;
        let first = reference.bytes().next()?;
        let prefix = match first {
            b'/' if !reference.starts_with("//") => &base[..Position::BeforePath],
            b'#' => &base[..Position::AfterQuery],
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'_' | b'-' => {
                // A colon may end a scheme.
                let end = reference.find(['/', '?', '#', ':']).unwrap_or(reference.len());
                if reference[end..].starts_with(':') {
                    return None;
                }
                let path = &base[..Position::AfterPath];
                &path[..=path.rfind('/')?]
            }
            _ => return None,
        };
        is_canonical_path(reference).then_some((prefix, reference))
    }
}

fn is_web(url: &Url) -> bool {
    matches!(url.scheme(), "http" | "https")
}

/// Returns whether a host is a domain in canonical form: lower-case labels of ASCII that neither
/// are encoded nor can be a number.
fn is_canonical_host(host: &str) -> bool {
    const MAX_LABEL_BYTES: usize = 63;
    let mut label = 0;
    let mut previous_byte = b'.';
    let mut first = b'.';
    for byte in host.bytes() {
        match byte {
            b'.' if previous_byte != b'.' => label = 0,
            b'-' if previous_byte == b'-' => return false,
            b'a'..=b'z' | b'0'..=b'9' | b'-' => label += 1,
            _ => return false,
        }
        if label == 1 {
            first = byte;
        }
        if label > MAX_LABEL_BYTES {
            return false;
        }
        previous_byte = byte;
    }
    // A last label that begins with a letter is no part of a number.
    previous_byte != b'.' && first.is_ascii_lowercase()
}

/// Returns whether no byte of a path, query and fragment has to be encoded or removed, and no
/// segment may mean a folder (`.`, `..`).
fn is_canonical_path(path: &str) -> bool {
    let bytes = path.as_bytes();
    let query = memchr2(b'?', b'#', bytes).unwrap_or(bytes.len());
    let (path, rest) = bytes.split_at(query);
    let rest = rest.get(1..).unwrap_or_default();
    let fragment = if bytes.get(query) == Some(&b'?') { memchr(b'#', rest) } else { None };
    let (query, fragment) = rest.split_at(fragment.unwrap_or(rest.len()));
    let may_be_folder = |index| index == 0 || path[index - 1] == b'/';
    are_unchanged(path)
        && are_unchanged(query)
        && are_unchanged(fragment.get(1..).unwrap_or_default())
        && !memchr2_iter(b'.', b'%', path).any(may_be_folder)
}

/// Returns whether paths, queries and fragments hold each of these bytes as it is.
fn are_unchanged(bytes: &[u8]) -> bool {
    const CHANGED: [u8; 14] = *b"\"'<>\\^`{|}[]#?";
    // Without branches, so that the compiler reads many bytes at a time.
    let is_changed = |byte: u8| {
        let special = CHANGED
            .iter()
            .fold(0, |is_special, special_byte| is_special | u8::from(byte == *special_byte));
        special | u8::from(byte <= b' ') | u8::from(byte >= 0x7F)
    };
    bytes.iter().fold(0, |is_special, byte| is_special | is_changed(*byte)) == 0
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::{Strategy, prop_assert_eq};
    use proptest::test_runner::{Config, TestRunner};

    fn resolved(base: &Base, reference: &str, query: QueryEncoding<'_>) -> Option<String> {
        let mut target = String::new();
        base.resolve(reference, query, &mut target).then_some(target)
    }

    #[test]
    fn references_lead_where_browsers_go() {
        let resolve = |url: Option<&str>, stated: Option<&str>, reference: &str| {
            resolved(&Base::new(url, stated), reference, None)
        };
        let page = Some("https://a.test/b/c?d#e");
        for (reference, expected) in [
            ("", "https://a.test/b/c?d"),
            ("#x", "https://a.test/b/c?d#x"),
            ("?x", "https://a.test/b/c?x"),
            ("../x", "https://a.test/x"),
            ("\\\\h.test\\x", "https://h.test/x"),
            ("ht\ntp://h.test:80/ x", "http://h.test/%20x"),
            ("https:x", "https://a.test/b/x"),
        ] {
            assert_eq!(resolve(page, None, reference).as_deref(), Some(expected), "{reference}");
        }
        for reference in ["javascript:void(0)", "data:,x", "http://a b/", "tel:1", "ftp://a.test/"]
        {
            assert_eq!(resolve(page, None, reference), None, "{reference}");
        }
        let based = |stated| resolve(page, Some(stated), "x");
        assert_eq!(based("/f/").as_deref(), Some("https://a.test/f/x"));
        assert_eq!(based("javascript:0").as_deref(), Some("https://a.test/b/x"));
        assert_eq!(based("http://[").as_deref(), Some("https://a.test/b/x"));
        assert_eq!(resolve(None, None, "x"), None);
        assert_eq!(resolve(None, Some("http://a.test/"), "x").as_deref(), Some("http://a.test/x"));
        assert_eq!(resolve(None, None, "http://a.test").as_deref(), Some("http://a.test/"));
        let latin: QueryEncoding<'_> = Some(&|query| query.chars().map(|c| c as u8).collect());
        let base = Base::new(page, None);
        let encoded = |reference| resolved(&base, reference, latin).unwrap();
        assert_eq!(encoded("é?é#é"), "https://a.test/b/%C3%A9?%E9#%C3%A9");
    }

    #[test]
    fn canonical_references_lead_where_the_crate_leads() {
        const BASES: [&str; 5] = [
            "https://a.test/b/c?d#e",
            "http://u:p@a.test:8080",
            "http://[::1]/x/",
            "https://a.test/b/c/?q=/x",
            "mailto:x",
        ];
        const PARTS: &str = "https?://|//|/|\\.{1,2}|%2[eE]|[?#:@%]|[a-zA-Z0-9_-]{1,4}|[a-z]\\.test|0x1|xn--a|\
            [ \\\\'\"<>^`{}|\u{0}\n\u{e9}]";
        let references = proptest::collection::vec(PARTS, 0..8).prop_map(|parts| parts.concat());
        let mut runner = TestRunner::new(Config::with_cases(5_000));
        let tried = runner.run(&(0..BASES.len(), references), |(base, reference)| {
            let base = Base::new(Some(BASES[base]), None);
            let options = Url::options().base_url(base.url.as_ref());
            let expected = options.parse(&reference).ok().filter(is_web).map(String::from);
            prop_assert_eq!(resolved(&base, &reference, None), expected);
            Ok(())
        });
        tried.unwrap();
        for (reference, is_fast) in [
            ("https://a.test/b?c=d&e#f", true),
            ("http://sub-1.a.test/", true),
            ("/b.html", true),
            ("b/c.html?d=/../x", true),
            ("#top", true),
            ("http://a.test", false),
            ("http://a.1/", false),
            ("/b/../c", false),
            ("a:b", false),
            ("/%2e/", false),
        ] {
            let base = Base::new(Some(BASES[0]), None);
            assert_eq!(base.canonical(reference).is_some(), is_fast, "{reference}");
        }
    }
}
