//! Hashes the lines of a host, so that lines that many pages of it share can be counted and found.

use huller_provenance::Host;
use twox_hash::XxHash3_64;

/// Hashes the lines of one host. White space at the ends of a line does not count.
///
/// Both hashes are XXH3 of 64 bits without a random seed, because the same rows must give the same
/// corpus everywhere. The author of a line whose hash collides with another one only achieves that
/// one of them is left out of texts.
///
/// ```
/// use huller_provenance::Host;
/// use huller_refine::LineHasher;
///
/// let hasher = LineHasher::new(&Host::from_url("http://Site.test/a").unwrap(), 4);
/// assert_eq!(hasher.hash("  Menu "), hasher.hash("Menu"));
/// assert_eq!(hasher.hash("Men"), None);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct LineHasher {
    /// Hash of the host.
    host_hash: u64,
    /// Fewest Unicode scalars of a line.
    min_chars: u64,
}

impl LineHasher {
    /// Creates a hasher of the lines of a host with at least `min_chars` Unicode scalars.
    pub fn new(host: &Host<'_>, min_chars: u64) -> LineHasher {
        LineHasher { host_hash: XxHash3_64::oneshot(host.as_str().as_bytes()), min_chars }
    }

    /// Returns the hash of the host.
    pub fn host_hash(&self) -> u64 {
        self.host_hash
    }

    /// Returns the hash of host and line, or `None` if the line is blank or too short.
    pub fn hash(&self, line: &str) -> Option<u64> {
        let line = line.trim();
        let is_long =
            line.len() as u64 >= self.min_chars && line.chars().count() as u64 >= self.min_chars;
        let hash = || XxHash3_64::oneshot_with_seed(self.host_hash, line.as_bytes());
        (is_long && !line.is_empty()).then(hash)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hasher(url: &str, min_chars: u64) -> LineHasher {
        LineHasher::new(&Host::from_url(url).unwrap(), min_chars)
    }

    #[test]
    fn length_counts_scalars_between_white_space() {
        let four = hasher("http://site.test/", 4);
        for (line, is_long) in
            [("Menu", true), ("Men", false), ("  Men  ", false), ("ää", false), ("ääää", true)]
        {
            assert_eq!(four.hash(line).is_some(), is_long, "{line}");
        }
        let any = hasher("http://site.test/", 0);
        assert!(any.hash("a").is_some() && any.hash(" ").is_none());
    }

    #[test]
    fn a_line_has_another_hash_on_another_host() {
        let [one, same, other] =
            ["http://a.test/x", "HTTPS://A.test.:80/", "http://b.test/x"].map(|url| hasher(url, 0));
        assert_eq!((one.host_hash(), one.hash("line")), (same.host_hash(), same.hash("line")));
        assert_ne!((one.host_hash(), one.hash("line")), (other.host_hash(), other.hash("line")));
        assert_ne!(one.hash("line"), other.hash("line"));
    }
}
