//! The parts of an address that lists name.

use std::borrow::Cow;

/// Host and path of an address.
pub(super) struct Address<'a> {
    host: Cow<'a, str>,
    /// From the first `/`, `?` or `#` on. Empty if there is none.
    pub(super) path: &'a str,
}

impl<'a> Address<'a> {
    /// Takes an address apart, with or without a scheme.
    pub(super) fn new(address: &'a str) -> Address<'a> {
        let address = address.trim();
        let scheme = address.find("://").filter(|at| {
            address[..*at].bytes().all(|b| b.is_ascii_alphanumeric() || b"+-.".contains(&b))
        });
        let rest = match scheme {
            Some(at) => &address[at + 3..],
            None => address.strip_prefix("//").unwrap_or(address),
        };
        let (authority, path) = rest.split_at(rest.find(['/', '?', '#']).unwrap_or(rest.len()));
        let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
        let port = host.rfind(':').filter(|at| host[at + 1..].bytes().all(|b| b.is_ascii_digit()));
        let host = &host[..port.unwrap_or(host.len())];
        let host = host.strip_suffix('.').unwrap_or(host);
        let host = if host.bytes().any(|b| b.is_ascii_uppercase()) {
            Cow::Owned(host.to_ascii_lowercase())
        } else {
            Cow::Borrowed(host)
        };
        Address { host, path }
    }

    /// The host in small letters, without `www.` and port. Names in other scripts stay as they are written.
    pub(super) fn host(&self) -> &str {
        self.host.strip_prefix("www.").unwrap_or(&self.host)
    }
}
