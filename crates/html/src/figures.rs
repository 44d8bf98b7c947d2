//! Formats figures for readers.

/// A figure that is not known.
const UNKNOWN: &str = "–";

/// Returns a number with commas between thousands.
pub fn count(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Returns a part as a percentage with two digits. Of nothing it is 0 %.
pub fn percent(part: u64, whole: u64) -> String {
    format!("{:.2} %", part as f64 / whole.max(1) as f64 * 100.0)
}

/// Returns a number of bytes in units of a thousand.
pub fn size(bytes: u64) -> String {
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

/// Returns a duration in its two greatest units, or a dash if it is not finite.
pub fn duration(seconds: f64) -> String {
    let whole_seconds = seconds.floor();
    if !whole_seconds.is_finite() {
        UNKNOWN.to_owned()
    } else if whole_seconds < 60.0 {
        format!("{seconds:.1} s")
    } else if whole_seconds < 3600.0 {
        format!("{} min {} s", (whole_seconds / 60.0).floor(), whole_seconds % 60.0)
    } else {
        format!(
            "{} h {} min",
            (whole_seconds / 3600.0).floor(),
            (whole_seconds % 3600.0 / 60.0).floor()
        )
    }
}

/// Returns a number with so many decimals, or a dash if it is not finite.
pub fn number(value: f64, decimals: usize) -> String {
    if value.is_finite() {
        // Turns -0.0 into 0.0, because its sign has no meaning here.
        format!("{:.decimals$}", value + 0.0)
    } else {
        UNKNOWN.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_for_people() {
        assert_eq!([0, 999, 1000, 1_234_567].map(count), ["0", "999", "1,000", "1,234,567"]);
        assert_eq!([5, 1500, 2_000_000_000].map(size), ["5 B", "1.5 KB", "2.0 GB"]);
        assert_eq!([percent(1, 3), percent(0, 0)], ["33.33 %", "0.00 %"]);
        let seconds = [1.25, 61.0, 3599.9, 7300.0, f64::INFINITY];
        let expected = ["1.2 s", "1 min 1 s", "59 min 59 s", "2 h 1 min", "–"];
        assert_eq!(seconds.map(duration), expected);
    }

    #[test]
    fn a_number_that_is_none_is_a_dash() {
        assert_eq!(
            [0.8125, -0.0, 12.0].map(|value| number(value, 3)),
            ["0.812", "0.000", "12.000"]
        );
        assert_eq!([f64::NAN, f64::NEG_INFINITY].map(|value| number(value, 3)), ["–", "–"]);
    }
}
