//! Decodes `Transfer-Encoding: chunked` (RFC 9112, section 7.1) in place.
//!
//! Crawlers store three kinds of bodies under that header: chunked ones, ones whose chunks they
//! joined, and ones that end early. The decoder reads all three without an error.

use memchr::memchr;

/// The result of decoding `Transfer-Encoding: chunked`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Chunking {
    /// Not decoded: the head does not list it.
    None,
    /// The chunks were joined, up to the last one.
    Joined,
    /// The chunks were joined up to the place where the body ends or is damaged, before the last
    /// one.
    Cut,
    /// Not decoded: the head lists it, but the body does not begin with a chunk.
    NotChunked,
}

/// Joins the chunks at the beginning of `body`. Returns the length of the joined body in bytes.
///
/// Every chunk moves towards the front over bytes already read, so this takes one pass even if the
/// chunks are small. Extensions and trailers are dropped, a bare line feed ends a line, and the
/// line end after a chunk may be missing.
pub(crate) fn join(body: &mut [u8]) -> (Chunking, usize) {
    let mut read = 0;
    let mut written = 0;
    let mut first = true;
    loop {
        let Some((size, line)) = size_line(&body[read..]) else {
            // An empty body may have been cut off or joined before. It counts as cut.
            if first && !body.is_empty() {
                return (Chunking::NotChunked, body.len());
            }
            return (Chunking::Cut, written);
        };
        if size == 0 {
            return (Chunking::Joined, written);
        }
        first = false;
        read += line;
        // A chunk larger than the rest of the body, or than any integer, means that the body was
        // cut off.
        let rest = body.len() - read;
        let length = usize::try_from(size).unwrap_or(usize::MAX).min(rest);
        body.copy_within(read..read + length, written);
        read += length;
        written += length;
        if (length as u64) < size {
            return (Chunking::Cut, written);
        }
        match &body[read..] {
            [b'\r', b'\n', ..] => read += 2,
            [b'\n', ..] => read += 1,
            _ => {}
        }
    }
}

/// Reads `blanks hex-digits blanks [; extension] line-end`. Returns the size, at most [`u64::MAX`],
/// and the length of the line in bytes.
fn size_line(text: &[u8]) -> Option<(u64, usize)> {
    let blank = |byte: &&u8| matches!(byte, b' ' | b'\t');
    let start = text.iter().take_while(blank).count();
    let mut size: u64 = 0;
    let mut at = start;
    while let Some(digit) = text.get(at).and_then(|&byte| char::from(byte).to_digit(16)) {
        size = if size >> 60 == 0 { size << 4 | u64::from(digit) } else { u64::MAX };
        at += 1;
    }
    if at == start {
        return None;
    }
    at += text[at..].iter().take_while(blank).count();
    match &text[at..] {
        [b'\n', ..] => Some((size, at + 1)),
        [b'\r', b'\n', ..] => Some((size, at + 2)),
        [b';', extension @ ..] => Some((size, at + 1 + memchr(b'\n', extension)? + 1)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn joined(body: &[u8]) -> (Chunking, Vec<u8>) {
        let mut body = body.to_vec();
        let (chunking, length) = join(&mut body);
        body.truncate(length);
        (chunking, body)
    }

    #[track_caller]
    fn check(body: &[u8], chunking: Chunking, expected: &[u8]) {
        assert_eq!(joined(body), (chunking, expected.to_vec()));
    }

    #[test]
    fn joins_well_formed_chunks() {
        check(b"3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n", Chunking::Joined, b"abcde");
        check(b"3;x=\"y\"\r\nabc\r\n0\r\nTrailer: 1\r\n\r\n", Chunking::Joined, b"abc");
        check(b"3\nabc\n0\n\n", Chunking::Joined, b"abc");
        check(b"0003  \r\nabc\r\n 0\r\n", Chunking::Joined, b"abc");
        check(b"A\r\n0123456789\r\n0\r\n", Chunking::Joined, b"0123456789");
        check(b"0\r\n\r\n", Chunking::Joined, b"");
    }

    #[test]
    fn uses_the_chunks_before_a_cut() {
        check(b"", Chunking::Cut, b"");
        check(b"3\r\nabc\r\n", Chunking::Cut, b"abc");
        check(b"5\r\nabc", Chunking::Cut, b"abc");
        check(b"3\r\nabc\r\n5", Chunking::Cut, b"abc");
        check(b"3\r\nabc\r\n0", Chunking::Cut, b"abc");
        check(b"3\r\nabc\r\n-5\r\nxxxxx", Chunking::Cut, b"abc");
        check(b"3\r\nabc\r\n<html>", Chunking::Cut, b"abc");
        check(b"3\r\nabc\r\nFFFFFFFFFFFFFFFF\r\nde", Chunking::Cut, b"abcde");
        check(b"FFFFFFFFFFFFFFFFFFFFFFFFFFF\r\nde", Chunking::Cut, b"de");
        check(b"FFFFFFFFFFFFFFFF\r\n", Chunking::Cut, b"");
    }

    #[test]
    fn leaves_bodies_that_are_not_chunked() {
        for plain in
            ["<!DOCTYPE html>\n", "-5\r\nabc", "", "feed me\n", "{}", "0", "\r\n3\r\nabc", "abc"]
        {
            let chunking = if plain.is_empty() { Chunking::Cut } else { Chunking::NotChunked };
            check(plain.as_bytes(), chunking, plain.as_bytes());
        }
    }

    #[test]
    fn two_million_small_chunks_take_linear_time() {
        let mut body = b"1\r\nx\r\n".repeat(2_000_000);
        assert_eq!(join(&mut body), (Chunking::Cut, 2_000_000));
    }

    #[test]
    fn a_line_without_end_takes_linear_time() {
        let zeros = b"0".repeat(1 << 20);
        check(&zeros, Chunking::NotChunked, &zeros);
        let body = [b"1\r\nx\r\n".repeat(100_000), vec![b'1'; 1 << 20]].concat();
        check(&body, Chunking::Cut, &b"x".repeat(100_000));
    }

    proptest! {
        #[test]
        fn any_split_gives_the_body_back(body: Vec<u8>, cuts in prop::collection::vec(1_usize..40, 1..60)) {
            let mut chunked = Vec::new();
            let mut rest = body.as_slice();
            for (index, cut) in cuts.iter().cycle().enumerate() {
                let (chunk, after) = rest.split_at((*cut).min(rest.len()));
                if chunk.is_empty() { break; }
                let extension = ["", ";a", "; b=\"c\"", "  "][index % 4];
                let line_end = ["\r\n", "\n"][cut % 2];
                chunked.extend_from_slice(format!("{:x}{extension}{line_end}", chunk.len()).as_bytes());
                chunked.extend_from_slice(chunk);
                chunked.extend_from_slice(line_end.as_bytes());
                rest = after;
            }
            chunked.extend_from_slice(b"0\r\nTrailer: x\r\n\r\n");
            prop_assert_eq!(joined(&chunked), (Chunking::Joined, body));
        }

        #[test]
        fn arbitrary_bytes_never_grow(body: Vec<u8>) {
            prop_assert!(joined(&body).1.len() <= body.len());
        }

        #[test]
        fn arbitrary_chunk_like_text_never_grows(body in "[0-9a-f;\r\n -]{0,200}") {
            prop_assert!(joined(body.as_bytes()).1.len() <= body.len());
        }
    }
}
