//! Whether bytes look like an HTML page (WHATWG MIME Sniffing, section 7.1), for records that don't say what they are.

/// What an HTML page begins with; a blank or `>` must follow, but for the comment.
const BEGINNINGS: [&[u8]; 16] = [
    b"<!doctype html",
    b"<html",
    b"<head",
    b"<script",
    b"<iframe",
    b"<h1",
    b"<div",
    b"<font",
    b"<table",
    b"<a",
    b"<style",
    b"<title",
    b"<b",
    b"<body",
    b"<br",
    b"<p",
];

/// Whether `bytes` begin like an HTML page.
pub fn looks_like_html(bytes: &[u8]) -> bool {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let bytes = bytes.trim_ascii_start();
    bytes.starts_with(b"<!--")
        || BEGINNINGS.iter().any(|beginning| {
            bytes.len() > beginning.len()
                && bytes[..beginning.len()].eq_ignore_ascii_case(beginning)
                && matches!(bytes[beginning.len()], b' ' | b'\t' | b'\n' | b'\r' | b'\x0C' | b'>')
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_are_told_from_other_things() {
        for page in
            ["<!DOCTYPE html>", "\n <HTML lang=en>", "<!-- x -->", "\u{feff}<p>text", "<b>x"]
        {
            assert!(looks_like_html(page.as_bytes()), "{page}");
        }
        for other in
            ["", "<", "<?xml version='1.0'?>", "<bookmarks>", "text", "{\"a\":1}", "GET / HTTP/1.1"]
        {
            assert!(!looks_like_html(other.as_bytes()), "{other}");
        }
    }
}
