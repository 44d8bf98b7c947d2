//! The text before a passage that says where it is from.
//!
//! The prefix has a line with the title, a line with the headings around the passage (the outermost
//! first, with ` > ` between them), and an empty line. A heading that the passage begins with is
//! not in it, nor is a title that equals the first heading of the path.
//!
//! A prefix has at most a third of the limit. For a longer one all headings but the innermost are
//! left out. If that is not enough, the title is cut after a word to half of the space, and then
//! the heading to the rest of it. A text that was cut ends in `…`.

use crate::document::Document;
use crate::inline::MAX_TITLE_CHARS;
use crate::length_meter::LengthMeter;
use crate::settings::ValidSettings;
use unicode_segmentation::UnicodeSegmentation;

/// Writes prefixes.
#[derive(Debug, Default)]
pub(crate) struct PrefixWriter {
    /// The title of the page with single spaces.
    title: String,
}

impl PrefixWriter {
    /// Begins a page with this title.
    pub(crate) fn begin(&mut self, title: Option<&str>) {
        self.title.clear();
        let words = title.unwrap_or_default().split_whitespace();
        for word in words.take(MAX_TITLE_CHARS) {
            if !self.title.is_empty() {
                self.title.push(' ');
            }
            self.title.push_str(&word[..word.floor_char_boundary(MAX_TITLE_CHARS)]);
        }
        let end = self.title.char_indices().nth(MAX_TITLE_CHARS).map(|(offset, _)| offset);
        self.title.truncate(end.unwrap_or(self.title.len()));
    }

    /// Appends the prefix of a passage to `out` that begins with a row of a section.
    pub(crate) fn write(
        &self,
        settings: &ValidSettings,
        document: &Document,
        (section, row): (u32, usize),
        meter: &mut LengthMeter,
        out: &mut String,
    ) {
        let mut headings: Vec<&str> = Vec::new();
        let mut repeats_title = false;
        for heading in document.path(section) {
            let text = document.title(heading);
            let is_shown = settings.has_headings || heading.row >= row;
            repeats_title = is_shown && text == self.title;
            if settings.has_headings && heading.row < row && !text.is_empty() {
                headings.push(text);
            }
        }
        headings.reverse();
        let title = if settings.has_title && !repeats_title { self.title.as_str() } else { "" };
        let limit = settings.max_length / 3;
        let start = out.len();
        push(title, &headings, out);
        if meter.count(&out[start..]) <= limit {
            return;
        }
        let heading = headings.last().copied().unwrap_or_default();
        out.truncate(start);
        push(title, &[heading], out);
        let mut half = limit / 2;
        let mut remaining = limit;
        while meter.count(&out[start..]) > limit {
            out.truncate(start);
            let title =
                shorten_text(title, if heading.is_empty() { remaining } else { half }, meter);
            let used = meter.count(&title);
            let heading = shorten_text(heading, remaining.saturating_sub(used), meter);
            push(&title, &[&heading], out);
            if title.is_empty() && heading.is_empty() {
                return;
            }
            // Line ends and joints count too.
            (half, remaining) = (half.saturating_sub(1), remaining.saturating_sub(2));
        }
    }
}

/// Appends a title and headings, one line each, and an empty line. Appends nothing if there are
/// none.
fn push(title: &str, headings: &[&str], out: &mut String) {
    let start = out.len();
    if !title.is_empty() {
        out.extend([title, "\n"]);
    }
    let first = out.len();
    for heading in headings.iter().filter(|heading| !heading.is_empty()) {
        if out.len() > first {
            out.push_str(" > ");
        }
        out.push_str(heading);
    }
    if out.len() > first {
        out.push('\n');
    }
    if out.len() > start {
        out.push('\n');
    }
}

/// Cuts a text after a word so that its measure is at most `room`. Empty if the first word is
/// longer.
fn shorten_text(text: &str, room: u64, meter: &mut LengthMeter) -> String {
    if meter.count(text) <= room {
        return text.to_owned();
    }
    let (mut size, mut end) = (meter.count("…"), 0);
    for (offset, word) in text.split_word_bound_indices() {
        size += meter.count(word);
        if size > room {
            break;
        }
        end = offset + word.len();
    }
    match text[..end].trim_end() {
        "" => String::new(),
        kept => format!("{kept}…"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::PassageSettings;
    use crate::{headings, scanner};

    fn prefix(title: &str, markdown: &str, row: usize, max_tokens: u64, parts: &str) -> String {
        let settings = PassageSettings {
            max_tokens,
            min_tokens: 0,
            tokenizer: "characters".to_owned(),
            prefix: parts.to_owned(),
            ..PassageSettings::default()
        };
        let mut document = Document::default();
        scanner::scan(markdown, &mut scanner::Scratch::default(), &mut document);
        headings::fill_headings(markdown, &[], &mut document);
        let mut writer = PrefixWriter::default();
        writer.begin(Some(title));
        let mut out = String::new();
        let place = (document.rows[row].section, row);
        let settings = ValidSettings::new(&settings).unwrap();
        writer.write(&settings, &document, place, &mut LengthMeter::new(None), &mut out);
        assert!(out.chars().count() as u64 <= max_tokens / 3);
        out
    }

    #[test]
    fn the_prefix_has_title_and_headings() {
        let markdown = "# A *b*\n\n## C\n\ntext\n\n# D\n";
        let all = "title,headings";
        assert_eq!(prefix(" T  t", markdown, 2, 300, all), "T t\nA b > C\n\n");
        assert_eq!(prefix("T", markdown, 1, 300, all), "T\nA b\n\n");
        assert_eq!(prefix("A b", markdown, 2, 300, all), "A b > C\n\n");
        assert_eq!(prefix("T", markdown, 2, 300, "title"), "T\n\n");
        assert_eq!(prefix("T", markdown, 2, 300, "headings"), "A b > C\n\n");
        assert_eq!(prefix("T", markdown, 3, 300, ""), "");
        assert_eq!(prefix("", "text", 0, 300, all), "");
    }

    #[test]
    fn a_long_prefix_is_cut_after_words() {
        let markdown = "# One two three\n\n## Four five six\n\ntext\n";
        let all = "title,headings";
        assert_eq!(prefix("A title", markdown, 2, 75, all), "A title\nFour five six\n\n");
        assert_eq!(prefix("A long long title", markdown, 2, 72, all), "A long…\nFour five six\n\n");
        assert_eq!(prefix(&"long".repeat(99), "text", 0, 90, all), "");
    }
}
