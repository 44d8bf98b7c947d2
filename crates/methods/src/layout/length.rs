//! Lengths in style sheets.

use super::trim::trim_fast;

/// Pixels of one `em`.
const PIXELS_PER_EM: f64 = 16.0;
/// The largest length, in pixels or per cent. It keeps sums of many lengths finite.
const MAX_LENGTH: f64 = 1e6;

/// A length in pixels or per cent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Length {
    /// A number of pixels.
    Pixels(f64),
    /// A share of the width around it, in per cent.
    Percent(f64),
}

impl Length {
    /// Parses a number with an optional unit: `12`, `12px`, `1.5em`, `1rem`, `50 %`. Returns `None`
    /// for anything else.
    pub(super) fn parse(text: &str) -> Option<Length> {
        let text = trim_fast(text);
        let digits = text.strip_prefix('-').unwrap_or(text);
        let len = digits.bytes().take_while(|b| b.is_ascii_digit() || *b == b'.').count();
        let number: f64 = digits[..len].parse().ok()?;
        let number = if digits.len() < text.len() { -number } else { number };
        let number = number.clamp(-MAX_LENGTH, MAX_LENGTH);
        let unit = digits[len..].trim_start();
        match unit {
            "" => Some(Length::Pixels(number)),
            "%" => Some(Length::Percent(number)),
            _ if unit.eq_ignore_ascii_case("px") => Some(Length::Pixels(number)),
            _ if unit.eq_ignore_ascii_case("em") || unit.eq_ignore_ascii_case("rem") => {
                Some(Length::Pixels((number * PIXELS_PER_EM).clamp(-MAX_LENGTH, MAX_LENGTH)))
            }
            _ => None,
        }
    }

    /// Parses like [`Length::parse`], but returns `None` for negative lengths too.
    pub(super) fn parse_size(text: &str) -> Option<Length> {
        Length::parse(text).filter(|length| match length {
            Length::Pixels(number) | Length::Percent(number) => *number >= 0.0,
        })
    }

    /// Returns the length in pixels; `full_pixels` is 100 %.
    pub(super) fn pixels(self, full_pixels: f64) -> f64 {
        match self {
            Length::Pixels(pixels) => pixels,
            Length::Percent(percent) => percent * full_pixels / 100.0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_units_are_parsed_and_other_words_refused() {
        let parse = Length::parse;
        assert_eq!(parse(" 200px "), Some(Length::Pixels(200.0)));
        assert_eq!(parse("12"), Some(Length::Pixels(12.0)));
        assert_eq!(parse("1.5EM"), Some(Length::Pixels(24.0)));
        assert_eq!(parse(".5rem"), Some(Length::Pixels(8.0)));
        assert_eq!(parse("-5px"), Some(Length::Pixels(-5.0)));
        assert_eq!(parse("50 %"), Some(Length::Percent(50.0)));
        for none in
            ["", "auto", "10pt", "1.2.3px", ".", "-", "10px solid", "calc(1px)", "--1", "中"]
        {
            assert_eq!(parse(none), None, "{none}");
        }
        assert_eq!(Length::parse_size("-5px"), None);
    }

    #[test]
    fn the_largest_number_is_finite() {
        let number = "9".repeat(1_000);
        assert_eq!(Length::parse(&number), Some(Length::Pixels(MAX_LENGTH)));
        assert_eq!(Length::parse(&format!("{number}em")), Some(Length::Pixels(MAX_LENGTH)));
    }
}
