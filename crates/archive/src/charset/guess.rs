//! Guesses the encoding of a page that declares none.

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Encoding, ISO_2022_JP, UTF_8};
use huller_provenance::Host;
use memchr::memmem;

/// Most bytes that are fed to the detector.
///
/// It runs 27 candidates over every byte: 85 µs per KiB on the machine this was written on. At that
/// rate 64 KiB would take 5.5 ms, fifty times as long as the rest of the work on a page. Long
/// ranges of ASCII are omitted, since they give no evidence of the encoding. For most pages 8 KiB
/// are therefore enough.
const FED: usize = 8 << 10;

/// Number of bytes of ASCII that are fed before and after other bytes, since the detector examines
/// the letters around them.
const CONTEXT: usize = 8;

/// Number of bytes of a page that are checked for damaged UTF-8.
const CHECKED: usize = 64 << 10;

/// Guesses the encoding of `page` by its text; `None` if the text is ASCII.
pub(super) fn guess(page: &[u8], url: Option<&str>) -> Option<&'static Encoding> {
    let ascii = Encoding::ascii_valid_up_to(page);
    if ascii == page.len() {
        return is_iso_2022_jp(page).then_some(ISO_2022_JP);
    }
    if is_utf8(&page[ascii..]) {
        return Some(UTF_8);
    }
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    feed_detector(&mut detector, page, ascii);
    let host = url.and_then(Host::from_url);
    let tld = host.as_ref().and_then(Host::last_label).map(str::as_bytes);
    // The detector takes only letters, digits and hyphens. Hosts of unknown schemes may hold other
    // characters.
    let tld = tld.filter(|label| label.iter().all(|b| b.is_ascii_alphanumeric() || *b == b'-'));
    Some(detector.guess(tld, Utf8Detection::Allow))
}

/// Feeds the ranges of `page` that are not ASCII. The first begins at `at`.
fn feed_detector(detector: &mut EncodingDetector, page: &[u8], mut at: usize) {
    let mut left = FED;
    let mut end = 0;
    loop {
        let start = end.max(at.saturating_sub(CONTEXT));
        if start > end {
            // A line feed replaces the omitted bytes, so that the words before and after them stay
            // apart.
            detector.feed(b"\n", false);
        }
        let window = &page[start..page.len().min(start + left)];
        let mut last = at - start;
        let stop = (last..window.len()).find(|&index| {
            if !window[index].is_ascii() {
                last = index;
            }
            index - last > CONTEXT
        });
        let stretch = &window[..stop.unwrap_or(window.len())];
        end = start + stretch.len();
        detector.feed(stretch, end == page.len());
        left -= stretch.len();
        at = end + Encoding::ascii_valid_up_to(&page[end..]);
        // The next range begins with up to `CONTEXT` bytes of ASCII. With no more bytes left it
        // would hold only those.
        if left <= CONTEXT || at == page.len() {
            return;
        }
    }
}

/// Returns whether a page of ASCII bytes is ISO-2022-JP: it has escapes of that encoding, and the
/// detector agrees.
fn is_iso_2022_jp(page: &[u8]) -> bool {
    let Some(start) = memmem::find(page, b"\x1B$").or_else(|| memmem::find(page, b"\x1B(")) else {
        return false;
    };
    let rest = &page[start..];
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Allow);
    detector.feed(&rest[..rest.len().min(FED)], rest.len() <= FED);
    detector.guess(None, Utf8Detection::Allow) == ISO_2022_JP
}

/// Returns whether bytes are UTF-8 with damage in few places: at most one per 16 characters that
/// are not ASCII.
///
/// Crawlers cut pages within a character, and templates mix encodings. `chardetng` excludes UTF-8
/// at the first invalid byte, and would read such a page as windows-1252. Text in other encodings,
/// read as UTF-8, has far more damage.
fn is_utf8(bytes: &[u8]) -> bool {
    const CHARACTERS: usize = 16;
    if simdutf8::basic::from_utf8(bytes).is_ok() {
        return true;
    }
    let window = &bytes[..bytes.len().min(CHECKED)];
    let mut damaged = 0;
    let mut characters = 0;
    for chunk in window.utf8_chunks() {
        characters += chunk.valid().chars().filter(|char| !char.is_ascii()).count();
        damaged += usize::from(!chunk.invalid().is_empty());
    }
    // The only damage is at the end of the window, which may be within a character.
    let whole =
        damaged == 1 && std::str::from_utf8(window).is_err_and(|error| error.error_len().is_none());
    characters > 0 && (whole || damaged * CHARACTERS <= characters)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn damaged_utf8_is_still_utf8() {
        let text = "Ünïcödé wörds, lots öf thém, ìn ä rôw. ".repeat(4);
        let cut = &text.as_bytes()[..text.find("ò").unwrap_or(text.len() - 3)];
        assert!(is_utf8(cut));
        let mut damaged = text.clone().into_bytes();
        damaged.push(0xE9);
        damaged.extend_from_slice(text.as_bytes());
        assert!(is_utf8(&damaged));
        assert!(is_utf8("é".as_bytes()) && is_utf8(&"éé".as_bytes()[..3]));
        assert!(!is_utf8(b"caf\xE9 cr\xE8me") && !is_utf8(b"\xE9") && !is_utf8(b"x\xC3"));
    }
}
