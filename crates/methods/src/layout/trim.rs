//! Trims the values of style sheets, whose white space is nearly always ASCII.

/// Returns the result of `str::trim`, but faster on ASCII: `str::trim` decodes every scalar.
pub(super) fn trim_fast(text: &str) -> &str {
    let trimmed = text.trim_ascii();
    let is_done = |b: Option<&u8>| b.is_none_or(|b| b.is_ascii() && *b != 0x0B);
    let bytes = trimmed.as_bytes();
    if is_done(bytes.first()) && is_done(bytes.last()) { trimmed } else { trimmed.trim() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_white_space_is_trimmed() {
        for text in ["", " ", "a", " a\n", "\u{b}a\u{b} ", "\u{a0} a", " a\u{3000}", "é", "\u{85}"]
        {
            assert_eq!(trim_fast(text), text.trim(), "{text:?}");
        }
    }
}
