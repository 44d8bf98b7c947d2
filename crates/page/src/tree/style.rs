//! Reads the white-space rule of an element's own style.

use memchr::memchr_iter;

/// Returns whether white space is shown as written, by the last `white-space` in a `style`
/// attribute. Returns `None` if there is no such declaration, or its value is inherited. A value
/// that keeps only line breaks counts as one that keeps no white space.
pub(super) fn keeps_white_space(style: &[u8]) -> Option<bool> {
    const NAME: &[u8] = b"white-space";
    const MIN_STYLE_BYTES: usize = b"white-space:pre".len();
    if style.len() < MIN_STYLE_BYTES {
        return None;
    }
    let mut keeps = None;
    let is_name_byte = |b: &u8| b.is_ascii_alphanumeric() || *b == b'-' || *b == b'_';
    // Most values have few hyphens. Preparing a search for the whole name would take longer than
    // testing each hyphen.
    for hyphen in memchr_iter(b'-', style) {
        let Some(white_start) = hyphen.checked_sub(b"white".len()) else { continue };
        let after_start = &style[white_start..];
        if after_start.len() < NAME.len()
            || !after_start[..NAME.len()].eq_ignore_ascii_case(NAME)
            || white_start > 0 && is_name_byte(&style[white_start - 1])
        {
            continue;
        }
        let after_start = after_start[NAME.len()..].trim_ascii_start();
        let Some(value) = after_start.strip_prefix(b":") else { continue };
        let value = value.trim_ascii_start();
        let end = value.iter().position(|b| !is_name_byte(b)).unwrap_or(value.len());
        let is_one_of = |names: &[&str]| {
            names.iter().any(|name| value[..end].eq_ignore_ascii_case(name.as_bytes()))
        };
        if is_one_of(&["pre", "pre-wrap", "break-spaces"]) {
            keeps = Some(true);
        } else if is_one_of(&["normal", "nowrap", "pre-line", "initial"]) {
            keeps = Some(false);
        }
    }
    keeps
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_declaration_counts() {
        for (style, expected) in [
            ("white-space:pre", Some(true)),
            ("color:red; white-space : PRE-WRAP !important", Some(true)),
            ("WHITE-space: break-spaces;x:y", Some(true)),
            ("-: -; white-space", None),
            ("white-space:pre;white-space:normal", Some(false)),
            ("white-space: pre-line", Some(false)),
            ("white-space: nowrap; width: 3em", Some(false)),
            ("white-space: inherit; width: 3em", None),
            ("white-space-collapse: preserve", None),
            ("--my-white-space: pre; color: red", None),
            ("white-space", None),
            ("width: 3em; white-space", None),
        ] {
            assert_eq!(keeps_white_space(style.as_bytes()), expected, "{style}");
        }
    }
}
