//! Converts errors of stores into messages without secrets.

use object_store::Error;
use std::fmt::Write;
use std::io;

/// The text before the status of an answer in errors of `object_store`.
const STATUS: &str = "status code: ";

/// The error of the certificate library on a system without certificates.
const NO_CERTIFICATES: &str = "No CA certificates were loaded";

/// Longest text of a library's error that is shown, in characters.
const MAX_MESSAGE_CHARS: usize = 300;

/// Converts an error of `object_store` for the archive reader.
pub(crate) fn to_io_error(error: &Error) -> io::Error {
    let (kind, message) = match error {
        Error::NotFound { .. } => (io::ErrorKind::NotFound, "it does not exist (HTTP status 404)"),
        Error::PermissionDenied { .. } => (
            io::ErrorKind::PermissionDenied,
            "access is denied (HTTP status 403); credentials come from the environment",
        ),
        Error::Unauthenticated { .. } => (
            io::ErrorKind::PermissionDenied,
            "the server requires credentials (HTTP status 401); credentials come from the \
             environment",
        ),
        Error::Precondition { .. } => return changed_error(),
        Error::NotSupported { .. } => (
            io::ErrorKind::Unsupported,
            "the server does not support range requests; pipe it to standard input, as in `curl \
             URL | huller extract - -o DIR`",
        ),
        Error::Generic { source, .. } => return error_with_remedy(&chain(&**source)),
        _ => return error_with_remedy(&chain(error)),
    };
    io::Error::new(kind, message)
}

/// Returns the text of a library's error, or the remedy if one is known.
fn error_with_remedy(text: &str) -> io::Error {
    if text.contains(NO_CERTIFICATES) {
        return io::Error::other(
            "this system has no root certificates; install the package `ca-certificates`, or set \
             SSL_CERT_FILE",
        );
    }
    io::Error::other(redact_message(text))
}

/// Returns the error for a file that has changed since it was opened.
pub(crate) fn changed_error() -> io::Error {
    io::Error::other("it changed while it was being read")
}

/// Returns whether a server reported that the file has no bytes in the requested range.
/// `object_store` reports the status only as text. A test reads an empty file from a server, so it
/// fails if the wording changes.
pub(crate) fn is_range_not_satisfiable(error: &Error) -> bool {
    chain(error).contains(&format!("{STATUS}416 "))
}

/// Returns an error with all its causes, each once.
fn chain(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        let cause_text = error.to_string();
        if !text.contains(&cause_text) {
            // Writing into a String cannot fail.
            let _ = write!(text, ": {cause_text}");
        }
        cause = error.source();
    }
    text
}

/// Returns the text of a library's error without secrets, at most 300 characters long. It omits
/// user, password and query in URLs, the body of an answer, which may repeat them, and control
/// characters.
pub(crate) fn redact_message(text: &str) -> String {
    let text = without_body(text);
    let mut shown = String::new();
    let mut rest = text;
    while let Some(at) = rest.find("://") {
        let (before, url) = rest.split_at(at + 3);
        shown.push_str(before);
        let end = url.find([' ', '"', '\'', ')', '>', '\n']).unwrap_or(url.len());
        let (url, after) = url.split_at(end);
        let url = url.split(['?', '#']).next().unwrap_or_default();
        let (host, path) = url.find('/').map_or((url, ""), |at| url.split_at(at));
        shown.push_str(host.rsplit_once('@').map_or(host, |(_, host)| host));
        shown.push_str(path);
        rest = after;
    }
    shown.push_str(rest);
    shown.chars().filter(|c| !c.is_control()).take(MAX_MESSAGE_CHARS).collect()
}

/// Returns the text before the body of an answer.
fn without_body(text: &str) -> &str {
    let from = text.find(STATUS).map_or(0, |at| at + STATUS.len());
    let end = if from > 0 { text[from..].find(':') } else { None };
    let text = end.map_or(text, |end| &text[..from + end]);
    let text = text.split('<').next().unwrap_or_default();
    match text.find("error response: ") {
        Some(at) => &text[..at + "error response".len()],
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_system_without_certificates_is_told_what_to_install() {
        let text =
            "builder error: unexpected error: No CA certificates were loaded from the system";
        assert!(
            error_with_remedy(text).to_string().contains("install the package `ca-certificates`")
        );
    }

    #[test]
    fn nothing_secret_is_passed_on() {
        for (text, expected) in [
            (
                "Error performing GET https://u:p@h/a?X-Amz-Signature=abc in 1s - Server returned non-2xx status code: 500 Internal Server Error: <Error>u:p</Error>",
                "Error performing GET https://h/a in 1s - Server returned non-2xx status code: 500 Internal Server Error",
            ),
            ("url (http://h/a?sig=1): reset", "url (http://h/a): reset"),
            ("Server returned error response: sig=abc", "Server returned error response"),
            ("a\u{1b}[2J\nb", "a[2Jb"),
        ] {
            assert_eq!(redact_message(text), expected);
        }
        assert_eq!(redact_message(&"x".repeat(1000)).len(), MAX_MESSAGE_CHARS);
    }
}
