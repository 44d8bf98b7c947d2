//! Parses the header block of a WARC record in place.
//!
//! One pass over the lines finds the fields that this program needs, without copying them. The
//! parser tolerates bare line feeds, names in any case, blanks around the colon and folded values.
//! It also tolerates bytes that are not UTF-8, lines without a colon, and a truncated header.

use super::version_line::{VersionLine, version_line};
use crate::limits::Limits;
use crate::record::RecordType;
use memchr::memchr;

/// The reason why a Content-Length is unusable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ContentLengthError {
    /// The header has no Content-Length.
    #[error("no Content-Length")]
    Missing,
    /// The value is empty, is not all decimal digits, or is a number of more than 64 bits.
    #[error("Content-Length is not a number")]
    Invalid,
    /// Two Content-Length fields differ.
    #[error("two Content-Length fields that differ")]
    Ambiguous,
}

/// The header block of a record, borrowed.
///
/// ```
/// use huller_archive::{RecordType, WarcHeader};
///
/// let header = WarcHeader::parse(b"WARC/1.1\r\nwarc-type : Response\r\nContent-Length: 12\r\n\r\n").unwrap();
/// assert_eq!(header.record_type(), RecordType::Response);
/// assert_eq!(header.content_length(), Ok(12));
/// assert_eq!(header.get("WARC-Target-URI"), None);
/// ```
#[derive(Clone, Debug)]
pub struct WarcHeader<'a> {
    block: &'a [u8],
    complete: bool,
    /// Whether a later line is a version line too. The header was then cut off, and another record
    /// begins in it.
    interrupted: bool,
    longest_line: usize,
    record_type: Option<&'a [u8]>,
    record_id: Option<&'a [u8]>,
    target_uri: Option<&'a [u8]>,
    date: Option<&'a [u8]>,
    content_type: Option<&'a [u8]>,
    payload_digest: Option<&'a [u8]>,
    block_digest: Option<&'a [u8]>,
    payload_type: Option<&'a [u8]>,
    truncated: Option<&'a [u8]>,
    segment_number: Option<&'a [u8]>,
    segment_origin: Option<&'a [u8]>,
    content_length: Result<u64, ContentLengthError>,
}

impl<'a> WarcHeader<'a> {
    /// Parses the header at the beginning of `bytes`. It ends at a blank line, or at the end of
    /// `bytes`. Returns `None` if the first line is not a version line.
    pub fn parse(bytes: &'a [u8]) -> Option<Self> {
        let VersionLine::Whole(mut at) = version_line(bytes) else { return None };
        let mut header = WarcHeader {
            block: bytes,
            complete: false,
            interrupted: false,
            longest_line: at,
            record_type: None,
            record_id: None,
            target_uri: None,
            date: None,
            content_type: None,
            payload_digest: None,
            block_digest: None,
            payload_type: None,
            truncated: None,
            segment_number: None,
            segment_origin: None,
            content_length: Err(ContentLengthError::Missing),
        };
        // The start of the current field, to measure its length with its folds.
        let mut field_start = at;
        while let Some(line) = HeaderLine::parse_at(bytes, at) {
            at = line.end;
            if line.text.is_empty() && line.ended {
                header.block = &bytes[..at];
                header.complete = true;
                break;
            }
            if line.is_fold() {
                header.longest_line = header.longest_line.max(at - field_start);
                continue;
            }
            field_start = line.start;
            header.longest_line = header.longest_line.max(at - field_start);
            match memchr(b':', line.text) {
                Some(colon) => {
                    let name = line.text[..colon].trim_ascii_end();
                    header.keep_field(name, line_value(bytes, &line, colon));
                }
                None => {
                    header.interrupted |= version_line(&bytes[line.start..]) != VersionLine::Absent;
                }
            }
        }
        Some(header)
    }

    /// Keeps the value of a field that is needed. The first of several fields with one name counts.
    fn keep_field(&mut self, name: &'a [u8], value: &'a [u8]) {
        let is = |known: &str| name.eq_ignore_ascii_case(known.as_bytes());
        // The lengths of nearly all names differ.
        let slot = match name.len() {
            9 if is("WARC-Type") => &mut self.record_type,
            9 if is("WARC-Date") => &mut self.date,
            12 if is("Content-Type") => &mut self.content_type,
            14 if is("WARC-Record-ID") => &mut self.record_id,
            14 if is("WARC-Truncated") => &mut self.truncated,
            14 if is("Content-Length") => {
                let seen = self.content_length;
                self.content_length = match (seen, digits(value)) {
                    (Err(ContentLengthError::Missing), new) => new,
                    (Ok(old), Ok(new)) if old == new => Ok(old),
                    (Err(ContentLengthError::Invalid), Err(_)) => seen,
                    _ => Err(ContentLengthError::Ambiguous),
                };
                return;
            }
            15 if is("WARC-Target-URI") => &mut self.target_uri,
            17 if is("WARC-Block-Digest") => &mut self.block_digest,
            19 if is("WARC-Payload-Digest") => &mut self.payload_digest,
            19 if is("WARC-Segment-Number") => &mut self.segment_number,
            22 if is("WARC-Segment-Origin-ID") => &mut self.segment_origin,
            28 if is("WARC-Identified-Payload-Type") => &mut self.payload_type,
            _ => return,
        };
        slot.get_or_insert(value);
    }

    /// Returns the header as bytes: version line, fields, blank line.
    pub fn as_bytes(&self) -> &'a [u8] {
        self.block
    }

    /// Returns whether the blank line that ends a header was found.
    pub fn is_complete(&self) -> bool {
        self.complete
    }

    /// Returns whether the fast path may use the header: it is complete and within the limits, and
    /// no other record begins in it.
    pub(crate) fn is_sound(&self, limits: &Limits) -> bool {
        self.complete
            && !self.interrupted
            && self.block.len() <= limits.header_bytes
            && self.longest_line <= limits.header_line_bytes
    }

    /// Returns whether another archive can take the header as it is, before a block of `length`
    /// bytes. Such a header has all fields that the standard requires, and states this length. Its
    /// lines end with CR and LF.
    pub fn is_standard(&self, length: usize) -> bool {
        let has_crlf = || {
            memchr::memchr_iter(b'\n', self.block).all(|at| at > 0 && self.block[at - 1] == b'\r')
        };
        let has_fields = self.record_type.is_some() && self.record_id.is_some();
        self.complete
            && !self.interrupted
            && has_fields
            && self.date.is_some()
            && self.content_length == Ok(length as u64)
            && has_crlf()
    }

    /// Returns the text after `WARC/` in the version line, such as `1.1`.
    pub fn version(&self) -> &'a [u8] {
        let line = HeaderLine::parse_at(self.block, 0).map_or(self.block, |line| line.text);
        line.get(5..).unwrap_or_default().trim_ascii()
    }

    /// Returns the value of the first field with this name, in any case, without blanks around it.
    /// For a folded value, this and all methods below return the first line that is not blank.
    /// [`get_folded`](Self::get_folded) returns all of it.
    pub fn get(&self, name: &str) -> Option<&'a [u8]> {
        let (line, colon) = self.find_line(name)?;
        Some(line_value(self.block, &line, colon))
    }

    /// As [`get`](Self::get), but joins folded lines by one blank each. It writes to the buffer
    /// only if there are folds.
    pub fn get_folded<'b>(&self, name: &str, buffer: &'b mut Vec<u8>) -> Option<&'b [u8]>
    where
        'a: 'b,
    {
        let (line, colon) = self.find_line(name)?;
        let value = line.text[colon + 1..].trim_ascii();
        let mut at = line.end;
        let mut folds = std::iter::from_fn(|| {
            let line = HeaderLine::parse_at(self.block, at).filter(HeaderLine::is_fold)?;
            at = line.end;
            Some(line.text.trim_ascii())
        })
        .peekable();
        if folds.peek().is_none() {
            return Some(value);
        }
        buffer.clear();
        buffer.extend_from_slice(value);
        for fold in folds {
            if !buffer.is_empty() {
                buffer.push(b' ');
            }
            buffer.extend_from_slice(fold);
        }
        Some(buffer)
    }

    /// Returns the first line of a field, and the index of the colon in it.
    fn find_line(&self, name: &str) -> Option<(HeaderLine<'a>, usize)> {
        let mut at = HeaderLine::parse_at(self.block, 0)?.end;
        while let Some(line) = HeaderLine::parse_at(self.block, at) {
            at = line.end;
            if !line.is_fold()
                && let Some(colon) = memchr(b':', line.text)
                && line.text[..colon].trim_ascii_end().eq_ignore_ascii_case(name.as_bytes())
            {
                return Some((line, colon));
            }
        }
        None
    }

    /// Returns WARC-Type.
    pub fn record_type(&self) -> RecordType {
        let Some(value) = self.record_type else { return RecordType::Other };
        let is = |known: &str| value.eq_ignore_ascii_case(known.as_bytes());
        match value.len() {
            8 if is("response") => RecordType::Response,
            7 if is("request") => RecordType::Request,
            8 if is("metadata") => RecordType::Metadata,
            8 if is("warcinfo") => RecordType::Warcinfo,
            8 if is("resource") => RecordType::Resource,
            7 if is("revisit") => RecordType::Revisit,
            10 if is("conversion") => RecordType::Conversion,
            12 if is("continuation") => RecordType::Continuation,
            _ => RecordType::Other,
        }
    }

    /// Returns WARC-Record-ID without `<urn:uuid:` and `>`.
    pub fn record_id(&self) -> Option<&'a [u8]> {
        self.record_id.map(without_scheme)
    }

    /// Returns WARC-Target-URI without `<` and `>`.
    pub fn target_uri(&self) -> Option<&'a [u8]> {
        self.target_uri.map(without_brackets)
    }

    /// Returns WARC-Date unchanged.
    pub fn date(&self) -> Option<&'a [u8]> {
        self.date
    }

    /// Returns the Content-Type of the block.
    pub fn content_type(&self) -> Option<&'a [u8]> {
        self.content_type
    }

    /// Returns the claimed length of the block in bytes. Two equal fields count as one.
    ///
    /// # Errors
    ///
    /// The field is absent, is not all digits, has more than 64 bits, or occurs twice with
    /// different values.
    pub fn content_length(&self) -> Result<u64, ContentLengthError> {
        self.content_length
    }

    /// Returns WARC-Payload-Digest unchanged.
    pub fn payload_digest(&self) -> Option<&'a [u8]> {
        self.payload_digest
    }

    /// Returns WARC-Block-Digest unchanged.
    pub fn block_digest(&self) -> Option<&'a [u8]> {
        self.block_digest
    }

    /// Returns WARC-Identified-Payload-Type unchanged.
    pub fn identified_payload_type(&self) -> Option<&'a [u8]> {
        self.payload_type
    }

    /// Returns WARC-Segment-Number; `None` if it is not a number.
    pub(crate) fn segment_number(&self) -> Option<u64> {
        digits(self.segment_number?).ok()
    }

    /// Returns WARC-Segment-Origin-ID without `<urn:uuid:` and `>`.
    pub(crate) fn segment_origin(&self) -> Option<&'a [u8]> {
        self.segment_origin.map(without_scheme)
    }

    /// Returns whether the record may be the first of several segments.
    pub(crate) fn is_first_segment(&self) -> bool {
        self.segment_number() == Some(1) && self.record_type() != RecordType::Continuation
    }

    /// Returns WARC-Truncated unchanged.
    pub fn truncated(&self) -> Option<&'a [u8]> {
        self.truncated
    }
}

/// A line and its position in the header.
struct HeaderLine<'a> {
    start: usize,
    /// The line without its line end.
    text: &'a [u8],
    /// Start of the next line.
    end: usize,
    /// Whether the line has a line end.
    ended: bool,
}

impl<'a> HeaderLine<'a> {
    fn parse_at(bytes: &'a [u8], start: usize) -> Option<Self> {
        let rest = bytes.get(start..).filter(|rest| !rest.is_empty())?;
        let (text, end, ended) = match memchr(b'\n', rest) {
            Some(lf) => (&rest[..lf], start + lf + 1, true),
            None => (rest, bytes.len(), false),
        };
        Some(HeaderLine { start, text: text.strip_suffix(b"\r").unwrap_or(text), end, ended })
    }

    /// Returns whether the line continues the value of the line before.
    fn is_fold(&self) -> bool {
        matches!(self.text.first(), Some(b' ' | b'\t'))
    }
}

/// Returns the value on a line, or the fold after it if that value is blank.
fn line_value<'a>(bytes: &'a [u8], line: &HeaderLine<'a>, colon: usize) -> &'a [u8] {
    let value = line.text[colon + 1..].trim_ascii();
    if value.is_empty()
        && let Some(fold) = HeaderLine::parse_at(bytes, line.end).filter(HeaderLine::is_fold)
    {
        return fold.text.trim_ascii();
    }
    value
}

/// Returns an identifier without `<urn:uuid:` and `>`.
fn without_scheme(id: &[u8]) -> &[u8] {
    const SCHEME: &[u8] = b"urn:uuid:";
    let id = without_brackets(id);
    match id.split_at_checked(SCHEME.len()) {
        Some((scheme, rest)) if scheme.eq_ignore_ascii_case(SCHEME) => rest,
        _ => id,
    }
}

fn without_brackets(value: &[u8]) -> &[u8] {
    let value = value.strip_prefix(b"<").unwrap_or(value);
    value.strip_suffix(b">").unwrap_or(value)
}

/// Parses a decimal number without a sign. Blanks around it are allowed.
pub(crate) fn digits(value: &[u8]) -> Result<u64, ContentLengthError> {
    let value = value.trim_ascii();
    let add = |sum: u64, byte: &u8| match byte {
        b'0'..=b'9' => sum.checked_mul(10)?.checked_add(u64::from(byte - b'0')),
        _ => None,
    };
    if value.is_empty() {
        return Err(ContentLengthError::Invalid);
    }
    value.iter().try_fold(0, add).ok_or(ContentLengthError::Invalid)
}

#[cfg(test)]
mod tests;
