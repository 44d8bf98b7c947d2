//! What an input is, found by its first bytes.

use super::foreign::{Foreign, beginning};
use super::raw::Raw;
use crate::arc::line::header_line;
use crate::bundle::tar_header::is_tar;
use crate::container::feed::Feed;
use crate::container::gzip::feed::GzipFeed;
use crate::container::gzip::finder::MemberFinder;
use crate::container::gzip::header::MAGIC as GZIP_MAGIC;
use crate::container::lz4;
use crate::container::lz4::feed::Lz4Feed;
use crate::container::opening::Opening;
use crate::container::window::{Edge, Window};
use crate::container::zstd::context::context;
use crate::container::zstd::feed::ZstdFeed;
use crate::container::zstd::finder::{FrameFinder, TRIAL_BYTES};
use crate::container::zstd::frame::{MAGIC as ZSTD_MAGIC, skippable};
use crate::damage::finder::Finder;
use crate::error::ArchiveError;
use crate::format::{Container, Format};
use crate::http::sniff::looks_like_html;
use crate::limits::Limits;
use crate::warc::version_line::{VersionLine, version_line};
use std::sync::Arc;

/// How many bytes of what is named as a table are looked at.
const FOREIGN_BYTES: usize = 512;

/// How many bytes of an input that begins with something else are searched for a record.
pub const SEARCHED_BYTES: usize = 1 << 20;

/// An input that is an archive.
pub(crate) struct Detected {
    pub(crate) format: Format,
    pub(crate) container: Container,
    pub(crate) dictionary: Option<Arc<[u8]>>,
    /// Offset of the first member in bytes.
    pub(crate) start: u64,
    /// Stands at the start of the data, or after a byte order mark and blank lines.
    pub(crate) window: Window,
}

/// Finds out what an input is, and opens the right readers over it. Its name may say that it is a table with this separator.
///
/// # Errors
///
/// If it can't be read, is empty, or is no archive.
pub(crate) fn detect(
    name: &str,
    mut raw: Raw,
    separator: Option<u8>,
    limits: &Limits,
) -> Result<Detected, ArchiveError> {
    let io_error = |error| ArchiveError::io(name, 0, error);
    let head = raw.fill(TRIAL_BYTES).map_err(io_error)?;
    if head.is_empty() {
        let what = "it is empty";
        return Err(ArchiveError::Empty { name: name.to_owned(), what });
    }
    let raw_begins = beginning(head);
    if let Some(foreign) = Foreign::of(head).filter(|foreign| foreign.is_sure) {
        return Err(not_an_archive(name, format!("{}, ", foreign.name), foreign.remedy));
    }
    let container = match container(head) {
        Some(container) => container,
        None if is_tar(head) => Container::Plain,
        // It may have lost the beginning of its first member.
        None => buried_container(raw.fill(SEARCHED_BYTES).map_err(io_error)?, limits),
    };
    let mut detected = begin(name, raw, container, limits)?;
    let found = match separator {
        Some(separator) => table(&mut detected.window, separator).map_err(io_error)?,
        None => format(&mut detected.window).map_err(io_error)?,
    };
    match found {
        Content::Is(format) => {
            detected.format = format;
            detected.window.set_opening(format.opening());
            Ok(detected)
        }
        Content::Nothing => {
            let what = "it holds nothing but blank lines or empty members";
            Err(ArchiveError::Empty { name: name.to_owned(), what })
        }
        Content::Unknown => {
            let bytes = detected.window.bytes();
            let packed = detected.container != Container::Plain;
            if let Some(Foreign { name: what, remedy, .. }) = Foreign::of(bytes) {
                let compressed = if packed { "compressed, " } else { "" };
                return Err(not_an_archive(name, format!("{what}, {compressed}"), remedy));
            }
            let (what, begins) = match detected.container {
                _ if packed && bytes.is_empty() => ("damaged, ", raw_begins),
                Container::Plain => ("", beginning(bytes)),
                Container::Gzip => ("gzip data, but ", beginning(bytes)),
                Container::Zstd => ("zstd data, but ", beginning(bytes)),
                Container::Lz4 => ("LZ4 data, but ", beginning(bytes)),
            };
            let hint = format!(" (begins with {begins})");
            Err(ArchiveError::NotAnArchive { name: name.to_owned(), what: what.to_owned(), hint })
        }
    }
}

/// The error for an input of a known format that is no archive.
fn not_an_archive(name: &str, what: String, remedy: &str) -> ArchiveError {
    ArchiveError::NotAnArchive { name: name.to_owned(), what, hint: format!("; {remedy}") }
}

/// The compressed container that `head` begins with.
fn container(head: &[u8]) -> Option<Container> {
    if head.starts_with(&GZIP_MAGIC) {
        Some(Container::Gzip)
    } else if head.starts_with(&ZSTD_MAGIC) || skippable(head).is_some() {
        Some(Container::Zstd)
    } else if head.starts_with(&lz4::frame::MAGIC) {
        Some(Container::Lz4)
    } else {
        None
    }
}

/// Opens the readers for a container. The format stays to be found.
fn begin(
    name: &str,
    raw: Raw,
    container: Container,
    limits: &Limits,
) -> Result<Detected, ArchiveError> {
    let (mut dictionary, mut start) = (None, raw.offset());
    let feed = match container {
        Container::Plain => Feed::Plain(raw),
        Container::Gzip => Feed::Gzip(GzipFeed::new(raw, Opening::AnyRecord)),
        Container::Lz4 => Feed::Lz4(Lz4Feed::new(raw, Opening::AnyRecord)),
        Container::Zstd => {
            let feed = ZstdFeed::open(name, raw, limits, Opening::AnyRecord)?;
            dictionary = feed.dictionary().cloned();
            start = feed.raw().offset();
            Feed::Zstd(feed)
        }
    };
    let window = Window::new(feed, Opening::AnyRecord);
    Ok(Detected { format: Format::Warc, container, dictionary, start, window })
}

/// What the plain bytes of an input are.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Content {
    Is(Format),
    Nothing,
    Unknown,
}

/// Finds out whether the window shows what is named as a table, or something that is surely none.
fn table(window: &mut Window, separator: u8) -> std::io::Result<Content> {
    while window.bytes().len() < FOREIGN_BYTES && window.fill_across()? {}
    let bytes = window.bytes();
    let is_record = matches!(version_line(bytes), VersionLine::Whole(_));
    Ok(match bytes.iter().find(|byte| !matches!(byte, b'\r' | b'\n')) {
        None if window.edge() == Some(&Edge::Eof) => Content::Nothing,
        _ if is_record || bytes.contains(&0) || looks_like_html(bytes) => format(window)?,
        _ => Content::Is(Format::Csv(separator)),
    })
}

/// Finds out what the window shows. Passes over a byte order mark and line ends at its start, and nothing else.
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
    while header_line(window.bytes()) == VersionLine::Unfinished && window.fill_across()? {}
    let mut limit = 1;
    loop {
        let bytes = window.bytes();
        if is_tar(bytes) {
            return Ok(Content::Is(Format::Tar));
        }
        match version_line(bytes) {
            VersionLine::Whole(_) => return Ok(Content::Is(Format::Warc)),
            VersionLine::Absent if matches!(header_line(bytes), VersionLine::Whole(_)) => {
                return Ok(Content::Is(Format::Arc));
            }
            // The loop above has read enough to rule a version line out.
            VersionLine::Absent if bytes.trim_ascii_start().first() == Some(&b'{') => {
                return Ok(Content::Is(Format::Jsonl));
            }
            _ => {}
        }
        let whole = bytes.len() < limit;
        if let Some((_, format)) = buried_record(bytes, whole) {
            return Ok(Content::Is(format));
        }
        if whole || bytes.len() >= SEARCHED_BYTES {
            break;
        }
        // Every search begins at the start again, so the bytes double each time, which keeps all searches together linear.
        limit = (2 * bytes.len()).max(4096);
        while window.bytes().len() < limit && window.fill_across()? {}
    }
    let nothing = window.bytes().is_empty();
    let is_record_next = match window.edge() {
        Some(Edge::Border) => true,
        Some(Edge::Broken(_) | Edge::Junk(_)) => !window.feed().raw().bytes().is_empty(),
        _ => false,
    };
    if is_record_next {
        let is_arc = window.next_begins_with(Opening::ArcRecord);
        return Ok(Content::Is(if is_arc { Format::Arc } else { Format::Warc }));
    }
    Ok(match window.edge() {
        Some(Edge::Eof) if nothing => Content::Nothing,
        _ => Content::Unknown,
    })
}

/// The container of an input that doesn't begin with the magic number of one: that whose member, beginning with a record, comes first in
/// its first [`SEARCHED_BYTES`]. It is plain if a plain record comes before, or if there is neither. Which comes first decides, since a
/// header may be seen in a compressed member, as it is in LZ4, and a plain record may hold a compressed archive.
fn buried_container(bytes: &[u8], limits: &Limits) -> Container {
    let bytes = &bytes[..bytes.len().min(SEARCHED_BYTES)];
    let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes).trim_ascii_start();
    let plain = text.is_empty()
        || text.starts_with(b"{")
        || version_line(text) != VersionLine::Absent
        || matches!(header_line(text), VersionLine::Whole(_));
    if plain {
        return Container::Plain;
    }
    let record = buried_record(bytes, true).map(|(at, _)| (at, Container::Plain));
    let zstd = context(limits, None)
        .ok()
        .map(|context| FrameFinder::new(context, limits, Opening::AnyRecord))
        .and_then(|mut finder| finder.find(bytes, 0, true).ok());
    let gzip = MemberFinder::new(Opening::AnyRecord).find(bytes, 0, true).ok();
    let lz4 = lz4::finder::FrameFinder::new(Opening::AnyRecord).find(bytes, 0, true).ok();
    let members = [(gzip, Container::Gzip), (zstd, Container::Zstd), (lz4, Container::Lz4)];
    let members = members.into_iter().filter_map(|(at, container)| Some((at?, container)));
    let first = members.chain(record).min_by_key(|(at, _)| *at);
    first.map_or(Container::Plain, |(_, container)| container)
}

/// Offset and format of the first record that `bytes` hold, if they hold one.
fn buried_record(bytes: &[u8], whole: bool) -> Option<(usize, Format)> {
    let find = |format: Format| Some((format.dialect().find_start(bytes, true, whole)?, format));
    [Format::Warc, Format::Arc].into_iter().filter_map(find).min_by_key(|(at, _)| *at)
}
