//! Answers the requests of an S3 store besides reading: it takes objects, whole or in parts, lists
//! them, and removes them.

use std::collections::{BTreeMap, HashMap};
use std::fmt::Write;
use std::sync::Arc;

/// The server's objects and unfinished uploads.
#[derive(Default)]
pub(super) struct Objects {
    /// Bytes and version by path.
    pub(super) files: HashMap<String, (Arc<Vec<u8>>, u64)>,
    /// Unfinished uploads in parts, by upload name, with the parts by number.
    pub(super) uploads: HashMap<String, BTreeMap<u32, Vec<u8>>>,
    /// The number of uploads begun so far.
    begun: usize,
}

impl Objects {
    /// Puts a file, and replaces an earlier one.
    pub(super) fn put(&mut self, path: &str, bytes: Arc<Vec<u8>>) {
        let version = self.files.get(path).map_or(1, |(_, version)| version + 1);
        self.files.insert(path.to_owned(), (bytes, version));
    }
}

/// The most objects in one answer. It is small, so that a listing takes several answers.
const MAX_LISTED_OBJECTS: usize = 7;

/// Returns the length of a request's body in bytes.
pub(super) fn length(head: &[u8]) -> usize {
    let head = std::str::from_utf8(head).unwrap_or_default();
    let lengths = head.lines().filter_map(|line| line.split_once(": "));
    lengths
        .filter(|(name, _)| name.eq_ignore_ascii_case("content-length"))
        .find_map(|(_, length)| length.parse().ok())
        .unwrap_or(0)
}

/// Returns whether a request is for the store and not for a file.
pub(super) fn is_of_store(method: &str, target: &str) -> bool {
    !matches!(method, "GET" | "HEAD") || target.contains("list-type=2")
}

/// Carries out a request. Returns status, headers and body of the answer.
pub(super) fn answer(
    method: &str,
    target: &str,
    sent: &[u8],
    objects: &mut Objects,
) -> (u16, String, Vec<u8>) {
    let (path, query) = target.split_once('?').unwrap_or((target, ""));
    let path = &*percent_decode(path);
    let query: HashMap<&str, String> = query
        .split('&')
        .map(|pair| pair.split_once('=').unwrap_or((pair, "")))
        .map(|(key, value)| (key, percent_decode(value)))
        .collect();
    let parameter = |key: &str| query.get(key).map(String::as_str);
    match (method, parameter("uploadId"), parameter("partNumber")) {
        ("GET", ..) => (200, String::new(), listing(path, &query, objects).into_bytes()),
        ("POST", None, _) if query.contains_key("uploads") => {
            objects.begun += 1;
            let name = format!("upload-{}", objects.begun);
            objects.uploads.insert(name.clone(), BTreeMap::new());
            let body = format!(
                "<InitiateMultipartUploadResult><UploadId>{name}</UploadId></InitiateMultipartUploadResult>"
            );
            (200, String::new(), body.into_bytes())
        }
        ("PUT", Some(name), Some(number)) => {
            let (Some(parts), Ok(number)) = (objects.uploads.get_mut(name), number.parse()) else {
                return (404, String::new(), Vec::new());
            };
            parts.insert(number, sent.to_vec());
            (200, format!("ETag: \"part-{number}\"\r\n"), Vec::new())
        }
        ("POST", Some(name), _) => match objects.uploads.remove(name) {
            Some(parts) => {
                let tag = put(path, parts.into_values().flatten().collect(), objects);
                let body = format!(
                    "<CompleteMultipartUploadResult><ETag>{tag}</ETag></CompleteMultipartUploadResult>"
                );
                (200, String::new(), body.into_bytes())
            }
            None => (404, String::new(), Vec::new()),
        },
        ("DELETE", Some(name), _) => {
            objects.uploads.remove(name);
            (204, String::new(), Vec::new())
        }
        ("DELETE", ..) => {
            objects.files.remove(path);
            (204, String::new(), Vec::new())
        }
        ("PUT", ..) => {
            let tag = put(path, sent.to_vec(), objects);
            (200, format!("ETag: {tag}\r\n"), Vec::new())
        }
        _ => (405, String::new(), Vec::new()),
    }
}

/// Puts a file, and returns its `ETag`.
fn put(path: &str, bytes: Vec<u8>, objects: &mut Objects) -> String {
    objects.put(path, Arc::new(bytes));
    format!("\"{}\"", objects.files[path].1)
}

fn listing(bucket: &str, query: &HashMap<&str, String>, objects: &Objects) -> String {
    let parameter = |key: &str| query.get(key).map_or("", String::as_str);
    let bucket = format!("{}/", bucket.trim_end_matches('/'));
    let listed: BTreeMap<&str, usize> = objects
        .files
        .iter()
        .filter_map(|(path, (bytes, _))| Some((path.strip_prefix(&bucket)?, bytes.len())))
        .filter(|(key, _)| {
            key.starts_with(parameter("prefix")) && *key > parameter("continuation-token")
        })
        .collect();
    let mut body = String::from("<ListBucketResult>");
    for (key, bytes) in listed.iter().take(MAX_LISTED_OBJECTS) {
        // Writing to a string cannot fail.
        let _ = write!(
            body,
            "<Contents><Key>{key}</Key><Size>{bytes}</Size><LastModified>2026-01-01T00:00:00.000Z</LastModified></Contents>"
        );
    }
    let last =
        listed.keys().nth(MAX_LISTED_OBJECTS - 1).filter(|_| listed.len() > MAX_LISTED_OBJECTS);
    if let Some(last) = last {
        let _ = write!(body, "<NextContinuationToken>{last}</NextContinuationToken>");
    }
    body + "</ListBucketResult>"
}

/// Decodes `%xx` in a path or in a value of a query.
pub(super) fn percent_decode(value: &str) -> String {
    let (mut text, mut rest) = (String::new(), value);
    while let Some((text_before, text_after)) = rest.split_once('%') {
        text.push_str(text_before);
        let code = text_after.get(..2).and_then(|code| u8::from_str_radix(code, 16).ok());
        text.push(code.map_or('%', char::from));
        rest = if code.is_some() { &text_after[2..] } else { text_after };
    }
    text + rest
}
