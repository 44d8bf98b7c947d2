//! Formats figures for readers.

use crate::run_data::whole;

/// Returns a number with commas between thousands.
pub(crate) fn count(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

pub(crate) fn percent(part: u64, whole: u64) -> String {
    format!("{:.2} %", part as f64 / whole.max(1) as f64 * 100.0)
}

/// Returns a number of bytes in units of a thousand.
pub(crate) fn size(bytes: u64) -> String {
    let mut value = bytes as f64;
    for unit in ["B", "KB", "MB", "GB"] {
        if value < 1000.0 {
            let digits = usize::from(unit != "B" && value < 100.0);
            return format!("{value:.digits$} {unit}");
        }
        value /= 1000.0;
    }
    format!("{value:.1} TB")
}

pub(crate) fn duration(seconds: f64) -> String {
    let elapsed = whole(seconds);
    match elapsed {
        0..60 => format!("{seconds:.1} s"),
        60..3600 => format!("{} min {} s", elapsed / 60, elapsed % 60),
        _ => format!("{} h {} min", elapsed / 3600, elapsed % 3600 / 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_for_people() {
        assert_eq!([0, 999, 1000, 1_234_567].map(count), ["0", "999", "1,000", "1,234,567"]);
        assert_eq!([5, 1500, 2_000_000_000].map(size), ["5 B", "1.5 KB", "2.0 GB"]);
        assert_eq!([1.25, 61.0, 7300.0].map(duration), ["1.2 s", "1 min 1 s", "2 h 1 min"]);
    }
}
