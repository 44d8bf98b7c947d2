//! Writes the text of records that are plain text, normalised like every text of a row.

use huller_page::text::{CharClass, char_class};

/// Appends the lines of `text` that are not blank. Leaves out zero-width characters, white space at
/// the ends of lines, and all control characters but tabs.
pub(crate) fn write(text: &str, out: &mut String) {
    let start = out.len();
    for line in text.split(['\n', '\r']) {
        let before = out.len();
        if before > start {
            out.push('\n');
        }
        let line_start = out.len();
        let is_kept =
            |c: &char| *c == '\t' || !c.is_control() && char_class(*c) != CharClass::ZeroWidth;
        out.extend(line.trim_end().chars().filter(is_kept));
        out.truncate(line_start + out[line_start..].trim_end().len());
        if out.len() == line_start {
            out.truncate(before);
        }
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_text_gets_the_form_of_a_rows_text() {
        let mut out = String::new();
        super::write("A title \r\n\r\n  two\twords\u{200b}\u{0}\n\u{1}\n\nend\n", &mut out);
        assert_eq!(out, "A title\n  two\twords\nend");
        out.clear();
        super::write("", &mut out);
        assert_eq!(out, "");
    }
}
