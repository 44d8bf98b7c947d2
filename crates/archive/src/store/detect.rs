//! Detects the format and container of an input by its first bytes.

use super::foreign_format::{ForeignFormat, describe_beginning};
use super::raw_reader::RawReader;
use crate::arc::line::header_line;
use crate::bundle::tar_header::is_tar_of_plain_files;
use crate::container::Container;
use crate::container::container_reader::ContainerReader;
use crate::container::expected_start::ExpectedStart;
use crate::container::gzip::finder::MemberFinder;
use crate::container::gzip::reader::GzipReader;
use crate::container::lz4;
use crate::container::lz4::reader::Lz4Reader;
use crate::container::window::{Edge, Window};
use crate::container::zstd::context::context;
use crate::container::zstd::finder::{FrameFinder, TRIAL_BYTES};
use crate::container::zstd::reader::ZstdReader;
use crate::csv::{has_backslash_escapes, separator_in};
use crate::damage::finder::Finder;
use crate::damage::zeros::LINE_HOLE_BYTES;
use crate::error::ArchiveError;
use crate::format::Format;
use crate::http::sniff::looks_like_html;
use crate::jsonl::{is_object, is_open};
use crate::limits::Limits;
use crate::record::FaultReason;
use crate::warc::version_line::{VersionLine, version_line};
use memchr::{memchr, memchr_iter};
use std::sync::Arc;

/// Number of bytes that are examined first if the name says that the file is a table.
const FOREIGN_BYTES: usize = 512;

/// Number of bytes that are searched for a record if the input begins with other data.
pub const SEARCHED_BYTES: usize = 1 << 20;

/// An input that is an archive.
pub(crate) struct DetectedArchive {
    pub(crate) format: Format,
    pub(crate) container: Container,
    pub(crate) dictionary: Option<Arc<[u8]>>,
    /// Offset of the first member in bytes.
    pub(crate) start: u64,
    /// A window at the start of the data, or after a byte order mark and blank lines.
    pub(crate) window: Window,
}

/// Detects the format and container of an input, and opens the readers for them. `separator` is set
/// if the name says that the input is a table with this separator.
///
/// # Errors
///
/// The input cannot be read, is empty, or is not an archive.
pub(crate) fn detect(
    name: &str,
    mut raw: RawReader,
    separator: Option<u8>,
    limits: &Limits,
) -> Result<DetectedArchive, ArchiveError> {
    let io_error = |error| ArchiveError::io(name, 0, error);
    let head = raw.fill(TRIAL_BYTES).map_err(io_error)?;
    if head.is_empty() {
        let problem = "it is empty";
        return Err(ArchiveError::Empty { name: name.to_owned(), problem });
    }
    let raw_begins = describe_beginning(head);
    if let Some(foreign) = ForeignFormat::detect(head).filter(|foreign| foreign.is_sure) {
        return Err(no_archive_error(name, format!("{}, ", foreign.name), foreign.remedy));
    }
    let container = match Container::from_head(head) {
        // The input may have lost the beginning of its first member.
        Container::Plain if !is_tar_of_plain_files(head) => {
            buried_container(raw.fill(SEARCHED_BYTES).map_err(io_error)?, limits)
        }
        container => container,
    };
    let mut detected = begin(name, raw, container, limits)?;
    let found = match separator {
        Some(separator) => table(&mut detected.window, separator).map_err(io_error)?,
        None => format(&mut detected.window).map_err(io_error)?,
    };
    match found {
        DetectedContent::Is(format) => {
            detected.format = format;
            detected.window.set_opening(format.opening());
            Ok(detected)
        }
        DetectedContent::Nothing => {
            let problem = "it contains only blank lines or empty members";
            Err(ArchiveError::Empty { name: name.to_owned(), problem })
        }
        DetectedContent::Refused(problem) => {
            let problem = problem.to_owned();
            Err(ArchiveError::Unreadable { name: name.to_owned(), problem })
        }
        DetectedContent::Unknown => {
            if let Some(problem) = too_large_window(&detected.window) {
                return Err(ArchiveError::Unreadable { name: name.to_owned(), problem });
            }
            let bytes = detected.window.bytes();
            let packed = detected.container != Container::Plain;
            let foreign = ForeignFormat::detect(bytes)
                .or_else(|| ForeignFormat::detect(bytes.trim_ascii_start()));
            if let Some(ForeignFormat { name: format_name, remedy, .. }) = foreign {
                let compressed = if packed { "compressed, " } else { "" };
                return Err(no_archive_error(name, format!("{format_name}, {compressed}"), remedy));
            }
            let (detected_format, begins) = match detected.container {
                _ if packed && bytes.is_empty() => ("damaged, ", raw_begins),
                Container::Plain => ("", describe_beginning(bytes)),
                Container::Gzip => ("gzip data, but ", describe_beginning(bytes)),
                Container::Zstd => ("zstd data, but ", describe_beginning(bytes)),
                Container::Lz4 => ("LZ4 data, but ", describe_beginning(bytes)),
            };
            let hint = format!(" (begins with {begins})");
            Err(ArchiveError::NotAnArchive {
                name: name.to_owned(),
                detected_format: detected_format.to_owned(),
                hint,
            })
        }
    }
}

/// Returns the error for an input of a known format that is not an archive.
fn no_archive_error(name: &str, detected_format: String, remedy: &str) -> ArchiveError {
    ArchiveError::NotAnArchive {
        name: name.to_owned(),
        detected_format,
        hint: format!("; {remedy}"),
    }
}

/// Returns the message for an input whose first frame requires too large a window.
fn too_large_window(window: &Window) -> Option<String> {
    match window.edge() {
        Some(Edge::Broken(damage)) if damage.reason == FaultReason::WindowTooLarge => {
            Some(format!(
                "{}; decompress it with `zstd -d --long=31 FILE`, or raise --max-zstd-window of \
                 `huller extract`",
                damage.detail
            ))
        }
        _ => None,
    }
}

/// Opens the readers for a container. The format is detected later.
fn begin(
    name: &str,
    raw: RawReader,
    container: Container,
    limits: &Limits,
) -> Result<DetectedArchive, ArchiveError> {
    let (mut dictionary, mut start) = (None, raw.offset());
    let reader = match container {
        Container::Plain => ContainerReader::Plain(raw),
        Container::Gzip => ContainerReader::Gzip(GzipReader::new(raw, ExpectedStart::AnyRecord)),
        Container::Lz4 => ContainerReader::Lz4(Lz4Reader::new(raw, ExpectedStart::AnyRecord)),
        Container::Zstd => {
            let reader = ZstdReader::open(name, raw, limits, ExpectedStart::AnyRecord)?;
            dictionary = reader.dictionary().cloned();
            start = reader.raw().offset();
            ContainerReader::Zstd(reader)
        }
    };
    let window = Window::new(reader, ExpectedStart::AnyRecord);
    Ok(DetectedArchive { format: Format::Warc, container, dictionary, start, window })
}

/// The content of the plain bytes of an input.
#[derive(Clone, Copy, PartialEq, Eq)]
enum DetectedContent {
    Is(Format),
    Nothing,
    Unknown,
    /// The problem and its remedy.
    Refused(&'static str),
}

const ESCAPES: &str = "its quotes are escaped with backslashes, as Spark writes tables: write it \
    with the option `escape` set to a quote, or as Parquet or JSON Lines";
const NO_NAMES: &str = "the row with its column names is in a hole, a long run of zeros";
const PRETTY: &str =
    "its JSON objects span several lines: use `jq -c . FILE` to write one object per line";

/// Detects whether the window shows a table, as the name says, or surely another format.
fn table(window: &mut Window, separator: u8) -> std::io::Result<DetectedContent> {
    while window.bytes().len() < FOREIGN_BYTES && window.fill_across()? {}
    let bytes = window.bytes();
    let is_record = matches!(version_line(bytes), VersionLine::Whole(_));
    if is_record || looks_like_html(bytes) || is_tar_of_plain_files(bytes) {
        return format(window);
    }
    // After damage the table continues with any member.
    window.set_opening(ExpectedStart::Line);
    while window.bytes().len() < SEARCHED_BYTES && window.fill_lines()? {}
    let bytes = window.bytes();
    let names = bytes.split(|byte| matches!(byte, b'\r' | b'\n')).find(|line| !line.is_empty());
    let Some(names) = names else {
        return Ok(match window.edge() {
            Some(Edge::Eof) => DetectedContent::Nothing,
            _ if too_large_window(window).is_some() => DetectedContent::Unknown,
            _ => DetectedContent::Is(Format::Csv(separator)),
        });
    };
    Ok(if ForeignFormat::is_utf16(bytes) {
        DetectedContent::Unknown
    } else if let Some(zero) = memchr(0, names) {
        let zeros = names[zero..].iter().take_while(|byte| **byte == 0).count();
        let is_text = names[..zero].iter().all(|byte| !byte.is_ascii_control());
        if zeros >= LINE_HOLE_BYTES && is_text {
            DetectedContent::Refused(NO_NAMES)
        } else {
            window.set_opening(ExpectedStart::AnyRecord);
            format(window)?
        }
    } else if has_backslash_escapes(bytes, separator_in(names, separator)) {
        DetectedContent::Refused(ESCAPES)
    } else {
        DetectedContent::Is(Format::Csv(separator))
    })
}

/// Detects the format that the window shows. Skips only a byte order mark and line ends at its
/// start.
fn format(window: &mut Window) -> std::io::Result<DetectedContent> {
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
        if is_tar_of_plain_files(bytes) {
            return Ok(DetectedContent::Is(Format::Tar));
        }
        match version_line(bytes) {
            VersionLine::Whole(_) => return Ok(DetectedContent::Is(Format::Warc)),
            VersionLine::Absent if matches!(header_line(bytes), VersionLine::Whole(_)) => {
                return Ok(DetectedContent::Is(Format::Arc));
            }
            // The loop above has read enough bytes to exclude a version line.
            VersionLine::Absent
                if bytes.trim_ascii_start().first() == Some(&b'{')
                    && !ForeignFormat::is_utf16(bytes) =>
            {
                return json(window);
            }
            _ => {}
        }
        let whole = bytes.len() < limit;
        if let Some((_, format)) = buried_record(bytes, whole) {
            return Ok(DetectedContent::Is(format));
        }
        if whole || bytes.len() >= SEARCHED_BYTES {
            break;
        }
        // Every search begins at the start again. The bytes double each time, so the total cost
        // stays linear.
        limit = (2 * bytes.len()).max(4096);
        while window.bytes().len() < limit && window.fill_across()? {}
    }
    if window.bytes().trim_ascii_start().first() == Some(&b'[') {
        return json(window);
    }
    if is_hole_before_lines(window)? {
        return Ok(DetectedContent::Is(Format::Jsonl));
    }
    let nothing = window.bytes().is_empty();
    if nothing
        && too_large_window(window).is_some()
        && !window.next_begins_with(ExpectedStart::AnyRecord)
    {
        return Ok(DetectedContent::Unknown);
    }
    let is_record_next = match window.edge() {
        Some(Edge::Border) => true,
        Some(Edge::Broken(_) | Edge::Junk(_)) => !window.reader().raw().bytes().is_empty(),
        _ => false,
    };
    if is_record_next {
        let is_arc = window.next_begins_with(ExpectedStart::ArcRecord);
        return Ok(DetectedContent::Is(if is_arc { Format::Arc } else { Format::Warc }));
    }
    Ok(match window.edge() {
        Some(Edge::Eof) if nothing => DetectedContent::Nothing,
        _ => DetectedContent::Unknown,
    })
}

/// Detects, by its first two lines, whether JSON has one object per line.
fn json(window: &mut Window) -> std::io::Result<DetectedContent> {
    // After damage the lines continue with any member.
    window.set_opening(ExpectedStart::Line);
    // The third line shows that the second line is complete.
    let mut limit = 1;
    loop {
        let bytes = window.bytes();
        let is_whole = bytes.len() < limit || bytes.len() >= SEARCHED_BYTES;
        if is_whole || memchr_iter(b'\n', bytes.trim_ascii_start()).nth(2).is_some() {
            break;
        }
        limit = (2 * bytes.len()).max(4096);
        while window.bytes().len() < limit && window.fill_lines()? {}
    }
    let mut lines = window
        .bytes()
        .split(|byte| *byte == b'\n')
        .map(<[u8]>::trim_ascii)
        .filter(|line| !line.is_empty());
    let (first, next) = (lines.next().unwrap_or_default(), lines.next());
    Ok(match next {
        // Of these lines the second is a row and the first is not.
        Some(next) if first.starts_with(b"[") && next.starts_with(b"{") && !is_open(first) => {
            DetectedContent::Is(Format::Jsonl)
        }
        _ if first.starts_with(b"[") => DetectedContent::Unknown,
        Some(next) if is_open(first) && !is_object(next) => DetectedContent::Refused(PRETTY),
        _ => DetectedContent::Is(Format::Jsonl),
    })
}

/// Returns whether the window shows a hole, and after it lines of objects. Skips all bytes of a
/// large hole except its end.
fn is_hole_before_lines(window: &mut Window) -> std::io::Result<bool> {
    const MAX_HOLE_BYTES: u64 = 1 << 30;
    loop {
        while window.bytes().len() < SEARCHED_BYTES && window.fill_across()? {}
        let bytes = window.bytes();
        let zeros = bytes.iter().position(|byte| *byte != 0).unwrap_or(bytes.len());
        if zeros < bytes.len() || zeros < SEARCHED_BYTES || window.offset() > MAX_HOLE_BYTES {
            let lines = bytes[zeros..].split(|byte| *byte == b'\n');
            let mut lines = lines.map(<[u8]>::trim_ascii);
            return Ok(zeros >= LINE_HOLE_BYTES && lines.any(|line| line.starts_with(b"{\"")));
        }
        window.consume(zeros - SEARCHED_BYTES / 2);
    }
}

/// Returns the container of an input that does not begin with the magic number of one.
///
/// It is the container of the first member in the first [`SEARCHED_BYTES`] that begins with a
/// record. It is plain if a plain record comes before that member, or if neither is found. The
/// first one decides for two reasons. A header may be visible in a compressed member, as in LZ4. A
/// plain record may hold a compressed archive.
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
        .map(|context| FrameFinder::new(context, limits, ExpectedStart::AnyRecord))
        .and_then(|mut finder| finder.find_member(bytes, 0, true).ok());
    let gzip = MemberFinder::new(ExpectedStart::AnyRecord).find_member(bytes, 0, true).ok();
    let lz4 =
        lz4::finder::FrameFinder::new(ExpectedStart::AnyRecord).find_member(bytes, 0, true).ok();
    let members = [(gzip, Container::Gzip), (zstd, Container::Zstd), (lz4, Container::Lz4)];
    let members = members.into_iter().filter_map(|(at, container)| Some((at?, container)));
    let first = members.chain(record).min_by_key(|(at, _)| *at);
    first.map_or(Container::Plain, |(_, container)| container)
}

/// Returns offset and format of the first record in `bytes`, if there is one.
fn buried_record(bytes: &[u8], whole: bool) -> Option<(usize, Format)> {
    let find = |format: Format| Some((format.dialect().find_start(bytes, true, whole)?, format));
    [Format::Warc, Format::Arc].into_iter().filter_map(find).min_by_key(|(at, _)| *at)
}
