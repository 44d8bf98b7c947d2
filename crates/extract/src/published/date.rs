//! Dates as people and machines write them.
//!
//! Numeric ones: yyyy sep m sep d with sep `-`, `/`, `.` or 年 月 日, the same with yy, and m月d日; a time h:mm, perhaps with seconds and a
//! zone, may follow. Months are 1 to 12, days 1 to 31; how many days a month has is not checked. Every attempt looks at a
//! bounded number of scalars.

use std::fmt::Write;

/// A date and what is known of its time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Moment {
    /// Absent where only month and day are written.
    year: Option<u32>,
    month: u32,
    day: u32,
    time: Option<Time>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Time {
    hour: u32,
    minute: u32,
    second: Option<u32>,
    /// East of Greenwich, in minutes.
    zone: Option<i32>,
}

/// How a date's year is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    FourDigits,
    TwoDigits,
    /// m月d日
    NoYear,
}

impl Moment {
    /// A date in one of the numeric forms that begins exactly where `text` does; also its length in bytes.
    pub(super) fn numeric(text: &str, form: Form) -> Option<(Moment, usize)> {
        let mut cursor = Cursor { rest: text };
        let year = match form {
            Form::FourDigits => Some(cursor.number(4, 4)?),
            // Years of two digits are of the century around 2020.
            Form::TwoDigits => {
                Some(cursor.number(2, 2)?).map(|y| if y < 70 { 2000 + y } else { 1900 + y })
            }
            Form::NoYear => None,
        };
        let separator = match year {
            Some(_) => Some(cursor.one_of(&['-', '/', '.', '年'])?).filter(|c| *c != '年'),
            None => None,
        };
        cursor.blanks(if separator.is_none() { 1 } else { 0 });
        let month = cursor.number(1, 2)?;
        cursor.one_of(&[separator.unwrap_or('月')])?;
        cursor.blanks(if separator.is_none() { 1 } else { 0 });
        let day = cursor.number(1, 2)?;
        if separator.is_none() && cursor.one_of(&['日', '号']).is_none() && form == Form::NoYear {
            return None;
        }
        let time = cursor.time();
        let moment = Moment { year, month, day, time }.checked()?;
        Some((moment, text.len() - cursor.rest.len()))
    }

    /// What the value of an attribute says that is meant to be a date.
    pub(super) fn stated(value: &str) -> Option<Moment> {
        let value = &value.trim()[..value.trim().floor_char_boundary(LONGEST_STATED)];
        let numeric = || first(value, Form::FourDigits).map(|(moment, _)| moment);
        numeric().or_else(|| Moment::compact(value)).or_else(|| Moment::spelled(value))
    }

    /// yyyymmdd, perhaps with hhmmss behind it.
    fn compact(value: &str) -> Option<Moment> {
        let digits = value.bytes().take_while(u8::is_ascii_digit).count();
        let part = |from: usize, to: usize| value.get(from..to)?.parse().ok();
        let time = match digits {
            8 => None,
            14 => Some(Time {
                hour: part(8, 10)?,
                minute: part(10, 12)?,
                second: part(12, 14),
                zone: None,
            }),
            _ => return None,
        };
        Moment { year: Some(part(0, 4)?), month: part(4, 6)?, day: part(6, 8)?, time }.checked()
    }

    /// An English date: `Tue, 15 Nov 1994 08:12:31 GMT`, `November 15th, 1994`.
    fn spelled(value: &str) -> Option<Moment> {
        const WORDS: usize = 6;
        let (mut year, mut month, mut day) = (None, None, None);
        let mut rest = value;
        for _ in 0..WORDS {
            let word_start = rest.find(|c: char| c.is_ascii_alphanumeric())?;
            let word = &rest[word_start..];
            let end = word.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(word.len());
            rest = &word[end..];
            let word = &word[..end];
            let digits = word.bytes().take_while(u8::is_ascii_digit).count();
            match (digits, word[..digits].parse().ok()) {
                (0, _) => month = month.or_else(|| month_of(word)),
                (1 | 2, number) if matches!(&word[digits..], "" | "st" | "nd" | "rd" | "th") => {
                    day = day.or(number);
                }
                (4, number) if word.len() == 4 => year = year.or(number),
                _ => return None,
            }
            if let (Some(_), Some(month), Some(day)) = (year, month, day) {
                let time = Cursor { rest: rest.trim_start_matches(',') }.time();
                return Moment { year, month, day, time }.checked();
            }
        }
        None
    }

    fn checked(self) -> Option<Moment> {
        let fits = (1..=12).contains(&self.month) && (1..=31).contains(&self.day);
        let time_fits = self.time.is_none_or(|time| time.fits());
        (fits && time_fits).then_some(self)
    }

    /// Appends the date by ISO 8601: `2010-01-30T08:05:00+08:00`, only as much as is known; without a year `--01-30`.
    pub(super) fn write_iso(self, out: &mut String) {
        let Moment { year, month, day, time } = self;
        // Writing to a string cannot fail.
        let _ = match year {
            Some(year) => write!(out, "{year:04}-{month:02}-{day:02}"),
            None => write!(out, "--{month:02}-{day:02}"),
        };
        let Some(time) = time else { return };
        let _ = write!(out, "T{:02}:{:02}", time.hour, time.minute);
        if let Some(second) = time.second {
            let _ = write!(out, ":{second:02}");
        }
        let _ = match time.zone {
            Some(0) => write!(out, "Z"),
            Some(zone) => {
                let (sign, zone) = (if zone < 0 { '-' } else { '+' }, zone.abs());
                write!(out, "{sign}{:02}:{:02}", zone / 60, zone % 60)
            }
            None => Ok(()),
        };
    }
}

/// Bytes of an attribute's value that are looked at.
const LONGEST_STATED: usize = 256;

impl Time {
    fn fits(self) -> bool {
        // A second of 60 is a leap second.
        self.hour < 24 && self.minute < 60 && self.second.is_none_or(|second| second <= 60)
    }
}

/// The first date of one form in a text, and where it stands.
pub(super) fn first(text: &str, form: Form) -> Option<(Moment, std::ops::Range<usize>)> {
    starts(text).find_map(|start| at(text, start, form))
}

/// A date that begins at `start`, where a number does.
pub(super) fn at(text: &str, start: usize, form: Form) -> Option<(Moment, std::ops::Range<usize>)> {
    // The tail of a longer date, or of a version number, has no year of two digits.
    let before = text.as_bytes()[..start].last();
    if form != Form::FourDigits && before.is_some_and(|b| matches!(b, b'-' | b'/' | b'.' | b':')) {
        return None;
    }
    let (moment, len) = Moment::numeric(&text[start..], form)?;
    Some((moment, start..start + len))
}

/// Where numbers begin.
pub(super) fn starts(text: &str) -> impl Iterator<Item = usize> {
    let mut in_number = false;
    text.bytes().enumerate().filter_map(move |(place, b)| {
        let starts = b.is_ascii_digit() && !in_number;
        in_number = b.is_ascii_digit();
        starts.then_some(place)
    })
}

fn month_of(word: &str) -> Option<u32> {
    const NAMES: [&str; 12] = [
        "january",
        "february",
        "march",
        "april",
        "may",
        "june",
        "july",
        "august",
        "september",
        "october",
        "november",
        "december",
    ];
    let abbreviates =
        |name: &&str| name.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word));
    let month = NAMES.iter().position(|name| abbreviates(name));
    month.filter(|_| word.len() >= 3).map(|month| month as u32 + 1)
}

/// What is left of a text that is being read.
#[derive(Clone, Copy)]
struct Cursor<'a> {
    rest: &'a str,
}

impl Cursor<'_> {
    /// A number of so many digits and no more.
    fn number(&mut self, least: usize, most: usize) -> Option<u32> {
        let digits = self.rest.bytes().take(most + 1).take_while(u8::is_ascii_digit).count();
        if digits < least || digits > most {
            return None;
        }
        let (number, rest) = self.rest.split_at(digits);
        self.rest = rest;
        number.parse().ok()
    }

    fn one_of(&mut self, wanted: &[char]) -> Option<char> {
        let c = self.rest.chars().next().filter(|c| wanted.contains(c))?;
        self.rest = &self.rest[c.len_utf8()..];
        Some(c)
    }

    fn blanks(&mut self, most: usize) {
        for _ in 0..most {
            let Some(c) = self.rest.chars().next().filter(|c| c.is_whitespace()) else { return };
            self.rest = &self.rest[c.len_utf8()..];
        }
    }

    /// A time, if one follows; otherwise nothing is taken.
    fn time(&mut self) -> Option<Time> {
        const BLANKS: usize = 4;
        let mut ahead = *self;
        if ahead.one_of(&['T', 't']).is_none() {
            ahead.blanks(BLANKS);
        }
        let hour = ahead.number(1, 2)?;
        ahead.one_of(&[':', '：'])?;
        let minute = ahead.number(2, 2)?;
        let mut time = Time { hour, minute, second: None, zone: None };
        let mut seconds = ahead;
        if seconds.one_of(&[':', '：']).is_some()
            && let Some(second) = seconds.number(2, 2)
        {
            time.second = Some(second);
            ahead = seconds;
            if seconds.one_of(&['.', ',']).is_some() && seconds.number(1, 9).is_some() {
                ahead = seconds;
            }
        }
        time.zone = ahead.zone();
        if !time.fits() {
            return None;
        }
        *self = ahead;
        Some(time)
    }

    /// `Z`, `GMT`, `UTC`, `+08:00` or `+0800`; the last also behind a blank.
    fn zone(&mut self) -> Option<i32> {
        let mut ahead = *self;
        ahead.blanks(1);
        let spaced = ahead.rest.len() < self.rest.len();
        for name in ["Z", "z", "GMT", "UTC"] {
            if let Some(rest) = ahead.rest.strip_prefix(name)
                && !rest.starts_with(|c: char| c.is_alphanumeric())
            {
                self.rest = rest;
                return Some(0);
            }
        }
        let sign = if ahead.one_of(&['+', '-'])? == '-' { -1 } else { 1 };
        let minutes = if let Some(both) = ahead.number(4, 4) {
            (both / 100) * 60 + both % 100
        } else {
            let hours = ahead.number(2, 2)?;
            // ` -12:00` is the end of a span of time.
            if spaced {
                return None;
            }
            ahead.one_of(&[':'])?;
            hours * 60 + ahead.number(2, 2)?
        };
        if minutes > 14 * 60 {
            return None;
        }
        *self = ahead;
        Some(sign * minutes as i32)
    }
}
