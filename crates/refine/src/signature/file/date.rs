//! When a page was fetched, from the `date` of its row.

/// Seconds since 1970 of a date as WARC has it (`2024-01-31T12:00:00Z`, with a fraction or without), of one with an offset, or of a day alone. `None` for anything else.
pub fn seconds(date: &str) -> Option<i64> {
    let date = date.trim();
    let number = |from: usize, length: usize| -> Option<i64> {
        let digits = date.get(from..from + length)?;
        if digits.bytes().all(|byte| byte.is_ascii_digit()) { digits.parse().ok() } else { None }
    };
    let is =
        |at: usize, byte: &[u8]| date.as_bytes().get(at).is_some_and(|found| byte.contains(found));
    let (year, month, day) = (number(0, 4)?, number(5, 2)?, number(8, 2)?);
    if !(is(4, b"-") && is(7, b"-") && (1..=12).contains(&month) && (1..=31).contains(&day)) {
        return None;
    }
    let days = days(year, month, day);
    if date.len() == 10 {
        return Some(days * 86_400);
    }
    let (hour, minute, second) = (number(11, 2)?, number(14, 2)?, number(17, 2)?);
    if !(is(10, b"Tt ") && is(13, b":") && is(16, b":")) || hour > 24 || minute > 59 || second > 60
    {
        return None;
    }
    let rest = date.get(19..)?;
    let zone = match rest.strip_prefix('.') {
        Some(fraction) => fraction.trim_start_matches(|c: char| c.is_ascii_digit()),
        None => rest,
    };
    Some(days * 86_400 + hour * 3600 + minute * 60 + second - offset(zone)?)
}

/// Seconds by which a zone is ahead: `Z`, nothing, or `+01:30`.
fn offset(zone: &str) -> Option<i64> {
    let sign = match zone.bytes().next() {
        None | Some(b'Z' | b'z') if zone.len() <= 1 => return Some(0),
        Some(b'+') => 1,
        Some(b'-') => -1,
        _ => return None,
    };
    let digits: Vec<i64> = zone[1..]
        .bytes()
        .filter(|byte| *byte != b':')
        .map(|byte| if byte.is_ascii_digit() { Some(i64::from(byte - b'0')) } else { None })
        .collect::<Option<_>>()?;
    let [tens, ones, ten_minutes, minutes] = digits[..] else { return None };
    Some(sign * ((tens * 10 + ones) * 3600 + (ten_minutes * 10 + minutes) * 60))
}

/// Days since 1970-01-01 in the Gregorian calendar. (Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms", `days_from_civil`.)
fn days(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let of_era = year.rem_euclid(400);
    let of_year = (153 * (if month > 2 { month - 3 } else { month + 9 }) + 2) / 5 + day - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_become_seconds() {
        for (date, expected) in [
            ("1970-01-01T00:00:00Z", Some(0)),
            ("2024-02-29T12:34:56Z", Some(1_709_210_096)),
            ("2024-02-29T12:34:56.789Z", Some(1_709_210_096)),
            ("2024-02-29T13:34:56+01:00", Some(1_709_210_096)),
            ("2024-02-29", Some(1_709_164_800)),
            ("1969-12-31T23:59:59", Some(-1)),
            ("2024-13-01", None),
            ("20240229123456", None),
            ("2024-02-29T12:34", None),
            ("2024-02-29T12:34:56 PST", None),
            ("2024-02-29T12:34:56+é:00", None),
            ("", None),
            ("ééééééééé", None),
        ] {
            assert_eq!(seconds(date), expected, "{date}");
        }
    }
}
