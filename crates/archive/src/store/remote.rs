//! Paths that are URLs.

use std::path::Path;

/// Whether a path begins like a URL of another machine, such as `s3://`.
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
