//! Days in queries and filters, as seconds since 1970-01-01T00:00:00Z.

use huller_provenance::{civil, seconds};

/// Seconds per day.
const SECONDS_PER_DAY: i64 = 86_400;

/// A day of the Gregorian calendar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Day {
    /// Days since 1 January 1970.
    days: i64,
}

/// The text is not a day.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is not a day: write it as 2024-03-01")]
pub struct DayError(String);

impl std::str::FromStr for Day {
    type Err = DayError;

    fn from_str(text: &str) -> Result<Day, DayError> {
        let day = seconds(text).map(|first| Day { days: first.div_euclid(SECONDS_PER_DAY) });
        // A day that the calendar lacks, or another form of date, does not round-trip.
        day.filter(|day| day.to_text() == text).ok_or_else(|| DayError(text.to_owned()))
    }
}

impl Day {
    fn to_text(self) -> String {
        let (year, month, day) = civil(self.days);
        format!("{year:04}-{month:02}-{day:02}")
    }

    /// Returns its first second.
    pub(crate) fn first_second(self) -> i64 {
        self.days * SECONDS_PER_DAY
    }

    /// Returns the first second of the next day.
    pub(crate) fn end(self) -> i64 {
        (self.days + 1) * SECONDS_PER_DAY
    }
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
            ("2024", None),
            ("2024-01-01T00:00:00Z", None),
            (" 2024-01-01", None),
            ("2024-01-01T", None),
            ("", None),
        ] {
            let found = text.parse::<Day>().ok();
            assert_eq!(found.map(Day::first_second), expected, "{text}");
            assert!(found.is_none_or(|day| day.end() - day.first_second() == 86_400));
        }
    }
}
