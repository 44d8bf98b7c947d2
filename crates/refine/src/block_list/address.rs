//! The parts of an address that lists name.

use huller_provenance as provenance;

/// Host and path of an address.
pub(super) struct Address<'a>(provenance::Address<'a>);

impl<'a> Address<'a> {
    /// Reads an address with or without a scheme into `buffer`. `None` if it names no host.
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

    /// The host.
    pub(super) fn host(&self) -> provenance::Host<'_> {
        self.0.host()
    }

    /// Returns the part from the first `/`, `?` or `#` on, or an empty text without such a part.
    pub(super) fn path(&self) -> &str {
        self.0.rest()
    }
}

/// Whether an address begins with a scheme. Browsers read `\` as `/` after those of the web.
fn has_scheme(address: &str) -> bool {
    let Some((name, rest)) = address.split_once(':') else { return false };
    let is_web = ["http", "https"].iter().any(|web| name.eq_ignore_ascii_case(web));
    let is_name = name.bytes().all(|b| b.is_ascii_alphanumeric() || b"+-.".contains(&b));
    is_name && rest.starts_with("//") || is_web && rest.starts_with(['/', '\\'])
}
