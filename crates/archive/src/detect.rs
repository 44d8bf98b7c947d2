//! What an input is, by its first bytes.

use crate::error::{ArchiveError, hex};
use crate::feed::Feed;
use crate::finder::{Finder, Opening};
use crate::format::{Container, Format};
use crate::frame::find_start;
use crate::gzip::MemberFinder;
use crate::gzip_feed::GzipFeed;
use crate::header::{VersionLine, version_line};
use crate::limits::Limits;
use crate::raw::Raw;
use crate::sniff::looks_like_html;
use crate::window::{Edge, Window};
use crate::zstd::{self, FrameFinder};
use crate::zstd_feed::ZstdFeed;
use std::sync::Arc;

/// How far into an input a record is looked for when it begins with something else.
pub const SEARCHED_BYTES: usize = 1 << 20;

/// An input that can be read.
pub(crate) struct Detected {
    pub(crate) format: Format,
    pub(crate) container: Container,
    pub(crate) dictionary: Option<Arc<[u8]>>,
    /// Offset of the first member.
    pub(crate) start: u64,
    /// Stands at the start, past blank lines at most.
    pub(crate) window: Window,
}

/// Finds out what an input is and makes it ready.
pub(crate) fn detect(name: &str, mut raw: Raw, limits: &Limits) -> Result<Detected, ArchiveError> {
    let io_error = |error| ArchiveError::io(name, 0, error);
    let head = raw.fill(zstd::TRIAL_BYTES).map_err(io_error)?;
    if head.is_empty() {
        let what = "it is empty";
        return Err(ArchiveError::Empty { name: name.to_owned(), what });
    }
    let raw_begins = hex(head);
    let container = match container(head) {
        Some(container) => container,
        // Perhaps a compressed one that has lost its beginning.
        None => buried(raw.fill(SEARCHED_BYTES).map_err(io_error)?, limits),
    };
    let mut detected = begin(name, raw, container, limits)?;
    let found = format(&mut detected.window).map_err(io_error)?;
    match found {
        Content::Is(format) => {
            detected.format = format;
            detected.window.feed_mut().set_opening(match format {
                Format::Warc => Opening::Record,
                Format::Jsonl => Opening::Line,
            });
            Ok(detected)
        }
        Content::Nothing => {
            let what = "it holds nothing but blank lines or empty members";
            Err(ArchiveError::Empty { name: name.to_owned(), what })
        }
        Content::Unknown => {
            let bytes = detected.window.bytes();
            // What a server sends in place of an archive that it doesn't have, mostly.
            let is_page = looks_like_html(bytes);
            let (container, begins) = match detected.container {
                Container::Plain if is_page => ("an HTML page, ", hex(bytes)),
                Container::Plain => ("", hex(bytes)),
                _ if bytes.is_empty() => ("damaged, ", raw_begins),
                _ if is_page => ("an HTML page, compressed, ", hex(bytes)),
                Container::Gzip => ("gzip data, but ", hex(bytes)),
                Container::Zstd => ("zstd data, but ", hex(bytes)),
            };
            Err(ArchiveError::NotAnArchive { name: name.to_owned(), container, begins })
        }
    }
}

/// The container that bytes begin with, if it is a compressed one.
fn container(head: &[u8]) -> Option<Container> {
    if head.starts_with(&[0x1f, 0x8b, 8]) {
        Some(Container::Gzip)
    } else if head.starts_with(&zstd::MAGIC) || zstd::skippable(head).is_some() {
        Some(Container::Zstd)
    } else {
        None
    }
}

fn begin(
    name: &str,
    raw: Raw,
    container: Container,
    limits: &Limits,
) -> Result<Detected, ArchiveError> {
    let (mut dictionary, mut start) = (None, 0);
    let feed = match container {
        Container::Plain => Feed::Plain(raw),
        Container::Gzip => Feed::Gzip(GzipFeed::new(raw, Opening::Record)),
        Container::Zstd => {
            let feed = ZstdFeed::open(name, raw, limits, Opening::Record)?;
            dictionary = feed.dictionary().cloned();
            start = feed.raw().offset();
            Feed::Zstd(feed)
        }
    };
    let window = Window::new(feed);
    Ok(Detected { format: Format::Warc, container, dictionary, start, window })
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Content {
    Is(Format),
    Nothing,
    Unknown,
}

/// What the window shows. Passes over nothing but a byte order mark and line ends, which nobody will miss.
fn format(window: &mut Window) -> std::io::Result<Content> {
    const MARK: &[u8] = b"\xef\xbb\xbf";
    while window.bytes().len() < MARK.len() && window.fill_across()? {}
    if window.bytes().starts_with(MARK) {
        window.consume(MARK.len());
    }
    loop {
        let bytes = window.bytes();
        let ends = bytes.iter().take_while(|byte| matches!(byte, b'\r' | b'\n')).count();
        let all = ends == bytes.len();
        window.consume(ends);
        if !all || !window.fill_across()? {
            break;
        }
    }
    while version_line(window.bytes()) == VersionLine::Unfinished && window.fill_across()? {}
    let mut limit = 1;
    loop {
        let bytes = window.bytes();
        match version_line(bytes) {
            VersionLine::Whole(_) => return Ok(Content::Is(Format::Warc)),
            // Far enough to see a brace, and all there may be to a version line.
            VersionLine::Absent if bytes.trim_ascii_start().first() == Some(&b'{') => {
                return Ok(Content::Is(Format::Jsonl));
            }
            _ => {}
        }
        let whole = bytes.len() < limit;
        if find_start(bytes, true, whole).is_some() {
            return Ok(Content::Is(Format::Warc));
        }
        if whole || bytes.len() >= SEARCHED_BYTES {
            break;
        }
        // Each look begins at the start, so each has twice as much to look at.
        limit = (2 * bytes.len()).max(4096);
        while window.bytes().len() < limit && window.fill_across()? {}
    }
    let nothing = window.bytes().is_empty();
    Ok(match window.edge() {
        // Another member begins a record.
        Some(Edge::Border) => Content::Is(Format::Warc),
        Some(Edge::Broken(_) | Edge::Junk(_)) if !window.feed().raw().bytes().is_empty() => {
            Content::Is(Format::Warc)
        }
        Some(Edge::Eof) if nothing => Content::Nothing,
        _ => Content::Unknown,
    })
}

/// The container of an input that begins with no container: plain, unless that makes no sense of it and there is a member
/// with a record in its first bytes.
fn buried(bytes: &[u8], limits: &Limits) -> Container {
    let bytes = &bytes[..bytes.len().min(SEARCHED_BYTES)];
    let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes).trim_ascii_start();
    let plain = text.is_empty()
        || text.starts_with(b"{")
        || version_line(text) != VersionLine::Absent
        || find_start(bytes, true, true).is_some();
    if plain {
        return Container::Plain;
    }
    if MemberFinder::new(Opening::Record).find(bytes, 0, true).is_ok() {
        return Container::Gzip;
    }
    let finder = zstd::context(limits, None)
        .map(|context| FrameFinder::new(context, limits, Opening::Record));
    match finder.map(|mut finder| finder.find(bytes, 0, true)) {
        Ok(Ok(_)) => Container::Zstd,
        _ => Container::Plain,
    }
}
