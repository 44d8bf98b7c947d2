//! The digest of an address.

use twox_hash::XxHash3_128;

/// The digest of a normalised address. `buffer` is memory.
pub(super) fn digest(url: &str, buffer: &mut Vec<u8>) -> u128 {
    normalise(url, buffer);
    let digest = XxHash3_128::oneshot(buffer);
    buffer.clear();
    digest
}

/// Writes the address with scheme and host in lower case, without the fragment, the port where it is the scheme's default, and the slash of an
/// empty path. What no page's address has is left: paths and queries stay as they are, and what has no `://` only loses its fragment.
fn normalise(url: &str, out: &mut Vec<u8>) {
    out.clear();
    let url = url.trim();
    let url = url.split_once('#').map_or(url, |(before, _)| before);
    let Some((scheme, rest)) = url.split_once("://") else {
        return out.extend_from_slice(url.as_bytes());
    };
    let end = rest.find(['/', '?', '\\']).unwrap_or(rest.len());
    let (authority, path) = rest.split_at(end);
    // What stands before the last @ names a user, in whose name case counts.
    let host_at = authority.rfind('@').map_or(0, |at| at + 1);
    let (user, host) = authority.split_at(host_at);
    push_lower(scheme, out);
    let default = match out.as_slice() {
        b"http" => ":80",
        b"https" => ":443",
        b"ftp" => ":21",
        _ => ":",
    };
    let host = host.strip_suffix(default).or(host.strip_suffix(':')).unwrap_or(host);
    out.extend_from_slice(b"://");
    out.extend_from_slice(user.as_bytes());
    push_lower(host, out);
    match path.strip_prefix('/') {
        Some("") => {}
        Some(query) if query.starts_with('?') => out.extend_from_slice(query.as_bytes()),
        _ => out.extend_from_slice(path.as_bytes()),
    }
}

fn push_lower(text: &str, out: &mut Vec<u8>) {
    out.extend(text.bytes().map(|byte| byte.to_ascii_lowercase()));
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
            (" mailto:Ann@x.org#y ", "mailto:Ann@x.org"),
            ("http://[::1]:80/", "http://[::1]"),
            ("://", "://"),
            ("", ""),
        ] {
            let mut out = Vec::new();
            normalise(url, &mut out);
            assert_eq!(String::from_utf8(out).unwrap(), normal, "{url}");
        }
    }
}
