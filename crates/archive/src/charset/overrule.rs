//! Declarations of an encoding that the bytes contradict.

use super::guess::guess;
use super::prescan::prescan;
use encoding_rs::{Encoding, UTF_8};

/// Another encoding for a page that was decoded to `text` by the encoding it declares, with `replaced` U+FFFD for invalid bytes. `None` if
/// the declaration may be right.
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
        // Damage in a page that is in its encoding for the most part is left to be replaced.
        let beyond_ascii = text.chars().filter(|char| !char.is_ascii()).count() as u64;
        if replaced <= beyond_ascii.saturating_sub(replaced) {
            return None;
        }
        // HTTP may have an encoding for all pages of a server, while the page tells its own.
        let own = prescan(page).filter(|own| *own != declared && *own != UTF_8);
        match own {
            Some(own) => own,
            None => guess(page, url)?,
        }
    };
    (found != declared).then_some(found)
}
