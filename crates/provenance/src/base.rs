//! Resolves the references of a page as browsers do.

use std::borrow::Cow;
use url::Url;

/// Encodes the query of a URL in the encoding of its page. `None` is UTF-8.
pub type QueryEncoding<'e> = Option<&'e dyn Fn(&str) -> Cow<'_, [u8]>>;

/// The address against which the references of a page are resolved: its own URL, or the address
/// that its element `base` states. The crate `url` follows the URL standard of the WHATWG.
///
/// ```
/// use huller_provenance::Base;
///
/// let base = Base::new(Some("http://Example.org/news/1.html"), Some("/archive/"));
/// assert_eq!(base.resolve(" 2.html#top ", None).unwrap(), "http://example.org/archive/2.html#top");
/// assert_eq!(base.resolve("//a.test/é", None).unwrap(), "http://a.test/%C3%A9");
/// assert_eq!(base.resolve("mailto:ann@a.test", None), None);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Base(Option<Url>);

impl Base {
    /// Makes the base of a page with this URL, whose first `base` with an address states this one.
    pub fn new(url: Option<&str>, stated: Option<&str>) -> Base {
        let own = url.and_then(|url| Url::parse(url).ok());
        let stated = stated.and_then(|stated| match &own {
            Some(own) => own.join(stated).ok(),
            None => Url::parse(stated).ok(),
        });
        // Browsers ignore a base with the scheme of data or script.
        let stated = stated.filter(|url| !matches!(url.scheme(), "data" | "javascript"));
        Base(stated.or(own))
    }

    /// Returns the URL to which a reference leads, in canonical form. `None` if it is not a URL, or
    /// has another scheme than `http` and `https`. A relative reference needs a base.
    pub fn resolve(&self, reference: &str, query: QueryEncoding<'_>) -> Option<String> {
        let options = Url::options().base_url(self.0.as_ref()).encoding_override(query);
        let target = options.parse(reference).ok()?;
        matches!(target.scheme(), "http" | "https").then(|| target.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_lead_where_browsers_go() {
        let resolve = |url: Option<&str>, stated: Option<&str>, reference: &str| {
            Base::new(url, stated).resolve(reference, None)
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
        let encoded = |reference| base.resolve(reference, latin).unwrap();
        assert_eq!(encoded("é?é#é"), "https://a.test/b/%C3%A9?%E9#%C3%A9");
    }
}
