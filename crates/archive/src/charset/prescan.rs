//! "Prescan a byte stream to determine its encoding" of the HTML standard.
//!
//! Names here are those of the standard, so that both can be read side by side. If the bytes run
//! out ([`EndOfBytes`]), the prescan ends, and an XML declaration decides.

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252, X_USER_DEFINED};
use memchr::{memchr, memmem};

/// Number of bytes that are examined: the number that the standard proposes and browsers wait for.
const WINDOW: usize = 1024;

/// Returns the encoding that the document declares in its first 1,024 bytes.
pub(super) fn prescan(page: &[u8]) -> Option<&'static Encoding> {
    let bytes = &page[..page.len().min(WINDOW)];
    if bytes.starts_with(b"<\0?\0x\0") {
        return Some(UTF_16LE);
    }
    if bytes.starts_with(b"\0<\0?\0x") {
        return Some(UTF_16BE);
    }
    let mut input = Input { bytes, position: 0 };
    input.declaration().map_or_else(|EndOfBytes| xml_encoding(bytes), Some)
}

/// The bytes ran out.
struct EndOfBytes;

struct Input<'a> {
    bytes: &'a [u8],
    position: usize,
}

/// Name and value of an attribute, as they are in the bytes.
type Attribute<'a> = (&'a [u8], &'a [u8]);

impl<'a> Input<'a> {
    fn byte(&self) -> Result<u8, EndOfBytes> {
        self.bytes.get(self.position).copied().ok_or(EndOfBytes)
    }

    fn unread(&self) -> &'a [u8] {
        &self.bytes[self.position.min(self.bytes.len())..]
    }

    /// Moves to the first byte for which `stop` holds.
    fn skip_to(&mut self, stop: impl Fn(u8) -> bool) -> Result<(), EndOfBytes> {
        self.position += self.unread().iter().position(|&byte| stop(byte)).ok_or(EndOfBytes)?;
        Ok(())
    }

    /// Returns the encoding in the first `meta` element that declares one.
    fn declaration(&mut self) -> Result<&'static Encoding, EndOfBytes> {
        loop {
            self.position += memchr(b'<', self.unread()).ok_or(EndOfBytes)?;
            let rest = self.unread();
            match rest {
                [b'<', b'!', b'-', b'-', ..] => {
                    // The hyphens that open a comment may close it too: `<!-->`.
                    self.position += 2 + memmem::find(&rest[2..], b"-->").ok_or(EndOfBytes)? + 2;
                }
                _ if is_meta(rest) => {
                    self.position += b"<meta".len();
                    if let Some(encoding) = self.meta()? {
                        return Ok(encoding);
                    }
                }
                [b'<', b'/', letter, ..] | [b'<', letter, ..] if letter.is_ascii_alphabetic() => {
                    self.skip_to(|byte| is_space(byte) || byte == b'>')?;
                    while self.attribute()?.is_some() {}
                }
                [b'<', b'!' | b'/' | b'?', ..] => self.skip_to(|byte| byte == b'>')?,
                _ => {}
            }
            self.position += 1;
        }
    }

    /// Returns the encoding that the attributes of a `meta` tag declare.
    fn meta(&mut self) -> Result<Option<&'static Encoding>, EndOfBytes> {
        let mut seen = [false; 3];
        let mut got_pragma = false;
        let mut need_pragma = None;
        let mut charset = None;
        while let Some((name, value)) = self.attribute()? {
            let names: [&[u8]; 3] = [b"http-equiv", b"content", b"charset"];
            let Some(which) = names.iter().position(|known| name.eq_ignore_ascii_case(known))
            else {
                continue;
            };
            // The first of several attributes with one name counts.
            if std::mem::replace(&mut seen[which], true) {
                continue;
            }
            match which {
                0 => got_pragma = value.eq_ignore_ascii_case(b"content-type"),
                1 if charset.is_none() => {
                    if let Some(encoding) = content_encoding(value) {
                        charset = Some(encoding);
                        need_pragma = Some(true);
                    }
                }
                1 => {}
                _ => {
                    charset = Encoding::for_label(value);
                    need_pragma = Some(false);
                }
            }
        }
        let applies = need_pragma.is_some_and(|needed| !needed || got_pragma);
        Ok(charset.filter(|_| applies).map(as_declared))
    }

    /// "Get an attribute".
    fn attribute(&mut self) -> Result<Option<Attribute<'a>>, EndOfBytes> {
        self.skip_to(|byte| !is_space(byte) && byte != b'/')?;
        if self.byte()? == b'>' {
            return Ok(None);
        }
        let start = self.position;
        // An equals sign in front belongs to the name.
        let ends_name = |byte| is_space(byte) || matches!(byte, b'/' | b'>');
        if self.byte()? == b'=' {
            self.position += 1;
        }
        self.skip_to(|byte| ends_name(byte) || byte == b'=')?;
        let name = &self.bytes[start..self.position];
        if is_space(self.byte()?) {
            self.skip_to(|byte| !is_space(byte))?;
        }
        if self.byte()? != b'=' {
            return Ok(Some((name, b"")));
        }
        self.position += 1;
        self.skip_to(|byte| !is_space(byte))?;
        let quote = self.byte()?;
        let value = match quote {
            b'"' | b'\'' => {
                self.position += 1;
                let start = self.position;
                self.skip_to(|byte| byte == quote)?;
                let value = &self.bytes[start..self.position];
                self.position += 1;
                value
            }
            b'>' => b"",
            _ => {
                let start = self.position;
                self.skip_to(|byte| is_space(byte) || byte == b'>')?;
                &self.bytes[start..self.position]
            }
        };
        Ok(Some((name, value)))
    }
}

fn is_meta(bytes: &[u8]) -> bool {
    bytes.len() > 5
        && bytes[..5].eq_ignore_ascii_case(b"<meta")
        && (is_space(bytes[5]) || bytes[5] == b'/')
}

fn is_space(byte: u8) -> bool {
    matches!(byte, b'\t' | b'\n' | 0x0C | b'\r' | b' ')
}

/// Returns the encoding that a declaration really means. A page that was readable as ASCII this far
/// is not UTF-16, and `x-user-defined` is only for scripts.
fn as_declared(encoding: &'static Encoding) -> &'static Encoding {
    if encoding == UTF_16BE || encoding == UTF_16LE {
        UTF_8
    } else if encoding == X_USER_DEFINED {
        WINDOWS_1252
    } else {
        encoding
    }
}

/// "Extracting a character encoding from a meta element", from the value of its `content`.
fn content_encoding(content: &[u8]) -> Option<&'static Encoding> {
    const NAME: &[u8] = b"charset";
    let mut rest = content;
    let value = loop {
        let at = rest.windows(NAME.len()).position(|word| word.eq_ignore_ascii_case(NAME))?;
        rest = skip_spaces(&rest[at + NAME.len()..]);
        if let [b'=', value @ ..] = rest {
            break skip_spaces(value);
        }
    };
    let label = match value {
        [] => return None,
        [quote @ (b'"' | b'\''), quoted @ ..] => &quoted[..memchr(*quote, quoted)?],
        _ => {
            let end = value.iter().position(|&byte| is_space(byte) || byte == b';');
            &value[..end.unwrap_or(value.len())]
        }
    };
    Encoding::for_label(label)
}

fn skip_spaces(bytes: &[u8]) -> &[u8] {
    let spaces = bytes.iter().take_while(|&&byte| is_space(byte)).count();
    &bytes[spaces..]
}

/// "Get an XML encoding".
fn xml_encoding(bytes: &[u8]) -> Option<&'static Encoding> {
    const NAME: &[u8] = b"encoding";
    if !bytes.starts_with(b"<?xml") {
        return None;
    }
    let declaration = &bytes[..memchr(b'>', bytes)?];
    let at = memmem::find(declaration, NAME)? + NAME.len();
    let skip = |bytes: &'_ [u8]| bytes.iter().take_while(|&&byte| byte <= b' ').count();
    let rest = &declaration[at..];
    let rest = rest[skip(rest)..].strip_prefix(b"=")?;
    let (&quote, value) = rest[skip(rest)..].split_first()?;
    if quote != b'"' && quote != b'\'' {
        return None;
    }
    let label = &value[..memchr(quote, value)?];
    if label.iter().any(|&byte| byte <= b' ') {
        return None;
    }
    let encoding = Encoding::for_label(label)?;
    Some(if encoding == UTF_16BE || encoding == UTF_16LE { UTF_8 } else { encoding })
}
