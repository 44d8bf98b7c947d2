//! Makes characters visible that a browser or a terminal would obey, or that HTML forbids.

/// Returns the scalar to show for a scalar. A control character becomes its Unicode symbol. Scalars
/// that embed, override or isolate a direction of text, and scalars that HTML forbids, become
/// U+FFFD. Other scalars stay, the marks of direction in Arabic and Hebrew texts among them.
pub fn visible_char(c: char) -> char {
    match c {
        '\n' | '\t' => c,
        '\0'..='\u{1f}' => {
            char::from_u32(0x2400 + u32::from(c)).unwrap_or(char::REPLACEMENT_CHARACTER)
        }
        '\u{7f}' => '␡',
        '\u{80}'..='\u{9f}'
        | '\u{202a}'..='\u{202e}'
        | '\u{2066}'..='\u{2069}'
        | '\u{fdd0}'..='\u{fdef}' => char::REPLACEMENT_CHARACTER,
        // The last two of each plane.
        _ if u32::from(c) & 0xfffe == 0xfffe => char::REPLACEMENT_CHARACTER,
        _ => c,
    }
}

/// Appends a text with [`visible_char`] in place of each scalar.
pub(crate) fn push_visible(text: &str, out: &mut String) {
    let mut written = 0;
    for (offset, c) in text.char_indices() {
        let shown = visible_char(c);
        if shown != c {
            out.push_str(&text[written..offset]);
            out.push(shown);
            written = offset + c.len_utf8();
        }
    }
    out.push_str(&text[written..]);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_browser_would_obey_becomes_visible() {
        let mut shown = String::from(">");
        push_visible("a\0\u{1b}[2J\r\n\t\u{7f}\u{9b}é\u{202e}\u{2069}\u{fdd0}z", &mut shown);
        assert_eq!(shown, ">a␀␛[2J␍\n\t␡\u{fffd}é\u{fffd}\u{fffd}\u{fffd}z");
        push_visible("🦀 שלום\u{200f}", &mut shown);
        assert!(shown.ends_with("z🦀 שלום\u{200f}"));
    }

    #[test]
    fn no_scalar_is_left_that_html_forbids() {
        for c in ('\0'..=char::MAX).map(visible_char) {
            let last_two = u32::from(c) % 0x1_0000;
            let is_nonchar = matches!(c, '\u{fdd0}'..='\u{fdef}') || last_two >= 0xfffe;
            assert!(!is_nonchar && (!c.is_control() || "\n\t".contains(c)), "{c:?}");
        }
    }
}
