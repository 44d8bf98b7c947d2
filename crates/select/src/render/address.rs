//! Resolves addresses of links and images: references of RFC 3986, resolved against the URL of the
//! page and its `base`.
//!
//! Addresses are written as browsers read them, because a difference could smuggle in a scheme.
//! Line breaks and tabs in them are dropped, and `\` is `/`. Addresses are neither decoded nor
//! brought into a canonical form.

use super::lanes;
use huller_page::entity::{self, Context};
use huller_page::{AttributeName, Page, Tag};

/// Longest address, in bytes. Longer ones are dropped.
const MAX_URL_BYTES: usize = 4096;

/// Limits of the total length of a page's addresses: bytes for the page, plus bytes for each byte
/// of its source. A page of short links with a long base must not grow without bounds.
const BYTES_PER_PAGE: usize = 1 << 18;
const BYTES_PER_PAGE_BYTE: usize = 4;

/// The use of an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AddressUse {
    Link,
    Image,
}

impl AddressUse {
    fn allows(self, scheme: &str) -> bool {
        let schemes: &[&str] = match self {
            AddressUse::Link => &["http", "https", "mailto", "tel", "ftp"],
            AddressUse::Image => &["http", "https"],
        };
        schemes.iter().any(|allowed| scheme.eq_ignore_ascii_case(allowed))
    }
}

/// Resolves the addresses of one page after another. It owns its scratch buffers.
#[derive(Debug, Default)]
pub(super) struct Addresses {
    base: String,
    decoded: String,
    tidy: String,
    resolved: String,
    /// Number of bytes that are left for addresses of this page.
    left: usize,
}

impl Addresses {
    /// Begins a page whose own URL is `url`.
    pub(super) fn begin(&mut self, page: &Page<'_>, url: Option<&str>) {
        self.left =
            page.html().len().saturating_mul(BYTES_PER_PAGE_BYTE).saturating_add(BYTES_PER_PAGE);
        for text in [&mut self.base, &mut self.decoded, &mut self.tidy, &mut self.resolved] {
            text.clear();
            text.shrink_to(MAX_URL_BYTES);
        }
        write_tidy(url.unwrap_or_default(), &mut self.base);
        let is_allowed = ReferenceParts::parse(&self.base)
            .scheme
            .is_some_and(|scheme| AddressUse::Image.allows(scheme));
        if self.base.len() > MAX_URL_BYTES || !is_allowed {
            self.base.clear();
        }
        // Browsers take the first `base` that has an address. It is in the head.
        let head = &page.nodes()[..page.body() as usize];
        let mut stated = head
            .iter()
            .filter(|node| node.tag == Tag::BASE)
            .filter_map(|node| page.attribute(node, AttributeName::Href));
        if let Some(stated) = stated.next()
            && self.write(stated, AddressUse::Image)
            && ReferenceParts::parse(&self.resolved).scheme.is_some()
        {
            std::mem::swap(&mut self.base, &mut self.resolved);
        }
    }

    /// Returns the address in an attribute's value; `None` if the value is not an address, or one
    /// that `address_use` does not allow. The address stays relative if the page's own URL is not
    /// known.
    pub(super) fn resolve(&mut self, value: &str, address_use: AddressUse) -> Option<&str> {
        let has_room = self.write(value, address_use) && self.resolved.len() <= self.left;
        if !has_room {
            return None;
        }
        self.left -= self.resolved.len();
        Some(&self.resolved)
    }

    /// Returns the last address that was resolved.
    pub(super) fn last(&self) -> &str {
        &self.resolved
    }

    fn write(&mut self, value: &str, address_use: AddressUse) -> bool {
        self.decoded.clear();
        self.tidy.clear();
        self.resolved.clear();
        if value.len() > MAX_URL_BYTES {
            return false;
        }
        entity::decode(value, Context::Attribute, &mut self.decoded);
        write_tidy(&self.decoded, &mut self.tidy);
        if self.tidy.is_empty() || self.tidy == "#" {
            return false;
        }
        resolve(&self.base, &self.tidy, &mut self.resolved);
        let ReferenceParts { scheme, authority, .. } = ReferenceParts::parse(&self.resolved);
        let Some(scheme) = scheme else {
            return self.base.is_empty() && self.resolved.len() <= MAX_URL_BYTES;
        };
        // Browsers find a server in `http:x` too, but they differ in which.
        let has_place = !has_servers(scheme) || authority.is_some_and(|name| !name.is_empty());
        has_place && address_use.allows(scheme) && self.resolved.len() <= MAX_URL_BYTES
    }
}

/// Returns whether an address of this scheme names a server.
fn has_servers(scheme: &str) -> bool {
    ["http", "https", "ftp"].iter().any(|known| scheme.eq_ignore_ascii_case(known))
}

/// Writes an address as browsers read it, and percent-encodes scalars that would end it in Markdown
/// or HTML.
fn write_tidy(address: &str, out: &mut String) {
    if is_tidy(address) {
        out.push_str(address);
        return;
    }
    let address = address.trim_matches(|c: char| c <= ' ' || c.is_whitespace());
    // Only the addresses of these schemes, and relative ones, read `\` as `/`.
    let is_opaque =
        ReferenceParts::parse(address).scheme.is_some_and(|scheme| !has_servers(scheme));
    let mut is_path = !is_opaque;
    for c in address.chars() {
        match c {
            '\t' | '\n' | '\r' => {}
            '\\' if is_path => out.push('/'),
            '"' | '<' | '>' | '`' | '|' | '\\' => push_percent_encoded(c, out),
            _ if c.is_control() || c.is_whitespace() => push_percent_encoded(c, out),
            _ => {
                is_path &= c != '?' && c != '#';
                out.push(c);
            }
        }
    }
}

/// Returns whether an address is ASCII without a byte that [`write_tidy`] changes.
fn is_tidy(address: &str) -> bool {
    let odd = |b: u8| u8::from(!b.is_ascii_graphic()) | lanes::one_of(b, b"\"<>`|\\");
    !lanes::any_matches(address.as_bytes(), odd)
}

/// Writes a scalar as the percent-encoded bytes of its UTF-8.
fn push_percent_encoded(c: char, out: &mut String) {
    const DIGITS: &[u8; 16] = b"0123456789ABCDEF";
    for byte in c.encode_utf8(&mut [0; 4]).bytes() {
        out.push('%');
        out.push(char::from(DIGITS[usize::from(byte >> 4)]));
        out.push(char::from(DIGITS[usize::from(byte & 15)]));
    }
}

/// The parts of a reference (RFC 3986, appendix B).
#[derive(Clone, Copy, Debug)]
struct ReferenceParts<'a> {
    scheme: Option<&'a str>,
    authority: Option<&'a str>,
    path: &'a str,
    query: Option<&'a str>,
    fragment: Option<&'a str>,
}

impl ReferenceParts<'_> {
    fn parse(reference: &str) -> ReferenceParts<'_> {
        let (remaining, fragment) = split_at_sign(reference, b'#');
        let (remaining, query) = split_at_sign(remaining, b'?');
        let (scheme, remaining) = match scheme_length(remaining) {
            Some(length) => (Some(&remaining[..length]), &remaining[length + 1..]),
            None => (None, remaining),
        };
        let Some(after_slashes) = remaining.strip_prefix("//") else {
            return ReferenceParts { scheme, authority: None, path: remaining, query, fragment };
        };
        let end = memchr::memchr(b'/', after_slashes.as_bytes()).unwrap_or(after_slashes.len());
        let (authority, path) = after_slashes.split_at(end);
        ReferenceParts { scheme, authority: Some(authority), path, query, fragment }
    }
}

fn split_at_sign(text: &str, sign: u8) -> (&str, Option<&str>) {
    let sign_offset = memchr::memchr(sign, text.as_bytes());
    sign_offset
        .map_or((text, None), |sign_offset| (&text[..sign_offset], Some(&text[sign_offset + 1..])))
}

/// Returns the length of the scheme that a reference begins with.
fn scheme_length(reference: &str) -> Option<usize> {
    let is_part = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'-' | b'.');
    let bytes = reference.as_bytes();
    let length = bytes.iter().take_while(|b| is_part(b)).count();
    let is_scheme = bytes.get(length) == Some(&b':') && bytes[0].is_ascii_alphabetic();
    is_scheme.then_some(length)
}

/// Writes the target of a reference (RFC 3986, section 5.2). Without a base, writes the reference
/// unchanged.
fn resolve(base: &str, reference: &str, out: &mut String) {
    let reference_parts = ReferenceParts::parse(reference);
    let is_whole = reference_parts.scheme.is_some()
        && reference_parts.authority.is_some()
        && !may_have_dots(reference_parts.path);
    if base.is_empty() || is_whole {
        out.push_str(reference);
        return;
    }
    let base = ReferenceParts::parse(base);
    out.push_str(reference_parts.scheme.or(base.scheme).unwrap_or_default());
    out.push(':');
    let is_own = reference_parts.scheme.is_some() || reference_parts.authority.is_some();
    let authority = if is_own { reference_parts.authority } else { base.authority };
    if let Some(authority) = authority {
        out.push_str("//");
        out.push_str(authority);
    }
    let start = out.len();
    let mut query = reference_parts.query;
    if reference_parts.scheme.is_some() && reference_parts.authority.is_none() {
        // `mailto:` and similar schemes have no folders.
        out.push_str(reference_parts.path);
    } else if is_own || reference_parts.path.starts_with('/') {
        push_path(out, start, reference_parts.path);
    } else if reference_parts.path.is_empty() {
        out.push_str(base.path);
        query = query.or(base.query);
    } else {
        let folder = base.path.rfind('/').map_or("", |at| &base.path[..=at]);
        if folder.is_empty() && authority.is_some() {
            out.push('/');
        }
        push_path(out, start, folder);
        push_path(out, start, reference_parts.path);
    }
    for (sign, component) in [('?', query), ('#', reference_parts.fragment)] {
        if let Some(component) = component {
            out.push(sign);
            out.push_str(component);
        }
    }
}

/// Returns whether a path may have segments `.` or `..`.
fn may_have_dots(path: &str) -> bool {
    path.starts_with('.') || path.as_bytes().windows(2).any(|pair| pair == b"/.")
}

/// Appends a path to the one that begins at `start`, without segments `.` and `..`.
fn push_path(out: &mut String, start: usize, path: &str) {
    if !may_have_dots(path) {
        out.push_str(path);
        return;
    }
    let mut segments = path.split('/').peekable();
    while let Some(segment) = segments.next() {
        let is_last = segments.peek().is_none();
        match segment {
            "." => {}
            ".." => {
                let folder = out[start..].trim_end_matches(|c| c != '/');
                let above = folder.strip_suffix('/').and_then(|folder| folder.rfind('/'));
                let root = usize::from(folder.starts_with('/'));
                out.truncate(start + above.map_or(root, |at| at + 1));
            }
            _ => {
                out.push_str(segment);
                if !is_last {
                    out.push('/');
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use huller_page::PageBuf;

    /// The examples of RFC 3986, sections 5.4.1 and 5.4.2; the base is `http://a/b/c/d;p?q`.
    const EXAMPLES: &[(&str, &str)] = &[
        ("g:h", "g:h"),
        ("g", "http://a/b/c/g"),
        ("./g", "http://a/b/c/g"),
        ("g/", "http://a/b/c/g/"),
        ("/g", "http://a/g"),
        ("//g", "http://g"),
        ("?y", "http://a/b/c/d;p?y"),
        ("g?y", "http://a/b/c/g?y"),
        ("#s", "http://a/b/c/d;p?q#s"),
        ("g#s", "http://a/b/c/g#s"),
        ("g?y#s", "http://a/b/c/g?y#s"),
        (";x", "http://a/b/c/;x"),
        ("g;x", "http://a/b/c/g;x"),
        ("g;x?y#s", "http://a/b/c/g;x?y#s"),
        ("", "http://a/b/c/d;p?q"),
        (".", "http://a/b/c/"),
        ("./", "http://a/b/c/"),
        ("..", "http://a/b/"),
        ("../", "http://a/b/"),
        ("../g", "http://a/b/g"),
        ("../..", "http://a/"),
        ("../../", "http://a/"),
        ("../../g", "http://a/g"),
        ("../../../g", "http://a/g"),
        ("../../../../g", "http://a/g"),
        ("/./g", "http://a/g"),
        ("/../g", "http://a/g"),
        ("g.", "http://a/b/c/g."),
        (".g", "http://a/b/c/.g"),
        ("g..", "http://a/b/c/g.."),
        ("..g", "http://a/b/c/..g"),
        ("./../g", "http://a/b/g"),
        ("./g/.", "http://a/b/c/g/"),
        ("g/./h", "http://a/b/c/g/h"),
        ("g/../h", "http://a/b/c/h"),
        ("g;x=1/./y", "http://a/b/c/g;x=1/y"),
        ("g;x=1/../y", "http://a/b/c/y"),
        ("g?y/./x", "http://a/b/c/g?y/./x"),
        ("g?y/../x", "http://a/b/c/g?y/../x"),
        ("g#s/./x", "http://a/b/c/g#s/./x"),
        ("g#s/../x", "http://a/b/c/g#s/../x"),
        ("http:g", "http:g"),
    ];

    #[test]
    fn references_are_resolved_as_the_rfc_says() {
        for (reference, target) in EXAMPLES {
            let mut out = String::new();
            resolve("http://a/b/c/d;p?q", reference, &mut out);
            assert_eq!(out, *target, "{reference}");
        }
        let mut out = String::new();
        resolve("http://a", "g/../h", &mut out);
        assert_eq!(out, "http://a/h");
    }

    fn addresses(html: &str, url: Option<&str>) -> Addresses {
        let mut buffer = PageBuf::new();
        let mut addresses = Addresses::default();
        addresses.begin(&buffer.fill(html), url);
        addresses
    }

    #[test]
    fn addresses_are_tidied_and_hostile_ones_refused() {
        let mut of = addresses("", Some("https://a.test/b/c"));
        let link =
            |of: &mut Addresses, value| of.resolve(value, AddressUse::Link).map(str::to_owned);
        for (value, wanted) in [
            (" d e ", Some("https://a.test/b/d%20e")),
            ("\\\\x.test\\y", Some("https://x.test/y")),
            ("d?a&amp;b\\", Some("https://a.test/b/d?a&b%5C")),
            ("ma\nilto:ann@a.test", Some("mailto:ann@a.test")),
            ("Tel:1", Some("Tel:1")),
            ("j&#97;va\tscript:alert(1)", None),
            ("\u{1} javascript:alert(1)", None),
            ("data:text/html,x", None),
            ("http:x", None),
            ("vbscript:x", None),
            ("1x:y", Some("https://a.test/b/1x:y")),
            ("#", None),
            ("", None),
            ("#top", Some("https://a.test/b/c#top")),
        ] {
            assert_eq!(link(&mut of, value).as_deref(), wanted, "{value}");
        }
        assert_eq!(of.resolve("mailto:ann@a.test", AddressUse::Image), None);
    }

    #[test]
    fn the_base_of_a_page_counts_and_without_any_address_references_stay() {
        let base = "<base target=x><base href='/files/'><base href='/no/'><p>x";
        let mut of = addresses(base, Some("https://a.test/b/c"));
        assert_eq!(of.resolve("d", AddressUse::Link), Some("https://a.test/files/d"));
        let mut of = addresses("<p>x", None);
        assert_eq!(of.resolve("../d e", AddressUse::Link), Some("../d%20e"));
        assert_eq!(of.resolve("javascript:x", AddressUse::Link), None);
        let mut of = addresses("<p>x", Some("no address"));
        assert_eq!(of.resolve("d", AddressUse::Link), Some("d"));
    }

    #[test]
    fn addresses_of_a_page_are_bounded() {
        let long = format!("https://a.test/{}/", "b".repeat(4000));
        let mut of = addresses("", Some(&long));
        let resolved = (0..1000).filter(|_| of.resolve("c", AddressUse::Link).is_some()).count();
        assert!(resolved > 50 && resolved < 70, "{resolved}");
        assert_eq!(of.resolve(&"c".repeat(5000), AddressUse::Link), None);
    }
}
