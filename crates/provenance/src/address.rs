//! Parses URLs, as far as they name a server.

use crate::host::{Host, plain_host};
use std::borrow::Cow;
use std::ops::Range;
use url::{Position, Url};

/// Represents an absolute URL with a host. The part before the path is in canonical form; the rest
/// keeps its spelling.
///
/// ```
/// use huller_provenance::Address;
///
/// let address = Address::parse("HTTP://Ann@Example.ORG.:80\\a?B#c").ok_or("no host")?;
/// assert_eq!(address.server(), "http://Ann@example.org");
/// assert_eq!(address.host().as_str(), "example.org");
/// assert_eq!(address.rest(), "/a?B#c");
/// # Ok::<(), &str>(())
/// ```
#[derive(Clone, Debug)]
pub struct Address<'a> {
    /// The URL without tabs, line breaks, and white space at its ends.
    text: Cow<'a, str>,
    /// Byte range of the host in `text`.
    host: Range<usize>,
    /// Byte offset in `text` at which the path, the query or the fragment begins.
    rest: usize,
}

impl<'a> Host<'a> {
    /// Returns the host of an absolute URL.
    pub fn from_url(url: &'a str) -> Option<Host<'a>> {
        if let Some((name, _)) = plain_host(url) {
            return Some(Host::from_canonical(name));
        }
        Some(Address::parse(url)?.host().into_owned())
    }
}

impl<'a> Address<'a> {
    /// Parses a URL. `None` if it has no host.
    pub fn parse(url: &'a str) -> Option<Address<'a>> {
        let url = clean(url);
        let has_backslash = memchr::memchr(b'\\', url.as_bytes()).is_some();
        if let Some((host, rest)) = plain_host(&url).filter(|_| !has_backslash) {
            let host = rest - host.len()..rest;
            return Some(Address { text: url, host, rest });
        }
        let (scheme, end) = Scheme::and_authority_end(&url)?;
        if end > Host::MAX_WRITTEN_BYTES {
            return None;
        }
        // The path `/` is added so that a space at the end of a host stays part of it.
        let server = Url::parse(&[&url[..end], "/"].concat()).ok()?;
        let host = Host::canonical(server.host_str()?)?;
        let mut text = server[..Position::BeforeHost].to_owned();
        let start = text.len();
        text.push_str(host.as_str());
        let host = start..text.len();
        text.push_str(&server[Position::AfterHost..Position::BeforePath]);
        let rest = text.len();
        let (path, after) =
            url[end..].split_at(url[end..].find(['?', '#']).unwrap_or(url.len() - end));
        if scheme == Scheme::Other {
            text.push_str(path);
        } else {
            text.extend(path.split('\\').flat_map(|part| ["/", part]).skip(1));
        }
        text.push_str(after);
        Some(Address { text: Cow::Owned(text), host, rest })
    }

    /// Returns scheme, user, host and port, without a port that is the scheme's default.
    pub fn server(&self) -> &str {
        &self.text[..self.rest]
    }

    /// Returns the host.
    pub fn host(&self) -> Host<'_> {
        Host::from_canonical(&self.text[self.host.clone()])
    }

    /// Returns path, query and fragment in their original spelling, without tabs and line breaks.
    /// In paths of known schemes `\` becomes `/`. The result is empty, or begins with `/`, `?` or
    /// `#`.
    pub fn rest(&self) -> &str {
        &self.text[self.rest..]
    }
}

/// Returns the URL without the characters that browsers remove before they parse it.
fn clean(url: &str) -> Cow<'_, str> {
    let url = url.trim_matches(|c: char| c <= ' ');
    if memchr::memchr3(b'\t', b'\n', b'\r', url.as_bytes()).is_none() {
        return Cow::Borrowed(url);
    }
    Cow::Owned(url.replace(['\t', '\n', '\r'], ""))
}

/// Separator between a scheme and its authority.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Scheme {
    /// Of the web: `\` is `/`, and any number of them may precede the authority.
    Web,
    /// `file`: `\` is `/`, and two of them precede the authority.
    File,
    /// Any other: `//` precedes the authority.
    Other,
}

impl Scheme {
    /// Returns the scheme of a URL, and the offset at which its authority ends. `None` if the URL
    /// cannot have a host.
    fn and_authority_end(url: &str) -> Option<(Scheme, usize)> {
        const WEB: [&str; 5] = ["http", "https", "ftp", "ws", "wss"];
        let is_of_name = |byte: u8| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte);
        let (name, after_name) = url.split_at(url.bytes().position(|byte| !is_of_name(byte))?);
        let after_name = after_name.strip_prefix(':')?;
        let scheme = match name {
            _ if WEB.iter().any(|web| name.eq_ignore_ascii_case(web)) => Scheme::Web,
            _ if name.eq_ignore_ascii_case("file") => Scheme::File,
            _ => Scheme::Other,
        };
        let is_slash = |byte: u8| byte == b'/' || (byte == b'\\' && scheme != Scheme::Other);
        let slashes = after_name.bytes().take_while(|byte| is_slash(*byte)).count();
        let authority = match scheme {
            Scheme::Web => &after_name[slashes..],
            Scheme::File | Scheme::Other if slashes >= 2 => &after_name[2..],
            Scheme::File | Scheme::Other => return None,
        };
        let is_end = |byte: u8| is_slash(byte) || matches!(byte, b'?' | b'#');
        let length = authority.bytes().position(is_end).unwrap_or(authority.len());
        Some((scheme, url.len() - authority.len() + length))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn servers_are_canonical_and_the_rest_is_as_written() {
        for (url, server, rest) in [
            ("http://example.org/A b?c#d", "http://example.org", "/A b?c#d"),
            ("http://example.org", "http://example.org", ""),
            ("HTTP://WWW.Example.ORG:80/", "http://www.example.org", "/"),
            ("https://example.org:443?A", "https://example.org", "?A"),
            ("https://example.org:080/", "https://example.org:80", "/"),
            ("http://Ann:x@EXAMPLE.org:/x", "http://Ann:x@example.org", "/x"),
            ("http://@example.org#x", "http://example.org", "#x"),
            ("http:\\\\example.org\\X\\Y?a\\b", "http://example.org", "/X/Y?a\\b"),
            ("http://example.org/X\\Y#a\\b", "http://example.org", "/X/Y#a\\b"),
            ("foo://example.org/X\\Y", "foo://example.org", "/X\\Y"),
            ("http:example.org/x", "http://example.org", "/x"),
            ("ht\ttp://example.org/a\nb ", "http://example.org", "/ab"),
            ("http://example.org./x", "http://example.org", "/x"),
            ("http://example.org.:8080/x", "http://example.org:8080", "/x"),
            ("http://[0::1]:80/", "http://[::1]", "/"),
            ("Foo://Me@Host:80/x", "foo://Me@host:80", "/x"),
            ("http://ü.example/ü", "http://xn--tda.example", "/ü"),
        ] {
            let address = Address::parse(url).unwrap();
            assert_eq!((address.server(), address.rest()), (server, rest), "{url}");
        }
        for none in ["", "/a", "example.org", "mailto:a@b", "http://", "http://a b/", "foo:/a"] {
            assert!(Address::parse(none).is_none(), "{none}");
        }
    }

    proptest! {
        #[test]
        fn an_address_is_read_again_as_itself(
            url in "(https?|HTTP|ftp|foo)://([a-zA-Z0-9_.%@:-]|ü){1,10}([/?#\\\\][ -~]{0,8})?"
        ) {
            if let Some(address) = Address::parse(&url) {
                let again = Address::parse(&address.text).unwrap();
                prop_assert_eq!(&again.text, &address.text);
                prop_assert_eq!((again.host, again.rest), (address.host, address.rest));
            }
        }
    }
}
