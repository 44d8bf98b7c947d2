//! Reads dates in human-readable and machine-readable forms.
//!
//! Numeric dates: yyyy, m and d with `-`, `/`, `.` or 年 月 日 between them, and d.m.yyyy. A time h:mm
//! may follow, with or without seconds and a time zone. Spelled dates have the name of the month,
//! in one of a few languages, next to day and year. Years are 1900 to 2049, and the day must exist
//! in the calendar. 1 January 1970 is rejected. Every attempt reads a bounded number of scalars.

use super::line::truncate_text;
use std::fmt::Write;

/// A date, with the known parts of its time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PartialDate {
    year: u32,
    month: u32,
    day: u32,
    time: Option<Time>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Time {
    hour: u32,
    minute: u32,
    second: Option<u32>,
    /// Minutes east of Greenwich.
    zone: Option<i32>,
}

/// The order of year, month and day in a numeric date.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DateOrder {
    /// yyyy-mm-dd.
    YearFirst,
    /// dd.mm.yyyy. With `/` or `-` also mm/dd/yyyy, but only if the numbers allow just one of the
    /// two orders, or mean the same in both.
    YearLast,
}

impl PartialDate {
    /// Reads a numeric date in this form at the beginning of `text`. Returns it with its length in
    /// bytes.
    pub(super) fn numeric(text: &str, form: DateOrder) -> Option<(PartialDate, usize)> {
        let mut cursor = Cursor { rest: text };
        let date = match form {
            DateOrder::YearFirst => cursor.year_first()?,
            DateOrder::YearLast => cursor.year_last()?,
        };
        let moment = PartialDate { time: cursor.read_time(), ..date }.validate()?;
        Some((moment, text.len() - cursor.rest.len()))
    }

    /// Returns the date in an attribute whose purpose is to hold one.
    pub(super) fn parse_stated(value: &str) -> Option<PartialDate> {
        let value = truncate_text(value, MAX_STATED_BYTES).trim();
        let numeric = |form| first_date(value, form).map(|(moment, _)| moment);
        numeric(DateOrder::YearFirst)
            .or_else(|| PartialDate::compact(value))
            .or_else(|| PartialDate::spelled(value))
            .or_else(|| numeric(DateOrder::YearLast))
    }

    /// Returns the date in a short line of text.
    pub(super) fn parse_shown(line: &str) -> Option<PartialDate> {
        let numeric = |form| first_date(line, form).map(|(moment, _)| moment);
        numeric(DateOrder::YearFirst)
            .or_else(|| numeric(DateOrder::YearLast))
            .or_else(|| PartialDate::spelled(line))
    }

    /// Returns the date in the path of a URL: `/2010/01/30/`, `/2010-01-30-`, `/20100130/`.
    pub(super) fn from_url(url: &str) -> Option<PartialDate> {
        let path = url.split_once("://").map_or(url, |(_, rest)| rest);
        let path = path.split(['?', '#']).next().unwrap_or_default();
        let mut segments = path
            .match_indices('/')
            .take(MAX_SEGMENTS)
            .map(|(slash_offset, _)| &path[slash_offset + 1..]);
        segments.find_map(|segment| {
            let mut cursor = Cursor { rest: segment };
            let separators = ['/', '-'];
            let moment = if let Some(all) = cursor.read_number(8, 8) {
                PartialDate {
                    year: all / 10_000,
                    month: all / 100 % 100,
                    day: all % 100,
                    time: None,
                }
            } else {
                let year = cursor.read_number(4, 4)?;
                cursor.read_one_of(&separators)?;
                let (month, day) = if let Some(both) = cursor.read_number(4, 4) {
                    (both / 100, both % 100)
                } else {
                    let month = cursor.read_number(2, 2)?;
                    cursor.read_one_of(&separators)?;
                    (month, cursor.read_number(2, 2)?)
                };
                PartialDate { year, month, day, time: None }
            };
            let ends =
                cursor.rest.is_empty() || cursor.read_one_of(&['/', '-', '_', '.']).is_some();
            moment.validate().filter(|_| ends)
        })
    }

    /// Reads yyyymmdd or yyyymmddhhmmss.
    fn compact(value: &str) -> Option<PartialDate> {
        let digits = value.bytes().take_while(u8::is_ascii_digit).count();
        let part = |start: usize, end: usize| value.get(start..end)?.parse().ok();
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
        PartialDate { year: part(0, 4)?, month: part(4, 6)?, day: part(6, 8)?, time }.validate()
    }

    /// Reads a date with the name of its month: `Tue, 15 Nov 1994 08:12:31 GMT`,
    /// `November 15th, 1994`, `15. März 1994`.
    fn spelled(value: &str) -> Option<PartialDate> {
        const MAX_WORDS: usize = 12;
        // Every name of a month has an ASCII letter.
        if !value.bytes().any(|b| b.is_ascii_alphabetic()) {
            return None;
        }
        let (mut year, mut month, mut day) = (None, None, None);
        let mut remaining = value;
        for _ in 0..MAX_WORDS {
            let word_start = remaining.find(char::is_alphanumeric)?;
            let word = &remaining[word_start..];
            let end = word.find(|c: char| !c.is_alphanumeric()).unwrap_or(word.len());
            remaining = &word[end..];
            let word = &word[..end];
            let digits = word.bytes().take_while(u8::is_ascii_digit).count();
            match (digits, word[..digits].parse().ok()) {
                (0, _) => match month_of(word) {
                    Some(of_word) => month = month.or(Some(of_word)),
                    None if matches!(word, "de" | "of") => {}
                    // Day, month and year with another word between them do not form a date.
                    None => (year, month, day) = (None, None, None),
                },
                (1 | 2, number) if is_ordinal(&word[digits..]) => day = day.or(number),
                (4, number) if word.len() == 4 => year = year.or(number),
                _ => {}
            }
            if let (Some(year), Some(month), Some(day)) = (year, month, day) {
                let time = Cursor { rest: remaining.trim_start_matches(',') }.read_time();
                return PartialDate { year, month, day, time }.validate();
            }
        }
        None
    }

    fn validate(self) -> Option<PartialDate> {
        // Many systems write the first day of Unix time for "never".
        let is_epoch = (self.year, self.month, self.day) == (1970, 1, 1);
        let fits = YEARS.contains(&self.year)
            && (1..=12).contains(&self.month)
            && (1..=days_of(self.year, self.month)).contains(&self.day)
            && !is_epoch;
        let time_fits = self.time.is_none_or(Time::is_valid);
        (fits && time_fits).then_some(self)
    }

    /// Appends the date in ISO 8601, with the known parts of the time: `2010-01-30T08:05:00+08:00`.
    pub(super) fn write_iso(self, out: &mut String) {
        let PartialDate { year, month, day, time } = self;
        // Writing to a string cannot fail.
        let _ = write!(out, "{year:04}-{month:02}-{day:02}");
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

/// Sites write earlier years for "never", and later ones for "unknown".
const YEARS: std::ops::Range<u32> = 1900..2050;

/// Returns the number of days of a month, 1 to 12.
fn days_of(year: u32, month: u32) -> u32 {
    match month {
        2 if year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400)) => {
            29
        }
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// Largest number of path segments to read.
const MAX_SEGMENTS: usize = 16;

/// Largest number of bytes of an attribute's value to read.
const MAX_STATED_BYTES: usize = 256;

impl Time {
    fn is_valid(self) -> bool {
        // Second 60 is a leap second.
        self.hour < 24 && self.minute < 60 && self.second.is_none_or(|second| second <= 60)
    }
}

/// Returns whether this text may follow the number of a day without a space.
fn is_ordinal(rest: &str) -> bool {
    matches!(rest, "" | "st" | "nd" | "rd" | "th" | "er")
}

/// Returns the first date of this form in a text, and its range of bytes.
pub(super) fn first_date(
    text: &str,
    form: DateOrder,
) -> Option<(PartialDate, std::ops::Range<usize>)> {
    number_starts(text).find_map(|start| parse_at(text, start, form))
}

/// Returns the date at the byte `start`, which must be the start of a number, and its range of
/// bytes.
pub(super) fn parse_at(
    text: &str,
    start: usize,
    form: DateOrder,
) -> Option<(PartialDate, std::ops::Range<usize>)> {
    // After such a mark, the digits end a longer date or a version number.
    let byte_before = text.as_bytes()[..start].last();
    if form != DateOrder::YearFirst
        && byte_before.is_some_and(|b| matches!(b, b'-' | b'/' | b'.' | b':'))
    {
        return None;
    }
    let (moment, len) = PartialDate::numeric(&text[start..], form)?;
    Some((moment, start..start + len))
}

/// Returns the bytes at which numbers begin.
pub(super) fn number_starts(text: &str) -> impl Iterator<Item = usize> {
    let mut in_number = false;
    text.bytes().enumerate().filter_map(move |(offset, b)| {
        let begins = b.is_ascii_digit() && !in_number;
        in_number = b.is_ascii_digit();
        begins.then_some(offset)
    })
}

/// Returns the month, 1 to 12, of a name or its abbreviation to three letters or more. The
/// languages are English, German, French, Spanish, Italian, Portuguese and Dutch.
pub(super) fn month_of(word: &str) -> Option<u32> {
    const NAMES: [&[&str]; 12] = [
        &["january", "januar", "jänner", "janvier", "enero", "gennaio", "janeiro", "januari"],
        &["february", "februar", "février", "febrero", "febbraio", "fevereiro", "februari"],
        &["march", "märz", "mars", "marzo", "março", "maart"],
        &["april", "avril", "abril", "aprile"],
        &["may", "mai", "mayo", "maggio", "maio", "mei"],
        &["june", "juni", "juin", "junio", "giugno", "junho"],
        &["july", "juli", "juillet", "julio", "luglio", "julho"],
        &["august", "août", "agosto", "augustus"],
        &["september", "septembre", "septiembre", "settembre", "setembro"],
        &["october", "oktober", "octobre", "octubre", "ottobre", "outubro"],
        &["november", "novembre", "noviembre", "novembro"],
        &["december", "dezember", "décembre", "diciembre", "dicembre", "dezembro"],
    ];
    const MAX_MONTH_BYTES: usize = 10;
    // Lengths in bytes: names are at most this long, and fewer than three bytes are fewer than
    // three letters.
    if word.len() < 3 || word.len() > MAX_MONTH_BYTES {
        return None;
    }
    let first_letter = word.as_bytes()[0].to_ascii_lowercase();
    let abbreviates = |name: &&str| {
        if name.as_bytes()[0] != first_letter {
            return false;
        }
        let mut letters = name.chars();
        let begins = word.chars().all(|c| letters.next().is_some_and(|l| c.to_lowercase().eq([l])));
        begins && word.chars().nth(2).is_some()
    };
    let month = NAMES.iter().position(|names| names.iter().any(abbreviates));
    month.map(|month| month as u32 + 1)
}

/// The unread rest of a text. A method that returns `None` may have consumed a part of it.
#[derive(Clone, Copy)]
struct Cursor<'a> {
    rest: &'a str,
}

impl Cursor<'_> {
    fn year_first(&mut self) -> Option<PartialDate> {
        let year = self.read_number(4, 4)?;
        let separator = self.read_one_of(&['-', '/', '.', '年'])?;
        // 2010年 5月 8日
        let blanks = usize::from(separator == '年');
        self.skip_blanks(blanks);
        let month = self.read_number(1, 2)?;
        self.read_one_of(&[if separator == '年' { '月' } else { separator }])?;
        self.skip_blanks(blanks);
        let day = self.read_number(1, 2)?;
        if separator == '年' {
            self.read_one_of(&['日', '号']);
        }
        Some(PartialDate { year, month, day, time: None })
    }

    fn year_last(&mut self) -> Option<PartialDate> {
        let first_number = self.read_number(1, 2)?;
        let separator = self.read_one_of(&['.', '/', '-'])?;
        let second = self.read_number(1, 2)?;
        self.read_one_of(&[separator])?;
        let year = self.read_number(4, 4)?;
        let (day, month) = match separator {
            '.' => (first_number, second),
            _ if first_number > 12 || first_number == second => (first_number, second),
            _ if second > 12 => (second, first_number),
            _ => return None,
        };
        Some(PartialDate { year, month, day, time: None })
    }

    /// Reads a number of `min_digits` to `max_digits` digits that is not followed by another digit.
    fn read_number(&mut self, min_digits: usize, max_digits: usize) -> Option<u32> {
        let digits = self.rest.bytes().take(max_digits + 1).take_while(u8::is_ascii_digit).count();
        if digits < min_digits || digits > max_digits {
            return None;
        }
        let (number, rest) = self.rest.split_at(digits);
        self.rest = rest;
        number.parse().ok()
    }

    fn read_one_of(&mut self, accepted: &[char]) -> Option<char> {
        let c = self.rest.chars().next().filter(|c| accepted.contains(c))?;
        self.rest = &self.rest[c.len_utf8()..];
        Some(c)
    }

    fn skip_blanks(&mut self, max_blanks: usize) {
        for _ in 0..max_blanks {
            let Some(c) = self.rest.chars().next().filter(|c| c.is_whitespace()) else { return };
            self.rest = &self.rest[c.len_utf8()..];
        }
    }

    /// Reads the time, if one follows. Otherwise reads nothing.
    fn read_time(&mut self) -> Option<Time> {
        const MAX_BLANKS: usize = 4;
        let mut ahead = *self;
        if ahead.read_one_of(&['T', 't']).is_none() {
            ahead.skip_blanks(MAX_BLANKS);
        }
        let hour = ahead.read_number(1, 2)?;
        ahead.read_one_of(&[':', '：'])?;
        let minute = ahead.read_number(2, 2)?;
        let mut time = Time { hour, minute, second: None, zone: None };
        let mut seconds = ahead;
        if seconds.read_one_of(&[':', '：']).is_some()
            && let Some(second) = seconds.read_number(2, 2)
        {
            time.second = Some(second);
            ahead = seconds;
            if seconds.read_one_of(&['.', ',']).is_some() && seconds.read_number(1, 9).is_some() {
                ahead = seconds;
            }
        }
        time.zone = ahead.zone();
        if !time.is_valid() {
            return None;
        }
        *self = ahead;
        Some(time)
    }

    /// Reads the time zone and returns it in minutes: `Z`, `GMT`, `UTC` or `+0800`, directly or
    /// after a space, or `+08:00` directly.
    fn zone(&mut self) -> Option<i32> {
        let mut ahead = *self;
        ahead.skip_blanks(1);
        let spaced = ahead.rest.len() < self.rest.len();
        for name in ["Z", "z", "GMT", "UTC"] {
            if let Some(rest) = ahead.rest.strip_prefix(name)
                && !rest.starts_with(|c: char| c.is_alphanumeric())
            {
                self.rest = rest;
                return Some(0);
            }
        }
        let sign = if ahead.read_one_of(&['+', '-'])? == '-' { -1 } else { 1 };
        let minutes = if let Some(both) = ahead.read_number(4, 4) {
            (both / 100) * 60 + both % 100
        } else {
            let hours = ahead.read_number(2, 2)?;
            // ` -12:00` ends a span of time; it is not a zone.
            if spaced {
                return None;
            }
            ahead.read_one_of(&[':'])?;
            hours * 60 + ahead.read_number(2, 2)?
        };
        if minutes > 14 * 60 {
            return None;
        }
        *self = ahead;
        Some(sign * minutes.cast_signed())
    }
}
