//! Figures as people read them.

/// A number with as many digits as a reader compares.
pub(super) fn rounded(number: f64) -> String {
    match number {
        _ if !number.is_finite() => "-".to_owned(),
        ..100.0 => format!("{number:.1}"),
        _ => grouped(&format!("{number:.0}")),
    }
}

pub(super) fn percent(share: f64) -> String {
    format!("{:.1} %", 100.0 * share)
}

/// A number with commas between thousands.
pub(super) fn thousands(number: u64) -> String {
    grouped(&number.to_string())
}

/// A number and what it counts: `1 file`, `1,200 files`.
pub(super) fn counted(number: u64, one: &str, many: &str) -> String {
    format!("{} {}", thousands(number), if number == 1 { one } else { many })
}

fn grouped(digits: &str) -> String {
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_have_the_digits_that_are_compared() {
        let shown = [0.04, 99.94, 100.4, 1234.6, f64::INFINITY].map(rounded);
        assert_eq!(shown, ["0.0", "99.9", "100", "1,235", "-"]);
        let files = [0, 1, 1200].map(|number| counted(number, "file", "files"));
        assert_eq!(files, ["0 files", "1 file", "1,200 files"]);
        assert_eq!([percent(0.0123), thousands(1_234_567)], ["1.2 %", "1,234,567"]);
    }
}
