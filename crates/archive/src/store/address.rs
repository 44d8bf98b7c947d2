//! Handles paths that are URLs of remote files.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

/// Returns whether a path begins like a URL of a remote file, such as `s3://`.
///
/// ```
/// use huller_archive::is_remote;
/// use std::path::Path;
///
/// assert!(["s3://bucket/a.warc.gz", "https://host/a", "gs://b"].iter().all(|url| is_remote(Path::new(url))));
/// assert!(["a.warc.gz", "/s3://a", "s3:/a", "://a", "2://a"].iter().all(|path| !is_remote(Path::new(path))));
/// ```
pub fn is_remote(path: &Path) -> bool {
    let path = path.as_os_str().as_encoded_bytes();
    let scheme =
        path.iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'+').count();
    path.first().is_some_and(u8::is_ascii_alphabetic) && path[scheme..].starts_with(b"://")
}

/// Returns a URL as rows, run files and messages show it: without user and password. An HTTP URL
/// also loses its query (`?`) and fragment (`#`), since they may sign a request. Any other path is
/// unchanged.
///
/// ```
/// use huller_archive::redact_url;
/// use std::path::Path;
///
/// let signed = Path::new("https://me:secret@host/a/b.warc.gz?X-Amz-Signature=abc");
/// assert_eq!(*redact_url(signed), *Path::new("https://host/a/b.warc.gz"));
/// assert_eq!(*redact_url(Path::new("s3://bucket/what?.warc")), *Path::new("s3://bucket/what?.warc"));
/// assert_eq!(*redact_url(Path::new("a?b@c")), *Path::new("a?b@c"));
/// ```
pub fn redact_url(path: &Path) -> Cow<'_, Path> {
    let Some((scheme, rest)) = is_remote(path).then(|| path.to_str()?.split_once("://")).flatten()
    else {
        return Cow::Borrowed(path);
    };
    let is_http = is_http(scheme);
    let rest = if is_http { rest.split(['?', '#']).next().unwrap_or(rest) } else { rest };
    let (host, below) = rest.find('/').map_or((rest, ""), |at| rest.split_at(at));
    let host = host.rsplit_once('@').map_or(host, |(_, host)| host);
    Cow::Owned(PathBuf::from(format!("{scheme}://{host}{below}")))
}

/// Returns the URL of a file that a remote list or index names. A name that begins with `/` is
/// below the host or bucket. So is a name that begins with the same folder as the list's own path.
/// For example, the lists of Common Crawl are in `crawl-data/…` and name `crawl-data/…`. Any other
/// name is below the folder of the list.
///
/// ```
/// use huller_archive::resolve_beside;
/// use std::path::Path;
///
/// let list = Path::new("https://host/crawl-data/CC-1/warc.paths.gz");
/// let named = |line: &str| resolve_beside(list, Path::new(line)).display().to_string();
/// assert_eq!(named("crawl-data/CC-1/a.warc.gz"), "https://host/crawl-data/CC-1/a.warc.gz");
/// assert_eq!(named("a.warc.gz"), "https://host/crawl-data/CC-1/a.warc.gz");
/// assert_eq!(named("/a.warc.gz"), "https://host/a.warc.gz");
/// assert_eq!(named("s3://b/a.warc.gz"), "s3://b/a.warc.gz");
/// ```
pub fn resolve_beside(list: &Path, line: &Path) -> PathBuf {
    if is_remote(line) {
        return line.to_owned();
    }
    // A signature in the list's URL is valid only for the list.
    let (Some(list), Some(line)) = (list.to_str(), line.to_str()) else { return list.join(line) };
    let is_http = list.split_once("://").is_some_and(|(scheme, _)| is_http(scheme));
    let list = if is_http { list.split(['?', '#']).next().unwrap_or(list) } else { list };
    let after_scheme = list.find("://").map_or(0, |at| at + 3);
    let root = list[after_scheme..].find('/').map_or(list.len(), |at| after_scheme + at);
    let path = list[root..].trim_start_matches('/');
    let first = |path: &str| path.split_once('/').map(|(folder, _)| folder.to_owned());
    let line = line.strip_prefix("./").unwrap_or(line);
    let base = if line.starts_with('/') || (first(line).is_some() && first(line) == first(path)) {
        &list[..root]
    } else {
        list.rfind('/').filter(|at| *at >= root).map_or(list, |at| &list[..at])
    };
    PathBuf::from(format!("{base}/{}", line.trim_start_matches('/')))
}

/// Returns the URL of a path below a remote folder.
pub fn resolve_below(folder: &Path, line: &Path) -> PathBuf {
    if is_remote(line) {
        return line.to_owned();
    }
    let (Some(folder), Some(line)) = (folder.to_str(), line.to_str()) else {
        return folder.join(line);
    };
    let line = line.strip_prefix("./").unwrap_or(line);
    PathBuf::from(format!("{}/{}", folder.trim_end_matches('/'), line.trim_start_matches('/')))
}

fn is_http(scheme: &str) -> bool {
    scheme.eq_ignore_ascii_case("http") || scheme.eq_ignore_ascii_case("https")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_secret_is_shown() {
        for (address, expected) in [
            ("https://u:p@h/x@y?sig=1#k", "https://h/x@y"),
            ("HTTP://u@h?sig=1", "HTTP://h"),
            ("https://h/a%20b", "https://h/a%20b"),
            ("s3://key:secret@bucket/a#b?c", "s3://bucket/a#b?c"),
        ] {
            assert_eq!(redact_url(Path::new(address)).display().to_string(), expected);
        }
    }

    #[test]
    fn lists_lead_to_what_lies_beside_them() {
        let at = |list: &str, line: &str| {
            resolve_beside(Path::new(list), Path::new(line)).display().to_string()
        };
        assert_eq!(at("https://h/l.paths?sig=a/b", "x.warc"), "https://h/x.warc");
        assert_eq!(at("https://h", "x.warc"), "https://h/x.warc");
        assert_eq!(at("s3://b/crawl/1/l.paths", "./crawl/2/x.warc"), "s3://b/crawl/2/x.warc");
        assert_eq!(at("s3://b/crawl/l.paths", "crawl.warc"), "s3://b/crawl/crawl.warc");
        let below = resolve_below(Path::new("https://h/"), Path::new("crawl-data/x.warc"));
        assert_eq!(below, Path::new("https://h/crawl-data/x.warc"));
    }
}
