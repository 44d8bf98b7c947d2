//! Classifies the first bytes of a body (WHATWG MIME Sniffing): an HTML page, or binary data.

use super::coding::begins_zlib;
use flate2::read::{DeflateDecoder, ZlibDecoder};
use std::io::Read;

/// The tags with which an HTML page begins. A blank, line end or `>` must follow.
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

/// Number of these tags that an XHTML page may have after its XML declaration.
const XHTML_BEGINNINGS: usize = 2;

/// Most bytes of an XML declaration, comments and blanks before the first tag.
const PROLOGUE_BYTES: usize = 4096;

/// Returns whether `bytes` begin like an HTML page. A byte order mark and blanks may come first.
/// Then there must be a comment, one of a few tags (section 7.1), or an XML declaration before the
/// doctype or root of HTML.
pub fn looks_like_html(bytes: &[u8]) -> bool {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let bytes = bytes.trim_ascii_start();
    if bytes.starts_with(b"<?xml") {
        return is_xhtml(bytes);
    }
    bytes.starts_with(b"<!--") || begins_with_any(bytes, &BEGINNINGS)
}

/// Returns whether the doctype or root of HTML follows after declarations, comments and blanks of
/// XML.
fn is_xhtml(bytes: &[u8]) -> bool {
    let mut rest = &bytes[..bytes.len().min(PROLOGUE_BYTES)];
    loop {
        rest = rest.trim_ascii_start();
        let end: &[u8] = if rest.starts_with(b"<?") {
            b"?>"
        } else if rest.starts_with(b"<!--") {
            b"-->"
        } else {
            return begins_with_any(rest, &BEGINNINGS[..XHTML_BEGINNINGS]);
        };
        let Some(at) = memchr::memmem::find(rest, end) else { return false };
        rest = &rest[at + end.len()..];
    }
}

fn begins_with_any(bytes: &[u8], beginnings: &[&[u8]]) -> bool {
    beginnings.iter().any(|beginning| {
        bytes.len() > beginning.len()
            && bytes[..beginning.len()].eq_ignore_ascii_case(beginning)
            && matches!(bytes[beginning.len()], b' ' | b'\t' | b'\n' | b'\r' | b'\x0C' | b'>')
    })
}

/// Returns whether `bytes` are binary: compressed text, or an image, sound, video, font, document,
/// program or archive by its signature.
pub fn is_binary(bytes: &[u8]) -> bool {
    has_signature(bytes) || is_noise(bytes) && is_compressed(bytes)
}

/// Returns whether `bytes` are text in zlib, brotli or bare deflate, which have no signature. Their
/// first bytes must decode to text.
fn is_compressed(bytes: &[u8]) -> bool {
    /// Fewest bytes of text. By chance noise gives a few plain bytes as deflate.
    const MIN_DEFLATED_BYTES: usize = 64;
    let is_text = |reader: &mut dyn Read, min: usize| {
        let mut head = [0; 512];
        reader.read(&mut head).is_ok_and(|read| read >= min && looks_plain(&head[..read]))
    };
    begins_zlib(bytes) && is_text(&mut ZlibDecoder::new(bytes), 1)
        || is_text(&mut brotli_decompressor::Decompressor::new(bytes, 4096), 1)
        || is_text(&mut DeflateDecoder::new(bytes), MIN_DEFLATED_BYTES)
}

/// Offset in bytes of the signature in a header of tar.
const TAR_SIGNATURE_AT: usize = 257;

/// Returns whether `bytes` begin with the signature of a binary format.
///
/// The signatures are those of the standard (sections 6 and 7.1) and of a few more formats. Some of
/// them, such as `BM`, are plain letters. For these the bytes after them are checked too, so that
/// no page is lost because of its first word.
fn has_signature(bytes: &[u8]) -> bool {
    let has = |at: usize, part: &[u8]| bytes.get(at..).is_some_and(|rest| rest.starts_with(part));
    let byte = |at: usize| bytes.get(at).copied().unwrap_or(b' ');
    match byte(0) {
        0x00 => {
            // Icons and cursors; TrueType; MP4, whose first box names its brand; WebAssembly.
            has(1, b"\0\x01\0")
                || has(1, b"\0\x02\0")
                || has(1, b"\x01\0\0")
                || has(4, b"ftyp")
                || has(1, b"asm\x01\0\0\0")
                // JPEG XL, and the two files of the Macintosh that hold its attributes.
                || has(1, b"\0\0\x0CJXL ")
                || has(1, b"\x05\x16\x07\0")
                || has(1, b"\x05\x16\0\0")
        }
        0x04 => has(1, b"\x22\x4D\x18"),
        b'%' => has(1, b"PDF-") || has(1, b"!PS-Adobe-"),
        0x1A => has(1, b"\x45\xDF\xA3"),
        0x1F => has(1, b"\x8B\x08"),
        0x28 => has(1, b"\xB5\x2F\xFD"),
        0x30 => has(1, b"\x26\xB2\x75\x8E\x66\xCF\x11"),
        b'8' => has(1, b"BPS\0\x01"),
        b'7' => has(1, b"z\xBC\xAF\x27\x1C"),
        0x7F => has(1, b"ELF"),
        0x89 => has(1, b"PNG\r\n\x1A\n"),
        // The head of a bitmap has two words that are zero.
        b'A' => has(1, b"T&TFORM") || has(1, b"C10") && byte(6) == 0,
        b'B' => has(1, b"M") && has(6, b"\0\0\0\0") || has(1, b"Zh") && has(4, b"1AY&SY"),
        b'C' | b'F' if has(1, b"WS") => matches!(byte(3), 1..b' '),
        b'F' => has(1, b"ORM") && has(8, b"AIFF") || has(1, b"LV\x01"),
        b'G' => has(1, b"IF87a") || has(1, b"IF89a"),
        b'I' => has(1, b"D3") && byte(3) < 0x10 || has(1, b"I*\0"),
        // Programs of Windows say where their pages end, with zeros.
        b'M' => has(1, b"Thd\0\0\0\x06") || has(1, b"M\0*") || has(1, b"Z") && !looks_plain(bytes),
        b'O' => has(1, b"ggS\0") || has(1, b"TTO\0"),
        b'P' => has(1, b"K\x03\x04") || has(1, b"K\x05\x06\0\0"),
        b'R' => {
            has(1, b"IFF") && (has(8, b"WEBPVP") || has(8, b"AVI ") || has(8, b"WAVE"))
                || has(1, b"ar!\x1A\x07")
        }
        b'S' => has(1, b"QLite format 3\0"),
        0xCA => has(1, b"\xFE\xBA\xBE"),
        0xD0 => has(1, b"\xCF\x11\xE0\xA1\xB1\x1A\xE1"),
        0xFD => has(1, b"7zXZ\0"),
        // JPEG; JPEG XL; frames of MPEG audio, which are no text in Latin-1 either.
        0xFF => {
            has(1, b"\xD8\xFF")
                || has(1, b"\x0A")
                || matches!(byte(1), 0xE2..=0xFB) && !looks_plain(bytes)
        }
        b'b' => has(1, b"plist00"),
        b'f' => has(1, b"LaC\0"),
        b't' => has(1, b"tcf\0"),
        b'w' => (has(1, b"OFF") || has(1, b"OF2")) && (byte(4) == 0 || has(4, b"OTTO")),
        // The first file of a tar archive has its signature behind its name.
        _ => has(TAR_SIGNATURE_AT, b"ustar"),
    }
}

/// Number of bytes that are enough to distinguish noise from text.
const NOISE_SAMPLE: usize = 1024;

/// Returns whether `bytes` are compressed or random: one of ten random bytes is a control character
/// that text never has. Text in UTF-16 may have them, but has no unpaired surrogates.
fn is_noise(bytes: &[u8]) -> bool {
    if looks_plain(bytes) {
        return false;
    }
    let sample = &bytes[..bytes.len().min(NOISE_SAMPLE)];
    let zeros = memchr::memchr_iter(0, sample).count();
    let controls = sample.iter().filter(|byte| is_control(**byte)).count() - zeros;
    let is_utf8 = std::str::from_utf8(sample).map_or_else(|it| it.error_len().is_none(), |_| true);
    let is_utf16 = |unit: fn([u8; 2]) -> u16| {
        let units = sample.as_chunks().0.iter().copied().map(unit);
        char::decode_utf16(units).take(sample.len() / 2 - 1).all(|char| char.is_ok())
    };
    controls >= 2
        && controls * 32 > sample.len()
        && zeros * 10 < sample.len()
        && !is_utf8
        && !is_utf16(u16::from_le_bytes)
        && !is_utf16(u16::from_be_bytes)
}

/// Returns whether bytes look like text: the first 256 hold no control characters except tabs, line
/// ends, form feeds and escapes. Empty bytes do.
///
/// A random byte passes with a probability of about 0.9, so 256 compressed bytes never pass in
/// practice.
pub(super) fn looks_plain(bytes: &[u8]) -> bool {
    !bytes.iter().take(256).any(|byte| is_control(*byte))
}

/// Returns whether a byte is a control character that text does not use.
fn is_control(byte: u8) -> bool {
    byte == 0x7F || (byte < b' ' && !matches!(byte, b'\t' | b'\n' | b'\r' | 0x0C | 0x1B))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn noise_is_told_from_text() {
        let mut state = 1_u64;
        let mut random = |len: usize| -> Vec<u8> {
            let next = || {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                (state >> 40) as u8
            };
            std::iter::repeat_with(next).take(len).collect()
        };
        for (len, least) in [(200, 40), (500, 48), (4_000, 50)] {
            let noise: Vec<_> = std::iter::repeat_with(|| random(len)).take(50).collect();
            let found = noise.iter().filter(|bytes| is_noise(bytes)).count();
            assert!(found >= least, "{found} of 50, {len} bytes");
        }
        let chinese = "<p>中华人民共和国是工人阶级领导的社会主义国家".repeat(20);
        let utf16: Vec<u8> = chinese.encode_utf16().flat_map(u16::to_le_bytes).collect();
        let latin1 =
            [b"caf\xe9 cr\xe8me \x93quoted\x94 ".repeat(30), b"\x01\x02".to_vec()].concat();
        let gbk = encoding_rs::GBK.encode(&chinese).0.into_owned();
        for text in [chinese.into_bytes(), utf16, latin1, gbk, b"one \x03 in utf-8".to_vec()] {
            assert!(!is_noise(&text), "{}", text[..20].escape_ascii());
        }
    }

    #[test]
    fn bare_deflate_and_tar_are_binary() {
        use std::io::Write;
        let mut encoder =
            flate2::write::DeflateEncoder::new(Vec::new(), flate2::Compression::best());
        for number in 0..900 {
            write!(encoder, "<p>Line {number} of {}</p>", number * number * 7).unwrap();
        }
        let deflate = encoder.finish().unwrap();
        assert!(is_binary(&deflate));
        let page = [b"<!-- \x01\x02\x03\x80 -->\xe9", deflate.as_slice()].concat();
        assert!(!is_binary(&page), "a damaged page is a page");
        let tar = [&[b'a'; TAR_SIGNATURE_AT], b"ustar\x0000".as_slice()].concat();
        assert!(is_binary(&tar));
    }

    #[test]
    fn zlib_that_no_head_lists_is_binary() {
        use std::io::Write;
        let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::best());
        for number in 0..400 {
            write!(encoder, "<p>Line {number} of {}</p>", number * number).unwrap();
        }
        assert!(is_binary(&encoder.finish().unwrap()));
    }

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

    #[test]
    fn xml_is_html_where_its_doctype_or_root_says_so() {
        for page in [
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!DOCTYPE html PUBLIC \"x\">",
            "\u{feff} <?xml version='1.0'?><html xmlns='http://www.w3.org/1999/xhtml'>",
            "<?xml version='1.0'?>\n<!-- > --><?xml-stylesheet href='a'?>\n<HTML>",
        ] {
            assert!(looks_like_html(page.as_bytes()), "{page}");
        }
        for other in [
            "<?xml version='1.0'?><rss version='2.0'>",
            "<?xml version='1.0'?><!DOCTYPE svg><html>",
            "<?xml version='1.0'?><p>",
            "<?xml version='1.0'?><!-- <html>",
            "<?xml version='1.0' <html>",
        ] {
            assert!(!looks_like_html(other.as_bytes()), "{other}");
        }
        let late = format!("<?xml?>{}<html>", " ".repeat(PROLOGUE_BYTES));
        assert!(!looks_like_html(late.as_bytes()));
    }

    #[test]
    fn signatures_are_known_and_no_word_is_taken_for_one() {
        for binary in [
            b"\x89PNG\r\n\x1A\n\0\0\0\rIHDR".as_slice(),
            b"\xFF\xD8\xFF\xE0\0\x10JFIF",
            b"GIF89a\x01\0",
            b"RIFF\x24\0\0\0WEBPVP8 ",
            b"BM\x46\0\0\0\0\0\0\0\x36",
            b"\0\0\x01\0\x01\0",
            b"%PDF-1.7\n",
            b"%!PS-Adobe-3.0",
            b"\x1F\x8B\x08\0",
            b"PK\x03\x04\x14\0",
            b"Rar!\x1A\x07\0",
            b"7z\xBC\xAF\x27\x1C",
            b"BZh91AY&SY",
            b"\xFD7zXZ\0",
            b"\x28\xB5\x2F\xFD",
            b"\0\0\0\x18ftypmp42",
            b"\x1A\x45\xDF\xA3",
            b"ID3\x03\0",
            b"OggS\0",
            b"RIFF\x24\0\0\0WAVEfmt ",
            b"RIFF\x24\0\0\0AVI LIST",
            b"wOFF\0\x01\0\0",
            b"wOF2OTTO",
            b"OTTO\0\x0B",
            b"CWS\x09",
            b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1",
            b"\0\0\0\x0CJXL \r\n\x87\n",
            b"\0\x05\x16\x07\0\x02\0\0Mac OS X",
            b"\x04\x22\x4D\x18\x64",
            b"\x30\x26\xB2\x75\x8E\x66\xCF\x11",
            b"8BPS\0\x01\0\0",
            b"AT&TFORM\0\0",
            b"AC1015\0\0",
            b"MZ\x90\0\x03\0\0\0",
            b"SQLite format 3\0",
            b"\xCA\xFE\xBA\xBE\0\0",
            b"\xFF\xFB\x90\x44\0\0\0",
            b"bplist00\xD1",
            b"fLaC\0\0\0\x22",
        ] {
            assert!(is_binary(binary), "{}", binary.escape_ascii());
            assert!(!looks_like_html(binary));
            assert!(!is_binary(&binary[..1]), "{}", binary.escape_ascii());
        }
        for text in [
            "",
            "<html>",
            " <p>",
            "BMW builds cars",
            "BM",
            "ID3 tags",
            "OTTO",
            "wOFF is a font",
            "PK",
            "PKZIP",
            "RIFF",
            "FORM",
            "CWS stands for",
            "Rar",
            "%PDF",
            "MM",
            "II",
            "GIF",
            "7z",
            "BZh9",
            "\u{feff}<p>",
            "ttcf",
            "FLV",
            "MZ is the code of Mozambique",
            "8BPS",
            "AC1015",
            "SQLite format 3",
            "fLaC",
            "ÿû",
        ] {
            assert!(!is_binary(text.as_bytes()), "{text}");
        }
        // UTF-16, with and without a mark.
        for wide in [b"\xFF\xFE<\0h\0".as_slice(), b"\xFE\xFF\0<", b"\0<\0h\0t", b"<\0h\0t\0"] {
            assert!(!is_binary(wide));
        }
    }
}
