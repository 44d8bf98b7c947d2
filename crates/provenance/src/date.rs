//! Dates of captures, and days of the calendar.

const SECONDS_PER_DAY: i64 = 86_400;

/// Returns the seconds from 1970-01-01T00:00:00Z to a date. A date with only a year, a month, a day
/// or an hour counts from its beginning.
///
/// * As in WARC/1.1 (W3CDTF), of every precision: `2024`, `2024-02`, `2024-02-29`,
///   `2024-02-29T12:34Z`, `2024-02-29T12:34:56Z`, `2024-02-29T12:34:56.123456789Z`. Also with
///   another zone, in lower case, with a blank in place of `T`, and with a comma before the
///   fraction.
/// * As in CDX and ARC, 8, 12, 14 or 17 digits: `20240229123456`. Also `20240229T123456Z`.
/// * As in HTTP and mail (RFC 1123): `Thu, 29 Feb 2024 12:34:56 GMT`.
///
/// Zones are `Z`, `UTC`, `GMT`, `+02`, `+0200` and `+02:00`; without a zone the time is in UTC.
/// Fractions of seconds do not count. A day after the end of its month counts as a day of the next
/// month. Returns `None` for any other text.
///
/// ```
/// use huller_provenance::seconds;
///
/// assert_eq!(seconds("2024-02-29T12:34Z"), Some(1_709_210_040));
/// assert_eq!(seconds("2024-02-29T13:34+01:00"), seconds("20240229123400"));
/// assert_eq!(seconds("yesterday"), None);
/// ```
pub fn seconds(date: &str) -> Option<i64> {
    let date = date.trim().as_bytes();
    let mut reader = Reader { rest: date };
    match date.iter().take_while(|byte| byte.is_ascii_digit()).count() {
        4 => reader.dashed(),
        8 | 12 | 14 | 17 => reader.compact(),
        _ => reader.named_month(),
    }
}

/// Returns the days from 1970-01-01 to a day of the Gregorian calendar, in which 1 is January. A
/// day after the end of its month counts as a day of the next month. (Howard Hinnant,
/// "chrono-Compatible Low-Level Date Algorithms", `days_from_civil`.)
pub fn days(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let of_era = year.rem_euclid(400);
    let of_year = (153 * (if month > 2 { month - 3 } else { month + 9 }) + 2) / 5 + day - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}

/// Returns year, month and day of a number of days since 1970-01-01: the reverse of [`days`].
/// (`civil_from_days` there.)
pub fn civil(days: i64) -> (i64, i64, i64) {
    let days = days + 719_468;
    let (era, day_of_era) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let year_of_era =
        (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted + 2) / 5 + 1;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    (year_of_era + era * 400 + i64::from(month <= 2), month, day)
}

/// The unread rest of a date. Methods consume the characters that they read, even if they return
/// `None`.
struct Reader<'a> {
    rest: &'a [u8],
}

impl Reader<'_> {
    /// Reads `2024-02-29T12:34:56Z`, or a shorter form of it.
    fn dashed(&mut self) -> Option<i64> {
        let year = self.number(4)?;
        if self.rest.is_empty() {
            return first_second(year, 1, 1);
        }
        let month = self.consume_one_of(b"-")?.number(2)?;
        if self.rest.is_empty() {
            return first_second(year, month, 1);
        }
        let day = self.consume_one_of(b"-")?.number(2)?;
        let midnight = first_second(year, month, day)?;
        if self.rest.is_empty() {
            return Some(midnight);
        }
        Some(midnight + self.consume_one_of(b"Tt ")?.clock_and_zone()?)
    }

    /// Reads `20240229123456`, or `20240229T123456Z`.
    fn compact(&mut self) -> Option<i64> {
        let (year, month, day) = (self.number(4)?, self.number(2)?, self.number(2)?);
        let midnight = first_second(year, month, day)?;
        if self.rest.is_empty() {
            return Some(midnight);
        }
        self.skip(b"Tt ");
        Some(midnight + self.clock_and_zone()?)
    }

    /// Reads `Thu, 29 Feb 2024 12:34:56 GMT`, with or without the day of the week.
    fn named_month(&mut self) -> Option<i64> {
        const MONTHS: &[u8] = b"janfebmaraprmayjunjulaugsepoctnovdec";
        if let Some(comma) = self.rest.iter().take(10).position(|byte| *byte == b',') {
            if !self.rest[..comma].iter().all(u8::is_ascii_alphabetic) {
                return None;
            }
            self.rest = &self.rest[comma + 1..];
            self.skip(b" ");
        }
        let digits = self.rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let day = self.number(digits.clamp(1, 2))?;
        let name = self.consume_one_of(b" -")?.rest.get(..3)?;
        let month = MONTHS.chunks(3).position(|month| month.eq_ignore_ascii_case(name))?;
        let month = i64::try_from(month).ok()? + 1;
        self.rest = &self.rest[3..];
        let year = self.consume_one_of(b" -")?.number(4)?;
        let midnight = first_second(year, month, day)?;
        Some(midnight + self.consume_one_of(b" ")?.clock_and_zone()?)
    }

    /// Reads the time of day up to the end. Returns its seconds minus those of its zone.
    fn clock_and_zone(&mut self) -> Option<i64> {
        let hour = self.number(2)?;
        let (mut minute, mut second) = (0, 0);
        if self.goes_on() {
            minute = self.number(2)?;
            if self.goes_on() {
                second = self.number(2)?;
                let of_second = usize::from(self.skip(b".,"));
                let digits = self.rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
                // A form of only digits may have milliseconds, without a separator.
                if of_second == 0 && !matches!(digits, 0 | 3) {
                    return None;
                }
                self.rest = &self.rest[digits..];
            }
        }
        // Hour 24 ends a day, and second 60 is a leap second.
        if hour > 24 || minute > 59 || second > 60 {
            return None;
        }
        Some(hour * 3600 + minute * 60 + second - self.zone()?)
    }

    /// Returns whether another number of two digits follows, with or without a colon before it.
    fn goes_on(&mut self) -> bool {
        self.skip(b":") || self.rest.first().is_some_and(u8::is_ascii_digit)
    }

    /// Reads a zone up to the end. Returns the seconds by which it is ahead of UTC.
    fn zone(&mut self) -> Option<i64> {
        self.skip(b" ");
        let is_utc = |name: &str| self.rest.eq_ignore_ascii_case(name.as_bytes());
        if ["", "Z", "UTC", "GMT", "UT"].into_iter().any(is_utc) {
            return Some(0);
        }
        let sign = if self.rest.first() == Some(&b'-') { -1 } else { 1 };
        let hours = self.consume_one_of(b"+-")?.number(2)?;
        let minutes = if self.goes_on() { self.number(2)? } else { 0 };
        let is_zone = self.rest.is_empty() && hours < 24 && minutes < 60;
        is_zone.then_some(sign * (hours * 3600 + minutes * 60))
    }

    /// Reads a number of exactly `digits` digits.
    fn number(&mut self, digits: usize) -> Option<i64> {
        let (number, rest) = self.rest.split_at_checked(digits)?;
        self.rest = rest;
        number.iter().try_fold(0, |sum, digit| {
            digit.is_ascii_digit().then(|| sum * 10 + i64::from(digit - b'0'))
        })
    }

    /// Consumes one of these bytes, if it is next.
    fn skip(&mut self, bytes: &[u8]) -> bool {
        let follows = self.rest.first().is_some_and(|byte| bytes.contains(byte));
        self.rest = &self.rest[usize::from(follows)..];
        follows
    }

    /// Consumes one of these bytes, which must be next.
    fn consume_one_of(&mut self, bytes: &[u8]) -> Option<&mut Self> {
        self.skip(bytes).then_some(self)
    }
}

/// Returns the first second of a day, if month and day are in range.
fn first_second(year: i64, month: i64, day: i64) -> Option<i64> {
    let is_day = (1..=12).contains(&month) && (1..=31).contains(&day);
    is_day.then(|| days(year, month, day) * SECONDS_PER_DAY)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn dates_of_every_form_become_seconds() {
        // The numbers are those of Python's `datetime`.
        for (date, expected) in [
            ("2024", 1_704_067_200),
            ("2024-02", 1_706_745_600),
            ("2024-02-29", 1_709_164_800),
            ("20240229", 1_709_164_800),
            ("2024-02-29T12", 1_709_208_000),
            ("2024-02-29T12Z", 1_709_208_000),
            ("2024-02-29T12:34", 1_709_210_040),
            ("2024-02-29T12:34Z", 1_709_210_040),
            ("2024-02-29t12:34z", 1_709_210_040),
            ("2024-02-29 12:34", 1_709_210_040),
            ("202402291234", 1_709_210_040),
            ("2024-02-29T12:34:56", 1_709_210_096),
            ("2024-02-29T12:34:56Z", 1_709_210_096),
            (" 2024-02-29T12:34:56Z\r\n", 1_709_210_096),
            ("2024-02-29T12:34:56.7Z", 1_709_210_096),
            ("2024-02-29T12:34:56.123456789Z", 1_709_210_096),
            ("2024-02-29T12:34:56,789Z", 1_709_210_096),
            ("2024-02-29T12:34:56.Z", 1_709_210_096),
            ("20240229123456", 1_709_210_096),
            ("20240229123456Z", 1_709_210_096),
            ("20240229123456789", 1_709_210_096),
            ("20240229T123456Z", 1_709_210_096),
            ("20240229T12:34:56.5Z", 1_709_210_096),
            ("2024-02-29 12:34:56 UTC", 1_709_210_096),
            ("2024-02-29 12:34:56 +0000", 1_709_210_096),
            ("2024-02-29T13:34:56+01:00", 1_709_210_096),
            ("2024-02-29T12:34:56+02:00", 1_709_202_896),
            ("2024-02-29T12:34:56.5+0200", 1_709_202_896),
            ("2024-02-29T12:34:56+02", 1_709_202_896),
            ("2024-02-29T12:34:56-05:30", 1_709_229_896),
            ("2024-02-29T12:34+14:00", 1_709_159_640),
            ("Thu, 29 Feb 2024 12:34:56 GMT", 1_709_210_096),
            ("29 feb 2024 12:34:56 -0530", 1_709_229_896),
            ("Thursday, 29-Feb-2024 12:34:56 GMT", 1_709_210_096),
            ("Sun, 6 Nov 1994 08:49:37 GMT", 784_111_777),
            ("1970-01-01T00:00:00Z", 0),
            ("1969-12-31T23:59:59", -1),
            ("1996-10-20T01:02:03Z", 845_773_323),
            ("2038-01-19T03:14:08Z", 2_147_483_648),
            ("0001", -62_135_596_800),
            ("9999-12-31T23:59:59Z", 253_402_300_799),
            // Accepted as before: hour 24, a leap second, and days after the end of their month.
            ("2024-02-28T24:00:00Z", 1_709_164_800),
            ("2024-02-28T23:59:60Z", 1_709_164_800),
            ("2023-02-29", 1_677_628_800),
        ] {
            assert_eq!(seconds(date), Some(expected), "{date}");
        }
    }

    #[test]
    fn what_is_no_date_has_no_seconds() {
        for date in [
            "",
            "-",
            "never",
            "24",
            "202402",
            "1709210096",
            "1709210096123",
            "2024-",
            "2024-13-01",
            "2024-00",
            "2024-02-00",
            "2024-02-32",
            "2024-2-9",
            "2024/02/29",
            "2024-02-29T",
            "2024-02-29T1",
            "2024-02-29T12:",
            "2024-02-29T12:3",
            "2024-02-29T25:00",
            "2024-02-29T12:60",
            "2024-02-29T12:34:61",
            "2024-02-29T12:34:5678",
            "2024-02-29T12:34:56 PST",
            "2024-02-29T12:34:56+é:00",
            "2024-02-29T12:34:56+1",
            "2024-02-29T12:34:56+24:00",
            "2024-02-29T12:34:56+01:60",
            "2024-02-29T12:34:56+01:00Z",
            "2024-02-29T12:34:56ZZ",
            "2024-02-29Z",
            "20240229123456 x",
            "20241301000000",
            "Thu, 29 Feb 2024",
            "Thu, 29 Xyz 2024 12:34:56 GMT",
            "29. Feb 2024 12:34:56",
            "1, 2 Feb 2024 00:00:00 GMT",
            "éééé-éé-éé",
            "２０２４",
        ] {
            assert_eq!(seconds(date), None, "{date}");
        }
        assert_eq!(seconds(&"1".repeat(1_000_000)), None);
    }

    #[test]
    fn days_are_those_of_the_calendar() {
        for (date, expected) in [
            ((1970, 1, 1), 0),
            ((1600, 2, 29), -11_670_998_400),
            ((1900, 3, 1), -2_203_891_200),
            ((2000, 3, 1), 951_868_800),
            ((2100, 3, 1), 4_107_542_400),
        ] {
            assert_eq!(days(date.0, date.1, date.2) * SECONDS_PER_DAY, expected, "{date:?}");
            assert_eq!(civil(expected / SECONDS_PER_DAY), date);
        }
    }

    proptest! {
        #[test]
        fn consecutive_days_are_consecutive_dates(day in -100_000_000_i64..100_000_000) {
            let ((year, month, of_month), next) = (civil(day), civil(day + 1));
            prop_assert_eq!(days(year, month, of_month), day);
            let first = if month == 12 { (year + 1, 1, 1) } else { (year, month + 1, 1) };
            prop_assert!(next == (year, month, of_month + 1) || (next == first && of_month >= 28));
        }

        #[test]
        fn texts_of_any_kind_are_read(date in "[0-9TZ:+. ,a-zé-]{0,30}") {
            seconds(&date);
        }
    }
}
