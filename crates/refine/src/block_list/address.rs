//! The parts of a URL that block lists refer to.

use huller_provenance as provenance;

/// The host and path of a URL.
pub(super) struct Address<'a>(provenance::Address<'a>);

impl<'a> Address<'a> {
    /// Reads a URL with or without a scheme into `buffer`. `None` if it has no host.
    pub(super) fn new(address: &'a str, buffer: &'a mut String) -> Option<Address<'a>> {
        let address = address.trim();
        if has_scheme(address) {
            return provenance::Address::parse(address).map(Address);
        }
        buffer.clear();
        buffer.push_str("http://");
        buffer.push_str(address.trim_start_matches('/'));
        provenance::Address::parse(buffer).map(Address)
    }

    /// Returns the host.
    pub(super) fn host(&self) -> provenance::Host<'_> {
        self.0.host()
    }

    /// Returns the part from the first `/`, `?` or `#` on. It is empty if the URL ends with its
    /// host.
    pub(super) fn path(&self) -> &str {
        self.0.rest()
    }
}

/// Returns whether a URL begins with a scheme. After the schemes of the web, browsers read `\` as
/// `/`.
fn has_scheme(address: &str) -> bool {
    let Some((name, rest)) = address.split_once(':') else { return false };
    let is_web = ["http", "https"].iter().any(|web| name.eq_ignore_ascii_case(web));
    let is_name = name.bytes().all(|b| b.is_ascii_alphanumeric() || b"+-.".contains(&b));
    is_name && rest.starts_with("//") || is_web && rest.starts_with(['/', '\\'])
}
