//! Writes the text of records that are plain text, normalised like every text of a row.

use huller_page::text::{CharClass, char_class};
use huller_select::keeps_joiner;

/// Appends the lines of `text` that are not blank. Leaves out white space at the ends of lines, all
/// control characters but tabs, and zero-width characters except joiners of words and emoji.
pub(crate) fn write(text: &str, out: &mut String) {
    let start = out.len();
    for line in text.split(['\n', '\r']) {
        let length_before = out.len();
        if length_before > start {
            out.push('\n');
        }
        let line_start = out.len();
        let line = line.trim_end();
        let is_kept = |(at, c): &(usize, char)| match char_class(*c) {
            CharClass::ZeroWidth => keeps_joiner(line, *at),
            _ => *c == '\t' || !c.is_control(),
        };
        out.extend(line.char_indices().filter(is_kept).map(|(_, c)| c));
        out.truncate(line_start + out[line_start..].trim_end().len());
        if out.len() == line_start {
            out.truncate(length_before);
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
        super::write("می\u{200c}خواهم 👩\u{200d}💻 a\u{200d}b\u{feff}", &mut out);
        assert_eq!(out, "می\u{200c}خواهم 👩\u{200d}💻 ab");
        out.clear();
        super::write("", &mut out);
        assert_eq!(out, "");
    }
}
