//! Hosts of URLs in canonical form.

use std::borrow::Cow;
use std::net::Ipv6Addr;

/// Largest length of a host in bytes, the limit of the domain name system.
const MAX_HOST_BYTES: usize = 253;

/// The host of a URL in canonical form. The [crate] defines it for each form of a URL.
///
/// ```
/// use huller_provenance::Host;
///
/// let host = Host::from_url("http://News.Example.org:8080/a").ok_or("no host")?;
/// assert_eq!(host.domains().collect::<Vec<_>>(), ["news.example.org", "example.org", "org"]);
/// assert_eq!(Host::parse("NEWS.example.org.").as_ref(), Some(&host));
/// # Ok::<(), &str>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Host<'a> {
    /// Not empty, in lower case, without a dot at its end.
    name: Cow<'a, str>,
}

impl<'a> Host<'a> {
    /// Longest URL authority or host name that is parsed, in bytes. Every host fits, also with all
    /// its characters escaped.
    pub(crate) const MAX_WRITTEN_BYTES: usize = 4096;

    /// Returns the host that a user, a list or a column names, without scheme, user, port and path.
    /// Brackets around IPv6 addresses are optional.
    pub fn parse(name: &'a str) -> Option<Host<'a>> {
        let name = name.trim();
        if is_plain(name.as_bytes()) {
            return Some(Host { name: Cow::Borrowed(name) });
        }
        if name.len() > Host::MAX_WRITTEN_BYTES {
            return None;
        }
        let parsed = match name.parse::<Ipv6Addr>() {
            Ok(address) => url::Host::Ipv6(address),
            Err(_) => url::Host::parse(name).ok()?,
        };
        Host::canonical(&parsed.to_string()).map(Host::into_owned)
    }

    /// Returns a pattern of hosts in the canonical form of hosts; `*` matches any characters. So
    /// `*.München.example` becomes `*.xn--mnchen-3ya.example`.
    pub fn pattern(pattern: &str) -> String {
        let pattern = pattern.trim();
        if let Some(host) = Host::parse(pattern) {
            return host.name.into_owned();
        }
        // Labels are converted one by one, and only those in other scripts: a lone number would
        // become an IPv4 address.
        let labels = pattern.trim_end_matches('.').split('.').map(|label| {
            let host = (!label.is_ascii()).then(|| Host::parse(label)).flatten();
            host.map_or_else(|| label.to_lowercase(), |host| host.name.into_owned())
        });
        labels.collect::<Vec<_>>().join(".")
    }

    /// Converts a host of the crate `url` into the form of this crate.
    pub(crate) fn canonical(host: &'a str) -> Option<Host<'a>> {
        let name = host.strip_suffix('.').unwrap_or(host);
        let name = if name.bytes().any(|byte| byte.is_ascii_uppercase()) {
            Cow::Owned(name.to_ascii_lowercase())
        } else {
            Cow::Borrowed(name)
        };
        let is_name = (1..=MAX_HOST_BYTES).contains(&name.len()) && !name.ends_with('.');
        is_name.then_some(Host { name })
    }

    /// Wraps a host that is already in canonical form.
    pub(crate) fn from_canonical(name: &'a str) -> Host<'a> {
        Host { name: Cow::Borrowed(name) }
    }

    pub(crate) fn into_owned(self) -> Host<'static> {
        Host { name: Cow::Owned(self.name.into_owned()) }
    }

    /// Returns the host as text.
    pub fn as_str(&self) -> &str {
        &self.name
    }

    /// Returns the host without `www.` at its beginning, if a domain of two labels or more remains.
    pub fn without_www(&self) -> Host<'_> {
        let rest = self.name.strip_prefix("www.").filter(|rest| rest.contains('.'));
        Host { name: Cow::Borrowed(rest.unwrap_or(&self.name)) }
    }

    /// Returns the host and the domains above it, the longest first: `www.a.test`, `a.test`,
    /// `test`. An IP address has no domains above it.
    pub fn domains(&self) -> impl Iterator<Item = &str> {
        let is_ip = self.last_label().is_none();
        std::iter::successors(Some(&*self.name), move |name| {
            let (_, parent_domain) = name.split_once('.').filter(|_| !is_ip)?;
            Some(parent_domain)
        })
        // A name begins with a dot after two dots in a row.
        .filter(|name| !name.starts_with('.'))
    }

    /// Returns the last label, such as `org`. `None` for an IP address.
    pub fn last_label(&self) -> Option<&str> {
        let label = self.name.rsplit('.').next()?;
        let is_ip = label.ends_with(']') || label.bytes().all(|byte| byte.is_ascii_digit());
        (!is_ip).then_some(label)
    }
}

/// Returns the host of a URL of http or https in its original spelling, and the offset at which it
/// ends. Returns `None` unless the host is plain and has neither user nor port.
pub(crate) fn plain_host(url: &str) -> Option<(&str, usize)> {
    let rest = url.strip_prefix("http")?;
    let rest = rest.strip_prefix('s').unwrap_or(rest).strip_prefix("://")?;
    let is_end = |byte: &u8| matches!(byte, b'/' | b'?' | b'#');
    let length = rest.bytes().position(|byte| is_end(&byte)).unwrap_or(rest.len());
    let host = &rest[..length];
    is_plain(host.as_bytes()).then_some((host, url.len() - rest.len() + length))
}

/// Returns whether a host is certainly in canonical form: ASCII, in lower case, not an IP address,
/// without Punycode that needs a check.
fn is_plain(host: &[u8]) -> bool {
    let mut starts_label = true;
    let mut last_starts_with_digit = false;
    for (index, byte) in host.iter().enumerate() {
        match byte {
            b'a'..=b'z' | b'0'..=b'9' | b'-' | b'_' => {}
            b'.' => {
                starts_label = true;
                continue;
            }
            _ => return false,
        }
        if starts_label {
            starts_label = false;
            last_starts_with_digit = byte.is_ascii_digit();
            if host[index..].starts_with(b"xn--") {
                return false;
            }
        }
    }
    // If the name ends at the start of a label, it ends with a dot or is empty.
    !starts_label && !last_starts_with_digit && host.len() <= MAX_HOST_BYTES
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use url::Url;

    #[test]
    fn hosts_are_those_of_browsers() {
        for (url, expected) in [
            ("http://example.org/", Some("example.org")),
            ("HTTP://Example.ORG/", Some("example.org")),
            ("http://me:pw@example.org:8080/", Some("example.org")),
            ("http://a@b@example.org/", Some("example.org")),
            ("http://example.org\\@other.test/", Some("example.org")),
            ("http:\\\\example.org\\a", Some("example.org")),
            ("foo://example.org\\@other.test/", Some("other.test")),
            ("http:example.org", Some("example.org")),
            ("http:/example.org", Some("example.org")),
            ("http:////example.org", Some("example.org")),
            ("http:///x", Some("x")),
            ("http://ex%61mple.org/", Some("example.org")),
            ("http://example%2Eorg/", Some("example.org")),
            ("http://münchen.example/", Some("xn--mnchen-3ya.example")),
            ("http://M%C3%9CNCHEN.example/", Some("xn--mnchen-3ya.example")),
            ("http://xn--mnchen-3ya.example/", Some("xn--mnchen-3ya.example")),
            ("http://ｅxample。org/", Some("example.org")),
            ("http://faß.example/", Some("xn--fa-hia.example")),
            ("http://0x7f.1/", Some("127.0.0.1")),
            ("http://127.0.0.1:80/", Some("127.0.0.1")),
            ("http://2130706433/", Some("127.0.0.1")),
            ("http://[0:0::1]:80/", Some("[::1]")),
            ("http://[::FFFF:1.2.3.4]/", Some("[::ffff:102:304]")),
            ("http://www.example.org/", Some("www.example.org")),
            ("http://example.org./", Some("example.org")),
            ("http://example.org.:80?a", Some("example.org")),
            ("http://a_b.example/", Some("a_b.example")),
            (" \thttp://example.org/ \n", Some("example.org")),
            ("ht\ntp://exam\tple.org/", Some("example.org")),
            ("gopher://Example.org:70/", Some("example.org")),
            ("ftp://Example.org", Some("example.org")),
            ("wss://example.org?a", Some("example.org")),
            ("file://Server/share", Some("server")),
            ("http://example.org#a@b.test/", Some("example.org")),
            ("http://example.org?a@b.test/", Some("example.org")),
            ("mailto:me@example.org", None),
            ("dns:example.org", None),
            ("urn:uuid:0", None),
            ("file:///a", None),
            ("file://localhost/a", None),
            ("file://C:/a", None),
            ("foo:///a", None),
            ("example.org/a", None),
            ("//example.org/a", None),
            ("http://", None),
            ("http://./", None),
            ("http://example.org../", None),
            ("http://0../", None),
            ("http://a b/", None),
            ("http://a #", None),
            ("http://a:99999/", None),
            ("http://a:b/", None),
            ("http://[::1/", None),
            ("http://::1/", None),
            ("http://1.2.3.4.5/", None),
            ("http://me@/", None),
            ("://", None),
            ("", None),
        ] {
            let host = Host::from_url(url);
            assert_eq!(host.as_ref().map(Host::as_str), expected, "{url}");
        }
    }

    #[test]
    fn hosts_may_be_named_alone() {
        for (name, expected) in [
            ("Example.org", Some("example.org")),
            (" example.org. ", Some("example.org")),
            ("München.example", Some("xn--mnchen-3ya.example")),
            ("::1", Some("[::1]")),
            ("[::1]", Some("[::1]")),
            ("10.1.2.3", Some("10.1.2.3")),
            ("org", Some("org")),
            ("example.org:80", None),
            ("example.org/a", None),
            ("me@example.org", None),
            ("", None),
            (".", None),
        ] {
            assert_eq!(Host::parse(name).as_ref().map(Host::as_str), expected, "{name}");
        }
    }

    #[test]
    fn patterns_have_the_form_of_hosts() {
        for (pattern, expected) in [
            ("*.München.Example", "*.xn--mnchen-3ya.example"),
            ("München.example", "xn--mnchen-3ya.example"),
            ("*.Example.org.", "*.example.org"),
            ("10.*.2.3", "10.*.2.3"),
            ("[::1]", "[::1]"),
            ("::1", "[::1]"),
            ("*", "*"),
            ("NEWS*", "news*"),
        ] {
            assert_eq!(Host::pattern(pattern), expected, "{pattern}");
        }
    }

    #[test]
    fn domains_are_above_names_and_not_above_numbers() {
        for (url, expected) in [
            ("https://www.a.co.test/", vec!["www.a.co.test", "a.co.test", "co.test", "test"]),
            ("http://127.0.0.1/", vec!["127.0.0.1"]),
            ("foo://1.2.3/", vec!["1.2.3"]),
            ("http://[::1]/", vec!["[::1]"]),
            ("http://a.b2/", vec!["a.b2", "b2"]),
            ("http://a..b/", vec!["a..b", "b"]),
        ] {
            let host = Host::from_url(url).unwrap();
            assert_eq!(host.domains().collect::<Vec<_>>(), expected, "{url}");
        }
    }

    #[test]
    fn www_is_left_out_before_a_domain() {
        for (name, expected) in [
            ("www.example.org", "example.org"),
            ("www.org", "www.org"),
            ("www.www.org", "www.org"),
            ("wwwx.example.org", "wwwx.example.org"),
        ] {
            assert_eq!(Host::parse(name).unwrap().without_www().as_str(), expected);
        }
    }

    #[test]
    fn hosts_of_any_length_take_linear_time() {
        let labels = "a.".repeat(500_000);
        let escapes = "%61".repeat(500_000);
        let umlauts = "ü".repeat(500_000);
        let users = "@".repeat(500_000);
        for long in [&labels, &escapes, &umlauts, &users] {
            assert_eq!(Host::from_url(&format!("http://{long}/")), None);
            assert_eq!(Host::parse(long), None);
        }
        let longest = format!("{}test", "a.".repeat(124));
        assert_eq!(longest.len(), 252);
        assert!(Host::parse(&longest).is_some() && Host::parse(&format!("b.{longest}")).is_none());
    }

    /// Returns the host that this crate promises, computed only by the crate `url`.
    fn by_url(url: &str) -> Option<String> {
        let parsed = Url::parse(url).ok()?;
        let host = parsed.host_str()?.to_ascii_lowercase();
        let host = host.strip_suffix('.').unwrap_or(&host).to_owned();
        ((1..=MAX_HOST_BYTES).contains(&host.len()) && !host.ends_with('.')).then_some(host)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4096))]

        #[test]
        fn plain_urls_have_the_host_that_url_says(
            url in "https?://([a-z0-9_.-]|xn--|0x|1[.]){0,12}[a-z0-9]{0,3}([/?#][ -~]{0,8})?"
        ) {
            let host = Host::from_url(&url);
            let expected = by_url(&url);
            prop_assert_eq!(host.as_ref().map(Host::as_str), expected.as_deref());
        }

        #[test]
        fn all_urls_have_the_host_that_url_says(
            url in "[ \t]?(https?|HTTP|ws|ftp|file|foo|x\ty|)(:|://|:/|:///|:\\\\)\
                ([a-zA-Z0-9_.%@:?#/\\\\\\[\\]\n -]|üß|。|%2[eE]|%41|xn--|0x|::|www[.]){0,14}"
        ) {
            let host = Host::from_url(&url);
            let expected = by_url(&url);
            prop_assert_eq!(host.as_ref().map(Host::as_str), expected.as_deref());
        }

        #[test]
        fn hosts_name_themselves(url in "https?://([a-zA-Z0-9_.%-]|ü|xn--|\\[::1\\]){1,12}") {
            if let Some(host) = Host::from_url(&url) {
                let named = Host::parse(host.as_str());
                prop_assert_eq!(named.as_ref(), Some(&host));
            }
        }
    }
}
