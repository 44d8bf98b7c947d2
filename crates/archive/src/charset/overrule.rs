//! Overrules declarations of an encoding that the bytes contradict.

use super::guess::guess;
use super::prescan::prescan;
use encoding_rs::{Encoding, UTF_8};

/// Fewest characters beyond ASCII that prove a page to be UTF-8. Text in a single-byte encoding has
/// bytes beyond ASCII alone, or in pairs that UTF-8 does not allow. Four places in a row that look
/// like UTF-8 by chance, while no other place contradicts it, have not been seen on real pages.
const CERTAIN_CHARACTERS: usize = 4;

/// Returns the text of a page that is certainly UTF-8: all of it is valid, and it has at least
/// [`CERTAIN_CHARACTERS`] characters beyond ASCII.
pub(super) fn as_utf8_if_certain(page: &[u8]) -> Option<&str> {
    if page.is_ascii() {
        return None;
    }
    let text = simdutf8::basic::from_utf8(page).ok()?;
    let first_bytes = page.iter().filter(|byte| **byte >= 0xC0);
    (first_bytes.take(CERTAIN_CHARACTERS).count() == CERTAIN_CHARACTERS).then_some(text)
}

/// Returns another encoding for a page that was decoded to `text` by its declared encoding, with
/// `replaced` U+FFFD for invalid bytes. `None` if the declaration may be right.
pub(super) fn overrule(
    page: &[u8],
    declared: &'static Encoding,
    replaced: u64,
    text: &str,
    url: Option<&str>,
) -> Option<&'static Encoding> {
    let found = if declared != UTF_8 && std::str::from_utf8(page).is_ok() {
        UTF_8
    } else {
        // If most of the page is valid in its encoding, the damage is only replaced.
        let beyond_ascii = text.chars().filter(|char| !char.is_ascii()).count() as u64;
        if replaced <= beyond_ascii.saturating_sub(replaced) {
            return None;
        }
        // HTTP may declare one encoding for all pages of a server, while the page declares its own.
        let own = prescan(page).filter(|own| *own != declared && *own != UTF_8);
        match own {
            Some(own) => own,
            None => guess(page, url)?,
        }
    };
    (found != declared).then_some(found)
}
