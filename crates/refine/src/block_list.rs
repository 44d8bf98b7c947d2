//! The list of blocked hosts and URL prefixes, with room for tens of millions of entries.

mod address;
mod reader;

use address::Address;
pub use reader::ListError;
use std::net::IpAddr;
use std::path::Path;
use twox_hash::XxHash3_64;

/// A list of hosts and URL prefixes whose pages are dropped. A host also blocks all its subdomains.
/// A prefix also blocks all URLs that continue it with `/`, `?`, `#`, `&` or `;`.
///
/// An entry is eight bytes: the 64-bit XXH3 of the host or prefix, in a sorted list. So 50 million
/// entries take 400 MB, and up to twice that while the list is read. A lookup of a URL asks for at
/// most 33 hashes, so among 50 million entries a URL is blocked by mistake once in 10^10. The hash
/// has no seed, because the same lists must give the same rows everywhere. The author of a URL that
/// collides with an entry only achieves that the page is dropped.
///
/// ```
/// use huller_refine::BlockList;
///
/// let mut list = BlockList::default();
/// list.add("ads.test");
/// list.add("https://www.news.test/sponsored");
/// list.finish();
/// assert!(list.blocks("https://cdn.ads.test:8080/x"));
/// assert!(list.blocks("http://news.test/sponsored/1?a=b"));
/// assert!(!list.blocks("http://bads.test/") && !list.blocks("http://news.test/sponsoredby"));
/// ```
#[derive(Clone, Debug, Default)]
pub struct BlockList {
    /// Hashes of hosts and prefixes. A prefix contains a `/`.
    hashes: Vec<u64>,
}

impl BlockList {
    /// Adds a host (`ads.test`), or a URL prefix that blocks all URLs with that beginning
    /// (`news.test/sponsored`). Scheme, user, port, `www.` and the slash at the end are ignored.
    /// Hosts are compared as [`Host`](huller_provenance::Host) reads them. `*.` or `.` before a
    /// host is ignored too. Returns false if the entry has no host.
    pub fn add(&mut self, entry: &str) -> bool {
        let entry = entry.trim();
        let entry = entry.strip_prefix("*.").or(entry.strip_prefix('.')).unwrap_or(entry);
        let mut buffer = String::new();
        let Some(address) = Address::new(entry, &mut buffer) else { return false };
        let (host, path) = (address.host(), address.path().trim_end_matches('/'));
        let host = host.without_www();
        let host = host.as_str();
        let hash = if path.is_empty() { hash_host(host) } else { hash_prefix(host, path) };
        self.hashes.push(hash);
        true
    }

    /// Adds the entries of a line: an entry, hosts after an IP address as in hosts files, or a host
    /// between `||` and `^` as in lists of Adblock. `#` after white space begins a comment. Returns
    /// false if the line has no entry.
    fn add_line(&mut self, line: &str) -> bool {
        let mut words = line.split_ascii_whitespace().take_while(|word| !word.starts_with('#'));
        // Text in UTF-16 has zero bytes. Adblock marks exceptions with `@@`.
        let is_readable = !line.contains('\0') && !line.starts_with("@@");
        let Some(first) = words.next().filter(|_| is_readable) else { return false };
        if let Some(host) = first.strip_prefix("||") {
            return host.split_once('^').is_some_and(|(host, _)| self.add(host));
        }
        let hosts: Vec<&str> = words.collect();
        if hosts.is_empty() || first.parse::<IpAddr>().is_err() {
            return hosts.is_empty() && self.add(first);
        }
        hosts.iter().filter(|host| self.add(host)).count() > 0
    }

    /// Adds the entries of a file or folder. A file holds one entry a line, plain, gzip or zstd.
    /// `#` begins a comment. Hosts files and `||host^` of Adblock are read too. A folder has the
    /// layout of UT1: files named `domains` and `urls` in folders named after categories, at any
    /// depth.
    ///
    /// # Errors
    ///
    /// A file or folder cannot be read, or a file has lines and none is an entry.
    pub fn read(&mut self, path: &Path) -> Result<(), ListError> {
        reader::read(path, &mut |line| self.add_line(line))
    }

    /// Sorts the list and removes repeated entries. Call it after the last entry and before
    /// [`BlockList::blocks`].
    pub fn finish(&mut self) {
        self.hashes.sort_unstable();
        self.hashes.dedup();
        self.hashes.shrink_to_fit();
    }

    /// Returns the number of different entries, after [`BlockList::finish`].
    pub fn len(&self) -> usize {
        self.hashes.len()
    }

    /// Returns whether the list is empty.
    pub fn is_empty(&self) -> bool {
        self.hashes.is_empty()
    }

    /// Returns a digest of all entries, independent of the order in which they were added.
    pub fn digest(&self) -> String {
        let mut hasher = twox_hash::XxHash3_128::new();
        for hash in &self.hashes {
            hasher.write(&hash.to_le_bytes());
        }
        format!("xxh128:{:032x}", hasher.finish_128())
    }

    /// Returns whether the list holds the host of a URL, a parent domain of that host, or a prefix
    /// of the URL.
    pub fn blocks(&self, url: &str) -> bool {
        /// The most prefixes and the most domains of a host that are looked up.
        const MAX_LOOKUPS: usize = 16;
        if self.hashes.is_empty() {
            return false;
        }
        let mut buffer = String::new();
        let Some(address) = Address::new(url, &mut buffer) else { return false };
        let (host, path) = (address.host(), address.path());
        let host = host.without_www();
        if host.domains().take(MAX_LOOKUPS).any(|domain| self.has(hash_host(domain))) {
            return true;
        }
        let ends = path.bytes().enumerate().skip(1);
        let ends = ends.filter(|(_, byte)| matches!(byte, b'/' | b'?' | b'#' | b'&' | b';'));
        let path_len = path.trim_end_matches('/').len();
        ends.map(|(at, _)| at)
            .take(MAX_LOOKUPS)
            .chain([path_len])
            .any(|end| end > 1 && self.has(hash_prefix(host.as_str(), &path[..end])))
    }

    fn has(&self, hash: u64) -> bool {
        self.hashes.binary_search(&hash).is_ok()
    }
}

fn hash_host(host: &str) -> u64 {
    XxHash3_64::oneshot(host.as_bytes())
}

fn hash_prefix(host: &str, path: &str) -> u64 {
    // The hash of the host is the seed of the path's hash, so the two need not be joined in one
    // buffer.
    XxHash3_64::oneshot_with_seed(hash_host(host), path.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(entries: &[&str]) -> BlockList {
        let mut list = BlockList::default();
        for entry in entries {
            list.add(entry);
        }
        list.finish();
        list
    }

    #[test]
    fn lines_of_common_lists_are_entries() {
        let mut list = BlockList::default();
        for line in [
            "0.0.0.0 a.test b.test # two",
            "::1 c.test",
            "*.d.test",
            ".e.test",
            "||f.test^$third-party",
            "g.test # note",
            "10.1.2.3",
        ] {
            assert!(list.add_line(line), "{line}");
        }
        for line in ["", "# x", "two words", "@@||h.test^", "||/ads/*", "i\0.test"] {
            assert!(!list.add_line(line), "{line}");
        }
        list.finish();
        assert_eq!(list.len(), 8);
        for host in
            ["a.test", "b.test", "c.test", "x.d.test", "e.test", "f.test", "g.test", "10.1.2.3"]
        {
            assert!(list.blocks(&format!("http://{host}/")), "{host}");
        }
    }

    #[test]
    fn hosts_block_what_is_below_them_and_prefixes_what_goes_on() {
        let list = list(&[
            "Bad.TEST",
            "www.worse.test",
            "10.1.2.3",
            "good.test/x/",
            "good.test/y?z=1",
            "münchen.test",
            "[0::1]/x",
            "www.test",
            "",
            "no host/",
        ]);
        assert_eq!(list.len(), 8);
        for url in [
            "http://bad.test",
            "HTTPS://user:word@A.b.BAD.test.:99/p?q",
            "//worse.test/",
            "http://10.1.2.3/a",
            "http://www.good.test/x",
            "http://good.test/x/",
            "http://good.test/x/a/b",
            "http://good.test/x?a",
            "http://good.test/y?z=1&c",
            "http:\\\\good.test\\x\\a",
            "http://bad.test\\@good.test/",
            "http://b%61d.test/",
            "http://xn--mnchen-3ya.test/",
            "http://0xA.1.2.3/",
            "http://[::1]:80/x",
            "www.test",
        ] {
            assert!(list.blocks(url), "{url}");
        }
        for url in [
            "",
            "http://",
            "http://nbad.test/bad.test",
            "test",
            "http://good.test/",
            "http://a.good.test/x",
            "http://good.test/xy",
            "http://good.test/y?z=12",
            "http://1.10.1.2.30/",
            "http://good.test@other.test/x",
            "http://[::1]/",
        ] {
            assert!(!list.blocks(url), "{url}");
        }
    }

    #[test]
    fn the_digest_is_that_of_the_set() {
        let digest = |entries| list(entries).digest();
        assert_eq!(
            digest(&["a.test", "b.test", "a.test"]),
            digest(&["b.test", "http://www.a.test/"])
        );
        assert_ne!(digest(&["a.test"]), digest(&["b.test"]));
    }

    #[test]
    fn addresses_of_any_length_are_looked_up() {
        let list = list(&["a.test/b"]);
        let dots = format!("http://{}", "a.".repeat(100_000));
        let slashes = format!("http://a.test{}", "/".repeat(1_000_000));
        assert!(!list.blocks(&dots) && !list.blocks(&slashes));
    }
}
