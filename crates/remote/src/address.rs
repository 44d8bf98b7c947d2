//! Parses URLs of files in object stores and on web servers.

use object_store::path::Path;
use std::io;
use url::{Position, Url};

/// The location of a file: its server or bucket, and its path there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Address {
    pub(crate) backend: Backend,
    pub(crate) path: Path,
}

/// A storage backend that holds files. Each backend has its own client.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) enum Backend {
    /// A bucket of S3 or of a compatible store.
    S3(String),
    /// A bucket of Google Cloud Storage.
    Gs(String),
    /// A container of Azure Blob Storage, in the account that the environment names.
    Az(String),
    /// A web server.
    Http {
        /// Scheme, host and port, and the query after `?`, which may sign a request.
        url: String,
        /// The value of `Authorization`, made of user and password.
        authorization: Option<String>,
    },
}

/// Shows only parts that cannot be secret.
impl std::fmt::Debug for Backend {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Backend::S3(bucket) => f.debug_tuple("S3").field(bucket).finish(),
            Backend::Gs(bucket) => f.debug_tuple("Gs").field(bucket).finish(),
            Backend::Az(container) => f.debug_tuple("Az").field(container).finish(),
            Backend::Http { url, .. } => {
                f.debug_tuple("Http").field(&url.split('?').next().unwrap_or_default()).finish()
            }
        }
    }
}

impl Address {
    /// Parses a URL. The key of an object is used unchanged. In an HTTP URL, `%20` and other
    /// escapes are decoded.
    pub(crate) fn parse(address: &str) -> io::Result<Address> {
        let refused = |what: &str| io::Error::new(io::ErrorKind::InvalidInput, what.to_owned());
        let (scheme, rest) = address.split_once("://").ok_or_else(|| refused("it is not a URL"))?;
        let make: fn(String) -> Backend = match &*scheme.to_ascii_lowercase() {
            "s3" | "s3a" => Backend::S3,
            "gs" => Backend::Gs,
            "az" => Backend::Az,
            "http" | "https" => return Address::http(address),
            _ => {
                return Err(refused("URLs begin with s3://, gs://, az://, https:// or http://"));
            }
        };
        let (bucket, key) = rest.split_once('/').unwrap_or((rest, ""));
        if bucket.is_empty() || bucket.contains('@') || key.is_empty() {
            return Err(refused(
                "a URL of an object needs a bucket and a key, as in s3://bucket/key",
            ));
        }
        let path = Path::parse(key).map_err(|_| {
            refused("its key has an empty part, `.` or `..`, which is not supported")
        })?;
        Ok(Address { backend: make(bucket.to_owned()), path })
    }

    /// Parses the URL of a folder for outputs: a bucket, or a folder in it.
    pub(crate) fn parse_folder(address: &str) -> io::Result<Address> {
        let parsed = Address::parse(&format!("{}/_", address.trim_end_matches('/')))?;
        if matches!(parsed.backend, Backend::Http { .. }) {
            let what = "cannot write to a web server: write to s3://, gs://, az:// or a folder";
            return Err(io::Error::new(io::ErrorKind::InvalidInput, what));
        }
        let key = parsed.path.as_ref();
        let folder = key.rsplit_once('/').map_or("", |(folder, _)| folder);
        // The folder was already parsed as a part of the key.
        let path = Path::parse(folder).unwrap_or_default();
        Ok(Address { path, ..parsed })
    }

    fn http(address: &str) -> io::Result<Address> {
        // The error quotes no text, but the URL may hold a password, so the error is dropped too.
        let refused = |_| io::Error::new(io::ErrorKind::InvalidInput, "it is not a valid URL");
        let mut url = Url::parse(address).map_err(refused)?;
        let path = Path::from_url_path(url.path())
            .map_err(|_| io::Error::new(io::ErrorKind::InvalidInput, "its path has empty parts"))?;
        let decoded = |text: &str| percent_decoded(text);
        let authorization = (!url.username().is_empty() || url.password().is_some()).then(|| {
            let user = decoded(url.username());
            let password = decoded(url.password().unwrap_or_default());
            let both = [&*user, b":", &*password].concat();
            format!("Basic {}", data_encoding::BASE64.encode(&both))
        });
        // Both succeed if there is a host, and every HTTP URL has one.
        let _ = (url.set_username(""), url.set_password(None));
        url.set_fragment(None);
        let query = url.query().map(|query| format!("?{query}")).unwrap_or_default();
        let url = format!("{}/{query}", &url[..Position::BeforePath]);
        Ok(Address { backend: Backend::Http { url, authorization }, path })
    }
}

/// Decodes the bytes of a text in which `%xx` encodes a byte.
fn percent_decoded(text: &str) -> Vec<u8> {
    let (mut bytes, mut rest) = (Vec::new(), text.as_bytes());
    while let Some((&first, after)) = rest.split_first() {
        let code = after.get(..2).and_then(|code| std::str::from_utf8(code).ok());
        let code = code.filter(|_| first == b'%');
        if let Some(byte) = code.and_then(|code| u8::from_str_radix(code, 16).ok()) {
            bytes.push(byte);
            rest = &after[2..];
        } else {
            bytes.push(first);
            rest = after;
        }
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_have_a_holder_and_a_path() {
        let s3 = Address::parse("s3://bucket/a/b c%20?d.warc.gz").unwrap();
        assert_eq!(s3.backend, Backend::S3("bucket".to_owned()));
        assert_eq!(s3.path.as_ref(), "a/b c%20?d.warc.gz");
        assert_eq!(Address::parse("gs://b/x").unwrap().backend, Backend::Gs("b".to_owned()));
        assert_eq!(Address::parse("az://c/x").unwrap().backend, Backend::Az("c".to_owned()));
        let http = Address::parse("https://me:a%3Ab@host:8443/a/b%20c.warc?sig=x&y=1#z").unwrap();
        assert_eq!(http.path.as_ref(), "a/b c.warc");
        let Backend::Http { url, authorization } = &http.backend else { panic!("{http:?}") };
        assert_eq!(url, "https://host:8443/?sig=x&y=1");
        // me:a:b
        assert_eq!(authorization.as_deref(), Some("Basic bWU6YTpi"));
        let shown = format!("{http:?}");
        assert!(!shown.contains("sig") && !shown.contains("bWU6"), "{shown}");
    }

    #[test]
    fn folders_are_buckets_or_lie_below_them() {
        for (address, path) in
            [("s3://b", ""), ("s3://b/", ""), ("gs://b/x y/z%20/", "x y/z%20"), ("az://c/x", "x")]
        {
            assert_eq!(Address::parse_folder(address).unwrap().path.as_ref(), path, "{address}");
        }
        for address in ["https://h/x", "s3://", "s3://b/a//b", "s3://b/../c", "ftp://h/x"] {
            assert!(Address::parse_folder(address).is_err(), "{address}");
        }
    }

    #[test]
    fn what_cannot_be_read_is_refused_without_being_quoted() {
        for address in [
            "ftp://h/x",
            "s3://bucket",
            "s3:///x",
            "s3://k:secret@b/x",
            "s3://b/a//b",
            "https://",
            "http://u:secret@:9/x",
            "file:///etc/passwd",
        ] {
            let error = Address::parse(address).unwrap_err().to_string();
            assert!(!error.contains("secret"), "{error}");
        }
    }
}
