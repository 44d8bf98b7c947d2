//! Days that a user asks for, in seconds since 1970-01-01T00:00:00Z.

/// A day of the Gregorian calendar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Day {
    days: i64,
}

/// A text is no day.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is no day: write it as 2024-03-01")]
pub struct DayError(String);

impl std::str::FromStr for Day {
    type Err = DayError;

    fn from_str(text: &str) -> Result<Day, DayError> {
        let day = (text.len() == 10).then(|| days(text.as_bytes())).flatten();
        day.map(|days| Day { days }).ok_or_else(|| DayError(text.to_owned()))
    }
}

impl Day {
    /// Its first second.
    pub(crate) fn first_second(self) -> i64 {
        self.days * 86_400
    }

    /// The first second of the next day.
    pub(crate) fn end(self) -> i64 {
        (self.days + 1) * 86_400
    }
}

fn number(digits: &[u8]) -> Option<u32> {
    digits.iter().try_fold(0, |sum, digit| {
        digit.is_ascii_digit().then(|| sum * 10 + u32::from(digit - b'0'))
    })
}

/// Days from 1970-01-01 to the day that a text begins with.
fn days(text: &[u8]) -> Option<i64> {
    let text = text.get(..10)?;
    if text[4] != b'-' || text[7] != b'-' {
        return None;
    }
    let (year, month, day) = (number(&text[..4])?, number(&text[5..7])?, number(&text[8..])?);
    let is_leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    let lengths = [31, if is_leap { 29 } else { 28 }, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    let in_month = *lengths.get((month as usize).checked_sub(1)?)?;
    if day == 0 || day > in_month {
        return None;
    }
    // Leap days up to the end of a year.
    let leap_days = |year: i64| year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400);
    let years = i64::from(year);
    let before: u32 = lengths[..month as usize - 1].iter().sum();
    let of_years = (years - 1970) * 365 + leap_days(years - 1) - leap_days(1969);
    Some(of_years + i64::from(before) + i64::from(day) - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_those_of_the_calendar_and_of_unix() {
        for (text, expected) in [
            ("1970-01-01", Some(0)),
            ("2024-02-29", Some(1_709_164_800)),
            ("2000-03-01", Some(951_868_800)),
            ("2100-03-01", Some(4_107_542_400)),
            ("2023-02-29", None),
            ("2023-13-01", None),
            ("2023-00-01", None),
            ("20230101", None),
            ("2024-1-1", None),
            ("2024-01-01T", None),
            ("", None),
        ] {
            let found = text.parse::<Day>().ok();
            assert_eq!(found.map(Day::first_second), expected, "{text}");
            assert!(found.is_none_or(|day| day.end() - day.first_second() == 86_400));
            // Rows are read by the function that signatures use.
            assert!(
                expected.is_none() || huller_refine::signature::file::seconds(text) == expected
            );
        }
    }
}
