//! Writes HTML into a string, and escapes everything except this program's own markup.

use std::fmt::Write as _;

/// The HTML written so far.
#[derive(Debug, Default)]
pub(super) struct Writer {
    out: String,
}

impl Writer {
    /// Writes markup without escaping. The type `&'static str` admits only strings from this
    /// program's source.
    pub(super) fn raw(&mut self, markup: &'static str) -> &mut Writer {
        self.out.push_str(markup);
        self
    }

    /// Writes text with escaping, for the content of an element or for an attribute value in double
    /// quotes.
    pub(super) fn text(&mut self, text: &str) -> &mut Writer {
        for c in text.chars() {
            match c {
                '&' => self.out.push_str("&amp;"),
                '<' => self.out.push_str("&lt;"),
                '>' => self.out.push_str("&gt;"),
                '"' => self.out.push_str("&quot;"),
                '\'' => self.out.push_str("&#39;"),
                _ => self.out.push(visible_char(c)),
            }
        }
        self
    }

    /// Writes a number; a dash if it is not finite.
    pub(super) fn number(&mut self, value: f64, decimals: usize) -> &mut Writer {
        // Turns -0.0 into 0.0, because its sign has no meaning here.
        let value = value + 0.0;
        if value.is_finite() {
            let _ = write!(self.out, "{value:.decimals$}");
        } else {
            self.out.push('–');
        }
        self
    }

    /// Writes a count with separated thousands.
    pub(super) fn count(&mut self, count: u32) -> &mut Writer {
        let digits = count.to_string();
        for (at, digit) in digits.chars().enumerate() {
            if at > 0 && (digits.len() - at).is_multiple_of(3) {
                self.out.push(',');
            }
            self.out.push(digit);
        }
        self
    }

    /// Writes the name of a system and its profile.
    pub(super) fn system(&mut self, name: &str, profile: &str) -> &mut Writer {
        self.raw("<bdi>").text(name).raw("</bdi>");
        if !profile.is_empty() {
            self.raw(" <small>").text(profile).raw("</small>");
        }
        self
    }

    /// Writes a table cell with a figure; bold if it is the best.
    pub(super) fn figure(&mut self, value: Option<f64>, decimals: usize, best: Option<f64>) {
        self.raw(if is_best(value, best) { "<td class=\"best\">" } else { "<td>" });
        self.number(value.unwrap_or(f64::NAN), decimals).raw("</td>");
    }

    /// Writes a table cell with a score from 0 to 1. The better the score, the stronger the
    /// background colour.
    pub(super) fn shaded_cell(&mut self, value: Option<f64>, best: Option<f64>) {
        let Some(score) = value.filter(|score| score.is_finite()) else {
            return self.figure(None, 3, None);
        };
        self.raw(if is_best(value, best) {
            "<td class=\"shaded best\""
        } else {
            "<td class=\"shaded\""
        });
        // Scores up to .4 have no colour.
        self.raw(" style=\"--shade:").number(((score - 0.4) / 0.6).clamp(0.0, 1.0) * 45.0, 0);
        self.raw("%\">").number(score, 3).raw("</td>");
    }

    /// Returns the written HTML.
    pub(super) fn finish(self) -> String {
        self.out
    }
}

fn is_best(value: Option<f64>, best: Option<f64>) -> bool {
    value.zip(best).is_some_and(|(value, best)| value.total_cmp(&best).is_eq())
}

/// Returns the scalar to show for a scalar. A control character becomes its Unicode symbol. Scalars
/// that change the direction of text and scalars that HTML forbids become U+FFFD. Other scalars
/// stay.
pub(in crate::report) fn visible_char(c: char) -> char {
    match c {
        '\n' | '\t' => c,
        '\0'..='\u{1f}' => {
            char::from_u32(0x2400 + u32::from(c)).unwrap_or(char::REPLACEMENT_CHARACTER)
        }
        '\u{7f}' => '␡',
        '\u{80}'..='\u{9f}'
        | '\u{61c}'
        | '\u{200e}'
        | '\u{200f}'
        | '\u{202a}'..='\u{202e}'
        | '\u{2066}'..='\u{2069}'
        | '\u{fdd0}'..='\u{fdef}'
        | '\u{fffe}'
        | '\u{ffff}' => char::REPLACEMENT_CHARACTER,
        _ => c,
    }
}
